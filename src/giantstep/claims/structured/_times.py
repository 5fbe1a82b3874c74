"""Median times of the normalised flow from random starts to a level, in any dimension: theory's and the flow's own."""

from __future__ import annotations

import math

import numpy as np

from giantstep.claims.structured._flows import SLOW, FlowClaim
from giantstep.errors import InputError
from giantstep.learners.flows import FlowKind, PopulationFlow, sphere_starts
from giantstep.streams import Streams
from giantstep.theory.structured import typical_start


def typical_overlap(point: FlowClaim, d: int) -> float:
    """Theory's median start in dimension d."""
    return typical_start(point.flow_in(d), d)


def typical_time(point: FlowClaim, d: int, level: float) -> float:
    """T from the median start, with the preconditioner: T falls with omega, so that it is the median time too."""
    start = np.array([min(typical_overlap(point, d), 0.99 * level)])
    return float(point.flow_in(d).hitting_time(start, np.zeros(1), level, True)[0])


def drawn_times(point: FlowClaim, kind: FlowKind, d: int, level: float, streams: Streams) -> tuple[float, float]:
    """Medians over random starts in dimension d: the flow's time, and the exact one of the same starts."""
    setting, task = point.flow_in(d), point.task(d=d)
    start = sphere_starts(task, d, point.starts, streams)
    omega = task.overlap(start)
    middle = np.sort(omega)[(point.starts - 1) // 2]
    # Slow starts count as later and are not followed: no median knows how much later they arrive.
    found = np.where(omega < SLOW * middle, np.inf, 0.0)
    exact = found.copy()
    followed = (found == 0.0) & (omega < level)
    if followed.any():
        found[followed] = PopulationFlow(task, kind).hitting_time(start[followed], level)
        overlaps = setting.whitened(start[followed] @ task.mu, start[followed] @ task.beta)
        exact[followed] = setting.hitting_time(*overlaps, level, kind == "preconditioned")
    return float(np.median(found)), float(np.median(exact))


def time_growth(exponent: int, rate: float, near: float, far: float, ratio: float) -> float:
    """The exponent of tau from times at d and ratio d: that of d, or for k = 2 the factor of ln d in rate T.

    `rate` is omega'/omega at small omega for k = 2.
    """
    if exponent == 2:
        return rate * (far - near) / math.log(ratio)
    if near == 0.0 or far == 0.0:
        raise InputError("the median start is beyond the level already: there is no time to speak of; take more starts")
    return math.log(far / near) / math.log(ratio)


def typical_growth(point: FlowClaim, ratio: int, level: float) -> float:
    """The exponent of tau between d and ratio d, from theory's median starts."""
    near, far = (typical_time(point, d, level) for d in (point.d, ratio * point.d))
    return time_growth(point.exponent, 2.0 * point.flow.leading, near, far, ratio)


def typical_start_growth(point: FlowClaim, ratio: int) -> float:
    """The exponent of the median start between d and ratio d."""
    near, far = (typical_overlap(point, d) for d in (point.d, ratio * point.d))
    return math.log(far / near) / math.log(ratio)
