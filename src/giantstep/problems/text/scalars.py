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
"""Longest numerator or denominator of an exact number; longer ones become floats."""
MAX_MAGNITUDE = 1e60
"""Largest absolute value of a number in a text, and one over the smallest."""
MAX_PARTS = 12
"""Most parts of a sum of square roots that is kept exactly; longer sums become floats."""
_FARTHEST = 1e250  # products and squares on the way may be larger than what a text may hold
_MAX_RADICAND = 10**12
_PI_DIGITS = 3141592653589793238462643383279502884197169399375105820974944

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
        terms = [float(q) * math.sqrt(n) * math.pi ** (h / 2) for (n, h), q in self.parts]
        total = math.fsum(terms)
        # He17(pi) is a sum of far larger terms: then the sum is taken with many digits.
        return total if abs(total) > 1e-2 * sum(map(abs, terms)) else float(sum(map(_with_many_digits, self.parts)))


def _with_many_digits(part: tuple[Part, Fraction]) -> Fraction:
    """q * sqrt(n) * pi^(h/2) to about sixty digits."""
    (n, h), q = part
    root = Fraction(math.isqrt(n * 10**120), 10**60)
    half = Fraction(math.isqrt(_PI_DIGITS * 10**60), 10**60) if h % 2 else ONE
    return q * root * half * Fraction(_PI_DIGITS, 10**60) ** (h // 2)


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
    """The simplest number with these parts; a float if exactness has become too long."""
    kept = {key: q for key, q in parts.items() if q}
    plain = all(key == (1, 0) for key in kept)
    value = kept.get((1, 0), ZERO) if plain else Surd(tuple(sorted(kept.items())))
    size = magnitude(value)
    if not 1 / _FARTHEST <= size <= _FARTHEST and value != ZERO:
        raise _outside()
    longest = max((max(q.numerator.bit_length(), q.denominator.bit_length()) for q in kept.values()), default=0)
    return value if longest <= MAX_BITS and len(kept) <= MAX_PARTS else float(value)


def magnitude(value: Scalar) -> float:
    """|value|, infinite if it is beyond double precision."""
    try:
        return abs(float(value))
    except OverflowError:
        return math.inf


def in_range(value: Scalar) -> Scalar:
    """`value` itself if a text may hold a number of this size."""
    if isinstance(value, Fraction) and max(value.numerator.bit_length(), value.denominator.bit_length()) < 128:
        return value
    if not 1 / MAX_MAGNITUDE <= magnitude(value) <= MAX_MAGNITUDE and value != ZERO:
        raise _outside()
    return value


def _outside() -> NumberError:
    return NumberError(
        f"a number here is outside the range; allowed are 0 and sizes from {1 / MAX_MAGNITUDE:.0e}"
        f" to {MAX_MAGNITUDE:.0e}"
    )


def real(value: float) -> Scalar:
    """A float after the size check; what has underflowed is zero."""
    if not abs(value) <= _FARTHEST:
        raise _outside()
    return value if abs(value) >= 1 / _FARTHEST else ZERO


def is_zero(value: Scalar) -> bool:
    """Whether the number is zero; exact for exact numbers."""
    return not isinstance(value, Surd) and value == 0


def add(a: Scalar, b: Scalar) -> Scalar:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return _rational(a + b)
    if isinstance(a, float) or isinstance(b, float):
        return real(float(a) + float(b))
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
        return real(float(a) * float(b))
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
    return real(1.0 / float(a))


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
        return real(math.sqrt(float(a)))
    radicand = a.numerator * a.denominator  # sqrt(p/q) = sqrt(pq)/q
    root = math.isqrt(radicand)
    if root * root == radicand:
        return _collect({(1, half): Fraction(root, a.denominator)})
    if radicand > _MAX_RADICAND:
        return real(math.sqrt(float(a)) * math.pi ** (half / 2))
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
