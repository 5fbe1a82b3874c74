"""Expressions as LaTeX, for notebooks and pages."""

from __future__ import annotations

import re
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
from giantstep.problems.text.printing import _signed, number_text

_SUM, _PRODUCT, _ATOM = range(3)
KNOWN = frozenset({"tanh", "sin", "cos", "exp"})


def to_latex(node: Expression) -> str:
    """The expression as LaTeX: `x1 + He2(x1)*x2` is x_{1} + \\mathrm{He}_{2}(x_{1})\\, x_{2}."""
    return _latex(node)[0]


def _bracketed(node: Expression, level: int) -> str:
    text, own = _latex(node)
    return text if own >= level else rf"\left({text}\right)"


def _latex(node: Expression) -> tuple[str, int]:
    match node:
        case Number(value=value, text=written):
            return _number(written, value if isinstance(value, Fraction) else None, number_text(value))
        case Variable(name=name):
            return re.sub(r"^x(\d+)$", r"x_{\1}", name), _ATOM
        case Sum(terms=terms):
            text = _bracketed(terms[0], _SUM)
            for term in terms[1:]:
                sign, rest = _signed(term)
                text += f" {sign} {_bracketed(rest, _PRODUCT)}"
            return text, _SUM
        case Product(factors=factors):
            sign, rest = _signed(node)
            if sign == "-":
                return "-" + _bracketed(rest, _PRODUCT), _SUM
            return r"\, ".join(_bracketed(factor, _PRODUCT) for factor in factors), _PRODUCT
        case Quotient(numerator=numerator, denominator=denominator):
            sign, top = _signed(numerator)
            text = rf"\frac{{{to_latex(top)}}}{{{to_latex(denominator)}}}"
            return ("-" + text, _SUM) if sign == "-" else (text, _PRODUCT)
        case Power(base=base, exponent=exponent):
            return f"{_bracketed(base, _ATOM)}^{{{exponent}}}", _PRODUCT
        case Call(name="sqrt", argument=argument):
            return rf"\sqrt{{{to_latex(argument)}}}", _ATOM
        case Call(name="abs", argument=argument):
            return rf"\left|{to_latex(argument)}\right|", _ATOM
        case Call(name=name, argument=argument) | Standardised(name=name, argument=argument):
            return rf"{_function(name)}\left({to_latex(argument)}\right)", _ATOM


def _function(name: str) -> str:
    if match := re.fullmatch(r"He(\d+)", name):
        return rf"\mathrm{{He}}_{{{match[1]}}}"
    return rf"\{name}" if name in KNOWN else rf"\mathrm{{{name}}}"


def _number(written: str, value: Fraction | None, text: str) -> tuple[str, int]:
    """Whole numbers and decimals as they are, other fractions as such, sums of roots as they are written."""
    if written == "pi":
        return r"\pi", _ATOM
    if value is not None and "/" in text:
        sign = "-" if value < 0 else ""
        return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}", _SUM if sign else _PRODUCT
    text = re.sub(r"sqrt\(([^()]*)\)", r"\\sqrt{\1}", text).replace("pi", r"\pi ").replace("**", "^")
    text = re.sub(r"e([+-]?\d+)$", r"\\cdot 10^{\1}", text).replace("*", r"\, ")
    return text, _SUM if " + " in text or " - " in text or text.startswith("-") else _ATOM
