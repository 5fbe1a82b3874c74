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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from giantstep.arrays import Array
from giantstep.checks import shown
from giantstep.errors import InputError
from giantstep.learners.meanfield.langevin_step import look
from giantstep.learners.trajectory import whole_times
from giantstep.streams import Streams

REFRESH = 20  # steps between two looks at the curvature
LONGEST = 0.5  # of step times temperature: the prior alone must contract


@dataclass(frozen=True, eq=False)
class MeanFieldNetwork:
    """The network above: f(x) for inputs (n, d) by calling it.

    Args:
        weights: w, (N, d).
        biases: b, (N,).
        offsets: c, (N,).
        bound: R, which no neuron exceeds in size.
    """

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
        return f"MeanFieldNetwork(N={count}, d={d}, R={self.bound:g})"


def prior_network(d: int, neurons: int, bound: float, streams: Streams) -> MeanFieldNetwork:
    """A start from the prior: so many `neurons` of inputs in dimension `d`, each at most `bound` in size, drawn from
    `streams`."""
    generator = streams.generator()
    weights = sqrt(d) * generator.standard_normal((neurons, d))
    biases, offsets = generator.standard_normal((2, neurons))
    return MeanFieldNetwork(weights, biases, offsets, bound)


@dataclass(frozen=True, eq=False)
class LangevinState:
    """Where the dynamics has come.

    Args:
        network: all neurons.
        loss: of the samples, without the prior.
        time: the sum of all step sizes of weights so far.
    """

    network: MeanFieldNetwork
    loss: float
    time: float

    def __repr__(self) -> str:
        return f"LangevinState({self.network}, loss {self.loss:.4g}, time {self.time:.4g})"


@dataclass(frozen=True, eq=False, repr=False)
class Langevin:
    """The dynamics above, for `run`: starts are `MeanFieldNetwork`, states are `LangevinState`, times are numbers of
    steps.

    Args:
        x: the inputs, (n, d).
        y: their signs +-1, (n,).
        temperature: lambda; or a pair, annealed geometrically from the first to the second over all steps of the run.
        streams: where the noise is drawn from.
        step: the step size; it follows the curvature of the loss if it is not given.
    """

    x: Array
    y: Array
    temperature: float | tuple[float, float]
    streams: Streams
    step: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "x", _numbers("inputs", self.x))
        object.__setattr__(self, "y", _numbers("signs", self.y))
        _check_data(self.x, self.y)
        ends = self._ends()
        if min(ends) < 0 or (min(ends) == 0 and max(ends) > 0):
            raise InputError(f"temperature = {self.temperature} is not allowed; it must be positive, or 0 all the time")
        if self.step is not None and not 0 < self.step * max(max(ends), 1e-12) <= LONGEST:
            raise InputError(
                f"step = {self.step} is not allowed; it must be positive and step times temperature at most {LONGEST}"
            )

    def _ends(self) -> tuple[float, float]:
        return self.temperature if isinstance(self.temperature, tuple) else (self.temperature, self.temperature)

    def temperatures(self, steps: int) -> Array:
        """lambda at each of so many `steps`, (steps,)."""
        first, last = self._ends()
        is_annealed = isinstance(self.temperature, tuple) and first > 0
        return np.geomspace(first, last, steps) if is_annealed else np.full(steps, first)

    def states(self, start: MeanFieldNetwork, times: Sequence[float]) -> Iterator[LangevinState]:
        _check_start(start, self.x.shape[1])
        generator, moments = self.streams.generator(), whole_times(times)
        cloud, temperatures = _Cloud(start, self.x, self.y), self.temperatures(moments[-1])
        step = slower = self.step or 0.0  # of weights and biases, and of offsets
        elapsed, done, last = 0.0, 0, None
        for time in moments:
            while done < time:
                temperature = float(temperatures[done])
                if self.step is None and done % REFRESH == 0:
                    last = look(cloud.hidden, cloud.top, self.x, self.y, cloud.doubt, cloud.third, temperature, last)
                    step, slower = last.step, last.offset_step
                cloud.move(step, slower, temperature, generator)
                elapsed, done = elapsed + step, done + 1
            yield LangevinState(cloud.network(), cloud.loss, elapsed)

    def __repr__(self) -> str:
        n, d = self.x.shape
        own = "own steps" if self.step is None else f"step={self.step:g}"
        return f"Langevin(n={n}, d={d}, temperature={self.temperature}, {own})"


def _numbers(name: str, given: ArrayLike) -> Array:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be numbers, not {shown(given)}") from None


def _check_data(x: Array, y: Array) -> None:
    if x.ndim != 2 or y.shape != x.shape[:1] or not len(x):
        raise InputError(f"inputs must be (n, d) and signs (n,), but they are {x.shape} and {y.shape}")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise InputError("inputs and signs must be finite, but there are NaN or infinite ones")
    if not np.isin(y, (-1.0, 1.0)).all():
        found = ", ".join(f"{value:g}" for value in np.unique(y)[:4])
        hint = "; turn 0 and 1 into signs by 2 y - 1" if np.isin(y, (0.0, 1.0)).all() else ""
        raise InputError(f"labels must be signs, -1 or +1, but there are {found}{hint}")


def _check_start(start: MeanFieldNetwork, d: int) -> None:
    neurons = len(start.weights)
    if start.weights.shape[1:] != (d,) or start.biases.shape != (neurons,) or start.offsets.shape != (neurons,):
        shapes = f"{start.weights.shape}, {start.biases.shape} and {start.offsets.shape}"
        raise InputError(
            f"weights must be (N, {d}), biases and offsets (N,), as the inputs want, but they are {shapes}"
        )


class _Cloud:
    """All neurons on their way, moved in place, and what the samples see of them."""

    def __init__(self, start: MeanFieldNetwork, x: Array, y: Array) -> None:
        self.x, self.y, self.bound, self.third = x, y, start.bound, start.bound / 3.0
        self.weights, self.biases, self.offsets = start.weights.copy(), start.biases.copy(), start.offsets.copy()
        count, d = self.weights.shape
        self.hidden, self.noise = np.empty((count, len(x))), np.empty((count, d + 2))
        self._see()

    def network(self) -> MeanFieldNetwork:
        return MeanFieldNetwork(self.weights.copy(), self.biases.copy(), self.offsets.copy(), self.bound)

    def _see(self) -> None:
        hidden = np.matmul(self.weights, self.x.T, out=self.hidden)
        hidden += self.biases[:, None]
        np.tanh(hidden, out=hidden)
        self.top = np.tanh(self.offsets)
        margin = self.y * (self.third * (hidden.mean(axis=0) + 2.0 * self.top.mean()))
        self.loss = float(np.mean(np.logaddexp(0.0, -margin)))
        self.doubt = 1.0 / (1.0 + np.exp(np.minimum(margin, 700.0)))  # minus the loss' derivative by the margin

    def move(self, step: float, slower: float, temperature: float, generator: np.random.Generator) -> None:
        """One step; offsets have a smaller one of their own."""
        weights, biases, offsets, hidden, d = self.weights, self.biases, self.offsets, self.hidden, self.x.shape[1]
        np.multiply(hidden, hidden, out=hidden)
        np.subtract(1.0, hidden, out=hidden)  # tanh'
        pull = self.third / len(self.x) * (self.y * self.doubt)
        decay = 1.0 - step * temperature
        by_bias = hidden @ pull
        hidden *= pull
        weights *= decay
        weights += (step * d) * (hidden @ self.x)
        biases *= decay
        biases += step * by_bias
        offsets *= 1.0 - slower * temperature
        offsets += slower * 2.0 * float(pull.sum()) * (1.0 - self.top**2)
        if temperature > 0:
            noise = generator.standard_normal(out=self.noise)
            spread = sqrt(2.0 * temperature * step)
            weights += (spread * sqrt(d)) * noise[:, :d]
            biases += spread * noise[:, d]
            offsets += sqrt(2.0 * temperature * slower) * noise[:, d + 1]
        self._see()
