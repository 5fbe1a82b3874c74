"""Gradient descent on overparameterised least squares, mode by mode: how far, how long a way, how many steps.

L = (1/2) |X theta - y|^2 with X (n x p, n <= p) = U S V^T. Along v_i the distance to the interpolator closest to
theta_0 is c_i = u_i^T (y - X theta_0)/s_i, and a step eta = step/s_max^2 shrinks it by 1 - h_i, h_i = eta s_i^2. Hence

    theta_inf = theta_0 + X^+ (y - X theta_0),    |theta_inf - theta_0|^2 = sum_i c_i^2,
    length of the way = sum_k ( sum_i h_i^2 (1 - h_i)^{2k} c_i^2 )^{1/2},
    |r_k|^2 = sum_i s_i^2 c_i^2 (1 - h_i)^{2k} <= max_i |1 - h_i|^{2k} |r_0|^2.

Derived (textbook). With entries N(0, 1/p) of X, y ~ N(0, I) and theta_0 ~ a N(0, I), s_i^2 follows the Marchenko-Pastur
law of ratio n/p and E[c_i^2 | s_i] = 1/s_i^2 + a^2, which gives all of these in the limit of large n and p.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import real_array, require
from giantstep.theory.spectra.marchenko_pastur import MarchenkoPastur

NODES = 400
MOST_TERMS = 2_000_000
TERMS_AT_ONCE = 64


@dataclass(frozen=True, eq=False)
class LeastSquaresModes:
    """The modes of a least-squares problem, see the module; any common factor of the weights drops out of all ratios.

    Args:
        squares: s_i^2, (modes,).
        weights: c_i^2, (modes,).
        step: eta s_max^2, the step size in units of the largest stable one over 2.
        top: s_max^2.
    """

    squares: Array
    weights: Array
    step: float
    top: float

    @property
    def shrinking(self) -> Array:
        """1 - h_i."""
        return np.asarray(1 - self.step * self.squares / self.top)

    @property
    def condition(self) -> float:
        """s_max/s_min."""
        return float(np.sqrt(self.top / self.squares.min()))

    def residual(self, steps: int) -> float:
        """|r_k|/|r_0|."""
        start = self.squares * self.weights
        return float(np.sqrt(start @ self.shrinking ** (2 * steps) / start.sum()))

    def iterations(self, tolerance: float) -> int:
        """The first k with |r_k| <= tolerance |r_0|, found by doubling and bisection."""
        high = 1
        while self.residual(high) > tolerance:
            high *= 2
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.residual(middle) > tolerance else (low, middle)
        return high

    def bound(self, tolerance: float) -> int:
        """Steps that are enough whatever y is: ln(tolerance)/ln max_i |1 - h_i|."""
        slowest = float(np.abs(self.shrinking).max())
        return ceil(log(tolerance) / log(slowest)) if slowest > 0 else 1

    def steps_of_slowest(self, tolerance: float, scale: float) -> float:
        """The bound, less what the slowest mode need not do: of the residual's square, n (1 + a^2 mean s^2) on average,
        it begins with 1 + a^2 s^2 alone.

        Args:
            tolerance: |r_k|/|r_0| at the end.
            scale: a, standard deviation of theta_0.
        """
        slowest = int(np.argmax(np.abs(self.shrinking)))
        sizes = 1 + scale**2 * self.squares
        return self.bound(tolerance) * (1 - log(float(sizes.sum() / sizes[slowest])) / (2 * log(1 / tolerance)))

    def path_ratio(self, tolerance: float = 1e-10) -> float:
        """Length of the way over the distance from start to end, summed until what is left is negligible."""
        squared, speed = self.shrinking**2, (1 - self.shrinking) ** 2 * self.weights
        least = tolerance * float(np.sqrt(self.weights.sum()))
        slowest = 1 - float(np.sqrt(squared.max()))
        require(slowest * MOST_TERMS > log(1 / tolerance), "modes are too slow for their way to be summed")
        powers = np.cumprod(np.vstack([np.ones_like(squared), np.tile(squared, (TERMS_AT_ONCE - 1, 1))]), axis=0)
        total, current = 0.0, speed
        while True:
            terms = np.sqrt(powers @ current)
            negligible = np.flatnonzero(terms <= least * slowest)
            total += float(terms[: negligible[0] + 1 if negligible.size else None].sum())
            if negligible.size:
                return total / float(np.sqrt(self.weights.sum()))
            current = current * powers[-1] * squared


def modes_of(x: Array, residual: Array, step: float) -> LeastSquaresModes:
    """The modes of a drawn problem.

    Args:
        x: X, (n, p).
        residual: y - X theta_0, (n,).
        step: eta s_max^2.
    """
    residual = real_array("the residual", residual, axes=1)
    left, values, _ = np.linalg.svd(x, full_matrices=False)
    moved = values > values[0] * max(x.shape) * np.finfo(float).eps  # X^+ leaves alone what X does not see
    left, values = left[:, moved], values[moved]
    require(values.size, "X is zero: nothing moves")
    return LeastSquaresModes(values**2, (left.T @ residual / values) ** 2, step, float(values[0] ** 2))


def limiting_modes(ratio: float, step: float, scale: float) -> LeastSquaresModes:
    """The modes for large n = ratio p, as nodes of the Marchenko-Pastur law, by the angle that smoothes its edges.

    Args:
        ratio: n/p, between 0 and 1.
        step: eta s_max^2.
        scale: a, standard deviation of theta_0.

    >>> limiting_modes(0.25, 1.0, 0.0).condition
    3.0
    """
    require(0 < ratio < 1, f"n/p must lie between 0 and 1, got {ratio!r}")
    law = MarchenkoPastur(ratio, "columns")
    low, high = law.edges
    angles = (np.arange(NODES) + 0.5) * np.pi / NODES
    squares = (low + high) / 2 - (high - low) / 2 * np.cos(angles)
    mass = law.density(squares) * np.sin(angles)
    inside = LeastSquaresModes(squares, mass * (1 / squares + scale**2), step, high)
    return LeastSquaresModes(np.append(inside.squares, [low, high]), np.append(inside.weights, [0.0, 0.0]), step, high)
