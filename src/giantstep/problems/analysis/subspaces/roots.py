"""Whole-number sums of square roots, without size limits: the numbers in which ranks are decided.

They are whole numbers and surds (`problems.text.surds`) with whole coefficients and no pi. Elimination that never
divides stays among them, so the rank of a matrix of roots is exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, cast

from giantstep.problems.text.surds import Exact, Key, Surd, collected, parts_of

Ring: TypeAlias = Any  # int, or Surd with whole coefficients and without pi

MAX_PRIMES = 3
"""Most primes under the square roots of numbers that are kept exactly: sums over them have up to 2^3 parts."""


def _whole_parts(value: Ring) -> Mapping[Key, int]:
    return cast("Mapping[Key, int]", parts_of(value))


def product(values: Iterable[Ring]) -> Ring:
    result: Ring = 1
    for value in values:
        result = result * value
    return result


def over_common_denominator(values: Sequence[Exact]) -> tuple[list[Ring], int] | None:
    """Whole-number sums of roots, and the positive whole number by which to divide them to get the values.

    None if the values are too involved: powers of pi, or roots of more than a few primes.
    """
    parts = [parts_of(value) for value in values]
    keys = {key for one in parts for key in one}
    if any(h for _, h in keys) or len({p for n, _ in keys for p in _primes(n)}) > MAX_PRIMES:
        return None
    denominator = math.lcm(*(q.denominator for one in parts for q in one.values()))
    return [collected({key: int(q * denominator) for key, q in one.items()}) for one in parts], denominator


def quotient(value: Ring, divisor: Ring) -> float:
    """value / divisor to double precision, however long the two are and however much cancels in them."""
    bits = 128
    while value != 0:
        top, bottom = _scaled(value, bits), _scaled(divisor, bits)
        # Each part is off by less than one; sixty bits above that are more than a double holds.
        if min(abs(top), abs(bottom)) >> 60 > max(len(parts_of(value)), len(parts_of(divisor))):
            return float(Fraction(top, bottom))
        bits *= 2
    return 0.0


def _scaled(value: Ring, bits: int) -> int:
    """value * 2^bits, each part rounded."""
    parts = _whole_parts(value)
    return sum((1 if q > 0 else -1) * math.isqrt((q * q * n) << (2 * bits)) for (n, _), q in parts.items())


def primitive(vector: Sequence[Ring]) -> tuple[Ring, ...]:
    """The shortest vector of whole numbers or roots in the same direction, its first entry a positive whole number.

    >>> primitive([0, -4, 6])
    (0, 2, -3)
    >>> primitive([Surd({(2, 0): 3}), Surd({(2, 0): 3})])
    (1, 1)
    """
    lead = next((v for v in vector if v != 0), None)
    if lead is None:
        return tuple(vector)
    whole = [v for v in vector if isinstance(v, int)]
    if len(whole) == len(vector):  # the common case, and the fast one
        common = math.gcd(*whole) * (-1 if isinstance(lead, int) and lead < 0 else 1)
        return tuple(v // common for v in whole)
    if isinstance(lead, Surd):
        factor = whole_multiplier(lead)
        vector = [v * factor for v in vector]
        lead = next(v for v in vector if v != 0)
    content = math.gcd(*(q for v in vector for q in _whole_parts(v).values()))
    if isinstance(lead, int) and lead < 0:
        content = -content
    return tuple(collected({key: q // content for key, q in parts_of(v).items()}) for v in vector)


def whole_multiplier(value: Surd) -> Ring:
    """A number whose product with `value` is whole.

    The product of a number with its conjugate under sqrt(p) -> -sqrt(p) is free of sqrt(p).
    """
    factor: Ring = 1
    left: Ring = value
    for p in sorted({p for n, _ in value.parts for p in _primes(n)}):
        if isinstance(left, Surd):
            mirrored = Surd({(n, h): -q if n % p == 0 else q for (n, h), q in left.parts.items()})
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
