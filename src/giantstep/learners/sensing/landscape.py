"""The landscape of L(U) = (1/4)|A(U U^T) - y|^2: its stationary points, and how it curves there.

With R = A*(y - A(U U^T)): grad L = -R U, and along a change D of U

    <D, Hess L D> = (1/2)|A(U D^T + D U^T)|^2 - <R, D D^T>.

Stationary points are looked for by Levenberg-Marquardt steps on grad L = 0, from random starts with k of the r
columns, for these converge to saddles as readily as to minima; columns that are 0 stay so, hence every k finds points
of its rank.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.learners.sensing.observables import relative_error
from giantstep.learners.sensing.operators.operators import DenseOperator
from giantstep.streams import Streams

STATIONARY = 1e-7  # |grad L| up to which a point counts as stationary; |X X'| is of order 1
MOST_LOOKS = 300  # steps after which a search is given up
FOUND = 1e-4  # relative error up to which it is the truth


@dataclass(frozen=True)
class StationaryPoint:
    """A point at which the gradient vanishes.

    Args:
        columns: how many columns of the start were not 0.
        error: relative error of U U^T.
        curvature: the least eigenvalue of the Hessian with all r columns.
    """

    columns: int
    error: float
    curvature: float

    @property
    def is_truth(self) -> bool:
        return self.error <= FOUND


class Landscape:
    """L on factors of r columns.

    Args:
        operator: A, on symmetric matrices (d, d).
        truth: the matrix M that was measured, (d, d).
        rank: r.
    """

    def __init__(self, operator: DenseOperator, truth: Array, rank: int) -> None:
        self.truth, self.rank, self.d = truth, rank, len(truth)
        matrices = np.array([operator.coordinates.matrix(row) for row in operator.rows])
        self.flat = matrices.reshape(len(matrices), -1)  # (m, d^2): every sum below is a product of matrices
        self.labels = operator.apply(truth)

    def gradient(self, factor: Array) -> Array:
        """-R U at `factor` U, (d, k) for any k."""
        return np.asarray(-self._pull(factor) @ factor)

    def hessian(self, factor: Array) -> Array:
        """The matrix of the Hessian at `factor` U, (d k, d k), for changes written row by row."""
        seen = 2 * (self.flat.reshape(-1, self.d) @ factor).reshape(len(self.flat), -1)
        curved = np.kron(self._pull(factor), np.eye(factor.shape[1]))
        return np.asarray(seen.T @ seen / 2 - curved)

    def stationary_point(self, columns: int, size: float, streams: Streams) -> StationaryPoint | None:
        """The point to which a random start leads, or nothing if the gradient does not vanish there.

        Args:
            columns: k, from 0 to r: the others stay 0.
            size: of the start's entries, times 1/sqrt(d).
            streams: where the start is drawn.
        """
        shape = (self.d, columns)
        start = size * streams.generator().standard_normal(shape) / self.d**0.5
        found = start

        def gradient(u: Array) -> Array:
            return self.gradient(u.reshape(shape)).ravel()

        def hessian(u: Array) -> Array:
            return self.hessian(u.reshape(shape))

        if columns:
            solved = scipy.optimize.least_squares(
                gradient,
                start.ravel(),
                jac=hessian,
                method="lm",
                xtol=1e-14,
                ftol=1e-14,
                gtol=1e-14,
                max_nfev=MOST_LOOKS,
            )
            found = solved.x.reshape(shape)
        if float(np.linalg.norm(self.gradient(found))) > STATIONARY:
            return None
        whole = np.hstack([found, np.zeros((self.d, self.rank - columns))])
        least = float(scipy.linalg.eigvalsh(self.hessian(whole), subset_by_index=(0, 0))[0])
        return StationaryPoint(columns, relative_error(found @ found.T, self.truth), least)

    def _pull(self, factor: Array) -> Array:
        """R."""
        residual = self.labels - self.flat @ (factor @ factor.T).ravel()
        return np.asarray((residual @ self.flat).reshape(self.d, self.d))
