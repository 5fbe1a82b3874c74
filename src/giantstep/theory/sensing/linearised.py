"""Low-rank sensing linearised: how the error shrinks near the truth, and where a start too large to move ends.

Near the truth M of rank r*, errors lie in the tangent space T of the matrices of rank r*, and h = A* A restricted to T
is, for Gaussian measurements, a Wishart matrix: its eigenvalues follow the Marchenko-Pastur law of ratio dim T / m.
After the first two phases U spans the leading eigenvectors of Z = A* A (M), so the error is (h - 1) M, and a step
multiplies it by 1 - mu h:

    test(t)^2 = int (x - 1)^2 (1 - mu x)^(2 t) dMP(x),       train(t)^2 = int x (x - 1)^2 (1 - mu x)^(2 t) dMP(x),

relative to |M|. Derived; linear, and the block of T inside the column space, which shrinks faster, is neglected.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log, sqrt

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import require

NODES = 1000


def tangent_dimension(d: int, true_rank: int, *, symmetric: bool = True) -> int:
    """dim T: d r* - r*(r* - 1)/2 for symmetric matrices, 2 d r* - r*^2 for others.

    Args:
        d: rows and columns of the matrices.
        true_rank: r*.
        symmetric: whether the matrices are symmetric.
    """
    if symmetric:
        return d * true_rank - true_rank * (true_rank - 1) // 2
    return 2 * d * true_rank - true_rank**2


@dataclass(frozen=True, eq=False)
class Refinement:
    """The last phase, see the module.

    Args:
        step: mu.
        x: eigenvalues of h, as nodes of their law, (nodes,).
        weight: their weights, (nodes,).
    """

    step: float
    x: Array
    weight: Array

    @classmethod
    def of(cls, d: int, true_rank: int, measurements: float, step: float, *, symmetric: bool = True) -> Refinement:
        """From `d` rows and columns, r* = `true_rank`, m = `measurements` above dim T (or infinite), mu = `step`."""
        ratio = tangent_dimension(d, true_rank, symmetric=symmetric) / measurements
        require(ratio < 1, "with no more measurements than dimensions of the tangent space nothing is refined")
        angle = (np.arange(NODES) + 0.5) / NODES * np.pi
        x = 1 + ratio + 2 * sqrt(ratio) * np.cos(angle)
        return cls(step, x, 2 * np.sin(angle) ** 2 / (NODES * x))

    @property
    def rate(self) -> float:
        """Slope of ln(error) in t at the end: ln(1 - mu (1 - sqrt(dim T/m))^2). For m = infinity a step shrinks the
        error by 1 - mu, not by 1 - 2 mu: the slowest part lies between the column space and its complement."""
        slowest = float(self.x.min())
        return log(1 - self.step * slowest) if self.step * slowest < 1 else -inf

    def error(self, t: float, *, train: bool = False) -> float:
        """Relative error after t steps of this phase, or the relative misfit of the measurements."""
        shrunk = np.exp(2 * t * np.log(np.maximum(np.abs(1 - self.step * self.x), 1e-300)))
        weight = self.weight * (self.x if train else 1.0)
        return sqrt(float(np.sum(weight * (self.x - 1) ** 2 * shrunk)))

    def time(self, value: float, *, train: bool = False) -> float:
        """When the error (or the misfit) passes a value; 0 if it starts below."""
        start = self.error(0.0, train=train)
        if start <= value:
            return 0.0
        longest = 2 + 1.5 * log(start / value) / -self.rate
        return float(scipy.optimize.brentq(lambda t: log(self.error(t, train=train) / value), 0.0, longest))

    def duration(self, high: float, low: float) -> float:
        """Iterations in which the error falls from `high` to `low`, whatever the rank of the model."""
        require(0 < low < high, f"the errors must fall, got {high} and {low}")
        start = self.error(0.0)
        if start == 0.0:  # infinitely many measurements
            return log(high / low) / -self.rate
        if start < high:  # measurements so many that refinement starts below: the same number of factors e from there
            high, low = start, start * low / high
        return self.time(low) - self.time(high)

    def stopped(self, misfit: float) -> float:
        """The error when the relative misfit is down to a given value: larger, for slow directions are those that
        measurements see least."""
        return self.error(self.time(misfit, train=True))


def tangent_interpolant(rows: Array, labels: Array, left: Array, right: Array) -> Array:
    """Where gradient descent on U V^T ends if its factors hardly move: the least-norm change of (U, V) that fits the
    labels in the model linearised at the start,

        U_0 V_0^T + L(A*(z)),     L(M) = M V_0 V_0^T + U_0 U_0^T M,     (A L A*) z = y - A(U_0 V_0^T).

    Derived, as for any model linear in its parameters.

    Args:
        rows: the measurement matrices of A as rows, (m, d1 d2).
        labels: y, (m,).
        left: U_0, (d1, r).
        right: V_0, (d2, r).
    """
    d1, d2 = len(left), len(right)
    matrices = rows.reshape(-1, d1, d2)
    spread = matrices @ (right @ right.T) + np.einsum("ij,mjk->mik", left @ left.T, matrices, optimize=True)
    spread = spread.reshape(len(rows), -1)
    start = left @ right.T
    misfit = labels - rows @ start.ravel()
    solved = scipy.linalg.cho_solve(scipy.linalg.cho_factor(spread @ rows.T), misfit)
    return np.asarray(start + (solved @ spread).reshape(d1, d2))
