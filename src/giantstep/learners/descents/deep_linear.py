"""Gradient descent of a deep linear network on L = (1/2) |W_L ... W_1 - M|^2, all layers trained."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import real_array, real_number, require
from giantstep.learners.draws import orthonormal_columns
from giantstep.learners.trajectory import whole_times
from giantstep.streams import Streams


@dataclass(frozen=True, eq=False)
class LinearTask:
    """M = left diag(values) right^T.

    Args:
        left: orthonormal columns, (d, modes).
        values: the singular values, (modes,), largest first.
        right: orthonormal columns, (d, modes).
    """

    left: Array
    values: Array
    right: Array

    def __post_init__(self) -> None:
        shapes = np.shape(self.left), np.shape(self.values), np.shape(self.right)
        fit = all(map(len, shapes)) and len(shapes[1]) == 1 and shapes[0][1:] == shapes[2][1:] == shapes[1]
        require(fit, f"left, values and right must have shapes (d, modes), (modes,) and (d, modes), not {shapes}")

    @property
    def matrix(self) -> Array:
        return np.asarray((self.left * self.values) @ self.right.T)


def random_task(d: int, values: Array, streams: Streams) -> LinearTask:
    """A `d` x `d` matrix with singular `values`, (modes,), and singular vectors drawn from `streams`."""
    values = real_array("the singular values", values, axes=1)
    left, right = orthonormal_columns(d, len(values), streams, count=2)
    return LinearTask(left, values, right)


def aligned_layers(task: LinearTask, depth: int, neurons: int, scale: float, streams: Streams) -> list[Array]:
    """Balanced layers W_l = `scale` Q_l Q_{l-1}^T to start from, `depth` of them, with Q_0 and Q_L the singular vectors
    of `task` and the others drawn from `streams`; hidden layers have so many `neurons`."""
    hidden = orthonormal_columns(neurons, len(task.values), streams, count=depth - 1)
    bases = [task.right, *hidden, task.left]
    return [scale * after @ before.T for before, after in pairwise(bases)]


def random_layers(d: int, depth: int, neurons: int, scale: float, streams: Streams) -> list[Array]:
    """`depth` layers with entries `scale` N(0, 1), drawn from `streams`: `d` inputs, so many `neurons` in each hidden
    layer, `d` outputs."""
    real_number("scale", scale, "a number between -1e100 and 1e100", -1e100, 1e100)
    rng = streams.generator()
    sizes = [d, *[neurons] * (depth - 1), d]
    return [scale * rng.standard_normal((after, before)) for before, after in pairwise(sizes)]


@dataclass(frozen=True, eq=False)
class DeepLinearState:
    """All layers at one time.

    Args:
        layers: W_1, ..., W_L.
        strengths: of the task's modes, left_k^T W_L ... W_1 right_k, (modes,).
        loss: (1/2) |W_L ... W_1 - M|^2.
        time: the sum of the step sizes so far.
    """

    layers: tuple[Array, ...]
    strengths: Array
    loss: float
    time: float

    def __repr__(self) -> str:
        return f"DeepLinearState({len(self.layers)} layers, loss {self.loss:.4g}, time {self.time:.4g})"


@dataclass(frozen=True, eq=False)
class DeepLinearDescent:
    """Plain gradient steps of all layers, a dynamics for `run`: starts are layers W_1, ..., W_L, states are
    `DeepLinearState`, times are numbers of steps.

    Args:
        task: the matrix that is learned.
        step: the step size.
    """

    task: LinearTask
    step: float

    def states(self, start: Sequence[Array], times: Sequence[float]) -> Iterator[DeepLinearState]:
        task, layers, done = self.task, tuple(start), 0
        matrix, ahead = task.matrix, _products(layers)
        error = ahead[-1] - matrix
        for time in whole_times(times):
            while done < time:
                layers = self._moved(layers, ahead, error)
                ahead = _products(layers)
                error = ahead[-1] - matrix
                done += 1
            strengths = np.einsum("ik,ik->k", task.left, ahead[-1] @ task.right)
            yield DeepLinearState(layers, strengths, 0.5 * float(np.vdot(error, error)), done * self.step)

    def _moved(self, layers: tuple[Array, ...], ahead: list[Array], error: Array) -> tuple[Array, ...]:
        moved, back = list(layers), error  # back = (W_L ... W_{l+1})^T (W - M)
        for number in range(len(layers) - 1, -1, -1):
            change = back @ ahead[number - 1].T if number else back
            back = layers[number].T @ back
            moved[number] = layers[number] - self.step * change
        return tuple(moved)


def balance_drift(before: Sequence[Array], after: Sequence[Array]) -> float:
    """How far W_{l+1}^T W_{l+1} - W_l W_l^T, which gradient flow keeps, has moved from the layers `before` to those
    `after`: the largest Frobenius norm."""
    return max(float(np.linalg.norm(a - b)) for a, b in zip(_balances(after), _balances(before), strict=True))


def _products(layers: Sequence[Array]) -> list[Array]:
    """W_1, W_2 W_1, ..., W_L ... W_1."""
    found = [layers[0]]
    for layer in layers[1:]:
        found.append(layer @ found[-1])
    return found


def _balances(layers: Sequence[Array]) -> list[Array]:
    return [after.T @ after - before @ before.T for before, after in pairwise(layers)]
