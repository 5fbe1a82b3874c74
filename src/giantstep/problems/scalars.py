"""Exact numbers of target texts: rationals, square roots and powers of pi, kept without rounding.

A `Surd` is a finite sum of q * sqrt(n) * pi^(h/2) with q rational and n squarefree. Square roots of
distinct squarefree numbers and powers of pi are linearly independent over the rationals, so a sum is zero only
if it has no parts: whether a Hermite coefficient of `He2(x1)/sqrt(2) - x1**2/sqrt(2)` vanishes is decided exactly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

MAX_BITS = 2048
"""Longest numerator or denominator of an exact number."""
MAX_MAGNITUDE = 10.0**60
"""Largest absolute value of a number in a text, and one over the smallest."""
MAX_PARTS = 12
"""Most parts of a sum of square roots that is kept exactly; longer sums become floats."""
_MAX_RADICAND = 10**12

Part: TypeAlias = tuple[int, int]


class NumberError(ArithmeticError):
    """A number of the text that is too large, too small or too long; the message is one sentence."""


@dataclass(frozen=True)
class Surd:
    """The number sum q * sqrt(n) * pi^(h/2), with `parts` = (((n, h), q), ...) sorted, no q zero."""

    parts: tuple[tuple[Part, Fraction], ...]

    def __len__(self) -> int:
        return len(self.parts)

    def __float__(self) -> float:
        return math.fsum(float(q) * math.sqrt(n) * math.pi ** (h / 2) for (n, h), q in self.parts)


Scalar: TypeAlias = Fraction | Surd | float

ZERO = Fraction(0)
ONE = Fraction(1)
PI = Surd((((1, 2), ONE),))


def _parts(value: Fraction | Surd) -> tuple[tuple[Part, Fraction], ...]:
    if isinstance(value, Surd):
        return value.parts
    return (((1, 0), value),) if value else ()


def _rational(q: Fraction) -> Scalar:
    """q after the size check; the common case of small numbers without the slow part."""
    if max(q.numerator.bit_length(), q.denominator.bit_length()) < 128:
        return q
    return _collect({(1, 0): q})


def _collect(parts: Mapping[Part, Fraction]) -> Scalar:
    """The simplest number with these parts, after the size check."""
    kept = {key: q for key, q in parts.items() if q}
    for q in kept.values():
        if max(q.numerator.bit_length(), q.denominator.bit_length()) > MAX_BITS:
            raise NumberError(
                f"an exact number here needs more than {MAX_BITS} bits; write it with fewer digits or smaller powers"
            )
    if all(key == (1, 0) for key in kept):
        return checked(kept.get((1, 0), ZERO))
    surd = Surd(tuple(sorted(kept.items())))
    return checked(surd if len(kept) <= MAX_PARTS else float(surd))


def checked(value: Scalar) -> Scalar:
    """`value` itself if its size is one that double precision can work with."""
    try:
        size = abs(float(value))
    except OverflowError:
        size = math.inf
    if not size <= MAX_MAGNITUDE or (size == 0.0 and value != 0) or 0 < size < 1 / MAX_MAGNITUDE:
        raise NumberError(
            f"a number here is outside the range; allowed are 0 and sizes from {1 / MAX_MAGNITUDE:.0e}"
            f" to {MAX_MAGNITUDE:.0e}"
        )
    return value


def is_zero(value: Scalar) -> bool:
    """Whether the number is zero; exact for exact numbers."""
    return not isinstance(value, Surd) and value == 0


def add(a: Scalar, b: Scalar) -> Scalar:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return _rational(a + b)
    if isinstance(a, float) or isinstance(b, float):
        return checked(float(a) + float(b))
    total = dict(_parts(a))
    for key, q in _parts(b):
        total[key] = total.get(key, ZERO) + q
    return _collect(total)


def multiply(a: Scalar, b: Scalar) -> Scalar:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return _rational(a * b)
    if is_zero(a) or is_zero(b):
        return ZERO
    if isinstance(a, float) or isinstance(b, float):
        return checked(float(a) * float(b))
    total: dict[Part, Fraction] = {}
    for (n, h), q in _parts(a):
        for (m, k), p in _parts(b):
            g = math.gcd(n, m)  # sqrt(n) sqrt(m) = g sqrt(nm/g^2), squarefree again
            key = (n * m // (g * g), h + k)
            total[key] = total.get(key, ZERO) + q * p * g
    return _collect(total)


def negate(a: Scalar) -> Scalar:
    return multiply(Fraction(-1), a)


def reciprocal(a: Scalar) -> Scalar:
    """1/a; exact for rationals and for a single root or power of pi, else a float."""
    if is_zero(a):
        raise NumberError("division by zero is not allowed; divide by a number that is not zero")
    if isinstance(a, Fraction):
        return _collect({(1, 0): 1 / a})
    if isinstance(a, Surd) and len(a.parts) == 1:
        ((n, h), q) = a.parts[0]
        return _collect({(n, -h): 1 / (q * n)})
    return checked(1.0 / float(a))


def power(a: Scalar, exponent: int) -> Scalar:
    """a**exponent for a whole exponent >= 0, by repeated multiplication with the size checked each time."""
    result: Scalar = ONE
    for _ in range(exponent):
        result = multiply(result, a)
    return result


def square_root(a: Scalar) -> Scalar:
    """sqrt(a) for a >= 0; exact for rationals of moderate size and for single even powers of pi."""
    if float(a) < 0:
        raise NumberError("sqrt of a negative number is not real; sqrt takes a number that is zero or more")
    half = 0
    if isinstance(a, Surd) and len(a.parts) == 1 and a.parts[0][0][0] == 1 and a.parts[0][0][1] % 2 == 0:
        half, a = a.parts[0][0][1] // 2, a.parts[0][1]
    if not isinstance(a, Fraction):
        return checked(math.sqrt(float(a)))
    radicand = a.numerator * a.denominator  # sqrt(p/q) = sqrt(pq)/q
    root = math.isqrt(radicand)
    if root * root == radicand:
        return _collect({(1, half): Fraction(root, a.denominator)})
    if radicand > _MAX_RADICAND:
        return checked(math.sqrt(float(a)) * math.pi ** (half / 2))
    outside, inside = _squarefree(radicand)
    return _collect({(inside, half): Fraction(outside, a.denominator)})


def _squarefree(n: int) -> tuple[int, int]:
    """(s, m) with n = s^2 m and m squarefree, for n <= 1e12: primes above 1e4 can only occur as one square."""
    outside, inside, p = 1, 1, 2
    while p * p <= n and p <= 10_000:
        while n % (p * p) == 0:
            n //= p * p
            outside *= p
        if n % p == 0:
            n //= p
            inside *= p
        p += 1
    root = math.isqrt(n)
    return (outside * root, inside) if root * root == n else (outside, inside * n)
