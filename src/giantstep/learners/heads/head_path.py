"""Fitted second layers, one for each penalty of a path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import whole_number
from giantstep.learners.engines.reduced import ReducedState
from giantstep.learners.networks.network import Network

State = TypeVar("State", Network, ReducedState)


@dataclass(frozen=True, eq=False, repr=False)
class HeadPath:
    """Fitted heads f(x) = sum_i c_i sigma(<w_i, x> + b_i), one row for each of L penalties.

    Args:
        fitted: what was minimised, in words.
        per_feature: lambda of the normal form (1/n)|y - Psi c|^2 + lambda |c|^2, (L,).
        coefficients: c, (L, N), on unscaled features.
        training_error: (1/n) |y - Psi c|^2, (L,).
        leave_one_out: mean squared error of the n fits that each leave one sample out, (L,); None unless asked for.
        gcv: generalised cross-validation score, (L,); None unless asked for. Not the leave-one-out error.
        samples: n.
    """

    fitted: str
    per_feature: Array
    coefficients: Array
    training_error: Array
    leave_one_out: Array | None
    gcv: Array | None
    samples: int

    @property
    def best(self) -> int:
        """The number of the penalty with the least leave-one-out error; 0 where that was not asked for."""
        return 0 if self.leave_one_out is None else int(np.argmin(self.leave_one_out))

    @property
    def chosen(self) -> float:
        """The best penalty, lambda of the normal form."""
        return float(self.per_feature[self.best])

    def network(self, state: State, which: int | None = None) -> State:
        """The network or reduced state with the head of penalty number `which`, the best one unless given."""
        last = len(self.coefficients) - 1
        number = self.best if which is None else whole_number("the number of a penalty", which, 0, last)
        return state.with_coefficients(self.coefficients[number])

    def __repr__(self) -> str:
        size, neurons = self.coefficients.shape
        return (
            f"HeadPath({size} penalties '{self.fitted}', N={neurons}, n={self.samples}, "
            f"training error {self.training_error.min():.4g} to {self.training_error.max():.4g})"
        )
