"""Polynomials in the Hermite basis, exactly.

    f = sum_a c_a He_a,   He_a(x) = prod_i He_{a_i}(x_i),   E[He_a He_b] = a! if a = b, else 0,
    E f = c_0,   E f^2 = sum_a c_a^2 a!,   E[d_{i1} ... d_{ik} f] = c_a a! where a counts the indices.

A monomial is x^n = sum_j n!/(2^j j! (n-2j)!) He_{n-2j}(x): whole numbers, so rational stays rational.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

from giantstep.gaussian.hermite import power_to_hermite
from giantstep.problems.forms.normal import Form
from giantstep.problems.text.scalars import ZERO, Scalar, add, is_zero, multiply

Index: TypeAlias = tuple[int, ...]


def hermite_expansion(form: Form, dimension: int) -> dict[Index, Scalar]:
    """The coefficients c_a of a polynomial form, indices of length `dimension`, zeros left out.

    >>> from giantstep.problems.text.language import parse
    >>> from giantstep.problems.forms.normaliser import Normaliser
    >>> from giantstep.problems.text.scanner import TARGET
    >>> hermite_expansion(Normaliser().form(parse("x1**2*x2", TARGET)), 2)
    {(0, 1): Fraction(1, 1), (2, 1): Fraction(1, 1)}
    """
    result: dict[Index, Scalar] = {}
    for monomial, c in form.terms:
        powers = [0] * dimension
        for g, p in monomial:
            assert isinstance(g, int)
            powers[g] = p
        result[tuple(powers)] = c
    # One variable after the other: the cost is the number of terms, not of products of choices.
    for i in range(dimension):
        converted: dict[Index, Scalar] = {}
        for index, c in result.items():
            for k, factor in enumerate(power_to_hermite(index[i])):
                if factor:
                    target = (*index[:i], k, *index[i + 1 :])
                    term = multiply(c, Fraction(factor))
                    converted[target] = add(converted[target], term) if target in converted else term
        result = converted
    return {index: c for index, c in sorted(result.items(), key=_order) if not is_zero(c)}


def _order(item: tuple[Index, Scalar]) -> tuple[int, Index]:
    return sum(item[0]), tuple(-i for i in item[0])


def factorial(index: Index) -> int:
    """a! = prod a_i!"""
    return math.prod(math.factorial(k) for k in index)


def energy(series: Mapping[Index, Scalar], degree: int) -> Scalar:
    """|P_k f|^2 = sum over |a| = k of c_a^2 a!"""
    total: Scalar = ZERO
    for index, c in series.items():
        if sum(index) == degree:
            total = add(total, multiply(multiply(c, c), Fraction(factorial(index))))
    return total


def arrangements(index: Index) -> Iterator[Index]:
    """All orders of the indices that `index` counts: (2, 1) gives (0,0,1), (0,1,0), (1,0,0)."""
    if not any(index):
        yield ()
        return
    for i, count in enumerate(index):
        if count:
            for rest in arrangements((*index[:i], count - 1, *index[i + 1 :])):
                yield (i, *rest)
