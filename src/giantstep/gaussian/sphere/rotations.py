"""Averages over a Gaussian vector in R^d by its length and its angle with another one, and the harmonics of the sphere.

x = sqrt(d) t u with |u| = 1: d t^2 is chi-square, c = <u, u'> has density proportional to (1 - c^2)^((d-3)/2), and they
are independent. The Gegenbauer polynomials P_l with P_l(1) = 1 are orthogonal in c, E P_l^2 = 1/n_l, where n_l is the
number of spherical harmonics of degree l.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import require


def gegenbauer(x: Array, d: int) -> Iterator[Array]:
    """P_0(x), P_1(x), ... from x P_l = a_l P_{l+1} + (1 - a_l) P_{l-1}, a_l = (l + d - 2)/(2l + d - 2).

    Args:
        x: cosines, an array of any shape.
        d: dimension of the space, 2 or more: on a line there are no others than 1 and x.
    """
    require(d >= 2, f"d = {d} is not allowed; rotations need a space of 2 dimensions or more")
    before, now = np.zeros_like(x), np.ones_like(x)
    degree = 0
    while True:
        yield now
        share = (degree + d - 2) / (2 * degree + d - 2) if degree else 1.0  # P_1 = x in the plane too
        before, now = now, (x * now - (1 - share) * before) / share
        degree += 1


def harmonics(degree: int, d: int) -> int:
    """n_l, the number of spherical harmonics of degree l = `degree` in R^d, `d` the dimension.

    >>> harmonics(2, 3), harmonics(4, 16)
    (5, 3740)
    """
    return comb(degree + d - 1, degree) - (comb(degree + d - 3, degree - 2) if degree >= 2 else 0)


def chi_square_rule(freedom: int, nodes: int) -> tuple[Array, Array]:
    """Nodes and weights (sum 1) of the Gauss rule for a chi-square law, by Golub and Welsch: no overflow at large d.

    Args:
        freedom: degrees of freedom.
        nodes: how many.
    """
    k = np.arange(nodes)
    off = np.sqrt(k[1:] * (k[1:] + freedom / 2 - 1))
    places, vectors = scipy.linalg.eigh_tridiagonal(2 * k + freedom / 2, off)
    return np.asarray(2 * places, dtype=np.float64), np.asarray(vectors[0] ** 2, dtype=np.float64)


def angle_rule(d: int, nodes: int) -> tuple[Array, Array]:
    """Nodes and weights (sum 1) of the Gauss rule for c = <u, u'>, u uniform on the sphere of R^d.

    Args:
        d: dimension of the space, 3 or more.
        nodes: how many.
    """
    k, half = np.arange(1, nodes), (d - 2) / 2
    # d = 3, half = 1/2, is Legendre; half = 0 (the circle) would need its own first coefficient.
    off = np.sqrt(k * (k + 2 * half - 1) / (4 * (k + half) * (k + half - 1)))
    places, vectors = scipy.linalg.eigh_tridiagonal(np.zeros(nodes), off)
    return np.asarray(places, dtype=np.float64), np.asarray(vectors[0] ** 2, dtype=np.float64)
