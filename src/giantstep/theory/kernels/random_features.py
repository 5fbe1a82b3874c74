"""The risk of ridge regression on p random features with n samples, from the spectrum of their kernel.

The kernel of infinitely many features has eigenvalues S and the target components beta in its eigenfunctions. With
tr_1 = Tr S (S + v)^-1, tr_2 = Tr S^2 (S + v)^-2 and the ridge problem |y - Psi a/sqrt(p)|^2 + rho |a|^2, let v solve

    1 + n/p - sqrt((1 - n/p)^2 + 4 rho/(p v)) = (2/p) tr_1,     w/v = (1/2) [1 - n/p + sqrt((1 - n/p)^2 + 4 rho/(p v))].

    U = (p/n) { (1 - w/v)^2 + (w/v)^2 tr_2/(p - tr_2) },        X = Tr S (S + v)^-2 / (p - tr_2),

    R = v^2 { <beta, (S + v)^-2 beta> + X <beta, S (S + v)^-2 beta> } / (1 - U).

Source: [dlm24], deterministic equivalents of random feature regression. For p to infinity it is that of kernel ridge
regression. From infinitely many samples the head that minimises E(f - f*)^2 + lambda p |c|^2, f = sum_i c_i s_i, has

    lambda p = v (p - tr_1),     |c|^2 = <beta, S (S + v)^-2 beta>/(p - tr_2),

    R = v <beta, (S + v)^-1 beta> - lambda p |c|^2

(derived: |c|^2 is the derivative of the minimum in the penalty). For n ~ d^a and p ~ d^b the limit of the risk is
|P_{>k} f*|^2, k = min(a, b) not whole ([mmm22]).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import positive
from giantstep.theory.kernels.rotation_kernels import conjugate_kernel_with_biases, kernel_spectrum
from giantstep.theory.ridge.equivalent import FeatureSpectrum

if TYPE_CHECKING:
    from giantstep.problems import Activation, Target

_BISECTIONS = 100


@lru_cache(maxsize=64)
def feature_kernel_spectrum(target: Target, activation: Activation, d: int) -> FeatureSpectrum:
    """The kernel of features s(<w, x> + b), w ~ N(0, I/d), b ~ N(0, 1), for x ~ N(0, I_d).

    Args:
        target: f*, a polynomial.
        activation: s of the features.
        d: input dimension, 3 or more.
    """
    return kernel_spectrum(target, conjugate_kernel_with_biases(activation), d)


@dataclass(frozen=True)
class BestHead:
    """The head on p random features that infinitely many samples give: its risk, and |c| of f = sum_i c_i s_i."""

    risk: float
    norm: float


def best_head(spectrum: FeatureSpectrum, neurons: int, ridge: float) -> BestHead:
    """The minimiser of E(f - f*)^2 + lambda p |c|^2 over heads f = sum_i c_i s_i on p random features. Derived, see the
    module.

    Args:
        spectrum: of the kernel of infinitely many features, see `feature_kernel_spectrum`.
        neurons: p, the number of features.
        ridge: lambda, above 0.

    >>> one = FeatureSpectrum(np.array([1.0]), np.array([1.0]), np.array([1.0]), 1.0)
    >>> round(best_head(one, 10**8, 0.5).risk, 4)  # (lambda/(1 + lambda))^2
    0.1111
    """
    p, s, many = float(neurons), spectrum.values, spectrum.multiplicity
    penalty = float(positive("ridge", ridge)) * p
    beta2 = np.divide(spectrum.cross2, s, out=np.zeros_like(s), where=s > 0)
    low, high = -80.0, float(np.log(float(many @ s) + penalty)) + 5.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        v = float(np.exp(middle))
        above = v * (p - float(many @ (s / (s + v)))) > penalty
        low, high = (low, middle) if above else (middle, high)
    v = float(np.exp((low + high) / 2))
    norm2 = float((spectrum.cross2 / (s + v) ** 2).sum()) / (p - float(many @ (s / (s + v)) ** 2))
    outside = max(spectrum.norm2 - float(beta2.sum()), 0.0)
    least = v * float((beta2 / (s + v)).sum()) + outside
    return BestHead(least - penalty * norm2, float(np.sqrt(norm2)))


def random_feature_risk(spectrum: FeatureSpectrum, samples: int, neurons: int, ridge: Array) -> Array:
    """Risk for each penalty lambda of (1/n)|y - f|^2 + (lambda/p)|a|^2, f = (1/p) sum_i a_i s_i. [dlm24]

    Regime: no label noise.

    Args:
        spectrum: of the kernel of infinitely many features, see `feature_kernel_spectrum`.
        samples: n.
        neurons: p, the number of features.
        ridge: lambda, (ridges,), above 0.

    >>> spectrum = FeatureSpectrum(np.array([1.0]), np.array([4.0]), np.array([1.0]), 1.0)
    >>> float(random_feature_risk(spectrum, 10**9, 10**9, np.array([1e-6]))[0]) < 1e-6
    True
    """
    lam = np.atleast_1d(positive("ridge", ridge))
    p, n, rho = float(neurons), float(samples), lam * float(samples)
    s, many = spectrum.values, spectrum.multiplicity
    beta2 = np.divide(spectrum.cross2, s, out=np.zeros_like(s), where=s > 0)
    outside = max(spectrum.norm2 - float(beta2.sum()), 0.0)
    v = _effective_penalty(s, many, p, n, rho)
    root = np.sqrt((1 - n / p) ** 2 + 4 * rho / (p * v))
    # The smaller root is a difference of close numbers when n > p: w/v = 2 rho/(p v)/(n/p - 1 + root).
    share = (1 - n / p + root) / 2 if n < p else 2 * rho / (p * v) / (n / p - 1 + root)
    shifted = s + v[:, None]
    tr2 = (many * (s / shifted) ** 2).sum(axis=1)
    spread = (many * s / shifted**2).sum(axis=1) / (p - tr2)
    used = p / n * ((1 - share) ** 2 + share**2 * tr2 / (p - tr2))
    left = (beta2 * (v[:, None] / shifted) ** 2).sum(axis=1) + outside
    lost = v**2 * spread * (beta2 * s / shifted**2).sum(axis=1)
    return np.asarray((left + lost) / (1 - used))


def _effective_penalty(s: Array, many: Array, p: float, n: float, rho: Array) -> Array:
    """v: the left side of its equation grows with v, the right side falls, so that bisection in log v finds it."""
    low = np.full(rho.shape, -80.0)
    high = np.log(float(many @ s) + rho) + 5.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        v = np.exp(middle)
        left = 1 + n / p - np.sqrt((1 - n / p) ** 2 + 4 * rho / (p * v))
        above = left > 2 / p * ((s / (s + v[:, None])) @ many)
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return np.asarray(np.exp((low + high) / 2))
