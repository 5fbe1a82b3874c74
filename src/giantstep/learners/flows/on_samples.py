"""How far gradient descent comes on n samples, and how many it needs.

With several data sets and several starts on each, the overlap reached is a mean over all of them. The first n samples
of a data set are part of its first 2 n, so that a search over n compares like with like.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil

import numpy as np

from giantstep.errors import InputError
from giantstep.learners.flows.flow import Flow
from giantstep.learners.flows.task import FlowTask, sphere_starts
from giantstep.streams import Streams

HALF = 0.5  # the overlap at which a target counts as half found


@dataclass(frozen=True)
class Descent:
    """Gradient descent on samples, from `starts` random starts on each of `data_sets` data sets."""

    flow: Flow
    step: float
    steps: int
    starts: int
    data_sets: int = 1

    def overlap(self, task: FlowTask, samples: int, streams: Streams) -> float:
        """The mean of |omega| at the end."""
        reached = []
        for number in range(self.data_sets):
            own = streams.child(f"set {number}")
            x, y = task.samples(samples, own.child("data"))
            start = sphere_starts(task, task.coordinates, self.starts, own.child("start"))
            end = self.flow.descend(task.activation, x, y, start, self.step, self.steps, self.steps)[-1]
            reached.append(np.abs(task.overlap(end)).mean())
        return float(np.mean(reached))

    def half_samples(self, task: FlowTask, per_dim: float, doublings: int, streams: Streams) -> float:
        """n at which the mean overlap is 1/2: n = per_dim d doubles until it is, then log n is interpolated."""
        samples = [ceil(per_dim * task.coordinates * 2**j) for j in range(doublings + 1)]
        before = self.overlap(task, samples[0], streams)
        if before >= HALF:
            raise InputError(
                f"in d = {task.coordinates} the mean overlap is {before:.2f} with {samples[0]} samples already, so "
                "that the number at which it is 1/2 is not between those tried: lower samples_per_dim"
            )
        for low, high in pairwise(samples):
            after = self.overlap(task, high, streams)
            if after >= HALF:
                return float(low * (high / low) ** ((HALF - before) / (after - before)))
            before = after
        raise InputError(
            f"in d = {task.coordinates} the mean overlap is {before:.2f} with {samples[-1]} samples still, so that the "
            "number at which it is 1/2 is not between those tried: raise doublings or samples_per_dim"
        )
