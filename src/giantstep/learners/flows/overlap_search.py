"""How far gradient descent comes on n samples, and how many it needs.

With several data sets and several starts on each, the overlap reached is a mean over all of them. The first n samples
of a data set are part of its first 2 n, so that a search over n compares like with like.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import ceil

import numpy as np

from giantstep.learners.flows.on_samples import SampleFlow
from giantstep.learners.flows.task import FlowKind, FlowTask, sphere_starts
from giantstep.learners.searching import HALF, half_along
from giantstep.learners.trajectory import run
from giantstep.streams import Streams


@dataclass(frozen=True)
class OverlapSearch:
    """Gradient descent on samples, repeated from random starts on several data sets.

    Args:
        kind: "spherical", "normalised" or "preconditioned".
        step: the step size.
        steps: how many.
        starts: random starts on each data set.
        data_sets: how many.
    """

    kind: FlowKind
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
            flow = SampleFlow(task.activation, x, y, self.step, self.kind)
            end = run(flow, start, times=[self.steps]).last
            reached.append(np.abs(task.overlap(end)).mean())
        return float(np.mean(reached))

    def half_samples(self, task: FlowTask, per_dim: float, doublings: int, streams: Streams) -> float:
        """n at which the mean overlap is 1/2: n = per_dim d doubles until it is, then log n is interpolated.

        Of draws that are lucky with so few already, n is halved first, as long as it is not below d.
        """

        @cache
        def overlap(samples: float) -> float:
            return self.overlap(task, int(samples), streams)

        tried = [ceil(per_dim * task.coordinates * 2**j) for j in range(doublings + 1)]
        while overlap(tried[0]) >= HALF and tried[0] >= 2 * task.coordinates:
            tried.insert(0, ceil(tried[0] / 2))
        return half_along(
            overlap,
            tried,
            f"in d = {task.coordinates} the mean overlap",
            rising=True,
            fewer="lower samples_per_dim",
            more="raise doublings or samples_per_dim",
        )
