"""Whole-number sums of square roots, as a ring without size limits.

A `Root` is sum q * sqrt(n) with q whole and n squarefree. Square roots of distinct squarefree numbers are linearly
independent over the rationals, so it is zero only if it has no parts: elimination that never divides decides the rank
of a matrix of roots exactly. Whole numbers stay Python's own; a root that turns out whole becomes one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from giantstep.problems.text.scalars import Surd

MAX_PRIMES = 3
"""Most primes under the square roots of numbers that are kept exactly: sums over them have up to 2^3 parts."""


class Root:
    """sum q * sqrt(n), with `parts` = {n: q}, no q zero and at least one n above 1."""

    __slots__ = ("parts",)

    def __init__(self, parts: dict[int, int]) -> None:
        self.parts = parts

    def __add__(self, other: Ring) -> Ring:
        total = dict(self.parts)
        for n, q in _parts(other).items():
            total[n] = total.get(n, 0) + q
        return collected(total)

    def __mul__(self, other: Ring) -> Ring:
        if isinstance(other, int):
            return Root({n: q * other for n, q in self.parts.items()}) if other else 0
        total: dict[int, int] = {}
        for n, q in self.parts.items():
            for m, p in other.parts.items():
                g = math.gcd(n, m)  # sqrt(n) sqrt(m) = g sqrt(nm/g^2), squarefree again
                key = n * m // (g * g)
                total[key] = total.get(key, 0) + q * p * g
        return collected(total)

    def __neg__(self) -> Root:
        return Root({n: -q for n, q in self.parts.items()})

    def __sub__(self, other: Ring) -> Ring:
        return self + (-other)

    def __rsub__(self, other: Ring) -> Ring:
        return -self + other

    __radd__ = __add__
    __rmul__ = __mul__

    def __float__(self) -> float:
        return quotient(self, 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Root) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(frozenset(self.parts.items()))

    def __repr__(self) -> str:
        return f"Root({self.parts})"


Ring: TypeAlias = int | Root


def _parts(value: Ring) -> Mapping[int, int]:
    return value.parts if isinstance(value, Root) else {1: value}


def collected(parts: Mapping[int, int]) -> Ring:
    """The number with these parts.

    >>> collected({2: 0, 1: 3})
    3
    """
    kept = {n: q for n, q in parts.items() if q}
    return kept.get(1, 0) if not kept or list(kept) == [1] else Root(kept)


def product(values: Iterable[Ring]) -> Ring:
    result: Ring = 1
    for value in values:
        result = result * value
    return result


def from_exact(values: Sequence[Fraction | Surd]) -> tuple[list[Ring], int] | None:
    """Ring elements and the positive whole number by which to divide them to get the values.

    None if the values are too involved: powers of pi, or roots of more than a few primes.
    """
    parts = []
    for value in values:
        if isinstance(value, Surd):
            if any(half for (_, half), _ in value.parts):
                return None
            parts.append({n: q for (n, _), q in value.parts})
        else:
            parts.append({1: value})
    if len({p for one in parts for n in one for p in _primes(n)}) > MAX_PRIMES:
        return None
    denominator = math.lcm(*(q.denominator for one in parts for q in one.values()))
    return [collected({n: int(q * denominator) for n, q in one.items()}) for one in parts], denominator


def to_exact(value: Ring) -> Fraction | Surd:
    if isinstance(value, int):
        return Fraction(value)
    return Surd(tuple(sorted(((n, 0), Fraction(q)) for n, q in value.parts.items())))


def quotient(value: Ring, divisor: Ring) -> float:
    """value / divisor to double precision, however long the two are and however much cancels in them."""
    bits = 128
    while value != 0:
        top, bottom = _scaled(value, bits), _scaled(divisor, bits)
        # Each part is off by less than one; sixty bits above that are more than a double holds.
        if min(abs(top), abs(bottom)) >> 60 > max(len(_parts(value)), len(_parts(divisor))):
            return float(Fraction(top, bottom))
        bits *= 2
    return 0.0


def _scaled(value: Ring, bits: int) -> int:
    """value * 2^bits, each part rounded."""
    return sum((1 if q > 0 else -1) * math.isqrt((q * q * n) << (2 * bits)) for n, q in _parts(value).items())


def primitive(vector: Sequence[Ring]) -> tuple[Ring, ...]:
    """The shortest vector of whole numbers or roots in the same direction, its first entry a positive whole number.

    >>> primitive([0, -4, 6])
    (0, 2, -3)
    >>> primitive([Root({2: 3}), Root({2: 3})])
    (1, 1)
    """
    lead = next((v for v in vector if v != 0), None)
    if lead is None:
        return tuple(vector)
    whole = [v for v in vector if isinstance(v, int)]
    if len(whole) == len(vector):  # the common case, and the fast one
        common = math.gcd(*whole) * (-1 if isinstance(lead, int) and lead < 0 else 1)
        return tuple(v // common for v in whole)
    if isinstance(lead, Root):
        factor = whole_multiplier(lead)
        vector = [v * factor for v in vector]
        lead = next(v for v in vector if v != 0)
    content = math.gcd(*(q for v in vector for q in _parts(v).values()))
    if isinstance(lead, int) and lead < 0:
        content = -content
    return tuple(collected({n: q // content for n, q in _parts(v).items()}) for v in vector)


def whole_multiplier(value: Root) -> Ring:
    """A number whose product with `value` is whole.

    The product of a number with its conjugate under sqrt(p) -> -sqrt(p) is free of sqrt(p).
    """
    factor: Ring = 1
    left: Ring = value
    for p in sorted({p for n in value.parts for p in _primes(n)}):
        if isinstance(left, Root):
            mirrored = Root({n: -q if n % p == 0 else q for n, q in left.parts.items()})
            factor, left = factor * mirrored, left * mirrored
    return factor


def _primes(n: int) -> list[int]:
    """The primes of a squarefree number."""
    found, p = [], 2
    while p * p <= n:
        if n % p == 0:
            found.append(p)
            n //= p
        p += 1
    return [*found, n] if n > 1 else found
