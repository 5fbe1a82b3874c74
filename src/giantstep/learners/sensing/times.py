"""When the phases of a run end: alignment with Z, escape from the saddle, refinement to a given error.

align     the r* leading left singular vectors of U_t come within a given sine of the leading eigenvectors of Z
escape    the weakest signal sigma_min(X^T U_t) passes a given size
refine    after that, the relative error passes a given value
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.learners.sensing.descent import Factors, SensingDescent, SensingState
from giantstep.learners.sensing.observables import relative_error, sine, top_left_space, weakest_signal
from giantstep.learners.trajectory import run

# The error has settled when it falls by less than 2 % in a time in which what is still being learned falls by far more.
STEADY, STEADY_TIME, SIGNAL_LEARNED = 0.98, 10.0, 0.5
MOST_STEPS = 10_000_000  # far beyond any run that is wanted: ends only what never settles


@dataclass(frozen=True, eq=False)
class PhaseTimes:
    """When the phases of one run ended, in iterations.

    Args:
        align: when the leading directions were found.
        escape: when the saddle was left.
        refine: when the error was small.
        errors: the relative errors at t = 0, 1, 2, ...
    """

    align: int
    escape: int
    refine: int
    errors: Array

    def __repr__(self) -> str:
        return f"PhaseTimes(align={self.align}, escape={self.escape}, refine={self.refine})"


def phase_times(
    dynamics: SensingDescent,
    start: Factors,
    basis: Array,
    leading: Array,
    *,
    steps: int = 100_000,
    aligned: float = 0.5,
    escaped: float = 0.1**0.5,
    refined: float = 0.1,
    further: int = 0,
) -> PhaseTimes:
    """Run on a truth of rank r* until it is refined, and say when each phase ended.

    Args:
        dynamics: gradient descent on a symmetric problem whose truth is known.
        start: U_0.
        basis: an orthonormal basis of the truth's columns, (d, r*).
        leading: the r* leading eigenvectors of Z, (d, r*).
        steps: the run is refused if it takes more.
        aligned: the sine at which the first phase ends.
        escaped: the size of the weakest signal, sigma_min(X^T U), at which the second ends.
        refined: the relative error at which the third ends.
        further: steps that are run after that.
    """
    truth = dynamics.problem.truth
    assert truth is not None
    size = float(np.linalg.norm(truth))
    align = escape = refine = -1
    errors: list[float] = []

    def is_over(state: SensingState) -> bool:
        nonlocal align, escape, refine
        left = state.factors.left
        errors.append(float(np.linalg.norm(state.product - truth)) / size)
        if align < 0 and sine(top_left_space(left, basis.shape[1]), leading) <= aligned:
            align = state.t
        if escape < 0 and weakest_signal(left, basis) >= escaped:
            escape = state.t
        if refine < 0 <= escape and errors[-1] <= refined:
            refine = state.t
        return align >= 0 and 0 <= refine <= state.t - further

    if not run(dynamics, start, steps=steps, stop=is_over).stopped:
        raise InputError(f"after {steps} iterations the phases have not ended; take another step or a larger scale")
    return PhaseTimes(align, escape, refine, np.array(errors))


def crossing(errors: Array, value: float) -> float:
    """The time at which a falling curve `errors`, (T,), one entry an iteration, passes `value` for the first time,
    interpolated in its logarithm."""
    below = int(np.argmax(errors <= value))
    if errors[below] > value:
        raise InputError(f"the error never falls to {value:g}; its least value is {errors.min():.3g}")
    if below == 0:
        return 0.0
    before, after = errors[below - 1], errors[below]
    return float(below - 1 + np.log(before / value) / np.log(before / after))


def settled_error(dynamics: SensingDescent, start: Factors) -> float:
    """The relative error of a run of `dynamics` from `start` once it has stopped falling, whatever theory says of it;
    the truth must be known."""
    truth = dynamics.problem.truth
    assert truth is not None
    looks, before, error = range(0, MOST_STEPS, round(STEADY_TIME / dynamics.step)), 1.0, 1.0

    def is_steady(state: SensingState) -> bool:
        nonlocal before, error
        before, error = error, relative_error(state.product, truth)
        return STEADY * before < error < SIGNAL_LEARNED

    if not run(dynamics, start, times=looks, stop=is_steady).stopped:
        raise InputError(f"after {looks[-1]} steps the error is still falling or oscillating; take another step")
    return error
