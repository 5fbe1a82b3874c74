"""Giant steps on one batch after another, as a dynamics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from giantstep.learners.engines import GiantStep, take_step
from giantstep.learners.networks import Network
from giantstep.problems import Sample


@dataclass(frozen=True, eq=False)
class GiantSteps:
    """Step after step of the same size; time is counted in steps, and a state is a network.

    Args:
        step: the size of each step and its convention.
        batch: the sample of step 1, 2, ...: the same one again, or a fresh one each time.
        threads: how many threads may work on a step.
    """

    step: GiantStep
    batch: Callable[[int], Sample]
    threads: int = 1

    def states(self, start: Network, times: Sequence[float]) -> Iterator[Network]:
        """The network after each of these numbers of steps; after none it is `start` itself."""
        network, done = start, 0
        for time in times:
            while done < time:
                done += 1
                network, _ = take_step(network, self.batch(done), self.step, threads=self.threads)
            yield network
