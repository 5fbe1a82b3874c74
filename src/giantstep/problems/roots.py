"""Whole-number sums of square roots and powers of pi, as a ring without size limits.

A `Root` is sum q * sqrt(n) * pi^(h/2) with q whole and n squarefree. Its parts are linearly independent over the
rationals, so it is zero only if it has none: elimination that never divides decides the rank of a matrix of roots
exactly. Whole numbers stay Python's own; a root that turns out whole becomes one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from typing import TypeAlias

from giantstep.problems.scalars import Part, Surd

WHOLE: Part = (1, 0)


class Root:
    """sum q * sqrt(n) * pi^(h/2), with `parts` = {(n, h): q}, no q zero and at least one part that is not whole."""

    __slots__ = ("parts",)

    def __init__(self, parts: dict[Part, int]) -> None:
        self.parts = parts

    def __add__(self, other: Ring) -> Ring:
        total = dict(self.parts)
        for key, q in _parts(other):
            total[key] = total.get(key, 0) + q
        return collected(total)

    def __mul__(self, other: Ring) -> Ring:
        if isinstance(other, int):
            return Root({key: q * other for key, q in self.parts.items()}) if other else 0
        total: dict[Part, int] = {}
        for (n, h), q in self.parts.items():
            for (m, k), p in other.parts.items():
                g = math.gcd(n, m)  # sqrt(n) sqrt(m) = g sqrt(nm/g^2), squarefree again
                key = (n * m // (g * g), h + k)
                total[key] = total.get(key, 0) + q * p * g
        return collected(total)

    def __neg__(self) -> Root:
        return Root({key: -q for key, q in self.parts.items()})

    def __sub__(self, other: Ring) -> Ring:
        return self + (-other)

    def __rsub__(self, other: Ring) -> Ring:
        return -self + other

    __radd__ = __add__
    __rmul__ = __mul__

    def __pow__(self, exponent: int) -> Ring:
        result: Ring = 1
        for _ in range(exponent):
            result = result * self
        return result

    def __float__(self) -> float:
        return float(to_surd(self, 1))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Root) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(frozenset(self.parts.items()))

    def __repr__(self) -> str:
        return f"Root({self.parts})"


Ring: TypeAlias = int | Root


def _parts(value: Ring) -> Iterable[tuple[Part, int]]:
    return value.parts.items() if isinstance(value, Root) else ((WHOLE, value),)


def collected(parts: dict[Part, int]) -> Ring:
    """The number with these parts.

    >>> collected({(2, 0): 0, (1, 0): 3})
    3
    """
    kept = {key: q for key, q in parts.items() if q}
    if not kept:
        return 0
    return kept[WHOLE] if len(kept) == 1 and WHOLE in kept else Root(kept)


def from_exact(values: Sequence[Fraction | Surd]) -> tuple[list[Ring], int]:
    """Ring elements and a positive whole number by which to divide them to get the values."""
    parts = [dict(v.parts) if isinstance(v, Surd) else {WHOLE: v} for v in values]
    denominator = math.lcm(*(q.denominator for one in parts for q in one.values()))
    scaled = [{key: int(q * denominator) for key, q in one.items()} for one in parts]
    return [collected(one) for one in scaled], denominator


def to_surd(value: Ring, denominator: int) -> Fraction | Surd:
    """value / denominator."""
    if isinstance(value, int):
        return Fraction(value, denominator)
    return Surd(tuple(sorted((key, Fraction(q, denominator)) for key, q in value.parts.items())))


def primitive(vector: Sequence[Ring]) -> tuple[Ring, ...]:
    """The shortest vector of whole numbers or roots in the same direction, its first entry positive.

    >>> primitive([0, -4, 6])
    (0, 2, -3)
    >>> primitive([Root({(2, 0): 3}), Root({(2, 0): 3})])
    (1, 1)
    """
    lead = next((v for v in vector if v != 0), None)
    if lead is None:
        return tuple(vector)
    if isinstance(lead, Root):
        factor = whole_multiplier(lead)
        if factor is not None:
            vector = [v * factor for v in vector]
            lead = next(v for v in vector if v != 0)
    content = math.gcd(*(q for v in vector for _, q in _parts(v)))
    if float(lead) < 0:
        content = -content
    return tuple(_divided(v, content) for v in vector)


def _divided(value: Ring, divisor: int) -> Ring:
    if isinstance(value, int):
        return value // divisor
    return Root({key: q // divisor for key, q in value.parts.items()})


def whole_multiplier(value: Root) -> Ring | None:
    """A number whose product with `value` is whole, if the ring has one: it has none for 1 + pi.

    The product of a number with its conjugate under sqrt(p) -> -sqrt(p) is free of sqrt(p).
    """
    factor: Ring = 1
    product: Ring = value
    primes = sorted({p for n, _ in value.parts for p in _primes(n)})
    for flipped in (*primes, 0):
        if not isinstance(product, Root):
            break
        mirrored = Root(
            {
                (n, h): -q if (h % 2 if flipped == 0 else n % flipped == 0) else q
                for (n, h), q in product.parts.items()
            }
        )
        if mirrored != product and len(product.parts) > 1:
            factor, product = factor * mirrored, product * mirrored
    if isinstance(product, Root):
        if len(product.parts) > 1:
            return None
        ((n, h),) = product.parts
        factor = factor * Root({(n, -h): 1})
    return factor


def _primes(n: int) -> list[int]:
    """The primes of a squarefree number below 1e12; a large rest is kept whole."""
    found, p = [], 2
    while p * p <= n and p < 10_000:
        if n % p == 0:
            found.append(p)
            n //= p
        p += 1
    return [*found, n] if n > 1 else found


def product(values: Iterable[Ring]) -> Ring:
    return reduce(lambda a, b: a * b, values, 1)
