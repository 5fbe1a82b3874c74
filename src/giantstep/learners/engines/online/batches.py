"""One-pass SGD of one neuron on the sphere with batches, for many replicas at once: exact in law at any d.

    w <- w + s sum_b c_b x_b over a batch of fresh samples, then over its length,
    c = y sigma'(h)  (correlation loss -y sigma(h)),    c = (y - sigma(h)) sigma'(h)  (half of the squared loss)

with h = <w, x>. Of x_b only its coordinates z_b along e_1 and g_b along the rest of w matter for c_b. The others are
independent of all c_b, so that their sum over the batch is Gaussian given the c_b, and its squared length is
s^2 (sum_b c_b^2) chi^2_(d-2): a step costs as much as its batch, whatever d is. (Derived.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from giantstep.arrays import Array
from giantstep.learners.engines.giant_step import check_finite
from giantstep.learners.engines.online.repeated import check_one_neuron
from giantstep.learners.engines.online.replicas import OnlineState
from giantstep.learners.trajectory import in_blocks
from giantstep.problems import Problem
from giantstep.streams import Streams

BatchLoss: TypeAlias = Literal["correlation", "squared"]
NUMBERS = 32_768
"""Samples of all replicas that are drawn together: what fits near the processor."""
LONGEST = 256
"""Steps of a block at most."""


@dataclass(frozen=True, eq=False)
class BatchSGD:
    """SGD with batches, a dynamics for `run`: starts and states are `OnlineState` of one neuron and one direction on
    the unit sphere, times are numbers of steps. Blocks end at the times asked for.

    Args:
        problem: what is learned, of x1 alone; isotropic inputs in the dimension of the start.
        step: s of the step above.
        streams: where the samples are drawn from.
        batch: samples a step.
        loss: the correlation loss or half of the squared one.
    """

    problem: Problem
    step: float
    streams: Streams
    batch: int = 1
    loss: BatchLoss = "correlation"

    def states(self, start: OnlineState, times: Sequence[float]) -> Iterator[OnlineState]:
        check_one_neuron(self.problem, start)
        generator = self.streams.child("samples").generator()
        longest = self.block_steps(start.replicas)
        return in_blocks(start, times, longest, lambda state, steps: self._block(state, generator, steps))

    def block_steps(self, replicas: int) -> int:
        """How many steps are made between two looks, for so many `replicas`."""
        return int(np.clip(NUMBERS / (replicas * self.batch), 1, LONGEST))

    def _block(self, state: OnlineState, generator: np.random.Generator, steps: int) -> OnlineState:
        shape = (steps, self.batch, state.replicas)
        z, g = generator.standard_normal((2, *shape))
        labels = np.array(self.problem.target(z.reshape(-1, 1))).reshape(shape)
        if self.problem.noise:
            labels += self.problem.noise * generator.standard_normal(shape)
        rest = generator.chisquare(state.d - 2, (steps, state.replicas)) if state.d > 2 else np.zeros((steps, 1))
        along, course = state.coordinates[0, 0], np.empty((steps, state.replicas))
        for t in range(steps):
            side = np.sqrt(1.0 - along**2)
            pull = self.step * self._slopes(state, along * z[t] + side * g[t], labels[t])
            along = along + np.einsum("br,br->r", pull, z[t])
            side = side + np.einsum("br,br->r", pull, g[t])
            along = along / np.sqrt(along**2 + side**2 + np.einsum("br,br->r", pull, pull) * rest[t])
            course[t] = along
        check_finite(course)
        end = np.stack([along, np.sqrt(np.maximum(1.0 - along**2, 0.0))])
        return replace(state, coordinates=end[None], course=course)

    def _slopes(self, state: OnlineState, fields: Array, labels: Array) -> Array:
        """c of the module."""
        if self.loss == "correlation":
            return np.asarray(labels * state.activation.derivative(fields))
        values, slopes = state.activation.value_and_derivative(fields)
        return np.asarray((labels - values) * slopes)
