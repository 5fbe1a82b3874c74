"""Expressions: an immutable tree of numbers, variables, sums, products, powers and functions.

Every node knows in `at` where it stood in the text, for error messages; it does not count when nodes are compared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from giantstep.problems.text.elementary import FUNCTIONS
from giantstep.problems.text.scalars import (
    ONE,
    ZERO,
    Scalar,
    add,
    is_zero,
    multiply,
    negate,
    power,
    real,
    reciprocal,
    square_root,
)


@dataclass(frozen=True)
class Number:
    """A constant; `text` is how it is printed when it was not written as digits."""

    value: Scalar
    text: str = field(default="", compare=False)
    at: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True)
class Variable:
    """x_(index+1), or z when the expression has a single variable called z."""

    index: int
    name: str
    at: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True)
class Sum:
    """Terms that are added."""

    terms: tuple[Expression, ...]
    at: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True)
class Product:
    """Factors that are multiplied."""

    factors: tuple[Expression, ...]
    at: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True)
class Quotient:
    """An expression over a constant."""

    numerator: Expression
    denominator: Expression
    at: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True)
class Power:
    """A whole power, at least 0."""

    base: Expression
    exponent: int
    at: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True)
class Call:
    """A function of the table in `elementary` (or sqrt, of a constant) at an expression."""

    name: str
    argument: Expression
    at: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True)
class Standardised:
    """(argument - shift) * scale, printed as `centered(...)` or `normalized(...)`."""

    name: str
    argument: Expression
    shift: Scalar
    scale: Scalar
    at: int = field(default=0, compare=False, repr=False)


Expression: TypeAlias = Number | Variable | Sum | Product | Quotient | Power | Call | Standardised

ZERO_NODE = Number(Fraction(0))
ONE_NODE = Number(ONE)


def minus(node: Expression, at: int = 0) -> Expression:
    """-node, as a number or a product that starts with one."""
    if isinstance(node, Number) and not node.text and not is_zero(node.value):
        return Number(negate(node.value), at=at)
    if isinstance(node, Product):
        first, *rest = node.factors
        if isinstance(first, Number) and not first.text and not is_zero(first.value):
            if first.value == -1:
                return rest[0] if len(rest) == 1 else Product(tuple(rest), at)
            return Product((Number(negate(first.value)), *rest), at)
        return Product((Number(Fraction(-1)), *node.factors), at)
    return Product((Number(Fraction(-1)), node), at)


def constant_value(node: Expression) -> Scalar | None:
    """The value of an expression without variables, exact where that is possible; None if it has a variable."""
    match node:
        case Number(value=value):
            return value
        case Sum(terms=parts) | Product(factors=parts):
            result: Scalar = ZERO if isinstance(node, Sum) else ONE
            for part in parts:
                value_ = constant_value(part)
                if value_ is None:
                    return None
                result = (add if isinstance(node, Sum) else multiply)(result, value_)
            return result
        case Quotient(numerator=numerator, denominator=denominator):
            top, bottom = constant_value(numerator), constant_value(denominator)
            return None if top is None or bottom is None else multiply(top, reciprocal(bottom))
        case Power(base=base, exponent=exponent):
            value_ = constant_value(base)
            return None if value_ is None else power(value_, exponent)
        case Call(name=name, argument=argument):
            value_ = constant_value(argument)
            return None if value_ is None else apply_constant(name, value_)
    return None


def apply_constant(name: str, argument: Scalar) -> Scalar:
    """A function of the language at a number; exact for the piecewise linear ones and sqrt."""
    sign = (float(argument) > 0) - (float(argument) < 0)
    match name:
        case "sqrt":
            return square_root(argument)
        case "sign":
            return Fraction(sign)
        case "abs":
            return argument if sign >= 0 else negate(argument)
        case "relu":
            return argument if sign > 0 else ZERO
        case "step":
            return Fraction(int(sign > 0))
    if name in ("exp", "cos", "sigmoid") and is_zero(argument):
        return Fraction(1, 2) if name == "sigmoid" else ONE
    if name.startswith("He"):
        below: Scalar = ZERO
        here: Scalar = ONE
        for j in range(int(name[2:])):
            below, here = here, add(multiply(argument, here), multiply(Fraction(-j), below))
        return here
    with np.errstate(over="ignore", invalid="ignore"):
        value = float(FUNCTIONS[name].value(np.array([float(argument)]))[0])
    return real(value)


def largest_index(node: Expression) -> int:
    """The number of the last variable that the text mentions."""
    match node:
        case Variable(index=index):
            return index + 1
        case Call(argument=inner) | Standardised(argument=inner) | Power(base=inner) | Quotient(numerator=inner):
            return largest_index(inner)
        case Sum(terms=parts) | Product(factors=parts):
            return max(map(largest_index, parts))
    return 0


def first_call(node: Expression) -> int:
    """Where the first function that is not a polynomial stands; -1 without one."""
    match node:
        case Call(name=name, argument=argument, at=at):
            return first_call(argument) if name.startswith("He") else at
        case Standardised(argument=inner) | Power(base=inner) | Quotient(numerator=inner):
            return first_call(inner)
        case Sum(terms=parts) | Product(factors=parts):
            return min((place for place in map(first_call, parts) if place >= 0), default=-1)
    return -1
