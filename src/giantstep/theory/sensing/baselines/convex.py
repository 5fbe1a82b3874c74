"""What spectral starts, nuclear norms and isometry constants of Gaussian measurements are, for matrices d1 x d2.

Spectral start: with Z's outliers 1 + s^2 and overlaps 1 - s^2 (`SpectralMatrix`), each truth x y^T is met by
lambda u v^T with |lambda u v^T - x y^T|^2 = lambda^2 + 1 - 2 lambda (1 - s^2) = 2 s^2 + 3 s^4 (derived), for d large.

Least nuclear norm: recovery happens from m = delta on, the statistical dimension of the norm's descent cone,

    delta/(d1 d2) = inf_t  rho nu + (1 - rho nu) [rho (1 + t^2) + (1 - rho) int (u - t)_+^2 phi_y(u) du],

rho = r*/d1, nu = d1/d2, phi_y the law of the singular values of a (d1 - r*) x (d2 - r*) Gaussian matrix over
sqrt(d2 - r*), y its ratio; within a window whose width, a standard deviation, is at most sqrt(2 min(delta, d1 d2 -
delta)). Source: Amelunxen, Lotz, McCoy, Tropp (2014), Proposition 4.7; McCoy, Tropp (2014) for the width.

Isometry: by Gordon's inequality |A(X)| is within w/sqrt(m) of 1, w = sqrt(k) (sqrt(d1) + sqrt(d2)) a bound of the mean
width of the matrices of rank k and norm 1.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
import scipy

from giantstep.checks import require
from giantstep.theory.sensing.spectral_matrix import SpectralMatrix


def spectral_error(d: int, true_rank: int, measurements: float) -> float:
    """The relative error of the best approximation of rank r* of Z, sqrt(2 s^2 (1 - r*/(2d)) + 3 s^4), s < 1.

    To first order it is the noise in the tangent space, of dimension r* (2d - r*).

    Args:
        d: side of the matrix, which is not symmetric.
        true_rank: r*.
        measurements: m.

    >>> round(spectral_error(1000, 1, 4000), 3)
    0.829
    """
    s = SpectralMatrix.of(d, true_rank, measurements, symmetric=False).s
    require(s < 1, f"the signal shows in the spectral matrix for s < 1 only; here s = {s:.3g}")
    return sqrt(2 * s**2 * (1 - true_rank / (2 * d)) + 3 * s**4)


def nuclear_norm_threshold(d: int, columns: int, true_rank: int) -> tuple[float, float]:
    """delta, measurements from which on the least nuclear norm is the truth, and the width of the window around it.

    Args:
        d: rows of the matrix.
        columns: its columns.
        true_rank: r*, less than both.
    """
    small, large = min(d, columns), max(d, columns)
    require(1 <= true_rank < small, f"the true rank must be from 1 to {small - 1}, got {true_rank}")
    rho, nu, y = true_rank / small, small / large, (small - true_rank) / (large - true_rank)
    low, high = 1 - sqrt(y), 1 + sqrt(y)

    def density(u: float) -> float:
        return sqrt(max(0.0, (u**2 - low**2) * (high**2 - u**2))) / (pi * y * u)

    def cost(t: float) -> float:
        begin = max(low, t, 1e-9)
        tail = scipy.integrate.quad(lambda u: (u - t) ** 2 * density(u), begin, high)[0]
        return rho * nu + (1 - rho * nu) * (rho * (1 + t**2) + (1 - rho) * tail)

    share = float(scipy.optimize.minimize_scalar(cost, bounds=(0.0, high), method="bounded").fun)
    return share * d * columns, sqrt(2 * min(share, 1 - share) * d * columns)


def isometry_bound(d: int, columns: int, rank: int, measurements: float) -> float:
    """(1 + w/sqrt(m))^2 - 1, w = sqrt(k) (sqrt(d1) + sqrt(d2)): what the isometry constant hardly exceeds.

    Args:
        d: rows of the matrix.
        columns: its columns.
        rank: k.
        measurements: m.
    """
    width = np.sqrt(rank) * (np.sqrt(d) + np.sqrt(columns))
    return float((1 + width / np.sqrt(measurements)) ** 2 - 1)
