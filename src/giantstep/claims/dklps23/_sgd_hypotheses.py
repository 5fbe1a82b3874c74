"""What the equations of free neurons suppose of their start and averages, and the diffusion of one on the sphere."""

from __future__ import annotations

from typing import Any

import numpy as np

from giantstep.claims import Hypothesis
from giantstep.claims.dklps23._sgd_settings import start_at
from giantstep.theory.dynamics import EscapeSteps, order_parameters

LEVEL, RATIO = 0.5, 4  # the overlap of a neuron that has escaped; exponents are those between d/4 and d
HUGE = 16_000_000  # the dimension at which the equations' exponent is nearly its limit
# Moves of this size delay the escape by some 3 % at d = 64 and by some 10 % at d/4; ten times as large by 15 to 100 %,
# for samples with large labels then move a neuron much farther than the mean, and their moves do not add up.
SMALL, SMALL_BEFORE = 0.005, 0.02
NUDGE, PARTED = 0.01, 0.3
ROUGH = 0.04


def steps_of(point: Any) -> EscapeSteps:
    """Those of the one neuron whose escape is timed."""
    return EscapeSteps(point.target, point.activation, point.step, point.noise, LEVEL)


def _course(point: Any, shift: float = 0.0) -> Any:
    """What the equations say from the start of `overlap`, every other overlap so much higher or lower."""
    m, q = start_at(point.overlap, point.neurons, point.target.directions)
    moved = m + shift * (-1.0) ** np.arange(point.neurons)[:, None]
    times = np.array([n * point.rate for n in point.record()])
    return order_parameters(point.setting(), moved, q - m @ m.T + moved @ moved.T, times)


def parting(point: Any) -> float:
    """How far neurons part that d^(-1/2) parts at the start, which samples do: d^(-1/2) times the growth of a small
    difference. Stable courses have some d^(-1/2); beyond 1 equal neurons of the equations are no limit of SGD's."""
    if point.neurons == 1 or not point.overlap:
        return 0.0
    grown = np.abs(_course(point, NUDGE).overlaps - _course(point).overlaps).max() / NUDGE
    return float(grown / point.d**0.5)


OF_FREE = ("risk", "alignment", "final_risk")
HYPOTHESES = (
    Hypothesis(
        "neurons that are equal in the equations stay alike in SGD, whose samples part them by d^(-1/2)",
        lambda point: point.on_sphere or parting(point) < PARTED,
        OF_FREE,
    ),
    Hypothesis(
        f"averages by points, where there is no closed form, are right to {100 * ROUGH:g} %",
        lambda point: point.on_sphere or not point.overlap or _course(point).rule_error < ROUGH,
        OF_FREE,
    ),
    Hypothesis(
        f"steps are small: one moves the overlap, squared, by less than {SMALL} of the 1/d that a start has",
        lambda point: not point.on_sphere or steps_of(point).first_move(point.d) < SMALL,
        ("escape_time",),
    ),
    Hypothesis(
        f"steps are small at d/{RATIO} too: one moves the overlap, squared, by less than {SMALL_BEFORE} of a start's",
        lambda point: not point.on_sphere or steps_of(point).first_move(point.d // RATIO) < SMALL_BEFORE,
        ("exponent",),
    ),
    Hypothesis(
        "the step is so small that the target's pull is stronger than what the noise of the samples takes away",
        lambda point: not point.on_sphere or steps_of(point).are_pulled(HUGE),
        ("limit_exponent",),
    ),
)
