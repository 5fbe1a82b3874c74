"""Texts that are read: exact numbers, printing that parses back, equality by meaning."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st

from giantstep.errors import TextError
from giantstep.problems import Activation, Target
from giantstep.problems.text.elementary import FUNCTIONS
from giantstep.problems.text.language import parse
from giantstep.problems.text.printing import to_text
from giantstep.problems.text.scalars import PI, add, multiply, power, reciprocal, square_root
from giantstep.problems.text.scanner import TARGET
from giantstep.problems.text.surds import Surd

PRINTED = [
    ("x1+He2(x1)*x2", "x1 + He2(x1)*x2"),
    ("x1 - (x2 - x3)", "x1 - (x2 - x3)"),
    ("x1--x2", "x1 + x2"),
    ("-x1**2/sqrt( 2 )", "-x1**2/sqrt(2)"),
    ("(-x1)**2", "(-x1)**2"),
    ("x1*(x2/3)", "x1*(x2/3)"),
    ("x1/3*x2", "x1/3*x2"),
    ("x1/(3*2)", "x1/(3*2)"),
    ("((x1)) * -2", "x1*(-2)"),
    ("1e-3*x1 + 0.60*x2", "0.001*x1 + 0.6*x2"),
    ("pi*x1 + 2/3", "pi*x1 + 2/3"),
    ("123456789012345678901234567890*x1", "12345678901234567890123456789e1*x1"),
    ("tanh ( 0.6*x1+0.8*x2 )+He3(x1)*x2", "tanh(0.6*x1 + 0.8*x2) + He3(x1)*x2"),
]


@pytest.mark.parametrize(("written", "printed"), PRINTED)
def test_a_target_prints_back_as_its_text(written: str, printed: str) -> None:
    target = Target(written)
    assert str(target) == target.text == printed
    assert repr(target) == f"Target({printed!r})"
    assert str(Target(printed)) == printed
    assert Target(printed) == target
    assert pickle.loads(pickle.dumps(target)) == target


SAME = [
    ("x1+x1", "2*x1"),
    ("He2(x1)", "x1**2 - 1"),
    ("(x1+x2)*(x1-x2)", "He2(x1) - He2(x2)"),
    ("x1/sqrt(2)", "sqrt(2)*x1/2"),
    ("sqrt(6)*x1", "sqrt(2)*sqrt(3)*x1"),
    ("x1/pi*pi", "x1"),
    ("0.1*x1 + 0.2*x1", "0.3*x1"),
    ("tanh(-x1)", "-tanh(x1)"),
    ("cos(-x1) + sin(-x2)", "cos(x1) - sin(x2)"),
    ("relu(3*x1)", "3*relu(x1)"),
    ("relu(-x1)", "relu(x1) - x1"),
    ("sign(x1*x2)", "sign(x2)*sign(x1)"),
    ("abs(x1)**2", "x1**2"),
    ("abs(x1*x2**3)", "abs(x1)*abs(x2)*x2**2"),
    ("exp(x1 + 1)*exp(-1)", "exp(x1)*(exp(1)*exp(-1))"),
    ("He2(tanh(x1))", "tanh(x1)**2 - 1"),
    ("x1 + 0*x3", "x1"),
    ("sigmoid(-x1)", "1 - sigmoid(x1)"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_equal_functions_are_equal_targets(one: str, other: str) -> None:
    assert Target(one) == Target(other)
    assert hash(Target(one)) == hash(Target(other))
    x = np.random.default_rng(3).standard_normal((50, 3))
    np.testing.assert_allclose(Target(one)(x), Target(other)(x), rtol=1e-12, atol=1e-12)


def test_different_functions_differ() -> None:
    texts = ["x1", "x2", "2*x1", "x1**2", "He2(x1)", "tanh(x1)", "tanh(2*x1)", "tanh(x2)", "relu(x1 + 1)", "relu(x1)"]
    assert len({Target(t) for t in texts}) == len(texts)
    assert Target("x1") != "x1"
    assert Activation("z") != Target("x1")


def test_numbers_are_read_exactly() -> None:
    assert Target("0.6*x1 + 0.8*x2").norm2 == 1
    assert Target("1e-3").mean == Fraction(1, 1000)
    assert Target("x1/3 + x1/6").hermite() == {(1,): Fraction(1, 2)}
    # Roots and pi are kept exactly too: these norms are one, not almost one.
    assert Target("He2(x1)/sqrt(2)").norm2 == 1
    assert Target("sqrt(0.3)*He2(x1)/sqrt(2) + sqrt(0.7)*He4(x1)/sqrt(24)").norm2 == 1
    assert Target("sqrt(pi)*x1").norm2 == pytest.approx(np.pi, rel=1e-15)
    assert Target("sqrt(2)*(x1**2 - 1) - sqrt(2)*He2(x1)") == Target("0")
    assert not Target("sqrt(2)*x1").is_exact
    assert Target("sqrt(4)*x1").is_exact


def test_sums_of_roots_keep_their_digits() -> None:
    assert float(power(add(square_root(Fraction(2)), Fraction(-7, 5)), 8)) == pytest.approx(1.6582e-15, rel=1e-3)
    assert multiply(square_root(Fraction(12)), square_root(Fraction(3))) == 6
    assert multiply(PI, reciprocal(PI)) == 1
    assert isinstance(square_root(Fraction(2, 3)), Surd)
    tiny = add(square_root(Fraction(2)), Fraction(-141421356237309504880168872420969, 10**32))
    assert float(tiny) == pytest.approx(8.0785696718753769e-33, rel=1e-12)
    assert multiply(square_root(Fraction(8)), square_root(Fraction(10**9 + 7))) == square_root(
        Fraction(8 * (10**9 + 7))
    )


def expressions() -> st.SearchStrategy[str]:
    """Texts of the grammar that stay within its limits."""
    numbers = st.one_of(
        st.integers(0, 30).map(str), st.decimals(0, 9, places=2).map(str), st.sampled_from(["pi", "sqrt(2)", "1e-2"])
    )
    divisors = st.sampled_from(["2", "3", "0.5", "pi", "sqrt(2)", "(1 + pi)"])
    leaves = st.one_of(numbers, st.integers(1, 3).map(lambda i: f"x{i}"))
    names = st.sampled_from([f for f in FUNCTIONS if f != "exp" and (not f.startswith("He") or len(f) == 3)])

    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            st.tuples(inner, st.sampled_from(["+", "-", "*", " + ", " - "]), inner).map("".join),
            inner.map(lambda e: f"({e})"),
            inner.map(lambda e: f"-({e})"),
            st.tuples(inner, st.integers(0, 3)).map(lambda p: f"({p[0]})**{p[1]}"),
            st.tuples(inner, divisors).map(lambda p: f"({p[0]})/{p[1]}"),
            st.tuples(names, inner).map(lambda p: f"{p[0]}({p[1]})"),
        )

    return st.recursive(leaves, grow, max_leaves=7)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(expressions())
@example("-(x1/2*x2)")
@example("x1 - (x2/3*x1)*x2")
def test_any_expression_prints_back(text: str) -> None:
    try:
        tree = parse(text, TARGET)
    except TextError:  # a number that is too large, as in He7(He7(17))
        reject()
    printed = to_text(tree)
    again = parse(printed, TARGET)
    assert to_text(again) == printed
    x = np.random.default_rng(1).standard_normal((9, 3))
    try:
        target = Target(text)
    except ValueError:
        return
    with np.errstate(all="ignore"):
        value, reread = target(x), Target(str(target))(x)
    np.testing.assert_allclose(value, reread, rtol=1e-9, atol=1e-9, equal_nan=True)
    assert Target(str(target)) == target
