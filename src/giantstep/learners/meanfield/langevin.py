"""Mean-field Langevin dynamics: noisy gradient descent of a two-layer classifier, all particles at once.

    f(x) = (1/N) sum_j h(w_j, x),   h = (R/3) (tanh(<w, x> + b) + 2 tanh(c)),   loss (1/n) sum_i log(1 + exp(-y_i f_i))

Every particle (w, b, c) has the prior N(0, d I) x N(0, 1) x N(0, 1), which is also the start, and follows

    d(w, b, c) = -P grad dF/dmu dt - lambda (w, b, c) dt + sqrt(2 lambda P) dB,      P = diag(d, .., d, 1, 1),

the Langevin dynamics of the loss plus lambda KL(mu | prior), in the metric in which the prior is round: N times the
gradient of the loss by one particle. Source: the dynamics of the talk on [mws23], slide 'Mean-field Langevin dynamics';
the bounded neuron and the metric are choices. One step is two products of (particles, d) and (d, n) matrices.
Unless it is given, the step follows the curvature of the loss (`langevin_step`).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.learners.meanfield.langevin_step import look
from giantstep.streams import Streams

REFRESH = 20  # steps between two looks at the curvature
LONGEST = 0.5  # of step times temperature: the prior alone must contract


@dataclass(frozen=True, eq=False)
class Particles:
    """The network: weights (N, d), biases (N,), offsets (N,) and the bound R of a neuron."""

    weights: Array
    biases: Array
    offsets: Array
    bound: float

    def __call__(self, x: Array) -> Array:
        hidden = np.tanh(x @ self.weights.T + self.biases)
        return np.asarray(self.bound / 3.0 * (hidden.mean(axis=1) + 2.0 * np.tanh(self.offsets).mean()))

    def accuracy(self, x: Array, y: Array) -> float:
        """Share of signs y = +-1 that are right."""
        return float(np.mean(np.sign(self(x)) == y))

    def energy(self, directions: int) -> float:
        """Share of the weights' squares on the first coordinates."""
        return float(np.sum(self.weights[:, :directions] ** 2) / np.sum(self.weights**2))

    def __repr__(self) -> str:
        count, d = self.weights.shape
        return f"Particles(N={count}, d={d}, R={self.bound:g})"


def random_particles(count: int, d: int, bound: float, streams: Streams) -> Particles:
    """A start from the prior."""
    generator = streams.generator()
    weights = sqrt(d) * generator.standard_normal((count, d))
    biases, offsets = generator.standard_normal((2, count))
    return Particles(weights, biases, offsets, bound)


@dataclass(frozen=True)
class Langevin:
    """The dynamics: temperature lambda (or a pair: annealed geometrically from the first to the second), steps, and the
    step size, which follows the curvature of the loss if it is not given.

    >>> Langevin(5e-3, steps=100).temperatures()[[0, -1]].tolist()
    [0.005, 0.005]
    """

    temperature: float | tuple[float, float]
    steps: int
    step: float | None = None

    def __post_init__(self) -> None:
        ends = self.temperature if isinstance(self.temperature, tuple) else (self.temperature, self.temperature)
        if self.steps < 1:
            raise InputError(f"steps = {self.steps} is not allowed; it must be 1 or more")
        if min(ends) < 0 or (min(ends) == 0 and max(ends) > 0):
            raise InputError(f"temperature = {self.temperature} is not allowed; it must be positive, or 0 all the time")
        if self.step is not None and not 0 < self.step * max(max(ends), 1e-12) <= LONGEST:
            raise InputError(
                f"step = {self.step} is not allowed; it must be positive and step times temperature at most {LONGEST}"
            )

    def temperatures(self) -> Array:
        """lambda at each step."""
        if isinstance(self.temperature, tuple):
            if self.temperature[0] == 0:
                return np.zeros(self.steps)
            return np.geomspace(*self.temperature, self.steps)
        return np.full(self.steps, self.temperature)


@dataclass(frozen=True, eq=False)
class LangevinRun:
    """Where the dynamics ended: the particles, the loss before each step, and the sum of all step sizes of weights."""

    particles: Particles
    losses: Array
    time: float

    def __repr__(self) -> str:
        return (
            f"LangevinRun({self.particles}, {len(self.losses)} steps, loss {self.losses[-1]:.4g}, time {self.time:.4g})"
        )


def run_langevin(start: Particles, x: Array, y: Array, dynamics: Langevin, streams: Streams) -> LangevinRun:
    """The dynamics on inputs x (n, d) with signs y (n,)."""
    (count, d), n = start.weights.shape, len(x)
    weights, biases, offsets = start.weights.copy(), start.biases.copy(), start.offsets.copy()
    generator, third = streams.generator(), start.bound / 3.0
    hidden, noise = np.empty((count, n)), np.empty((count, d + 2))
    losses, time, last = np.empty(dynamics.steps), 0.0, None
    step = slower = dynamics.step or 0.0  # of weights and biases, and of offsets
    for t, temperature in enumerate(dynamics.temperatures()):
        np.matmul(weights, x.T, out=hidden)
        hidden += biases[:, None]
        np.tanh(hidden, out=hidden)
        top = np.tanh(offsets)
        margin = y * (third * (hidden.mean(axis=0) + 2.0 * top.mean()))
        losses[t] = np.mean(np.logaddexp(0.0, -margin))
        doubt = 1.0 / (1.0 + np.exp(np.minimum(margin, 700.0)))  # minus the loss' derivative by the margin
        if dynamics.step is None and t % REFRESH == 0:
            last = look(hidden, top, x, y, doubt, third, temperature, last)
            step, slower = last.step, last.offset_step
        np.multiply(hidden, hidden, out=hidden)
        np.subtract(1.0, hidden, out=hidden)  # tanh'
        pull = third / n * (y * doubt)
        decay = 1.0 - step * temperature
        by_bias = hidden @ pull
        hidden *= pull
        weights *= decay
        weights += (step * d) * (hidden @ x)
        biases *= decay
        biases += step * by_bias
        offsets *= 1.0 - slower * temperature
        offsets += slower * 2.0 * float(pull.sum()) * (1.0 - top**2)
        if temperature > 0:
            generator.standard_normal(out=noise)
            spread = sqrt(2.0 * temperature * step)
            weights += (spread * sqrt(d)) * noise[:, :d]
            biases += spread * noise[:, d]
            offsets += sqrt(2.0 * temperature * slower) * noise[:, d + 1]
        time += step
    return LangevinRun(Particles(weights, biases, offsets, start.bound), losses, time)
