"""A polynomial of the first principal component of spiked inputs: its angle with the spike, and its risk.

For n = psi d samples of N(0, I + theta mu mu^T) with psi theta^2 > 1 the first principal component v has

    <v, mu>^2 = (1 - 1/(psi theta^2))/(1 + 1/(psi theta)).

On these samples u = <x, v> has the variance lam = (1 + theta)(1 + 1/(psi theta)), not 1 + theta <v, mu>^2, and with the
target's variable z the correlation c_in, c_in^2 = 1 - 1/(psi theta^2); a fresh input has the correlation c of v. So
least squares with h_0, .., h_q of u fit E[f*(z) | u] = sum_l f_l c_in^l h_l(u/sqrt(lam)), and what is left, of variance
Var(f*(z) | u) + noise^2 at each sample, is fitted as noise: with H the features at the samples and G their second
moments on fresh inputs this adds tr(G (H^T H)^-1 H^T diag(Var) H (H^T H)^-1). It is taken at evenly spread quantiles:
random samples have heavier tails, which raises it, by less and less as n grows. Derived.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.gaussian.hermite import hermite_table
from giantstep.gaussian.quadrature import gauss_hermite

if TYPE_CHECKING:
    from giantstep.problems import Target


def principal_cosine(samples_per_dim: float, theta: float) -> float:
    """cos^2 of the angle between the first principal component and mu; 0 below theta = psi^-1/2.

    `samples_per_dim` is psi = n/d, `theta` the strength of the spike.
    """
    if samples_per_dim * theta**2 <= 1:
        return 0.0
    return (1 - 1 / (samples_per_dim * theta**2)) / (1 + 1 / (samples_per_dim * theta))


def principal_component_risk(
    target: Target, d: int, theta: float, samples: float, degree: int, noise: float = 0.0
) -> float:
    """Risk of a polynomial of <x, v>, v the first principal component, fitted to the samples that gave v.

    Args:
        target: f*, a polynomial of the spike's direction.
        d: input dimension.
        theta: strength of the spike.
        samples: n, for both the component and the fit.
        degree: of the fitted polynomial.
        noise: standard deviation of the label noise.
    """
    psi, cosine = samples / d, principal_cosine(samples / d, theta)
    variance = 1 + theta * cosine
    level = (1 + theta) * (1 + 1 / (psi * theta)) if cosine else (1 + psi**-0.5) ** 2
    inside = math.sqrt(1 - 1 / (psi * theta**2)) if cosine else 0.0
    outside = math.sqrt((1 + theta) * cosine / variance)
    top = max(degree, target.degree or 0)
    wanted, powers = np.zeros(top + 1), np.arange(top + 1)
    for index, value in target.hermite().items():
        wanted[index[0]] = float(value) * math.sqrt(math.factorial(index[0]))
    fitted = np.where(powers <= degree, wanted * inside**powers, 0.0)
    nodes, weight = gauss_hermite(top + 4)
    fresh = hermite_table(top, math.sqrt(variance / level) * nodes, normalised=True)
    seen = hermite_table(top, nodes, normalised=True) @ (weight * (fitted @ fresh))
    missed = float(seen @ seen - 2 * seen @ (wanted * outside**powers) + wanted @ wanted)
    return missed + _fitted_noise(target, inside, round(samples), fresh[: degree + 1], weight, noise)


def _fitted_noise(target: Target, correlation: float, samples: int, fresh: Array, weight: Array, noise: float) -> float:
    """tr(G (H^T H)^-1 H^T diag(Var) H (H^T H)^-1) for samples at evenly spread quantiles."""
    places = scipy.special.ndtri((np.arange(samples) + 0.5) / samples)
    solved = np.linalg.pinv(hermite_table(len(fresh) - 1, places, normalised=True).T)
    left = _variance_given(target, correlation, places) + noise**2
    return float(np.einsum("ji,jk,ki,i->", solved, (fresh * weight) @ fresh.T, solved, left, optimize=True))


def _variance_given(target: Target, correlation: float, places: Array) -> Array:
    """Var(f*(z) | u) for jointly Gaussian z and u of this correlation, at each u."""
    nodes, weight = gauss_hermite((target.degree or 0) + 2)
    z = correlation * places[:, None] + math.sqrt(max(0.0, 1 - correlation**2)) * nodes
    values = np.asarray(target(z.reshape(-1, 1)), dtype=np.float64).reshape(z.shape)
    mean = values @ weight
    return np.asarray((values - mean[:, None]) ** 2 @ weight)
