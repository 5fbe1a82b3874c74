"""Interacting particles: noisy gradient descent of networks of one-weight neurons, many copies at once.

    f(x) = (1/N) sum_i sigma(w_i x),     w_i' = w_i - h ((1/n) sum_k (f(x_k) - y_k) x_k sigma'(w_i x_k) + r w_i)
                                                + sqrt(2 lambda h) N(0, 1),

Euler steps of mean-field Langevin dynamics (talk on [mws23], slide 'Mean-field Langevin dynamics') from independent
w_i ~ N(0, scale^2). Copies (rows) never meet, particles of one copy meet in f only: a step is one activation of an
array (copies, n, N) and a product of each copy's (1, n) and (n, N) matrices. Activations are evaluated in single
precision, whose errors of 1e-7 are far below the noise; weights and sums are in double precision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.problems import Activation
from giantstep.streams import Streams


@dataclass(frozen=True, eq=False)
class ParticleTask:
    """What the particles learn: inputs x_k and labels y_k, with activation, penalty r and temperature lambda."""

    activation: Activation
    inputs: Array
    labels: Array
    penalty: float
    temperature: float

    def outputs(self, weights: Array) -> Array:
        """f(x_k), the mean over all particles of the last axis."""
        return np.asarray(self.activation(self.inputs[:, None] * weights[..., None, :]).mean(axis=-1))

    def potential(self, weights: Array, outputs: Array) -> Array:
        """dF/dmu at single weights (any number of them), for given outputs f(x_k)."""
        pulls = (outputs - self.labels) / len(self.labels)
        data = self.activation(np.multiply.outer(weights, self.inputs)) @ pulls
        return np.asarray(data + self.penalty / 2 * weights**2)


@dataclass(frozen=True, eq=False)
class Snapshot:
    """All particles (copies, N) at one time, and each copy's outputs (copies, n)."""

    weights: Array
    outputs: Array

    def __repr__(self) -> str:
        copies, count = self.weights.shape
        return f"Snapshot({copies} copies of N={count}, mean weight {self.weights.mean():.4g})"


def run_particles(
    task: ParticleTask,
    shape: tuple[int, int],
    scale: float,
    step: float,
    at: Iterable[int],
    streams: Streams,
    progress: Callable[[float], None] = lambda fraction: None,
) -> dict[int, Snapshot]:
    """The particles, `shape` = (copies, N), after each number of steps in `at`: one trajectory."""
    wanted = set(at)
    if not wanted or min(wanted) < 0:
        raise InputError("say after which numbers of steps, 0 or more, the particles are to be looked at")
    generator = streams.generator()
    weights = scale * generator.standard_normal(shape)
    noise = np.empty(shape)
    x = task.inputs.astype(np.float32)
    decay, spread = 1.0 - step * task.penalty, sqrt(2.0 * task.temperature * step)
    found: dict[int, Snapshot] = {}
    last = max(wanted)
    for t in range(last + 1):
        fields = x[:, None] * weights.astype(np.float32)[:, None, :]
        values, slopes = task.activation.value_and_derivative(fields)
        outputs = values.mean(axis=-1, dtype=np.float64)
        if t in wanted:
            found[t] = Snapshot(weights.copy(), outputs)
            progress((t + 1) / (last + 1))
        if t == last:
            break
        pull = (-step / len(x)) * (outputs - task.labels) * task.inputs
        weights *= decay
        weights += np.matmul(pull.astype(np.float32)[:, None, :], slopes)[:, 0, :]
        generator.standard_normal(out=noise)
        noise *= spread
        weights += noise
    return found
