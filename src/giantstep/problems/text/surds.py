"""The ring of square roots and powers of pi: exact numbers of any length, with + and * and nothing else.

A `Surd` is a finite sum of q * sqrt(n) * pi^(h/2) with q rational, n squarefree and h whole. Square roots of distinct
squarefree numbers and powers of pi are linearly independent over the rationals, so a sum is zero only if it has no
parts: whether a Hermite coefficient of `He2(x1)/sqrt(2) - x1**2/sqrt(2)` vanishes, and what rank a matrix of roots has,
is decided exactly. Rational numbers stay Python's own; a sum that turns out rational becomes one.

Two rooms use it: texts hold numbers of bounded size (`scalars`), the analysis whole-number sums of roots
(`analysis.subspaces.roots`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

_PI_DIGITS = 3141592653589793238462643383279502884197169399375105820974944

Rational: TypeAlias = int | Fraction
Key: TypeAlias = tuple[int, int]
"""(n, h): the part with sqrt(n) * pi^(h/2)."""

RATIONAL: Key = (1, 0)


class Surd:
    """The number sum q * sqrt(n) * pi^(h/2), with `parts` = {(n, h): q}, no q zero and not rational as a whole."""

    __slots__ = ("parts",)

    def __init__(self, parts: dict[Key, Rational]) -> None:
        self.parts = parts

    def __add__(self, other: Exact) -> Exact:
        total = dict(self.parts)
        for key, q in parts_of(other).items():
            total[key] = total.get(key, 0) + q
        return collected(total)

    def __mul__(self, other: Exact) -> Exact:
        if not isinstance(other, Surd):
            return Surd({key: q * other for key, q in self.parts.items()}) if other else 0
        total: dict[Key, Rational] = {}
        for (n, h), q in self.parts.items():
            for (m, k), p in other.parts.items():
                g = math.gcd(n, m)  # sqrt(n) sqrt(m) = g sqrt(nm/g^2), squarefree again
                key = (n * m // (g * g), h + k)
                total[key] = total.get(key, 0) + q * p * g
        return collected(total)

    def __neg__(self) -> Surd:
        return Surd({key: -q for key, q in self.parts.items()})

    def __sub__(self, other: Exact) -> Exact:
        return self + (-other)

    def __rsub__(self, other: Exact) -> Exact:
        return -self + other

    __radd__ = __add__
    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Surd) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(frozenset(self.parts.items()))

    def __float__(self) -> float:
        try:
            terms = [float(q) * math.sqrt(n) * math.pi ** (h / 2) for (n, h), q in self.parts.items()]
        except OverflowError:
            return self._with_many_digits()
        total = math.fsum(terms)
        # He17(pi) is a sum of far larger terms.
        return total if abs(total) > 1e-2 * sum(map(abs, terms)) else self._with_many_digits()

    def _with_many_digits(self) -> float:
        """The sum with each part to about sixty digits."""
        total = Fraction(0)
        for (n, h), q in self.parts.items():
            root = Fraction(math.isqrt(n * 10**120), 10**60)
            half = Fraction(math.isqrt(_PI_DIGITS * 10**60), 10**60) if h % 2 else 1
            total += q * root * half * Fraction(_PI_DIGITS, 10**60) ** (h // 2)
        return float(total)

    def __repr__(self) -> str:
        return f"Surd({self.parts})"


Exact: TypeAlias = int | Fraction | Surd


def parts_of(value: Exact) -> Mapping[Key, Rational]:
    return value.parts if isinstance(value, Surd) else {RATIONAL: value}


def collected(parts: Mapping[Key, Rational]) -> Exact:
    """The simplest number with these parts.

    >>> collected({(2, 0): 0, (1, 0): 3})
    3
    """
    kept = {key: q for key, q in parts.items() if q}
    if not kept:
        return 0
    return kept[RATIONAL] if len(kept) == 1 and RATIONAL in kept else Surd(kept)


def exact_root(value: Fraction, most: int) -> Exact | None:
    """sqrt(value) for value >= 0; None if it takes the factors of a number above `most`, 1e12 at the highest.

    >>> exact_root(Fraction(9, 4), 100), exact_root(Fraction(1, 8), 100)
    (Fraction(3, 2), Surd({(2, 0): Fraction(1, 4)}))
    """
    radicand = value.numerator * value.denominator  # sqrt(p/q) = sqrt(pq)/q
    root = math.isqrt(radicand)
    if root * root == radicand:
        return Fraction(root, value.denominator)
    if radicand > most:
        return None
    outside, inside = _squarefree(radicand)
    return Surd({(inside, 0): Fraction(outside, value.denominator)})


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
