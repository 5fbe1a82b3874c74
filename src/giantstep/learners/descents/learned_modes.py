"""When a deep linear network has learned each mode of its task, read from a whole descent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from giantstep.arrays import Array
from giantstep.learners.descents.deep_linear import DeepLinearDescent, DeepLinearState
from giantstep.learners.trajectory import Trajectory, run


@dataclass(frozen=True, eq=False)
class LearnedModes:
    """The modes of a task on their way through a descent.

    Args:
        values: the task's singular values, (modes,).
        seen: a trajectory that has watched `time`, `strengths` and `loss` at every step.
    """

    values: Array
    seen: Trajectory[DeepLinearState]

    def times_at(self, share: float) -> Array:
        """When each mode first reached this share of its singular value, (modes,), read between steps; infinite if it
        never did."""
        times, courses = self.seen["time"], self.seen["strengths"]
        found = np.full(courses.shape[1], np.inf)
        for mode, (course, goal) in enumerate(zip(courses.T, share * self.values, strict=True)):
            above = np.flatnonzero(course >= goal)
            if above.size and above[0] > 0:
                k = int(above[0])
                part = (goal - course[k - 1]) / (course[k] - course[k - 1])
                found[mode] = times[k - 1] + part * (times[k] - times[k - 1])
        return found

    def half_times(self) -> Array:
        """When half of each mode was learned, (modes,)."""
        return self.times_at(0.5)

    def losses(self, times: Array) -> Array:
        """The loss at each of `times`."""
        return np.asarray(np.interp(times, self.seen["time"], self.seen["loss"]))

    def second_share(self, learned: float) -> float:
        """The share of the second mode when that of the first was `learned`."""
        course = self.seen["strengths"][:, 1]
        return float(np.interp(self.times_at(learned)[0], self.seen["time"], course) / self.values[1])

    def resting_losses(self) -> Array:
        """The loss where its logarithm fell most slowly, before the first mode and between neighbours, (modes,)."""
        losses = self.seen["loss"]
        falling = -np.diff(np.log(losses))
        ends = np.searchsorted(self.seen["time"], [0.0, *np.maximum.accumulate(self.half_times())])
        resting = [a + int(np.argmin(falling[a : max(a + 1, b)])) for a, b in pairwise(ends)]
        return np.asarray(losses[resting])


def learn_modes(
    dynamics: DeepLinearDescent, start: Sequence[Array], *, steps: int, share: float, time: float = 0.0
) -> LearnedModes:
    """Train until every mode is learned, and say how.

    Args:
        dynamics: gradient descent of all layers.
        start: the layers to start from, as `dynamics` wants them.
        steps: the most steps that are taken.
        share: the part of every singular value that is to be learned.
        time: training goes on until then at least.
    """
    values = dynamics.task.values

    def is_over(state: DeepLinearState) -> bool:
        return state.time >= time and bool((state.strengths >= share * values).all())

    return LearnedModes(values, run(dynamics, start, steps=steps, watch=("time", "strengths", "loss"), stop=is_over))
