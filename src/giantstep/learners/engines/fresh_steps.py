"""Giant steps through time: each on a fresh batch, for the one verb `run`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from giantstep.learners.engines.giant_step import GiantStep
from giantstep.learners.engines.reduced import ReducedState
from giantstep.learners.engines.step import take_step
from giantstep.learners.networks.network import Network
from giantstep.problems import Problem
from giantstep.streams import Streams


@dataclass(frozen=True)
class FreshSteps:
    """Giant steps of a network or a reduced state, each on samples of its own; time is counted in steps.

    Args:
        problem: what is learned, of any law of inputs on the full engine.
        samples: n of each batch.
        step: the size of every step, in a named convention.
        streams: where the batches are drawn from, one child a step.
        threads: how many blocks are worked on at a time; the result does not depend on it.
    """

    problem: Problem
    samples: int
    step: GiantStep
    streams: Streams
    threads: int = 1

    def states(self, start: Network | ReducedState, times: Sequence[float]) -> Iterator[Network | ReducedState]:
        """The state after each of so many steps (`times`), from `start`."""
        state, taken = start, 0
        for time in times:
            while taken < time:
                batch = self.problem.sample(self.samples, self.streams.child(f"step {taken}"))
                state, _ = take_step(state, batch, self.step, threads=self.threads)
                taken += 1
            yield state
