"""The neuron of a wide network that starts nearest to the target.

For w uniform on the sphere of R^d and a fixed unit vector beta, <w, beta>^2 has the law Beta(1/2, (d-1)/2), so that

    F(t) = P(|<w, beta>| <= t) = I_{t^2}(1/2, (d-1)/2),     E max_j |<w_j, beta>| = int_0^1 (1 - F(t)^N) dt :

sqrt(2 ln(N)/d) for 1 << ln N << d, and sqrt(1 - N^(-2/d)) if ln N is of the order of d. A neuron of overlap c takes
N = 1/(1 - F(c)) of them in the mean, which grows by a factor (1 - c^2)^(-1/2) a dimension (derived).
"""

from __future__ import annotations

import math

import numpy as np
import scipy

PLACES = 200
"""Of the quadrature."""


def largest_start_overlap(d: int, neurons: int) -> float:
    """E max |<w_j, beta>| of so many random directions.

    Args:
        d: input dimension.
        neurons: N.

    >>> round(largest_start_overlap(3, 1), 9)  # |<w, beta>| is uniform in three dimensions
    0.5
    """
    angles, weights = np.polynomial.legendre.leggauss(PLACES)
    middle = math.sqrt(max(1e-12, 1 - float(neurons) ** (-2 / d)))  # where 1 - F^N falls
    total = 0.0
    for low, high in ((0.0, middle / 2), (middle / 2, min(1.0, 2 * middle)), (min(1.0, 2 * middle), 1.0)):
        t = low + (high - low) * (angles + 1) / 2
        beyond = scipy.special.betaincc(0.5, (d - 1) / 2, t**2)
        total += float(weights @ -np.expm1(neurons * np.log1p(-np.minimum(beyond, 1 - 1e-16)))) * (high - low) / 2
    return total


def width_for_overlap(d: int, overlap: float) -> float:
    """How many random directions are drawn, in the mean, until one has this overlap.

    Args:
        d: input dimension.
        overlap: c, the least |<w, beta>|.

    >>> round(width_for_overlap(3, 0.75), 9)
    4.0
    """
    return 1 / float(scipy.special.betaincc(0.5, (d - 1) / 2, overlap**2))


def width_growth(overlap: float) -> float:
    """The limit of ln(N)/d: -ln(1 - c^2)/2, for a least `overlap` c.

    >>> round(width_growth(0.5), 4)
    0.1438
    """
    return -math.log1p(-(overlap**2)) / 2
