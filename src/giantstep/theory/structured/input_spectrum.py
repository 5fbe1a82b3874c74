"""The spectrum of inputs with a spike: bulk, spike, and what their eigenvectors know of its direction.

C = X^T X/n, rows of X ~ N(0, I + theta mu mu^T), d/n -> c. All eigenvalues but one follow the Marchenko-Pastur law with
ends (1 -+ sqrt(c))^2. For theta > sqrt(c) one leaves it, and its vector v aligns with mu (Baik, Ben Arous and Peche
2005; Paul 2007):

    lambda_1 = (1 + theta)(1 + c/theta),     <v, mu>^2 = (1 - c/theta^2)/(1 + c/theta);

below, lambda_1 is the upper end and <v, mu>^2 -> 0. A vector of the bulk, of eigenvalue l, has d <v, mu>^2 of order one
(Ledoit and Peche 2011), with tau = 1 + theta and s = sqrt((l_+ - l)(l - l_-)),

    d <v, mu>^2 -> c l tau/|tau (1 - c + l - i s)/2 - l|^2 .
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array, ArrayLike
from giantstep.theory.spectra import MarchenkoPastur

PLACES = 2000
"""At which a mean over the bulk is taken."""


@dataclass(frozen=True)
class CovarianceSpike:
    """The largest eigenvalue, and the squared cosine of its vector with the spike."""

    eigenvalue: float
    alignment: float
    supercritical: bool


def covariance_spike(theta: float, ratio: float) -> CovarianceSpike:
    """Where the top eigenvalue of the sample covariance lies, and how well its vector knows the spike.

    Args:
        theta: strength of the spike.
        ratio: c = d/n.

    >>> covariance_spike(1.0, 0.25)
    CovarianceSpike(eigenvalue=2.5, alignment=0.6, supercritical=True)
    """
    if theta <= math.sqrt(ratio):
        return CovarianceSpike((1 + math.sqrt(ratio)) ** 2, 0.0, False)
    share = ratio / theta
    return CovarianceSpike((1 + theta) * (1 + share), (1 - share / theta) / (1 + share), True)


def bulk_alignment(eigenvalue: ArrayLike, theta: float, ratio: float) -> Array:
    """d <v, mu>^2 of a vector of the bulk with this eigenvalue.

    Args:
        eigenvalue: l, inside the bulk.
        theta: strength of the spike.
        ratio: c = d/n.
    """
    place = np.asarray(eigenvalue, dtype=np.float64)
    low, high = MarchenkoPastur(ratio, "columns").edges
    root = np.sqrt(np.maximum((high - place) * (place - low), 0.0))
    real = (1 + theta) * (1 - ratio + place) / 2 - place
    return np.asarray(ratio * place * (1 + theta) / (real**2 + ((1 + theta) * root / 2) ** 2))


def upper_alignment(theta: float, ratio: float) -> float:
    """The mean of d <v, mu>^2 over the upper half of the bulk, for a spike `theta` and `ratio` c = d/n <= 1.

    >>> round(upper_alignment(0.0, 0.25), 9)
    1.0
    """
    inside = 0.5 + (np.arange(PLACES) + 0.5) / (2 * PLACES)
    return float(np.mean(bulk_alignment(MarchenkoPastur(ratio, "columns").quantile(inside), theta, ratio)))
