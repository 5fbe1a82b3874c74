"""Gradient flow of deep linear networks, mode by mode: singular values are learned one after another.

For L = (1/2) |W_L ... W_1 - M|^2 and layers that are balanced and aligned with the singular vectors of M, the strength
u = a^L of a mode with singular value s (a: the singular value of every layer) obeys [smg13]

    du/dt = L u^p (s - u),    p = 2 - 2/L,

which takes from u0 to u the time F(u) - F(u0), where

    L = 2:  F(u) = ln(u/(s - u))/(2 s),       L > 2:  F(u) = u^(1-p)/(L s (1-p)) 2F1(1, 1-p; 2-p; u/s).

(derived for any depth by termwise integration of 1/(s - u)). For L > 2 and a small start the wait is
a0^-(L-2)/((L-2) s). Two layers with a random start, entries eps N(0, 1), first grow linearly: with the singular vectors
(v_k, w_k) of M the hidden vectors x_k = W_1 v_k + W_2^T w_k are what grows. A mode that is learned takes its hidden
direction away from those after it, so mode k starts effectively from u0 = |P x_k|^2/4, P projecting orthogonally to
x_1, ..., x_{k-1}; over draws E ln u0 = ln eps^2 + digamma((h - k + 1)/2) for h hidden neurons (derived).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
import scipy

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import require

GRID = 4000


def _antiderivative(u: ArrayLike, s: float, depth: int) -> Array:
    u = np.asarray(u, dtype=np.float64)
    if depth == 2:
        return np.asarray(np.log(u / (s - u)) / (2 * s))
    q = 2 / depth - 1  # 1 - p
    return np.asarray(u**q / (depth * s * q) * scipy.special.hyp2f1(1.0, q, q + 1, u / s))


def learning_time(u: ArrayLike, singular_value: float, start: float, depth: int) -> Array:
    """How long a mode takes from its start to a strength u: F(u) - F(u0) of the module, in units of gradient flow.

    Args:
        u: strengths that are reached, an array of any shape, between start and singular value.
        singular_value: s of the mode.
        start: u0, its strength at time 0.
        depth: L, the number of layers, 2 or more.

    >>> round(float(learning_time(1.5, 3.0, 1e-3, 3)), 5)
    3.13627
    """
    require(depth >= 2, f"the depth must be 2 or more, got {depth}")
    require(0 < start < singular_value, "a mode must start between 0 and its singular value")
    u = np.asarray(u, dtype=np.float64)
    require((u >= start) & (u < singular_value), "strengths must lie between the start and the singular value")
    return _antiderivative(u, singular_value, depth) - _antiderivative(start, singular_value, depth)


def strength(times: ArrayLike, singular_value: float, start: float, depth: int) -> Array:
    """u(t) of a mode: in closed form for two layers, else by reading the table of times backwards.

    Args:
        times: t of gradient flow, an array of any shape.
        singular_value: s of the mode.
        start: u0, its strength at time 0.
        depth: L, the number of layers.
    """
    t, s = np.asarray(times, dtype=np.float64), singular_value
    if depth == 2:
        return np.asarray(s / (1 + (s - start) / start * np.exp(-2 * s * t)))
    odds = np.linspace(log(start / (s - start)), log(1e10), GRID)
    table = s / (1 + np.exp(-odds))
    table[0] = start
    reached = np.interp(t, learning_time(table, s, start, depth), odds)
    return np.asarray(s / (1 + np.exp(-reached)))


@dataclass(frozen=True, eq=False)
class DeepLinearModes:
    """The modes of a deep linear network under gradient flow, each on its own.

    Args:
        singular_values: s_k of the matrix that is learned, (modes,), largest first.
        starts: u0, the strengths of the modes at the start, (modes,).
        depth: the number of layers, 2 or more.

    >>> DeepLinearModes(np.array([3.0, 2.0]), np.full(2, 1e-3), depth=2).half_times().round(3)
    array([1.334, 1.9  ])
    """

    singular_values: Array
    starts: Array
    depth: int

    def half_times(self) -> Array:
        """When half of each mode is learned, (modes,)."""
        return np.array([float(learning_time(s / 2, s, start, self.depth)) for s, start in self._modes()])

    def losses(self, times: ArrayLike) -> Array:
        """L(t) = (1/2) sum_k (s_k - u_k(t))^2 at each of `times`."""
        gaps = [s - strength(times, s, start, self.depth) for s, start in self._modes()]
        return np.asarray(0.5 * np.sum(np.square(gaps), axis=0))

    def second_share(self, learned: float) -> float:
        """The share u/s of the second mode when that of the first is `learned`."""
        (s1, start1), (s2, start2), *_ = self._modes()
        time = float(learning_time(learned * s1, s1, start1, self.depth))
        return float(strength(time, s2, start2, self.depth) / s2)

    def _modes(self) -> list[tuple[float, float]]:
        return list(zip(self.singular_values.tolist(), self.starts.tolist(), strict=True))


def saddle_losses(singular_values: Array) -> Array:
    """(1/2) sum_{i > k} s_i^2 for k = 0, 1, ...: the loss where k modes are learned and the others not begun.

    `singular_values` are s_i in falling order, (modes,).

    >>> saddle_losses(np.array([3.0, 2.0, 1.0])).tolist()
    [7.0, 2.5, 0.5]
    """
    return np.asarray(np.cumsum(singular_values[::-1] ** 2)[::-1] / 2)


def effective_start(first: Array, second: Array, right: Array, left: Array) -> Array:
    """u0 of each mode of two layers W_1, W_2: |P x_k|^2/4 of the module, (modes,).

    Args:
        first: W_1, (h, inputs).
        second: W_2, (outputs, h).
        right: v_k as columns, (inputs, modes).
        left: w_k as columns, (outputs, modes).
    """
    triangle = np.linalg.qr(first @ right + second.T @ left, mode="r")  # Gram-Schmidt, earlier modes first
    return np.asarray(np.diag(triangle) ** 2 / 4)


def typical_strength(neurons: int, modes: int, scale: float) -> Array:
    """exp E ln u0 of each mode for a random start of two layers, eps^2 exp digamma((h - k + 1)/2), (modes,).

    Args:
        neurons: h, the width of the hidden layer.
        modes: number of modes, k = 1, 2, ...
        scale: eps, standard deviation of the weights at the start.
    """
    return np.asarray(scale**2 * np.exp(scipy.special.digamma((neurons - np.arange(modes)) / 2)))
