"""Plain gradient descent on (1/2) |X theta - y|^2, with the length of its way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.learners.trajectory import whole_times


@dataclass(frozen=True, eq=False)
class LeastSquaresState:
    """Where descent has come.

    Args:
        theta: the coefficients, (d,).
        length: of the way from the start.
        residual: |X theta - y| over its first value.
    """

    theta: Array
    length: float
    residual: float

    def __repr__(self) -> str:
        return f"LeastSquaresState(d={len(self.theta)}, length {self.length:.4g}, residual {self.residual:.2g})"


@dataclass(frozen=True, eq=False, repr=False)
class LeastSquaresDescent:
    """theta -= eta X^T (X theta - y), eta = step/s_max(X)^2, a dynamics for `run`: starts are theta, (d,), states are
    `LeastSquaresState`, times are numbers of steps.

    Args:
        x: the inputs, (n, d).
        y: the labels, (n,).
        step: in units of 1/s_max^2, between 0 and 2: beyond, the largest mode grows.
    """

    x: Array
    y: Array
    step: float

    def __post_init__(self) -> None:
        if not 0 < self.step < 2:
            raise InputError(
                f"step = {self.step!r} is not allowed; gradient descent converges for steps between 0 and 2"
            )

    def states(self, start: Array, times: Sequence[float]) -> Iterator[LeastSquaresState]:
        x, y = self.x, self.y
        eta = self.step / float(np.linalg.norm(x, 2)) ** 2
        theta, residual = start, x @ start - y
        first = size = float(np.linalg.norm(residual))
        length, done = 0.0, 0
        for time in whole_times(times):
            while done < time:
                change = eta * (residual @ x)
                theta = theta - change
                length += float(np.linalg.norm(change))
                residual = x @ theta - y
                size = float(np.linalg.norm(residual))
                done += 1
            yield LeastSquaresState(theta, length, size / first if first else 0.0)

    def __repr__(self) -> str:
        n, d = self.x.shape
        return f"LeastSquaresDescent(n={n}, d={d}, step={self.step:g})"
