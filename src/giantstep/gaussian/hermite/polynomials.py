"""Probabilists' Hermite polynomials He_k, orthogonal under N(0,1) with E He_j He_k = k! [j = k].

    He_{k+1}(z) = z He_k(z) - k He_{k-1}(z),      h_k = He_k / sqrt(k!)  (orthonormal).

Integer identities are exact; floating tables use the recurrence, which is stable for growing k.
"""

from __future__ import annotations

from functools import lru_cache
from math import factorial, sqrt

import numpy as np

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import require, whole_number

MOST_ORDER = 100_000  # each takes a pass over all places; beyond some 300 He_k overflows nearly everywhere


def hermite_table(degree: int, z: ArrayLike, *, normalised: bool = False) -> Array:
    """He_0(z) .. He_degree(z), stacked in front: shape (degree + 1, *z.shape).

    Args:
        degree: the highest.
        z: places, an array of any shape.
        normalised: h_k = He_k/sqrt(k!) instead of He_k.

    >>> hermite_table(3, 2.0)
    array([1., 2., 3., 2.])
    """
    degree = whole_number("the degree of a Hermite table", degree, least=0)
    x = np.asarray(z, dtype=np.float64)
    table = np.empty((degree + 1, *x.shape))
    table[0] = 1.0
    if degree >= 1:
        table[1] = x
    for k in range(1, degree):
        if normalised:
            table[k + 1] = (x * table[k] - sqrt(k) * table[k - 1]) / sqrt(k + 1)
        else:
            table[k + 1] = x * table[k] - k * table[k - 1]
    return table


def hermite(k: int, z: ArrayLike, *, normalised: bool = False) -> Array:
    """He_k(z) in the shape of z.

    Args:
        k: the degree.
        z: places, an array of any shape.
        normalised: h_k = He_k/sqrt(k!) instead of He_k.

    >>> float(hermite(2, 3.0))
    8.0
    """
    k = whole_number("the order of a Hermite polynomial", k, least=0)
    require(k <= MOST_ORDER, f"the order of a Hermite polynomial must be at most {MOST_ORDER}")
    x = np.asarray(z, dtype=np.float64)
    previous, current = np.zeros_like(x), np.ones_like(x)
    for j in range(k):
        if normalised:
            previous, current = current, (x * current - sqrt(j) * previous) / sqrt(j + 1)
        else:
            previous, current = current, x * current - j * previous
    return current


@lru_cache(maxsize=256)
def hermite_coefficients(k: int) -> tuple[int, ...]:
    """He_k in powers of z, lowest first: entry j multiplies z^j. Exact integers, for degree `k`.

    >>> hermite_coefficients(4)
    (3, 0, -6, 0, 1)
    """
    out = [0] * (k + 1)
    for m in range(k // 2 + 1):
        out[k - 2 * m] = (-1) ** m * _pairings(k, m)
    return tuple(out)


@lru_cache(maxsize=256)
def power_to_hermite(k: int) -> tuple[int, ...]:
    """z^k in the Hermite basis: entry j multiplies He_j. Exact integers, for degree `k`: those of He_k without signs.

    >>> power_to_hermite(4)
    (3, 0, 6, 0, 1)
    """
    out = [0] * (k + 1)
    for m in range(k // 2 + 1):
        out[k - 2 * m] = _pairings(k, m)
    return tuple(out)


def rescaled_coefficients(k: int, scale: ArrayLike) -> Array:
    """c_j with He_k(scale z) = sum_j c_j He_j(z); shape (k + 1, *scale.shape).

    Multiplication theorem:  He_k(r z) = sum_m k!/(m! (k-2m)! 2^m) r^{k-2m} (r^2 - 1)^m He_{k-2m}(z).
    This is how He_k(u) is expanded when Var u is not 1, where the He_k(u) are no longer orthogonal.
    """
    r = np.asarray(scale, dtype=np.float64)
    out = np.zeros((k + 1, *r.shape))
    excess = (r - 1.0) * (r + 1.0)
    for m in range(k // 2 + 1):
        out[k - 2 * m] = _pairings(k, m) * r ** (k - 2 * m) * excess**m
    return out


def _pairings(k: int, m: int) -> int:
    """Ways to choose m disjoint pairs among k: k!/(m! (k-2m)! 2^m)."""
    return factorial(k) // (factorial(m) * factorial(k - 2 * m) << m)
