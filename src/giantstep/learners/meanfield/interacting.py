"""Interacting particles: noisy gradient descent of networks of one-weight neurons, many copies at once.

    f(x) = (1/N) sum_i sigma(w_i x),     w_i' = w_i - h ((1/n) sum_k (f(x_k) - y_k) x_k sigma'(w_i x_k) + r w_i)
                                                + sqrt(2 lambda h) N(0, 1),

Euler steps of mean-field Langevin dynamics (talk on [mws23], slide 'Mean-field Langevin dynamics') from independent
w_i ~ N(0, scale^2). Copies (rows) never meet, particles of one copy meet in f only: a step is one activation of an
array (copies, n, N) and a product of each copy's (1, n) and (n, N) matrices. Activations are evaluated in single
precision, whose errors of 1e-7 are far below the noise; weights and sums are in double precision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.learners.trajectory import whole_times
from giantstep.problems import Activation
from giantstep.streams import Streams


@dataclass(frozen=True, eq=False)
class ParticleTask:
    """What the particles learn.

    Args:
        activation: sigma.
        inputs: x_k, (n,).
        labels: y_k, (n,).
        ridge: r.
        temperature: lambda.
    """

    activation: Activation
    inputs: Array
    labels: Array
    ridge: float
    temperature: float

    def outputs(self, weights: Array) -> Array:
        """f(x_k), the mean over all particles of the last axis."""
        return np.asarray(self.activation(self.inputs[:, None] * weights[..., None, :]).mean(axis=-1))

    def potential(self, weights: Array, outputs: Array) -> Array:
        """dF/dmu at single weights (any number of them), for given outputs f(x_k)."""
        pulls = (outputs - self.labels) / len(self.labels)
        data = self.activation(np.multiply.outer(weights, self.inputs)) @ pulls
        return np.asarray(data + self.ridge / 2 * weights**2)


@dataclass(frozen=True)
class ParticleStart:
    """The law of the start, independent w_i ~ N(0, scale^2); the dynamics draws from it.

    Args:
        copies: how many networks.
        neurons: N, of each.
        scale: the standard deviation of the weights.
    """

    copies: int
    neurons: int
    scale: float


@dataclass(frozen=True, eq=False)
class ParticleState:
    """All particles at one time.

    Args:
        weights: w, (copies, N).
        outputs: each copy's f(x_k), (copies, n).
    """

    weights: Array
    outputs: Array

    def __repr__(self) -> str:
        copies, count = self.weights.shape
        mean = f", mean weight {self.weights.mean():.4g}" if self.weights.size else ""
        return f"ParticleState({copies} copies of N={count}{mean})"


@dataclass(frozen=True, eq=False)
class InteractingParticles:
    """The dynamics above, for `run`: starts are a `ParticleStart`, states are `ParticleState`, times are numbers of
    steps.

    Args:
        task: what the particles learn.
        step: h.
        streams: where the start and the noise are drawn from.
    """

    task: ParticleTask
    step: float
    streams: Streams

    def states(self, start: ParticleStart, times: Sequence[float]) -> Iterator[ParticleState]:
        task, step, generator = self.task, self.step, self.streams.generator()
        weights = start.scale * generator.standard_normal((start.copies, start.neurons))
        noise, done = np.empty(weights.shape), 0
        decay, spread = 1.0 - step * task.ridge, sqrt(2.0 * task.temperature * step)
        outputs, slopes = self._seen(weights)
        for time in whole_times(times):
            while done < time:
                pull = (-step / len(task.inputs)) * (outputs - task.labels) * task.inputs
                weights *= decay
                weights += np.matmul(pull.astype(np.float32)[:, None, :], slopes)[:, 0, :]
                generator.standard_normal(out=noise)
                noise *= spread
                weights += noise
                outputs, slopes = self._seen(weights)
                done += 1
            yield ParticleState(weights.copy(), outputs)

    def _seen(self, weights: Array) -> tuple[Array, NDArray[np.float32]]:
        """f(x_k) of each copy, (copies, n), and sigma'(w_i x_k), (copies, n, N)."""
        fields = self.task.inputs.astype(np.float32)[:, None] * weights.astype(np.float32)[:, None, :]
        values, slopes = self.task.activation.value_and_derivative(fields)
        return values.mean(axis=-1, dtype=np.float64), slopes
