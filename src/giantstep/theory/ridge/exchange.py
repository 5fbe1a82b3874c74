"""The quantities of the proof that trained features and Gaussian ones are worth the same. [bes22], proof sketch

Features are exchanged one sample at a time. What has to be small are the change of the least objective by one exchange,
the distance of both features' laws as a head sees them, the overlaps of neurons, and the entries of the head.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import not_negative, positive, require
from giantstep.gaussian import ScalarFunction
from giantstep.gaussian.kernels import second_moment_at
from giantstep.gaussian.quadrature import panel_rule
from giantstep.theory.proportional import Student
from giantstep.theory.ridge.equivalent import FeatureSpectrum, ridge_risk

_QUANTILES = 400  # of the length of a weight vector
_PLACES = 4000  # at which the law of a maximum is integrated


def ridge_objective(spectrum: FeatureSpectrum, samples: float, ridge: float, noise: float = 0.0) -> float:
    """Deterministic equivalent of min_a (1/n)|y - Psi a|^2 + lam |a|^2:

        (lam/kappa) [E y^2 - c^T (Omega + kappa)^-1 c],

    with kappa of `ridge_risk`. Derived: it is (lam/n) y^T (Psi Psi^T/n + lam)^-1 y, and the resolvent is that of the
    population's problem with kappa for lam, times lam/kappa.

    Args:
        spectrum: of the features.
        samples: n.
        ridge: lam.
        noise: standard deviation of the label noise.
    """
    kappa = float(ridge_risk(spectrum, samples, ridge, noise).kappa[0])
    left = (
        spectrum.norm2 + not_negative("noise", noise) ** 2 - float((spectrum.cross2 / (spectrum.values + kappa)).sum())
    )
    return float(ridge / kappa * left)


def largest_of(count: float, chance: Callable[[Array], Array], reach: float) -> float:
    """Mean of the largest of `count` independent sizes, `chance(x)` being P(size <= x), all below `reach`:

        int (1 - chance(x)^count) dx.

    >>> round(largest_of(1, lambda x: 2 * scipy.special.ndtr(x) - 1, 10.0), 4)
    0.7979
    """
    x = np.linspace(0.0, positive("reach", reach), _PLACES)
    return float(np.trapezoid(1 - np.asarray(chance(x)) ** count, x))


def largest_entry(count: int) -> float:
    """Mean of the largest |z_j| of `count` independent z_j ~ N(0,1), which grows like sqrt(2 ln N)."""
    return largest_of(count, lambda x: 2 * scipy.special.ndtr(x) - 1, 12.0)


def largest_neuron_overlap(d: int, neurons: int) -> float:
    """Mean of the largest |<w_i, w_j>| of N vectors N(0, I/d): like that of N (N - 1)/2 products |w| z/sqrt(d).

    Args:
        d: input dimension.
        neurons: N.
    """
    require(neurons >= 2, f"neurons must be 2 or more, got {neurons}")
    middle = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
    lengths = np.sqrt(2 * scipy.special.gammaincinv(d / 2, middle) / d)

    def chance(x: Array) -> Array:
        return np.asarray(1 - 2 * scipy.special.ndtr(-x[:, None] * np.sqrt(d) / lengths).mean(axis=1))

    return largest_of(neurons * (neurons - 1) / 2, chance, 16 / np.sqrt(d))


def largest_neuron_length(d: int, neurons: int) -> float:
    """Mean of the largest | |w_j|^2 - 1 | of N vectors N(0, I/d), whose squared lengths are chi squared over d.

    Args:
        d: input dimension.
        neurons: N.
    """

    def chance(x: Array) -> Array:
        above, below = (scipy.special.gammainc(d / 2, np.maximum(1 + side * x, 0.0) * d / 2) for side in (1, -1))
        return np.asarray(above - below)

    return largest_of(neurons, chance, 16 / np.sqrt(d))


def second_moment_gap(activation: ScalarFunction, student: Student, lengths2: Array, weights: Array) -> float:
    """(1/N) sum_j g_j^2 (E s(|w_j| z)^2 - mu1^2 |w_j|^2 - mu2^2), the distance of E <phi, g>^2 for a head g on features
    and on their Gaussian equivalent, neurons being nearly orthogonal. Derived.

    Args:
        activation: s, odd.
        student: its moments.
        lengths2: |w_j|^2, (N,).
        weights: g_j^2, (N,).
    """
    moments = second_moment_at(activation, np.sqrt(lengths2)) - student.mu1**2 * lengths2 - student.mu2_squared
    return float(np.mean(weights * moments))


def gap_of_long_neurons(activation: ScalarFunction, student: Student, d: int) -> float:
    """Its limit for a head with g_j^2 = 2 on the longer half of the neurons: |E[z s s'] - mu1^2| 2/sqrt(pi d).

    E s(r z)^2 has the derivative E[z s s'] in r^2, and E max(|w|^2 - 1, 0) is 1/sqrt(pi d). Derived: the rate N^(-1/2)
    of the central limit theorem is reached. [bes22], proof sketch

    Args:
        activation: s, odd.
        student: its moments.
        d: input dimension.
    """
    z, weight = panel_rule(breaks=activation.kinks, order=8, panels=24, reach=9.0)
    slope = float(weight @ (z * np.asarray(activation(z)) * np.asarray(activation.derivative(z))))
    return abs(slope - student.mu1**2) * 2 / float(np.sqrt(np.pi * d))
