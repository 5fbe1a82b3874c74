"""Bad texts: one sentence, a caret at the right place, bounded time and memory, and never another error."""

import random
import sys
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from giantstep.errors import InputError, TextError
from giantstep.problems import Activation, Target
from giantstep.problems.forms.arithmetic import MAX_DEGREE, MAX_TERMS
from giantstep.problems.forms.components import MAX_COUPLED, MAX_PRODUCTS
from giantstep.problems.text.elementary import FUNCTIONS, MAX_HERMITE
from giantstep.problems.text.scanner import MAX_DEPTH, MAX_DIGITS, MAX_DIRECTIONS, MAX_LENGTH, MAX_TOKENS

ALL_VARIABLES = "+".join(f"x{i + 1}" for i in range(MAX_DIRECTIONS))

REFUSED = [
    # text, position of the caret, words of the sentence
    ("", 0, "empty"),
    ("  ", 0, "empty"),
    ("y", 0, "unknown name 'y'"),
    ("x1 + tahn(x2)", 5, "perhaps tanh"),
    ("x1 + z", 5, "unknown name"),
    ("x0", 0, "unknown name"),
    ("x01", 0, "unknown name"),
    ("x1 + x17", 5, "at most 16 directions"),
    ("x" + "9" * 100, 0, "at most 16 directions"),
    ("He21(x1)", 0, "He0 to He20"),
    ("x1^2", 2, "**"),
    ("x1 +", 4, "ends too early"),
    ("x1 + * x2", 5, "missing before"),
    ("x1 // 2", 4, "missing before"),
    ("tanh()", 5, "missing before"),
    ("(x1", 0, "never closed"),
    ("x1)", 2, "no opening"),
    ("x1 x2", 3, "operator"),
    ("2x1", 1, "operator"),
    ("(x1)(x2)", 4, "operator"),
    ("3(x1)", 1, "operator"),
    ("x1(2)", 0, "not a function"),
    ("pi(2)", 0, "not a function"),
    ("tanh", 0, "needs an argument"),
    ("x1 - sqrt", 5, "needs an argument"),
    ("tanh(x1, x2)", 7, "one argument"),
    ("1,5*x1", 1, "decimals are written with a point"),
    ("x1 = 2", 3, "equals sign"),
    ("[x1]", 0, "round brackets"),
    ("__import__('os').system('true')", 0, "unknown name"),
    ("x1.__class__", 2, "not allowed"),
    ("().__class__", 1, "missing before"),
    ("lambda: 1", 0, "unknown name"),
    ("x1 if x1 else 2", 3, "operator"),
    ("x1; x2", 2, "not allowed"),
    ("x1 # x2", 3, "not allowed"),
    ("f'{x1}'", 0, "unknown name"),
    ("None", 0, "unknown name"),
    ("x1\0", 2, "number 0"),
    ("\uff581 + x2", 0, "not allowed"),  # a full-width x
    ("\u04451 + x2", 0, "not allowed"),  # a Cyrillic x
    ("x\u0661", 0, "a variable is written x1"),  # an Arabic digit is not a digit here
    ("\u0663*x1", 0, "not allowed"),
    ("x1\u200b", 2, "not allowed"),
    ("x1\x0b+x2", 2, "not allowed"),
    ("0x10", 1, "operator"),
    ("1_000", 1, "operator"),
    ("1j", 1, "operator"),
    ("007", 0, "start with 0"),
    ("1e400", 0, "outside the range"),
    ("1e-400", 0, "outside the range"),
    ("1e99999", 0, "outside the range"),
    ("1e999999999", 0, "too long"),
    ("1" * (MAX_DIGITS + 1), 0, "too long"),
    ("9**9**9", 3, "whole number"),
    ("((9**20)**20)**20", 1, "outside the range"),
    ("1e50*1e50", 0, "outside the range"),
    ("exp(1000)", 0, "outside the range"),
    ("x1**21", 4, "at most 20"),
    ("x1**2.5", 4, "whole number"),
    ("x1**-1", 4, "whole number"),
    ("x1**x2", 4, "whole number"),
    ("x1**20*x2", 0, "degree 20"),
    ("x2 + He11(x1)*He10(x2)", 5, "degree 20"),
    ("(tanh(x1)**20)**20", 0, "degree 20"),
    ("1/x1", 2, "division is only by a number"),
    ("x1/(1 + x2**2)", 4, "division is only by a number"),
    ("1/0", 2, "division by zero"),
    ("x1/(sqrt(8) - 2*sqrt(2))", 4, "division by zero"),
    ("sqrt(0 - 1)", 0, "negative"),
    ("sqrt(x1)", 5, "takes a number"),
    ("x2 + exp(x1**2)", 5, "grows too fast"),
    ("exp(x1**2/4)", 0, "grows too fast"),
    ("exp(x1*x2)", 0, "grows too fast"),
    ("exp(exp(x1))", 0, "grows too fast"),
    ("exp(30*x1)", 0, "grows too fast"),
    ("exp(x1**3)", 0, "grows too fast"),
    ("exp(x1**2/8)*exp(x1**2/8)", 13, "grows too fast"),
    ("relu(exp(x1**2))", 5, "grows too fast"),
    ("x1 + tanh(x1*x2*x3*x4*x5)", 5, f"at most {MAX_COUPLED}"),
    (f"({ALL_VARIABLES})**8", 0, "too long to multiply out"),
    ("+".join(f"tanh({i}*x1)" for i in range(1, MAX_PRODUCTS + 2)), 0, f"at most {MAX_PRODUCTS}"),
    ("centered(x1)", 0, "for activations"),
    ("x1+" * 700 + "x1", MAX_LENGTH, "characters"),
    ("(" * 10_000 + "x1" + ")" * 10_000, MAX_LENGTH, "characters"),
    ("(" * 400 + "x1" + ")" * 400, MAX_DEPTH, "deep"),
    ("-" * (MAX_TOKENS + 1) + "x1", MAX_TOKENS, "parts"),
    ("tanh(" * 300 + "x1" + ")" * 300, 5 * MAX_DEPTH + 4, "deep"),
]


@pytest.mark.parametrize(
    ("text", "position", "words"), REFUSED, ids=[t[:24].encode("ascii", "replace").decode() for t, _, _ in REFUSED]
)
def test_bad_text_gets_a_sentence_and_a_caret(text: str, position: int, words: str) -> None:
    with pytest.raises(TextError) as caught:
        Target(text)
    error = caught.value
    assert words in error.sentence
    assert error.position == position
    assert "\n" not in error.sentence
    shown = str(error).split("\n")
    assert len(shown) == 3
    assert shown[2].strip() == "^"


def test_what_is_not_a_text_is_refused() -> None:
    for value in (None, 3, b"x1", ["x1"]):
        with pytest.raises(InputError):
            Target(value)  # type: ignore[arg-type]


def test_the_limits_themselves_are_allowed() -> None:
    assert Target("(" * MAX_DEPTH + "x1" + ")" * MAX_DEPTH) == Target("x1")
    assert Target(f"He{MAX_HERMITE}(x{MAX_DIRECTIONS})").directions == MAX_DIRECTIONS
    assert Target("-" * (MAX_TOKENS - 2) + "x1") == Target("x1")
    assert Target("1" * MAX_DIGITS + "*x1").is_exact
    assert Target(f"x1**{MAX_DEGREE}").degree == MAX_DEGREE
    assert len(Target(f"({ALL_VARIABLES})**4").form.terms) <= MAX_TERMS
    assert Target(" x1\n\t + x2 ").text == "x1 + x2"
    text = "+".join(["x1"] * 480)  # with spaces around its signs it would be too long
    assert Target(str(Target(text))) == Target(text) == Target("480*x1")


def test_activations_name_their_variable() -> None:
    for text, words in (("x1", "known are z"), ("tanh(x1)", "known are z"), ("exp(z**2)", "grows too fast")):
        with pytest.raises(TextError, match=words):
            Activation(text)
    with pytest.raises(TextError, match="not constant"):
        Activation("normalized(3)")


# --- hostile and random texts -----------------------------------------------------------------------------

TOKENS = [
    *FUNCTIONS,
    *(f"x{i}" for i in range(1, 6)),
    *("0", "1", "2", "3", "7", "20", "0.5", "1e-3", "1e30", "pi", "sqrt"),
    *("(", ")", "(", ")", "+", "-", "*", "/", "**", "**", "*", "+"),
]
HOSTILE = [*TOKENS, "__class__", "eval", ".", ",", "[", "lambda", "\0", "\u2028", "1e9999", "x99", "=", "'", "\\", "#"]


def in_place(error: TextError) -> None:
    assert 0 <= error.position <= len(error.text)


def survives(text: str) -> None:
    """Reading the text works or raises TextError, nothing else."""
    for kind in (Target, Activation):
        try:
            made = kind(text)
        except TextError as error:
            in_place(error)
        else:
            assert kind(str(made)) == made


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    survives(text)


@settings(max_examples=120, deadline=None)
@given(st.lists(st.sampled_from(HOSTILE), max_size=40).map(" ".join))
def test_any_list_of_tokens_is_read_or_refused(text: str) -> None:
    survives(text)


def random_text(rng: random.Random, depth: int) -> str:
    """A text of the grammar, with all that can explode in it: powers, products of sums, nested functions."""
    kind = rng.randrange(8) if depth else 7
    if kind <= 1:
        return "(" + rng.choice("+-").join(random_text(rng, depth - 1) for _ in range(rng.randint(1, 6))) + ")"
    if kind == 2:
        return "*".join(random_text(rng, depth - 1) for _ in range(rng.randint(1, 4)))
    if kind == 3:
        return f"({random_text(rng, depth - 1)})**{rng.randint(0, 20)}"
    if kind == 4:
        return f"({random_text(rng, depth - 1)})/{rng.choice(['3', 'sqrt(2)', 'pi', '(1+sqrt(5))', '1e20'])}"
    if kind <= 6:
        return f"{rng.choice([*FUNCTIONS, 'exp', 'sign'])}({random_text(rng, depth - 1)})"
    return rng.choice([f"x{rng.randint(1, 16)}", "x1", "x2", "0.3", "7", "sqrt(3)", "pi", "1e-9"])


@pytest.mark.slow
def test_random_texts_of_the_grammar_are_read_or_refused_in_bounded_work() -> None:
    rng = random.Random(20240611)
    read = 0
    for _ in range(100):
        text = random_text(rng, rng.randint(1, 5))
        try:
            target = Target(text)
        except TextError as error:
            in_place(error)
        else:
            assert Target(str(target)) == target
            read += 1
    assert read > 30


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000 + "x1" + ")" * 10_000,
        "9**9**9**9",
        "+".join(["(1+x1+x2+x3+x4+x5)**19"] * 60),
        "*".join(["(x1+x2+x3+x4)"] * 19),
        "*".join(f"(x{i}+sqrt({2 * i + 1})+sqrt({3 * i + 1}))" for i in range(1, 17)),
        "*".join(f"(1/{10**12 + i}+x1)" for i in range(15)),
        "*".join(f"(tanh({i}*x1)+x2)" for i in range(1, 20)),
        "exp(" * 30 + "x1" + ")" * 30,
        "He20(" * 20 + "x1" + ")" * 20,
        "relu(" * 31 + "x1" + "+x2)" * 31,
        "+".join(f"tanh({i}*x{i % 16 + 1}+x{i % 7 + 1})" for i in range(1, 61)),
        "a" * 10**6,
        "\0" * 10**6,
    ],
    ids=range(13),
)
def test_hostile_texts_use_little_memory(text: str) -> None:
    tracemalloc.start()
    try:
        Target(text)
    except TextError:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 64e6


def test_reading_needs_little_stack() -> None:
    """Texts at the limits of depth and length do not come near the recursion limit."""

    def deeper(levels: int, text: str) -> Target:
        return deeper(levels - 1, text) if levels else Target(text)

    assert sys.getrecursionlimit() >= 1000
    for text in (
        "tanh(" * MAX_DEPTH + "x1" + ")" * MAX_DEPTH,
        "x1" + "+x1" * 499,
        "(1-" * MAX_DEPTH + "x1" + ")" * MAX_DEPTH,
    ):
        assert deeper(300, text).directions == 1
