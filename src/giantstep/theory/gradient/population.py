"""The gradient of a two-layer network on infinitely many samples, through overlaps alone, and the noise of n samples.

For f = sum_j c_j s(<w_j, x>) with overlaps M = W W*^T (p, r) and Gram matrix Q = W W^T, and without the factor a_i,

    g_i = E[(f* - f) s'(<w_i, x>) x] = grad_w E[f* s(<w, x>)] at w_i  -  sum_j c_j grad_w E[s(<w, x>) s(<w_j, x>)].

With f* = sum_a c_a He_a, T_k(q) = E[s(q z) He_k(z)], q = |w|, u = w_V/q and m = |a|, Stein's identity gives, exactly,

    grad_w E[f* s(<w, x>)] = sum_a c_a { T_m/q grad u^a + (w/q^2) T_{m+2} u^a },
    grad_w E[s(h_i) s(h_j)] = w_j E[s'_i s'_j] + (w_i/Q_ii) { E[h_i s'_i s_j] - Q_ij E[s'_i s'_j] }.

For q = 1 and f = 0 the first line is the Hermite expansion of the first giant step in [dklps23]; the rest is derived.
A sample of size n adds noise of covariance E[(f* - f)^2 s'_i s'_j x x^T]/n: its moments are integrals over r + p
Gaussian variables, taken here with one fixed set of low discrepancy.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import require
from giantstep.gaussian.kernels import dual_kernel, hermite_at
from giantstep.gaussian.quadrature import sobol_points

if TYPE_CHECKING:
    from giantstep.problems import Activation, Target

_TOLERANCE = 1e-7
# E[h s'(h) s(h_j)] is the derivative in t at 0 of E[s((1 + t) h) s(h_j)]: central difference, error of order _SHIFT^2.
_SHIFT = 1e-2
_BLOCK = 4096


@dataclass(frozen=True, eq=False)
class NetworkGradient:
    """g_i = (inside_i, 0) + own_i w_i - sum_j output_ij w_j: two parts from the target, one from the output f."""

    inside: Array
    own: Array
    output: Array

    @property
    def along(self) -> Array:
        """All of g_i that is not `inside`, in coordinates of the weights, (p, p)."""
        return np.diag(self.own) - self.output

    def overlaps(self, overlaps: Array) -> Array:
        """<g_i, w*_k>, (p, r), for the overlaps M of the weights."""
        return self.inside + self.along @ overlaps

    def with_weights(self, overlaps: Array, gram: Array) -> Array:
        """<w_i, g_j>, (p, p)."""
        return overlaps @ self.inside.T + gram @ self.along.T

    def gram(self, overlaps: Array, gram: Array) -> Array:
        """<g_i, g_j>, (p, p)."""
        mixed = self.inside @ overlaps.T @ self.along.T
        return self.inside @ self.inside.T + mixed + mixed.T + self.along @ gram @ self.along.T


def network_gradient(
    target: Target, activation: Activation, overlaps: Array, gram: Array, coefficients: Array
) -> NetworkGradient:
    """The gradients of all neurons of f = sum_j c_j s(<w_j, x>) without biases; the module's equations.

    Args:
        target: f*, a polynomial of r directions.
        activation: s of every neuron.
        overlaps: M = W W*^T, (p, r).
        gram: Q = W W^T, (p, p).
        coefficients: c_j, (p,).
    """
    variance = np.diag(gram)
    inside, own = _towards_target(target, activation, overlaps, np.sqrt(variance))
    slope = activation.derivative_activation
    both = dual_kernel(slope, slope, variance[:, None], variance, gram, tol=_TOLERANCE)
    larger, smaller = (
        dual_kernel(activation, activation, (t**2 * variance)[:, None], variance, t * gram, tol=_TOLERANCE)
        for t in (1 + _SHIFT, 1 - _SHIFT)
    )
    radial = ((larger - smaller) / (2 * _SHIFT) - gram * both) / variance[:, None]
    return NetworkGradient(inside, own, np.diag(radial @ coefficients) + both * coefficients)


def _towards_target(target: Target, activation: Activation, overlaps: Array, norms: Array) -> tuple[Array, Array]:
    """(a, b) with grad_w E[f* s(<w, x>)] = (a, 0) + b w: (p, r) and (p,)."""
    exponents, values = _terms(target)
    degree = exponents.sum(axis=1)
    series = hermite_at(activation, norms, int(degree.max()) + 2)
    u = (overlaps / norms[:, None])[:, None, :]
    along = ((np.prod(u**exponents, axis=-1) * series[:, degree + 2]) @ values) / norms**2
    inside = np.empty(overlaps.shape)
    for k in range(overlaps.shape[1]):
        lowered = exponents.copy()
        lowered[:, k] = np.maximum(lowered[:, k] - 1, 0)
        inside[:, k] = ((np.prod(u**lowered, axis=-1) * series[:, degree]) @ (values * exponents[:, k])) / norms
    return inside, along


@lru_cache(maxsize=64)
def _terms(target: Target) -> tuple[Array, Array]:
    """Exponents a (K, r), as whole numbers, and coefficients c_a (K,) of f* = sum_a c_a He_a."""
    require(target.is_polynomial, "The gradient is known through overlaps for polynomial targets only")
    series = {a: float(c) for a, c in target.hermite().items()}
    require(bool(series), "The target is zero: its gradient has no direction")
    return np.array(list(series), dtype=np.int64), np.array(list(series.values()))


def towards_target_slope(target: Target, activation: Activation, overlaps: Array, norms: Array) -> Array:
    """How the target's part of <g_i, w*_k> moves with the neuron's own overlap M_il, (p, r, r).

    The neuron's part outside the target's space is held, so that |w_i| moves with its overlap.
    """
    r = overlaps.shape[1]
    columns = []
    for direction in np.eye(r):
        ends = []
        for sign in (1.0, -1.0):
            moved = overlaps + sign * _SHIFT * norms[:, None] * direction
            lengths = np.sqrt(norms**2 + (moved**2 - overlaps**2).sum(axis=1))
            inside, along = _towards_target(target, activation, moved, lengths)
            ends.append(inside + along[:, None] * moved)
        columns.append((ends[0] - ends[1]) / (2 * _SHIFT * norms[:, None]))
    return np.stack(columns, axis=2)


def gradient_noise(
    target: Target, activation: Activation, overlaps: Array, gram: Array, coefficients: Array, noise: float = 0.0
) -> tuple[Array, Array]:
    """E[e^2 s'_i s'_j], (p, p), and E[e^2 s'_i s'_j x_k x_l] in the target's space, (p, r, p, r); e = y - f."""
    p, r = overlaps.shape
    values, vectors = np.linalg.eigh(gram - overlaps @ overlaps.T)
    order = np.argsort(-values)  # large spreads first: the first coordinates of the set are the best
    kept = order[values[order] > 1e-12 * values.max()]
    root = vectors[:, kept] * np.sqrt(values[kept])
    points = sobol_points(_size(p), r + len(kept))
    # e^2 x_k x_l grows like |x_V|^(2 degree + 2), so that most of the integral is far out: x_V is drawn wider, and the
    # density's ratio is a weight.
    width = np.sqrt(1 + (target.degree or 0) / 2)
    outer, inner = np.zeros((p, p)), np.zeros((p * r, p * r))
    for start in range(0, len(points), _BLOCK):
        z = points[start : start + _BLOCK]
        x, spread = width * z[:, :r], z[:, r:] @ root.T
        weight = width**r * np.exp(-0.5 * (width**2 - 1) * (z[:, :r] ** 2).sum(axis=1))
        for sign in (1.0, -1.0):  # x and -x: odd parts of the integrand cancel exactly
            value, slope = activation.value_and_derivative(sign * (x @ overlaps.T + spread))
            error = np.asarray(target(sign * x)) - value @ coefficients
            factors = slope * np.sqrt(weight * (error**2 + noise**2))[:, None]
            outer += factors.T @ factors
            lifted = (factors[:, :, None] * x[:, None, :]).reshape(len(x), p * r)
            inner += lifted.T @ lifted
    count = 2 * len(points)
    return outer / count, inner.reshape(p, r, p, r) / count


def _size(neurons: int) -> int:
    """log2 of the number of points: fewer for wide networks, so that a step costs a fraction of a second."""
    return 13 if neurons <= 64 else 11
