"""The first look at a text: one linear pass that lets only known tokens through, within limits.

After it, a text consists of numbers, known names, + - * / ** and matched round brackets, is short and not deep. It may
still be nonsense, but no longer dangerous.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from giantstep.errors import TextError
from giantstep.problems.text.elementary import FUNCTIONS, MAX_HERMITE

MAX_LENGTH = 2000
"""Longest text, in characters."""
MAX_DEPTH = 32
"""Deepest nesting of brackets."""
MAX_TOKENS = 1000
"""Most numbers, names, operators and brackets in a text."""
MAX_DIGITS = 40
"""Most digits of one number."""
MAX_EXPONENT = 20
"""Highest power `**`."""
MAX_DIRECTIONS = 16
"""Most directions: the variables are x1 to x16."""

NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OPERATOR = re.compile(r"\*\*|[-+*/()]")
_OPERATORS = ("+", "-", "*", "/", "**")
VARIABLE = re.compile(r"x([1-9][0-9]*)")
WRAPPERS = ("centered", "normalized")
_HINTS = {
    "^": "powers are written with ** as in x1**2, not with ^",
    "[": "only round brackets ( ) are allowed, not [",
    "{": "only round brackets ( ) are allowed, not {",
    ",": "functions take one argument, so there are no commas; decimals are written with a point",
    "=": "a text is one expression without an equals sign",
}


# Functions that others have under another name, with what to write here; X stands for the variable.
_ELSEWHERE = {
    "max": "max(X, 0) is written relu(X), and max(X, Y) is Y + relu(X - Y)",
    "min": "min(X, 0) is written -relu(-X), and min(X, Y) is Y - relu(Y - X)",
    **dict.fromkeys(
        ("leaky_relu", "leakyrelu", "prelu"), "a leaky ReLU of slope 0.1 is written relu(X) - 0.1*relu(-X)"
    ),
    **dict.fromkeys(("silu", "swish"), "SiLU is written X*sigmoid(X)"),
    **dict.fromkeys(("heaviside", "theta", "indicator"), "the indicator of X > 0 is written step(X)"),
    **dict.fromkeys(("logistic", "expit"), "the logistic function is written sigmoid(X)"),
    **dict.fromkeys(("sgn", "signum"), "the sign is written sign(X)"),
    "square": "a square is written X**2",
    "pow": "a power is written X**3",
    **dict.fromkeys(("log", "ln"), "there is no logarithm, for it has no value at 0; softplus(X) is log(1 + exp(X))"),
    "clip": "X cut off at -1 and 1 is written relu(X + 1) - relu(X - 1) - 1",
    "hardtanh": "X cut off at -1 and 1 is written relu(X + 1) - relu(X - 1) - 1",
    "relu6": "ReLU cut off at 6 is written relu(X) - relu(X - 6)",
    "linear": "the identity is written X",
    "x": "a variable is written X here",
    "hermite": "Hermite polynomials are written He2(X), He3(X), ...",
    **dict.fromkeys(("cosh", "sinh"), "cosh and sinh are written with exp(X) and exp(-X)"),
}


@dataclass(frozen=True)
class Dialect:
    """What the variables are: `x1`, `x2`, ... for targets, `z` for activations (with bare function names)."""

    what: str
    single: str | None
    example: str

    @property
    def variables(self) -> str:
        return self.single or f"x1 to x{MAX_DIRECTIONS}"


TARGET = Dialect("target", None, "x1 + He2(x2)")
ACTIVATION = Dialect("activation", "z", "tanh")


def readable(text: str, dialect: Dialect) -> str:
    """The text if it keeps the limits of the language, else nothing: a printed text may be longer than the written."""
    try:
        scan(text, dialect)
    except TextError:
        return ""
    return text


def scan(text: str, dialect: Dialect) -> None:
    """Refuse everything but known tokens in a possible order, bounded in number and depth, in one pass."""
    if not text.strip():
        raise TextError(f"the {dialect.what} is empty; write an expression in {dialect.variables}", text, 0)
    if len(text) > MAX_LENGTH:
        shown = text[: MAX_LENGTH + 1]
        raise TextError(f"the text has {len(text)} characters; at most {MAX_LENGTH} are allowed", shown, MAX_LENGTH)
    place = tokens = 0
    opened: list[int] = []
    before = ""  # the token before: after a value (a name, a number, a closing bracket) must come an operator
    while place < len(text):
        if text[place] in " \t\r\n":
            place += 1
            continue
        tokens += 1
        if tokens > MAX_TOKENS:
            raise TextError(f"the text has more than {MAX_TOKENS} parts; write it shorter", text, place)
        match = NUMBER.match(text, place) or _NAME.match(text, place) or _OPERATOR.match(text, place)
        if match is None:
            raise TextError(_foreign_sentence(text[place]), text, place)
        token = match.group()
        _check_order(text, before, token, place)
        if token == "(":
            opened.append(place)
            if len(opened) > MAX_DEPTH:
                raise TextError(f"brackets are nested more than {MAX_DEPTH} deep; use fewer", text, place)
        elif token == ")":
            if not opened:
                raise TextError("this closing bracket has no opening one", text, place)
            opened.pop()
        elif token[0] in "0123456789.":
            _check_number(text, token, place)
        elif token[0] not in "+-*/":
            _check_name(text, token, place, dialect)
        before, place = token, match.end()
    if before in _OPERATORS:
        raise TextError("the text ends too early: an expression must follow here", text, len(text.rstrip()))
    if opened:
        raise TextError("this opening bracket is never closed", text, opened[-1])


def _check_order(text: str, before: str, token: str, place: int) -> None:
    """Values and operators must alternate; a sign may stand before a value, a function before a bracket."""
    after_value = before not in ("", "(", *_OPERATORS)
    if token in ("*", "/", "**", ")"):
        if not after_value:
            raise TextError("an expression is missing before this", text, place)
    elif token == "(":
        if after_value and not _NAME.fullmatch(before):
            raise TextError("an operator such as * is missing before this bracket", text, place)
    elif after_value and token not in ("+", "-"):
        what = "name" if _NAME.fullmatch(token) else "number"
        raise TextError(f"an operator such as * is missing before this {what}", text, place)


def _foreign_sentence(character: str) -> str:
    if character in _HINTS:
        return _HINTS[character]
    shown = repr(character) if character.isprintable() else f"number {ord(character)}"
    return f"the character {shown} is not allowed; allowed are numbers, names, + - * / ** and round brackets"


def _check_number(text: str, number: str, place: int) -> None:
    digits, _, exponent = number.lower().partition("e")
    if len(digits) > MAX_DIGITS or len(exponent) > 5:
        raise TextError(f"this number is too long; at most {MAX_DIGITS} digits are allowed", text, place)
    if re.match(r"0[0-9]", number):
        raise TextError("a number does not start with 0 unless a point follows", text, place)


def _check_name(text: str, name: str, place: int, dialect: Dialect) -> None:
    if name in FUNCTIONS or name in ("pi", "sqrt"):
        return
    if dialect.single is not None:
        if name in (dialect.single, *WRAPPERS, "identity"):
            return
    elif match := VARIABLE.fullmatch(name):
        if len(name) > 4 or int(match.group(1)) > MAX_DIRECTIONS:
            raise TextError(
                f"there are at most {MAX_DIRECTIONS} directions; the variables are {dialect.variables}", text, place
            )
        return
    raise TextError(_unknown_sentence(name, dialect), text, place)


def _unknown_sentence(name: str, dialect: Dialect) -> str:
    if re.fullmatch(r"He[0-9]+", name):
        return f"the Hermite polynomials are He0 to He{MAX_HERMITE}"
    if name in WRAPPERS:
        return f"{name}(...) is for activations; in a target subtract and divide by numbers"
    if written := _ELSEWHERE.get(name.lower()):
        variable = dialect.single or "x1"
        other = "1" if dialect.single else "x2"
        return re.sub(r"\bX\b", variable, re.sub(r"\bY\b", other, written))
    shown = name if len(name) <= 20 else name[:17] + "..."
    plain = [f for f in FUNCTIONS if not f.startswith("He")]
    lead = f"unknown name {shown!r}"
    from difflib import get_close_matches

    close = get_close_matches(name.lower()[:20], plain, 1, 0.75)
    if close:
        lead += f", perhaps {close[0]}"
    return f"{lead}; known are {dialect.variables}, He0 to He{MAX_HERMITE}, {', '.join(plain)}, sqrt and pi" + (
        ", centered and normalized" if dialect.single else ""
    )
