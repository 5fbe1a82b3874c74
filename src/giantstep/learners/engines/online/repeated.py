"""SGD of one neuron on the sphere that may use each sample twice, for many replicas: exact in law, in blocks of steps.

    u = w + rho g(w) x,   w <- w + s g(u) P x, then over its length,   g(w) = y sigma'(<w, x>),   P = I - w w^T

This is the correlation loss -y sigma(<w, x>). With the look-ahead rho = 0 it is one pass [bagj21]; with rho > 0 the
sample that made the trial step u makes the step as well [addkp24]; "twice" takes both steps, s (g(w) + g(u)). Of x only
z = x_1, its part along the rest of w and |x|^2 matter: h(u) = h + rho g |x|^2, and with m = <w, e_1>

    m' = (m + s g (z - m h)) / sqrt(1 + s^2 g^2 (|x|^2 - h^2)).

A step moves m by about s, so that over a block of steps the path m_1, m_2, ... is the fixed point of
m_t = m_0 + sum_{r < t} (m_r' - m_r), found by iterating all steps of the block at once. Causality makes the first t
places exact after t rounds, and for blocks of about 1/s steps a few rounds make all of them exact: Python does no
work per step. (Derived.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeAlias

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.learners.engines.giant_step import check_finite
from giantstep.learners.engines.online.replicas import OnlineState
from giantstep.learners.trajectory import in_blocks, run
from giantstep.problems import Problem
from giantstep.problems.inputs import Isotropic
from giantstep.streams import Streams

Way: TypeAlias = Literal["look-ahead", "twice"]
NUMBERS = 8_192
"""Replicas times steps of a block: what fits near the processor."""
MOVED = 0.05
"""A block has at most so many steps that their lengths s sum up to this: more of them need more rounds."""
EXACT = 1e-13
"""The path has been found when a round moves it by no more than this."""


@dataclass(frozen=True, eq=False)
class RepeatedSGD:
    """SGD with a look-ahead, a dynamics for `run`: starts and states are `OnlineState` of one neuron and one direction
    on the unit sphere, times are numbers of samples. Blocks end at the times asked for.

    Args:
        problem: what is learned, of x1 alone; isotropic inputs in the dimension of the start.
        step: s of the step above.
        streams: where the samples are drawn from.
        look_ahead: rho, the size of the trial step; 0 is one pass.
        way: whether the step is taken at the trial place alone, or at both places.
    """

    problem: Problem
    step: float
    streams: Streams
    look_ahead: float = 0.0
    way: Way = "look-ahead"

    def states(self, start: OnlineState, times: Sequence[float]) -> Iterator[OnlineState]:
        check_one_neuron(self.problem, start)
        generator, gradient = self.streams.child("samples").generator(), self._gradient(start)

        def block(state: OnlineState, steps: int) -> OnlineState:
            return self._block(state, gradient, *self._samples(generator, steps, start))

        return in_blocks(start, times, self.block_steps(start.replicas), block)

    def block_steps(self, replicas: int) -> int:
        """How many steps are made at once for so many `replicas`."""
        return int(np.clip(min(NUMBERS / replicas, MOVED / self.step), 8, NUMBERS))

    def _samples(self, generator: np.random.Generator, steps: int, start: OnlineState) -> tuple[Array, Array, Array]:
        """x_1 and the coordinate along the rest of w, the squared length of x, and labels: one of each a replica."""
        shape = (steps, start.replicas)
        z = generator.standard_normal((2, *shape))
        square = z[0] ** 2 + z[1] ** 2
        if start.d > 2:
            square += generator.chisquare(start.d - 2, shape)
        labels = np.asarray(self.problem.target(z[0].reshape(-1, 1))).reshape(shape)
        if self.problem.noise:
            labels = labels + self.problem.noise * generator.standard_normal(shape)
        return z, square, labels

    def _gradient(self, start: OnlineState) -> Callable[[Array, Array, Array], Array]:
        """g of the module, from the field h, |x|^2 and y."""
        slope, rho, both = start.activation.derivative, self.look_ahead, self.way == "twice"

        def gradient(h: Array, square: Array, labels: Array) -> Array:
            here = labels * slope(h)
            if not rho:
                return np.asarray(2.0 * here if both else here)
            there = labels * slope(h + rho * here * square)
            return np.asarray(here + there if both else there)

        return gradient

    def _block(
        self,
        state: OnlineState,
        gradient: Callable[[Array, Array, Array], Array],
        z: Array,
        square: Array,
        labels: Array,
    ) -> OnlineState:
        begin = state.coordinates[0, 0]
        path = np.repeat(begin[None], len(labels) + 1, axis=0)  # the overlap before each step, and after the last
        for _ in range(len(labels) + 1):
            m = np.clip(path[:-1], -1.0, 1.0)  # a round on the way to the path may leave the sphere
            h = m * z[0] + np.sqrt(1.0 - m * m) * z[1]
            move = self.step * gradient(h, square, labels)
            after = (m + move * (z[0] - m * h)) / np.sqrt(1.0 + move * move * (square - h * h))
            found = np.cumsum(after - m, axis=0)
            found += begin
            change = float(np.abs(found - path[1:]).max())
            path[1:] = found
            if not change > EXACT:
                break
        check_finite(path)
        np.clip(path, -1.0, 1.0, out=path)
        end = np.stack([path[-1], np.sqrt(1.0 - path[-1] ** 2)])
        return replace(state, coordinates=end[None], course=path[1:])


def check_one_neuron(problem: Problem, start: OnlineState) -> None:
    """Refuse starts that are not those of one neuron of length one that looks for x1 with isotropic inputs."""
    if start.neurons != 1 or start.directions != 1 or problem.target.directions != 1:
        raise InputError(
            f"repeated samples are for one neuron and a target of x1 alone, not for {start.neurons} neurons and "
            f"{problem.target.directions} directions"
        )
    if problem.d != start.d:
        raise InputError(f"the problem has d = {problem.d}, the state d = {start.d}: they must match")
    if not isinstance(problem.inputs, Isotropic):
        raise InputError("SGD on order parameters needs isotropic Gaussian inputs")
    if not np.allclose((start.coordinates**2).sum(axis=1), 1.0):
        raise InputError("repeated samples are for neurons of length one; start with random_replicas")


class InBlocks(Protocol):
    """A dynamics whose states have a course for all steps of a block."""

    def states(self, start: OnlineState, times: Sequence[float]) -> Iterator[OnlineState]: ...

    def block_steps(self, replicas: int) -> int: ...


def arrival_samples(
    dynamics: InBlocks,
    start: OnlineState,
    level: float,
    samples: int,
    *,
    share: float = 1.0,
    progress: Callable[[float], None] | None = None,
) -> Array:
    """After how many samples each replica first has |<w, e_1>| of `level`, (replicas,); infinite if it has not by then.

    Args:
        dynamics: SGD with or without a look-ahead; with batches "samples" are steps, here and below.
        start: the replicas, of one neuron each.
        level: the overlap to be reached, between 0 and 1.
        samples: the most samples; the run ends before if enough replicas have arrived.
        share: how many of them are enough, between 0 and 1.
        progress: is told the share of `samples` that is done.
    """
    arrived = np.where(np.abs(start.overlaps[0, 0]) >= level, 0.0, np.inf)
    done = 0

    def enough(state: OnlineState) -> bool:
        nonlocal done
        assert state.course is not None
        there = np.abs(state.course) >= level
        first = done + 1.0 + np.argmax(there, axis=0)
        arrived[:] = np.where(np.isinf(arrived) & there.any(axis=0), first, arrived)
        done += len(state.course)
        return bool(np.isfinite(arrived).mean() >= share)

    block = dynamics.block_steps(start.replicas)
    run(dynamics, start, times=[*range(block, samples, block), samples], stop=enough, progress=progress)
    return arrived
