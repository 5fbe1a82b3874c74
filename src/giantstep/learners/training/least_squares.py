"""Plain gradient descent on (1/2) |X theta - y|^2, with the length of its way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError


@dataclass(frozen=True, eq=False)
class LeastSquaresDescent:
    """The last theta, the length of the way to it, the steps taken, and |X theta - y| over its first value."""

    theta: Array
    length: float
    iterations: int
    residual: float

    def __repr__(self) -> str:
        return f"LeastSquaresDescent({self.iterations} steps, length {self.length:.4g}, residual {self.residual:.2g})"


def least_squares_descent(
    x: Array, y: Array, start: Array, step: float, *, tolerance: float = 1e-8, most: int = 1_000_000
) -> LeastSquaresDescent:
    """theta -= eta X^T (X theta - y), eta = step/s_max^2, until the residual has fallen to `tolerance`.

    `step` must lie between 0 and 2: beyond, the largest mode grows.
    """
    if not 0 < step < 2:
        raise InputError(f"step = {step!r} is not allowed; gradient descent converges for steps between 0 and 2")
    eta = step / float(np.linalg.norm(x, 2)) ** 2
    theta, residual = start.copy(), x @ start - y
    first = size = float(np.linalg.norm(residual))
    length, iterations = 0.0, 0
    while size > tolerance * first and iterations < most:
        change = eta * (residual @ x)
        theta -= change
        length += float(np.linalg.norm(change))
        residual = x @ theta - y
        size = float(np.linalg.norm(residual))
        iterations += 1
    return LeastSquaresDescent(theta, length, iterations, size / first if first else 0.0)
