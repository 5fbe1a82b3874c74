"""When the phases of a run end: alignment with Z, escape from the saddle, refinement to a given error.

align     the r* leading left singular vectors of U_t come within a given sine of the leading eigenvectors of Z
escape    the weakest signal sigma_min(X^T U_t) passes a given size
refine    after that, the relative error passes a given value
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.learners.sensing.descent import DescentState
from giantstep.learners.sensing.observables import sine, top_left_space, weakest_signal


@dataclass(frozen=True, eq=False)
class PhaseTimes:
    """Iterations at which the phases of one run ended, and its relative errors at t = 0, 1, 2, ..."""

    align: int
    escape: int
    refine: int
    errors: Array

    def __repr__(self) -> str:
        return f"PhaseTimes(align={self.align}, escape={self.escape}, refine={self.refine})"


def phase_times(
    states: Iterable[DescentState],
    basis: Array,
    leading: Array,
    *,
    aligned: float = 0.5,
    escaped: float = 0.1**0.5,
    refined: float = 0.1,
    further: int = 0,
    most: int = 100_000,
) -> PhaseTimes:
    """Watch a run on the truth X X^T (X = `basis`, orthonormal) until it is refined, and `further` iterations on.

    `leading` spans the r* leading eigenvectors of Z.
    """
    truth = basis @ basis.T
    size = float(np.linalg.norm(truth))
    align = escape = refine = -1
    errors = []
    for state in states:
        left = state.factors.left
        errors.append(float(np.linalg.norm(state.product - truth)) / size)
        if align < 0 and sine(top_left_space(left, basis.shape[1]), leading) <= aligned:
            align = state.t
        if escape < 0 and weakest_signal(left, basis) >= escaped:
            escape = state.t
        if refine < 0 <= escape and errors[-1] <= refined:
            refine = state.t
        if align >= 0 and 0 <= refine <= state.t - further:
            break
        if state.t >= most:
            raise InputError(f"after {most} iterations the phases have not ended; take a larger step or scale")
    return PhaseTimes(align, escape, refine, np.array(errors))


def crossing(errors: Array, value: float) -> float:
    """The time at which a falling curve passes `value` for the first time, interpolated in its logarithm."""
    below = int(np.argmax(errors <= value))
    if errors[below] > value:
        raise InputError(f"the error never falls to {value:g}; its least value is {errors.min():.3g}")
    if below == 0:
        return 0.0
    before, after = errors[below - 1], errors[below]
    return float(below - 1 + np.log(before / value) / np.log(before / after))
