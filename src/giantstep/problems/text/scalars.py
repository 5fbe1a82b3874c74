"""Numbers of target texts: exact while they are short, floats when exactness has become too long.

The exact ones are rationals and sums of square roots and powers of pi (`surds`); here their size is bounded, and what
has no exact value of bounded size becomes a float.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TypeAlias

from giantstep.problems.text.surds import Exact, Surd, exact_root, parts_of

MAX_BITS = 2048
"""Longest numerator or denominator of an exact number; longer ones become floats."""
MAX_MAGNITUDE = 1e60
"""Largest absolute value of a number in a text, and one over the smallest."""
MAX_PARTS = 12
"""Most parts of a sum of square roots that is kept exactly; longer sums become floats."""
_FARTHEST = 1e250  # products and squares on the way may be larger than what a text may hold
_MAX_RADICAND = 10**12
_SHORT = 128  # bits of a rational that needs no further check

Scalar: TypeAlias = Fraction | Surd | float

ZERO = Fraction(0)
ONE = Fraction(1)
PI = Surd({(1, 2): ONE})


class NumberError(ArithmeticError):
    """A number of the text that is too large, too small or too long; the message is one sentence."""


def _bits(q: int | Fraction) -> int:
    return max(q.numerator.bit_length(), q.denominator.bit_length())


def _bounded(value: Exact) -> Scalar:
    """The number after the size check; a float if exactness has become too long."""
    if isinstance(value, int):
        value = Fraction(value)
    if isinstance(value, Fraction) and _bits(value) < _SHORT:  # the common case, and the fast one
        return value
    if not 1 / _FARTHEST <= magnitude(value) <= _FARTHEST:
        raise _outside()
    parts = parts_of(value)
    return value if max(map(_bits, parts.values())) <= MAX_BITS and len(parts) <= MAX_PARTS else float(value)


def magnitude(value: Scalar) -> float:
    """|value|, infinite if it is beyond double precision."""
    try:
        return abs(float(value))
    except OverflowError:
        return math.inf


def in_range(value: Scalar) -> Scalar:
    """`value` itself if a text may hold a number of this size."""
    if isinstance(value, Fraction) and _bits(value) < _SHORT:
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
    if isinstance(a, float) or isinstance(b, float):
        return real(float(a) + float(b))
    return _bounded(a + b)


def multiply(a: Scalar, b: Scalar) -> Scalar:
    if isinstance(a, float) or isinstance(b, float):
        return ZERO if is_zero(a) or is_zero(b) else real(float(a) * float(b))
    return _bounded(a * b)


def negate(a: Scalar) -> Scalar:
    return multiply(Fraction(-1), a)


def reciprocal(a: Scalar) -> Scalar:
    """1/a; exact for rationals and for a single root or power of pi, else a float."""
    if is_zero(a):
        raise NumberError("division by zero is not allowed; divide by a number that is not zero")
    if isinstance(a, Fraction):
        return _bounded(1 / a)
    if isinstance(a, Surd) and len(a.parts) == 1:
        ((n, h), q) = next(iter(a.parts.items()))
        return _bounded(Surd({(n, -h): 1 / Fraction(q * n)}))
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
    if isinstance(a, Surd) and len(a.parts) == 1:
        ((n, h), q) = next(iter(a.parts.items()))
        if n == 1 and h % 2 == 0:
            half, a = h // 2, Fraction(q)
    if not isinstance(a, Fraction):
        return real(math.sqrt(float(a)))
    root = exact_root(a, _MAX_RADICAND)
    if root is None:
        return real(math.sqrt(float(a)) * math.pi ** (half / 2))
    return _bounded(root * Surd({(1, half): ONE}) if half else root)
