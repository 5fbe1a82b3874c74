"""How much of a neuron's first gradient lies in the target's space V: the transition at n = d^(information
exponent).

For one neuron with overlap m = w_V, w uniform on the unit sphere, with S = |P_V E g|^2 and the noises N_V, T:

    share(m) = (S + (N_V - S)/n) / (|E g|^2 + (T - |E g|^2)/n).

Source: [dklps23], one giant step with n ~ d^l samples (signal mu_l C_l(m^{l-1}) against noise of size
sqrt(d/n)); the constants are derived. The measured quantity averages |P_V g|^2/|g|^2 over neurons and
data, so the ratio is averaged, not the numerator and the denominator apart: neurons with small m have no
signal. After a step, w + s a g has the direction of g + w/(s a): the same with E g moved by w/(s a), and the share
of the gradient is what endless steps give (derived).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import require
from giantstep.gaussian.sphere import overlap_nodes
from giantstep.theory.gradient.law import MOST_DIRECTIONS_ON_A_GRID, GradientLaw, gradient_law

if TYPE_CHECKING:
    from giantstep.problems import Activation, Target

# Trapezoid rule in log s: the integrand is analytic in a strip of half-width pi/2, error exp(-pi^2/step).
_LOG_STEP = 0.6
_BLOCK = 2048


@dataclass(frozen=True)
class GradientShare:
    """Predicted mean of |P_V g|^2/|g|^2 over neurons and data.

    Args:
        value: the share, the fluctuations of the n samples accounted for.
        leading: the module's formula without them.
        floor: what pure noise leaves in V, N_V/T.
        spread: standard deviation, from neuron to neuron, of the share given the overlap.
        warning: what the prediction strains, if anything.
    """

    value: float
    leading: float
    floor: float
    spread: float
    warning: str | None = None

    def __str__(self) -> str:
        note = f" {self.warning}" if self.warning else ""
        return f"Share of V in the gradient {self.value:.4g}, of pure noise {self.floor:.4g}.{note}"


def gradient_share(target: Target, activation: Activation, d: int, samples: int) -> GradientShare:
    """Share of V in one neuron's first gradient from n fresh samples in dimension d.

    E[|P_V g|^2/|g|^2] = int_0^inf E[|P_V G|^2 exp(-s |G|^2)] ds for the sum G = n g. Given the factors
    f s' of the samples, G is Gaussian in the d - r - 1 directions orthogonal to V and w, which contributes
    exp(-s R chi^2), R = sum (f s')^2; in the other r + 1 directions, h, it is Gaussian by the central limit
    theorem under the law tilted by exp(-s (chi^2 + |h|^2)(f s')^2). The tilt is the self-normalisation
    that matters when few samples carry most of the gradient (small n, heavy-tailed targets). Derived;
    corrections are O(1/d).

    Regime: Gaussian inputs, no label noise, initial output 0, |w| = 1. With more than three directions the
    tilt is left out, which overestimates the share for small n.

    Args:
        target: f*, of r directions, which span V.
        activation: s of the neuron.
        d: input dimension.
        samples: n, 2 or more.
    """
    return share_of_law(gradient_law(target, activation), d, samples)


def share_of_law(law: GradientLaw, d: int, samples: int) -> GradientShare:
    """`gradient_share` for a `law` of the gradient that is already known, input dimension `d` and n = `samples`."""
    require(samples >= 2, f"samples must be 2 or more, got {samples}")
    overlap, weight = overlap_nodes(law.directions, d)
    values = share_given_overlap(law, overlap, d, samples)
    value = float(weight @ values)
    warning = None
    if law.samples is None:
        warning = (
            f"The target has more than {MOST_DIRECTIONS_ON_A_GRID} directions: heavy tails of single samples "
            "are neglected, which overestimates the share when there are few samples."
        )
    return GradientShare(
        value=value,
        leading=float(weight @ leading_share(law, overlap, d, samples)),
        floor=law.noise_in_target_space() / law.total_noise(d),
        spread=float(np.sqrt(weight @ (values - value) ** 2)),
        warning=warning,
    )


def leading_share(law: GradientLaw, overlap: Array, d: int, samples: int) -> Array:
    """The module's formula for each overlap m (K, r), with the noises N_V and T taken at m = 0."""
    mean = law.mean_in_frame(overlap)
    signal = (mean[:, :-1] ** 2).sum(axis=1)
    total = signal + mean[:, -1] ** 2
    numerator = signal + (law.noise_in_target_space() - signal) / samples
    return np.asarray(numerator / (total + (law.total_noise(d) - total) / samples))


def share_after_step(law: GradientLaw, d: int, samples: int, step: float, onto: Array | None = None) -> float:
    """E[|P w1|^2/|w1|^2] for w1 = w + s a g with a = +1 or -1 alike, s > 0; P as in `share_given_overlap`.

    The share of a random direction, r/d, for small s, and that of the gradient for large s. Derived.

    Args:
        law: of the gradient.
        d: input dimension.
        samples: n.
        step: s.
        onto: orthonormal vectors of V as rows, (k, r), onto which P projects; all of V without it.
    """
    require(np.isfinite(step) and step > 0, f"step must be a finite number above 0, got {step}")
    overlap, weight = overlap_nodes(law.directions, d)
    signs = (share_given_overlap(law, overlap, d, samples, start=sign / step, onto=onto) for sign in (1, -1))
    return float(sum(weight @ values for values in signs) / 2)


def share_given_overlap(
    law: GradientLaw, overlap: Array, d: int, samples: int, *, start: ArrayLike = 0.0, onto: Array | None = None
) -> Array:
    """E[|P u|^2/|u|^2 | m] of u = g + start * w for each overlap m (K, r): `gradient_share` before averaging over m.

    Args:
        law: of the gradient.
        overlap: m, (K, r).
        d: input dimension.
        samples: n.
        start: what multiplies w, a number or (K,).
        onto: orthonormal vectors of V as rows, (k, r), onto which P projects; all of V without it.
    """
    n = samples
    mean, weights = law.mean_in_frame(overlap), _weights_in_frame(overlap)
    offset = n * np.broadcast_to(np.asarray(start, dtype=np.float64), len(overlap))[:, None] * weights
    basis = np.eye(law.directions) if onto is None else onto
    freedom = d - law.directions - 1
    largest = n * law.total_noise(d) + float(((n * np.abs(mean) + np.abs(offset)) ** 2).sum(axis=1).max())
    smallest = n * law.power * freedom
    s = np.exp(np.arange(-np.log(largest) - 14.0, -np.log(smallest) + 8.0, _LOG_STEP))
    result = np.zeros(len(mean))
    # Two nodes with the mean and variance of chi^2 keep its fluctuation to second order.
    for chi2 in (freedom - np.sqrt(2 * freedom), freedom + np.sqrt(2 * freedom)):
        tilted = _tilt(law, s, chi2, n)
        for first in range(0, len(mean), _BLOCK):
            block = slice(first, first + _BLOCK)
            result[block] += 0.5 * _integral(tilted, mean[block], overlap[block], offset[block], n, basis)
    return result


def _weights_in_frame(overlap: Array) -> Array:
    """Coordinates of w in V and along its own rest, (K, r + 1)."""
    rest = np.sqrt(np.maximum(0.0, 1 - (overlap**2).sum(axis=1)))
    return np.concatenate([overlap, rest[:, None]], axis=1)


@dataclass(frozen=True)
class _Tilted:
    """At every node s: log of the weight of n samples; how the tilt changes the mean of one sample at m =
    0 and its slope in m; 1/phi; eigenpairs of the covariance of n samples."""

    s: Array
    log_weight: Array
    shift: Array
    slope: Array
    inverse_phi: Array
    variances: Array
    axes: Array


def _tilt(law: GradientLaw, s: Array, chi2: float, n: int) -> _Tilted:
    """Moments of one sample at m = 0 under the tilt exp(-s (chi2 + |h|^2) p), divided by phi = E of the tilt.

    The tilt takes the diagonal part sum_i p_i |h_i|^2 out of |G_h|^2; the Gaussian integral over G_h holds
    all of it, so the weight is multiplied by exp(+s n E p |h|^2).
    """
    k = law.directions + 1
    table = law.samples
    if table is None:
        phi = np.ones(len(s))
        log_weight = -s * chi2 * law.power
        first = np.broadcast_to(law.mean_in_frame(np.zeros((1, k - 1))), (len(s), k))
        second = np.broadcast_to(law.second, (len(s), k, k))
        shift, slope = np.zeros((len(s), k)), np.zeros((len(s), k, k - 1))
    else:
        exponent = s[:, None] * (chi2 * table.power + table.extra)
        kept, lost = np.exp(-exponent), -np.expm1(-exponent)
        phi = kept @ table.weight
        second = (kept @ table.second.reshape(-1, k * k)).reshape(-1, k, k)
        first, shift = kept @ table.first, -(lost @ table.first)
        slope = -(lost @ table.slope.reshape(-1, k * (k - 1))).reshape(-1, k, k - 1)
        # n log phi keeps its relative accuracy for the tiny s of large n: never form 1 - (1 - x).
        log_weight = np.log1p(-np.minimum(lost @ table.weight, 1 - 1e-16))
        log_weight += s * np.trace(second, axis1=1, axis2=2) / phi
    mean = first / phi[:, None]
    covariance = n * (second / phi[:, None, None] - mean[:, :, None] * mean[:, None, :])
    variances, axes = np.linalg.eigh(covariance)
    return _Tilted(s, n * log_weight, shift, slope, 1 / phi, np.maximum(variances, 0.0), axes)


def _integral(tilted: _Tilted, mean: Array, overlap: Array, offset: Array, n: int, onto: Array) -> Array:
    """sum over s of ds weight(s) E[|P G|^2 exp(-s |G|^2)] for Gaussian G of the tilted mean mu and covariance.

    With A = (1 + 2 s Sigma)^-1: E exp(-s|G|^2) = det(A)^(1/2) exp(-s mu^T A mu), and under this weight G
    has mean A mu and covariance Sigma A. The offset is no sample's, so the tilt does not change it.
    """
    s, axes = tilted.s, tilted.axes
    shrink = 1 / (1 + 2 * s[:, None] * tilted.variances)
    projected = onto @ axes[:, :-1, :]
    spread = np.einsum("skj,sj->s", projected**2, tilted.variances * shrink)
    # Everything below is (s, m, .): stacks of products of small matrices, one for each s.
    sample = mean + tilted.shift[:, None, :] + overlap @ tilted.slope.swapaxes(1, 2)
    rotated = (n * tilted.inverse_phi[:, None, None] * sample + offset) @ axes
    shrunk = rotated * shrink[:, None, :]
    log_weight = tilted.log_weight + 0.5 * np.log(shrink).sum(axis=1)
    log_weight = log_weight[:, None] - s[:, None] * np.einsum("smj,smj->sm", rotated, shrunk)
    moved = shrunk @ projected.swapaxes(1, 2)
    inside = spread[:, None] + np.einsum("smk,smk->sm", moved, moved)
    return np.asarray((s * _LOG_STEP) @ (np.exp(log_weight) * inside))
