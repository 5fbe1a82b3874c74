"""Gradient descent of a deep linear network on L = (1/2) |W_L ... W_1 - M|^2, all layers trained."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from giantstep.arrays import Array
from giantstep.learners.draws import orthonormal_columns
from giantstep.streams import Streams


@dataclass(frozen=True, eq=False)
class LinearTask:
    """M = left diag(values) right^T, with orthonormal columns."""

    left: Array
    values: Array
    right: Array

    @property
    def matrix(self) -> Array:
        return np.asarray((self.left * self.values) @ self.right.T)


def random_task(d: int, values: Array, streams: Streams) -> LinearTask:
    """A d x d matrix with these singular values and random singular vectors."""
    left, right = orthonormal_columns(d, len(values), streams, count=2)
    return LinearTask(left, values, right)


def aligned_start(task: LinearTask, depth: int, neurons: int, scale: float, streams: Streams) -> list[Array]:
    """Balanced layers W_l = scale Q_l Q_{l-1}^T, with Q_0 and Q_L the singular vectors of the task."""
    hidden = orthonormal_columns(neurons, len(task.values), streams, count=depth - 1)
    bases = [task.right, *hidden, task.left]
    return [scale * after @ before.T for before, after in pairwise(bases)]


def random_start(d: int, depth: int, neurons: int, scale: float, streams: Streams) -> list[Array]:
    """Layers with entries scale N(0, 1): d inputs, `neurons` in each hidden layer, d outputs."""
    rng = streams.generator()
    sizes = [d, *[neurons] * (depth - 1), d]
    return [scale * rng.standard_normal((after, before)) for before, after in pairwise(sizes)]


@dataclass(frozen=True, eq=False)
class LinearDescent:
    """After every step: times (T,), strengths (T, modes) of the task's modes, losses (T,); and the last layers."""

    times: Array
    strengths: Array
    losses: Array
    layers: tuple[Array, ...]
    drift: float
    """How far W_{l+1}^T W_{l+1} - W_l W_l^T, which gradient flow keeps, has moved: the largest Frobenius norm."""

    def time_of(self, strengths: Array) -> Array:
        """When each mode first reached a strength, read between steps; infinite if it never did."""
        found = np.full(self.strengths.shape[1], np.inf)
        for mode, (course, goal) in enumerate(zip(self.strengths.T, strengths, strict=True)):
            above = np.flatnonzero(course >= goal)
            if above.size and above[0] > 0:
                k = int(above[0])
                share = (goal - course[k - 1]) / (course[k] - course[k - 1])
                found[mode] = self.times[k - 1] + share * (self.times[k] - self.times[k - 1])
        return found

    def resting_losses(self, half_times: Array) -> Array:
        """The loss where its logarithm falls most slowly, before the first mode and between neighbouring ones."""
        falling = -np.diff(np.log(self.losses))
        ends = np.searchsorted(self.times, [0.0, *np.maximum.accumulate(half_times)])
        resting = [a + int(np.argmin(falling[a : max(a + 1, b)])) for a, b in pairwise(ends)]
        return np.asarray(self.losses[resting])

    def __repr__(self) -> str:
        return f"LinearDescent({len(self.times) - 1} steps, loss {self.losses[0]:.4g} -> {self.losses[-1]:.4g})"


def linear_descent(
    task: LinearTask,
    start: list[Array],
    step: float,
    *,
    duration: float = 0.0,
    until: float = 0.97,
    most: int = 400_000,
) -> LinearDescent:
    """Plain gradient steps until every mode has reached the share `until` and `duration` is over, or `most` steps."""
    layers = [layer.copy() for layer in start]
    before = _balances(layers)
    goal, matrix = until * task.values, task.matrix
    strengths, losses = [], []
    for iteration in range(most + 1):
        ahead = [layers[0]]  # ahead[l] = W_{l+1} ... W_1
        for layer in layers[1:]:
            ahead.append(layer @ ahead[-1])
        error = ahead[-1] - matrix
        strengths.append(np.einsum("ik,ik->k", task.left, ahead[-1] @ task.right))
        losses.append(0.5 * float(np.vdot(error, error)))
        if iteration == most or (iteration * step >= duration and bool((strengths[-1] >= goal).all())):
            break
        back = error  # (W_L ... W_{l+1})^T (W - M)
        for number in range(len(layers) - 1, -1, -1):
            change = back @ ahead[number - 1].T if number else back
            back = layers[number].T @ back
            layers[number] = layers[number] - step * change
    drift = max(float(np.linalg.norm(a - b)) for a, b in zip(_balances(layers), before, strict=True))
    times = step * np.arange(len(losses), dtype=np.float64)
    return LinearDescent(times, np.array(strengths), np.array(losses), tuple(layers), drift)


def _balances(layers: list[Array]) -> list[Array]:
    return [after.T @ after - before @ before.T for before, after in pairwise(layers)]
