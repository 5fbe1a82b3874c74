"""Gradient flow of a linearised model: the lazy limit of training, with the moment at which it stops.

With the tangent kernel K = J J^T of the start and labels y (the output at the start subtracted), gradient flow on
L = (1/2) |f - y|^2 of the linear model f = J (theta - theta_0) gives

    f(t) = (1 - e^{-K t}) y,    theta(t) - theta_0 = J^T a(t),    a(t) = K^{-1} (1 - e^{-K t}) y,

hence |theta(t) - theta_0|^2 = a^T K a, and k(x)^T a(t) at a new place; for t to infinity y^T K^{-1} y and the kernel
interpolant. Standard ([cob19] for networks of large scale); derived here for a finite t, since training stops at some
residual.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import real_array, require


@dataclass(frozen=True, eq=False)
class KernelFlow:
    """The linearised model after training for a time t, as seen through its dual coefficients a(t)."""

    kernel: Array
    dual: Array

    @property
    def movement(self) -> float:
        """|theta(t) - theta_0|."""
        return sqrt(max(0.0, float(self.dual @ self.kernel @ self.dual)))

    def __call__(self, kernel_to_sample: Array) -> Array:
        """The output at new places, given their kernel (places, n) with the sample."""
        return kernel_to_sample @ self.dual

    def __repr__(self) -> str:
        return f"KernelFlow(n={len(self.dual)}, movement {self.movement:.4g})"


def kernel_flow(kernel: Array, labels: Array, residual: float = 0.0) -> KernelFlow:
    """Train the linearised model until |f - y| = residual |y|, by default to its end: the module's a(t).

    Args:
        kernel: K = J J^T at the start, (n, n).
        labels: y, the output at the start subtracted, (n,).
        residual: share of |y| that is left at the end, from 0 to 1.

    >>> flow = kernel_flow(np.diag([1.0, 4.0]), np.array([2.0, 2.0]))
    >>> round(flow.movement**2, 9)
    5.0
    """
    labels = real_array("the labels", labels, axes=1)
    require(kernel.shape == (len(labels), len(labels)), "the kernel must be a square matrix with a row per label")
    require(0 <= residual <= 1, f"the residual must lie between 0 and 1, got {residual!r}")
    values, vectors = np.linalg.eigh(kernel)
    # Rounding may leave tiny negative eigenvalues; nothing is ever learned along them.
    values = np.maximum(values, values[-1] * 1e-15)
    along = vectors.T @ labels
    time = _time_of(residual, values, along)
    learned = -np.expm1(-values * time) if np.isfinite(time) else np.ones_like(values)
    return KernelFlow(kernel, np.asarray(vectors @ (learned / values * along)))


def _time_of(residual: float, values: Array, along: Array) -> float:
    """When |e^{-K t} y| has fallen to this share of |y|."""
    if residual <= 0:
        return float("inf")
    weights = along**2 / float(along @ along)

    def gap(log_time: float) -> float:
        return float(weights @ np.exp(-2 * values * np.exp(log_time))) - residual**2

    low, high = np.log(1e-9 / values[-1]), np.log(1e3 / values[0])
    return float(np.exp(scipy.optimize.brentq(gap, low, high))) if gap(low) > 0 else 0.0


def rich_displacement(teachers: int) -> float:
    """|theta'_T - theta'_0| -> sqrt(2 k) as the start shrinks, for relu networks and k unit teacher neurons.

    `teachers` is k.

    Derived: gradient flow keeps |w'_l|^2 - v'_l^2, so from a small start neurons stay balanced and |theta'|^2 = 2 sum_l
    |v'_l| |w'_l|, twice the path norm, which is k if the teacher itself is found.
    """
    return sqrt(2 * teachers)


def rich_movement(teachers: int, scale: float) -> float:
    """|theta_T - theta_0|/|theta_0| -> sqrt(k)/alpha: the same over the size of the start, |theta'_0|^2 = 2 alpha^2.

    Args:
        teachers: k, the number of unit teacher neurons.
        scale: alpha of the start.
    """
    return rich_displacement(teachers) / (sqrt(2) * scale)
