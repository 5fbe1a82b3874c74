"""Taylor series of an expression in one variable, made of numbers, powers and exp, at many places at once.

Truncated series are added and multiplied term by term; exp of c_0 + c_1 h + ... has e_0 = exp(c_0) and

    k e_k = sum_{j=1}^k j c_j e_{k-j}.

The work grows with the square of the order, where repeated differentiation of the text grows exponentially.
"""

from __future__ import annotations

from functools import reduce
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from giantstep.errors import InputError
from giantstep.problems.text.expression import Call, Expression, Power, Product, Quotient, Sum, Variable, constant_value

Term: TypeAlias = "NDArray[np.float64] | float"
Series: TypeAlias = "list[Term]"


def taylor(node: Expression, places: NDArray[np.float64], order: int) -> Series:
    """f^(k)/k! at the places for k = 0, ..., order; a float where it is the same everywhere."""
    constant = constant_value(node)
    if constant is not None:
        return [float(constant), *[0.0] * order]
    match node:
        case Variable():
            line: Series = [places, 1.0, *[0.0] * order]
            return line[: order + 1]
        case Sum(terms=terms):
            return reduce(_plus, (taylor(t, places, order) for t in terms))
        case Product(factors=factors):
            return reduce(_times, (taylor(f, places, order) for f in factors))
        case Quotient(numerator=numerator, denominator=denominator):
            bottom = constant_value(denominator)
            assert bottom is not None  # the language divides by numbers only
            return [c / float(bottom) for c in taylor(numerator, places, order)]
        case Power(base=base, exponent=exponent):
            start: Series = [1.0, *[0.0] * order]
            return reduce(_times, [taylor(base, places, order)] * exponent, start)
        case Call(name="exp", argument=argument):
            return _exponential(taylor(argument, places, order))
    raise InputError("a Taylor series is known of expressions in numbers, powers and exp only")


def _plus(one: Series, other: Series) -> Series:
    return [a + b for a, b in zip(one, other, strict=True)]


def _times(one: Series, other: Series) -> Series:
    return [sum(one[j] * other[k - j] for j in range(k + 1)) for k in range(len(one))]


def _exponential(inner: Series) -> Series:
    found: Series = [np.exp(inner[0])]
    for k in range(1, len(inner)):
        found.append(sum(j * inner[j] * found[k - j] for j in range(1, k + 1)) / k)
    return found
