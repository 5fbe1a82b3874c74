"""What the diffusion of one neuron on the sphere supposes of its steps, and the law of its escape of the pull."""

from __future__ import annotations

from typing import Any

from giantstep.claims import Hypothesis
from giantstep.theory.dynamics import EscapeSteps

LEVEL, RATIO = 0.5, 4  # the overlap of a neuron that has escaped; exponents are those between d/4 and d
HUGE = 16_000_000  # the dimension at which the equations' exponent is nearly its limit
# Moves of this size delay the escape by some 3 % at d = 64 and by some 10 % at d/4; ten times as large by 15 to 100 %,
# for samples with large labels then move a neuron much farther than the mean, and their moves do not add up.
SMALL, SMALL_BEFORE = 0.005, 0.02


def steps_of(point: Any) -> EscapeSteps:
    """Those of the one neuron whose escape is timed."""
    return EscapeSteps(point.target, point.activation, point.step, point.noise, LEVEL)


HYPOTHESES = (
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
