"""What the claims about times share: medians over random starts in any dimension, theory's and the flow's own."""

from __future__ import annotations

import math

import numpy as np

from giantstep.claims.structured._flows import SLOW, FlowClaim
from giantstep.errors import InputError
from giantstep.learners.flows import FlowKind, PopulationFlow, sphere_starts
from giantstep.streams import Streams
from giantstep.theory.structured.flows import typical_start, typical_time

DRAWS = 4001  # starts whose median overlap is taken
FARTHEST = 10**12, 10**14  # dimensions between which the law of the start is held against its limit


class TimedFlowClaim(FlowClaim):
    """How long the normalised flow takes from random starts, and how that grows from d to a multiple of d."""

    def typical_time(self, d: int, level: float) -> float:
        """Theory's median time to the level in dimension d, with the preconditioner."""
        return typical_time(self.flow_in(d), d, level)

    def typical_growth(self, ratio: int, level: float) -> float:
        """The exponent of tau between d and ratio d, from theory's median starts."""
        near, far = (self.typical_time(d, level) for d in (self.d, ratio * self.d))
        return time_growth(self.exponent, 2.0 * self.flow.leading, near, far, ratio)

    def start_growth(self, ratio: int) -> float:
        """The exponent of theory's median start between d and ratio d."""
        near, far = (typical_start(self.flow_in(d), d) for d in (self.d, ratio * self.d))
        return math.log(far / near) / math.log(ratio)

    def limits_of_law(self, level: float) -> dict[str, float]:
        """The exponents of the median start and of tau between the farthest dimensions, by the law of the start."""
        ends = [typical_start(self.flow_in(d), d) for d in FARTHEST]
        near, far = (self.typical_time(d, level) for d in FARTHEST)
        ratio = FARTHEST[1] / FARTHEST[0]
        growth = time_growth(self.exponent, 2.0 * self.flow.leading, near, far, ratio)
        return {"start_limit": math.log(ends[1] / ends[0]) / math.log(ratio), "time_limit": growth}

    def drawn_start(self, d: int, streams: Streams) -> float:
        """The median overlap of many random starts in dimension d."""
        task = self.task(d=d)
        return float(np.median(task.overlap(sphere_starts(task, d, DRAWS, streams))))

    def drawn_times(self, kind: FlowKind, d: int, level: float, streams: Streams) -> tuple[float, float]:
        """Medians over random starts in dimension d: the flow's time, and the exact one of the same starts."""
        setting, task = self.flow_in(d), self.task(d=d)
        start = sphere_starts(task, d, self.starts, streams)
        omega = task.overlap(start)
        middle = np.sort(omega)[(self.starts - 1) // 2]
        # Slow starts count as later and are not followed: no median knows how much later they arrive.
        found = np.where(omega < SLOW * middle, np.inf, 0.0)
        exact = found.copy()
        followed = (found == 0.0) & (omega < level)
        if followed.any():
            found[followed] = PopulationFlow(task, kind).hitting_time(start[followed], level)
            overlaps = setting.whitened(start[followed] @ task.mu, start[followed] @ task.beta)
            exact[followed] = setting.hitting_time(*overlaps, level, kind == "preconditioned")
        return float(np.median(found)), float(np.median(exact))

    def drawn_growth(
        self, near: tuple[float, float], ratio: int, level: float, streams: Streams
    ) -> tuple[float, float]:
        """The exponents of tau from d, where `near` are the drawn times, to ratio d: the flow's and the exact one.

        With the preconditioner.
        """
        far = self.drawn_times("preconditioned", ratio * self.d, level, streams)
        rates = PopulationFlow(self.task(), "preconditioned").rate(), 2.0 * self.flow.leading
        found, exact = (time_growth(self.exponent, rates[i], near[i], far[i], ratio) for i in (0, 1))
        return found, exact


def start_correction(point: TimedFlowClaim, predicted: float) -> float:  # noqa: ARG001
    """r d^-r at d = 10^12, added up: r = 2 |gamma2 - gamma1|, |gamma2 - 2 gamma1|, 1 - gamma2; and 0.001.

    |Sigma beta|^2, kappa = 1 + theta rho^2 and |Sigma^(1/2) w|^2 are sums of two powers, of which the larger one
    counts: the logarithm of 1 + d^-r grows by at most r d^-r per ln d.
    """
    alignment, strength = point.alignment_exponent, point.strength_exponent
    rates = (2 * abs(strength - alignment), abs(strength - 2 * alignment), abs(1 - strength))
    return 1e-3 + sum(rate * math.pow(FARTHEST[0], -rate) for rate in rates)


def time_correction(point: TimedFlowClaim, predicted: float) -> float:
    """That of the start, k - 2 times or once, and twice the start itself, with which the time begins."""
    start = typical_start(point.flow_in(FARTHEST[0]), FARTHEST[0])
    return max(1, point.exponent - 2) * start_correction(point, predicted) + 2 * start


def time_growth(exponent: int, rate: float, near: float, far: float, ratio: float) -> float:
    """The exponent of tau from times at d and ratio d: that of d, or for k = 2 the factor of ln d in rate T.

    `rate` is omega'/omega at small omega for k = 2.
    """
    if exponent == 2:
        return rate * (far - near) / math.log(ratio)
    if near == 0.0 or far == 0.0:
        raise InputError("the median start is beyond the level already: there is no time to speak of; take more starts")
    return math.log(far / near) / math.log(ratio)
