"""Gradient descent on factors: U U^T or U V^T is fitted to measurements y = A(M) of a low-rank matrix M.

    symmetric    U += mu A*(y - A(U U^T)) U
    asymmetric   U += mu A*(y - A(U V^T)) V,      V += mu A*(y - A(U V^T))^T U          (both from the same residual)

[ss21] and [soltanolkotabi22]; `SensingLoss` turns the step of a paper's loss into mu. A `Sensing` problem holds the
operator and either the truth M or measured labels:

    run(SensingDescent(problem, step), start, steps=200, watch=("train_norm",)).last.factors
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.learners.sensing.operators.operators import Operator
from giantstep.learners.sensing.sensing_conventions import StartScale
from giantstep.learners.trajectory import whole_times

if TYPE_CHECKING:
    from giantstep.streams import Streams

DIVERGED = 1e50  # far beyond any size that a run comes back from, and far from overflow


@dataclass(frozen=True, eq=False, repr=False)
class Factors:
    """The factors of a matrix of rank r: U V^T, or U U^T without V.

    Args:
        left: U, (d1, r).
        right: V, (d2, r), or nothing.
    """

    left: Array
    right: Array | None = None

    def __post_init__(self) -> None:
        shapes = [np.shape(one) for one in (self.left, self.right) if one is not None]
        if any(len(shape) != 2 or shape[1] != shapes[0][1] for shape in shapes):
            told = " and ".join(map(str, shapes))
            raise InputError(f"factors are matrices with as many columns as the rank, not arrays of shape {told}")

    @property
    def rank(self) -> int:
        return int(self.left.shape[1])

    @property
    def product(self) -> Array:
        """U U^T or U V^T."""
        return np.asarray(self.left @ (self.left if self.right is None else self.right).T)

    def moved(self, pull: Array, step: float) -> Factors:
        """One gradient step, given the matrix A*(y - A(product))."""
        if self.right is None:
            return Factors(self.left + step * (pull @ self.left))
        return Factors(self.left + step * (pull @ self.right), self.right + step * (pull.T @ self.left))

    def imbalance(self) -> Array:
        """U^T U - V^T V, which gradient flow conserves; zero for U U^T."""
        if self.right is None:
            return np.zeros((self.rank, self.rank))
        return np.asarray(self.left.T @ self.left - self.right.T @ self.right)

    def __repr__(self) -> str:
        second = "" if self.right is None else f", {self.right.shape[0]} x {self.rank}"
        return f"Factors({self.left.shape[0]} x {self.rank}{second})"


def random_factors(
    shape: tuple[int, int],
    rank: int,
    scale: float,
    streams: Streams,
    *,
    symmetric: bool,
    convention: StartScale = StartScale.UNIT_NORM,
    paired: bool = False,
) -> Factors:
    """Gaussian factors to start from.

    Args:
        shape: (d1, d2) of the matrix.
        rank: r, the columns of the factors.
        scale: alpha, the size of the start.
        streams: where the entries are drawn from.
        symmetric: U alone, for U U^T.
        convention: what alpha is the size of: of entries alpha N(0, 1/r), or alpha N(0, 1).
        paired: columns come twice and V has the second half negated (asymmetric, r even), so that U V^T = 0 at the
            start while the factors are as large.
    """
    if rank < 1:
        raise InputError(f"rank = {rank} is not allowed; it must be at least 1")
    size = convention.deviation(scale, rank)
    if symmetric:
        return Factors(size * streams.child("left").generator().standard_normal((shape[0], rank)))
    columns = rank // 2 if paired else rank
    left = size * streams.child("left").generator().standard_normal((shape[0], columns))
    right = size * streams.child("right").generator().standard_normal((shape[1], columns))
    if not paired:
        return Factors(left, right)
    if rank % 2:
        raise InputError(f"rank = {rank} is not allowed; a paired start needs an even rank")
    return Factors(np.hstack([left, left]), np.hstack([right, -right]))


@dataclass(frozen=True, eq=False, repr=False)
class Sensing:
    """What is to be recovered: an operator with the true matrix, or with labels where the truth is not known.

    Args:
        operator: what measures, from matrices (d1, d2) to m numbers.
        truth: the true matrix M, (d1, d2); or
        labels: y = A(M), (m,).
    """

    operator: Operator
    truth: Array | None = None
    labels: Array | None = None

    def __post_init__(self) -> None:
        if (self.truth is None) == (self.labels is None):
            raise InputError("a sensing problem needs either the true matrix or the labels, not both and not neither")

    def residual(self, product: Array) -> Array:
        """y - A(product), of length m."""
        if self.truth is not None:
            return self.operator.apply(self.truth - product)  # exact to the last digit also when nearly recovered
        assert self.labels is not None
        return np.asarray(self.labels - self.operator.apply(product))

    def spectral_matrix(self) -> Array:
        """Z = A*(y), whose eigenvectors the first phase finds."""
        return self.operator.adjoint(self.residual(np.zeros(self.operator.shape)))

    def __repr__(self) -> str:
        rows, columns = self.operator.shape
        return f"Sensing({rows} x {columns}, {'labels' if self.truth is None else 'truth'} known)"


@dataclass(frozen=True, eq=False, repr=False)
class SensingState:
    """Gradient descent on factors after some steps.

    Args:
        t: the steps taken.
        factors: U, or U and V.
        product: U U^T or U V^T, (d1, d2).
        residual: y - A(product), (m,).
        pull: A*(residual), the matrix that moves the factors in the next step, (d1, d2).
    """

    t: int
    factors: Factors
    product: Array
    residual: Array
    pull: Array

    @property
    def train_norm(self) -> float:
        """|y - A(product)|."""
        return float(np.linalg.norm(self.residual))

    def __repr__(self) -> str:
        return f"SensingState(t={self.t}, {self.factors}, |y - A| = {self.train_norm:.4g})"


@dataclass(frozen=True, eq=False)
class SensingDescent:
    """Gradient descent on the factors of a sensing problem, a dynamics for `run`: starts are `Factors`, states are
    `SensingState`, times are numbers of steps.

    Args:
        problem: what is to be recovered.
        step: mu of the normal form above, a positive number.
    """

    problem: Sensing
    step: float

    def __post_init__(self) -> None:
        if not (np.isfinite(self.step) and self.step > 0):
            raise InputError(f"step = {self.step} is not allowed; it must be a positive number")

    def states(self, start: Factors, times: Sequence[float]) -> Iterator[SensingState]:
        if self.problem.operator.symmetric != (start.right is None):
            raise InputError("an operator on symmetric matrices goes with U U^T, any other with U V^T")
        state = self._state(0, start)
        for time in whole_times(times):
            while state.t < time:
                state = self._state(state.t + 1, state.factors.moved(state.pull, self.step))
            yield state

    def _state(self, t: int, factors: Factors) -> SensingState:
        product = factors.product
        residual = self.problem.residual(product)
        if not float(np.abs(residual).max()) < DIVERGED:
            raise InputError(f"gradient descent diverged at iteration {t}; take a smaller step than {self.step:g}")
        return SensingState(t, factors, product, residual, self.problem.operator.adjoint(residual))
