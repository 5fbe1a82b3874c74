"""The step of Langevin dynamics from the curvature of the loss, looked at now and then.

For f = (1/N) sum_j h_j the Hessian of N times the loss by the weights of all neurons, in the metric P, is the sum of

    (R/3)^2 d mean_i loss''_i grad h_ji grad h_ki/N      (neurons moving together: the tangent kernel's eigenvalues),
    (R/3) d mean_i loss'_i tanh''_ji x_i x_i^T            (one neuron by itself, j = k).

A step eta is stable below 2 over their sum. A look takes eta = 1/(2 kappa + nu): kappa the top eigenvalue of the
tangent kernel, nu the largest norm of the second over all neurons, both by power iteration, two products of matrices a
round. nu matters: where eta nu exceeds 2, neurons leave for places where tanh is flat, one by one, and learn no more.
Offsets c, which move all outputs alike, are some 15 times as curved as weights at the start: they have a step of their
own, that is a smaller entry of P, which changes no law at rest. The factors are choices.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from giantstep.arrays import Array

LONGEST = 0.1  # of step times temperature: the law at rest is too wide by half of it
GROWTH = 2.0  # of the step from one look to the next, at most
POWER_STEPS = (2, 6)  # at a look, from the last one's directions, and at the first
STEEPEST_BEND = 0.77  # sup |tanh''|
TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Look:
    """What a look at the curvature found: the steps of weights and offsets, and where to look first the next time."""

    step: float
    offset_step: float
    samples: Array
    neurons: Array

    def __repr__(self) -> str:
        return f"Look(step={self.step:.4g}, offset_step={self.offset_step:.4g})"


def look(
    hidden: Array, top: Array, x: Array, y: Array, doubt: Array, third: float, temperature: float, last: Look | None
) -> Look:
    """The steps at tanh values `hidden` (N, n) and `top` (N,); `doubt` is minus the loss' derivative by the margin."""
    n, d = x.shape
    slope = 1.0 - hidden**2
    bend = doubt * (1.0 - doubt) / n
    pull = third / n * (y * doubt)
    rounds = POWER_STEPS[1] if last is None else POWER_STEPS[0]
    together, samples = _together(slope, x, third * np.sqrt(bend), last.samples if last else np.ones(n), rounds)
    weights = pull * (hidden * slope)
    alone, neurons = _alone(2.0 * d * weights, x, last.neurons if last else weights @ x, rounds)
    limit = min(LONGEST / max(temperature, 1e-12), GROWTH * last.step if last else inf)
    step = min(1.0 / max(2.0 * together + alone, TINY), limit)
    offsets_together = 4.0 * third**2 * float(np.mean((1.0 - top**2) ** 2) * bend.sum())
    offset_alone = 2.0 * STEEPEST_BEND * abs(float(pull.sum()))
    offset_step = min(1.0 / max(2.0 * offsets_together + offset_alone, TINY), step)
    return Look(step, offset_step, samples, neurons)


def _together(slope: Array, x: Array, weight: Array, vector: Array, rounds: int) -> tuple[float, Array]:
    """The top eigenvalue of weight_i weight_k (d <x_i, x_k> + 1) mean_j slope_ji slope_jk, and its eigenvector."""
    size = 0.0
    for _ in range(rounds):
        part = slope * (weight * vector)
        seen = x.shape[1] * ((part @ x) @ x.T) + part.sum(axis=1)[:, None]
        vector = weight * np.einsum("ji,ji->i", slope, seen) / len(slope)
        size = float(np.linalg.norm(vector))
        vector = vector / size if size > TINY else np.ones(len(x))
    return size, vector


def _alone(weights: Array, x: Array, vectors: Array, rounds: int) -> tuple[float, Array]:
    """The largest norm over neurons j of sum_i weights_ji x_i x_i^T, and a vector (N, d) for each of them."""
    for _ in range(rounds):
        sizes = np.linalg.norm(vectors, axis=1)[:, None]
        vectors = np.where(sizes > TINY, vectors / np.maximum(sizes, TINY), vectors.shape[1] ** -0.5)
        vectors = ((vectors @ x.T) * weights) @ x
    return float(np.linalg.norm(vectors, axis=1).max()), vectors
