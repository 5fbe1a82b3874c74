"""Expressions as text that parses back to the same expression."""

from __future__ import annotations

from fractions import Fraction

from giantstep.problems.text.expression import (
    Call,
    Expression,
    Number,
    Power,
    Product,
    Quotient,
    Standardised,
    Sum,
    Variable,
)
from giantstep.problems.text.scalars import Scalar, negate
from giantstep.problems.text.surds import Rational, Surd

_SUM, _PRODUCT, _POWER, _ATOM = range(4)


def to_text(node: Expression) -> str:
    """Text that parses back to the same expression."""
    return _print(node)[0]


def number_text(value: Scalar) -> str:
    """A number as the language writes it: a decimal where that is exact, else a fraction or a sum of roots."""
    if isinstance(value, Surd):
        return " + ".join(_surd_part(n, h, q) for (n, h), q in sorted(value.parts.items())).replace("+ -", "- ")
    if isinstance(value, float):
        return repr(value)
    if value.denominator == 1 and abs(value) < 10**15:
        return str(value.numerator)
    if Fraction(repr(float(value))) == value:
        return repr(float(value))
    rest, places = value.denominator, 0
    while rest % 10 == 0:
        rest, places = rest // 10, places + 1
    while rest % 2 == 0 or rest % 5 == 0:
        rest, places = rest // (2 if rest % 2 == 0 else 5), places + 1
    if rest > 1:
        return f"{value.numerator}/{value.denominator}"
    digits = str(int(value * 10**places))
    short = digits.rstrip("0")
    return f"{short}e{len(digits) - len(short) - places}"


def _surd_part(n: int, h: int, q: Rational) -> str:
    top = [number_text(q)] if abs(q) != 1 or (n == 1 and h <= 0) else []
    if n > 1:
        top.append(f"sqrt({n})")
    whole = abs(h) // 2
    pi_powers = (["pi" if whole == 1 else f"pi**{whole}"] if whole else []) + (["sqrt(pi)"] if h % 2 else [])
    text = "*".join(top + (pi_powers if h > 0 else []))
    if h < 0:
        text += "".join("/" + p for p in pi_powers)
    return ("-" if q == -1 and top[:1] != [number_text(q)] else "") + text


def _wrapped(node: Expression, level: int) -> str:
    text, own = _print(node)
    return text if own >= level else f"({text})"


def _print(node: Expression) -> tuple[str, int]:
    match node:
        case Number(value=value, text=written):
            text = written or number_text(value)
            if " " in text:
                return text, _SUM
            if text.startswith("-"):
                return text, _SUM
            return text, (_PRODUCT if "/" in text or "*" in text else _ATOM)
        case Variable(name=name):
            return name, _ATOM
        case Sum(terms=terms):
            text = _wrapped(terms[0], _SUM)
            for term in terms[1:]:
                sign, rest = _signed(term)
                text += f" {sign} {_wrapped(rest, _PRODUCT)}"
            return text, _SUM
        case Product(factors=factors):
            sign, rest = _signed(node)
            if sign == "-":
                return "-" + _wrapped(rest, _PRODUCT), _SUM
            # A factor after the first keeps its brackets if it is itself a product or quotient: a*(b/c) is not (a*b)/c.
            first = _wrapped(factors[0], _PRODUCT)
            return "*".join([first, *(_wrapped(f, _POWER) for f in factors[1:])]), _PRODUCT
        case Quotient(numerator=numerator, denominator=denominator):
            sign, top = _signed(numerator)
            text = f"{_wrapped(top, _PRODUCT)}/{_wrapped(denominator, _POWER)}"
            return ("-" + text, _SUM) if sign == "-" else (text, _PRODUCT)
        case Power(base=base, exponent=exponent):
            return f"{_wrapped(base, _ATOM)}**{exponent}", _POWER
        case Call(name=name, argument=argument) | Standardised(name=name, argument=argument):
            return f"{name}({to_text(argument)})", _ATOM


def _signed(node: Expression) -> tuple[str, Expression]:
    """A leading minus taken out of a term, so that a sum prints `a - b`, not `a + -1*b`."""
    match node:
        case Number(value=value, text="") if not isinstance(value, Surd) and value < 0:
            return "-", Number(-value)
        case Product(factors=(Number(value=value, text="") as first, *rest)) if (
            not isinstance(value, Surd) and value < 0
        ):
            positive = Number(negate(first.value))
            kept = tuple(rest) if positive.value == 1 else (positive, *rest)
            return "-", kept[0] if len(kept) == 1 else Product(kept)
        case Product(factors=(Quotient() as first, *rest)):  # -a/b*c is read as (-a/b)*c
            sign, positive_first = _signed(first)
            return sign, Product((positive_first, *rest))
        case Quotient(numerator=numerator, denominator=denominator):
            sign, top = _signed(numerator)
            return sign, Quotient(top, denominator)
    return "+", node
