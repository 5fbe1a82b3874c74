"""Recover a low-rank matrix from one's own measurements, with its rank, the start, the step and the stop chosen.

    found = recover(matrices, labels)                                     # matrices (m, d1, d2), U V^T
    found = recover(matrices, labels, symmetric=True)                     # U U^T: a positive semidefinite matrix
    found = recover(linear_operator, labels, shape=(d1, d2), rank=8)      # SciPy, on flattened matrices; or sparse

First gradient descent on factors from a small start (`small_start`) finds the leading directions. Then the fit is
refined at fixed rank (`fixed_rank`): directions are added until the labels are fitted to `tolerance` or what is left
looks like noise, and taken away while that stays so. In the end the fit is moved and refined again: if it comes back to
another matrix that fits as well, the data do not determine the matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np
from scipy import sparse

from giantstep.arrays import Array
from giantstep.checks import real_array, real_number, whole_number
from giantstep.errors import InputError
from giantstep.learners.sensing.descent import Factors
from giantstep.learners.sensing.fixed_rank import Fitter, FixedRank
from giantstep.learners.sensing.operators.operators import DenseOperator, LinearMap, Operator
from giantstep.learners.sensing.small_start import descend
from giantstep.streams import Streams, check_streams

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scipy.sparse import sparray, spmatrix
    from scipy.sparse.linalg import LinearOperator

    Measurements: TypeAlias = Operator | Array | Sequence[Array] | LinearOperator | sparray | spmatrix

STEP = 0.25  # in units of the truth's norm
SCALE = 1e-4  # in units of the root of the truth's norm


@dataclass(frozen=True, eq=False, repr=False)
class Recovery:
    """The matrix found, how well it fits, whether the data determine it, and the course of gradient descent.

    Args:
        factors: U and V, or U alone, balanced; their product is `matrix`.
        status: how well the labels are fitted, and what is to be doubted.
        misfit: |y - A(product)| / |y|.
        rank: of the matrix.
        is_determined: whether these labels have no other matrix of this rank that fits them as well, near by.
        t_align: the iteration at which the leading directions stood out by a factor 2 from the next; None if the model
            has no more columns.
        t_escape: when the weakest of them had a tenth of its final size in the product.
        t_refine: when the misfit was within twice its final value.
        misfits: the misfit at each iteration of gradient descent, before the fit is refined.
        step: the step, in units of the truth's norm.
        scale: the size of the start, in units of the root of the truth's norm.
    """

    factors: Factors
    status: str
    misfit: float
    rank: int
    is_determined: bool
    t_align: int | None
    t_escape: int
    t_refine: int
    misfits: Array
    step: float
    scale: float

    @property
    def matrix(self) -> Array:
        return self.factors.product

    @property
    def iterations(self) -> int:
        return len(self.misfits) - 1

    @property
    def singular_values(self) -> Array:
        """Of the matrix found, largest first."""
        return np.asarray(np.linalg.svd(self.matrix, compute_uv=False)[: self.rank])

    def __repr__(self) -> str:
        rows, columns = self.matrix.shape
        aligned = "" if self.t_align is None else f"aligned at {self.t_align}, "
        return (
            f"Recovery({rows} x {columns}, rank {self.rank}, misfit {self.misfit:.2g}; "
            f"{aligned}left the saddle at {self.t_escape}, refined at {self.t_refine} of {self.iterations} iterations; "
            f"{self.status})"
        )


def recover(
    measurements: Measurements,
    labels: Array,
    *,
    shape: tuple[int, int] | None = None,
    symmetric: bool | None = None,
    rank: int | None = None,
    scale: float = SCALE,
    step: float = STEP,
    steps: int = 5000,
    tolerance: float = 1e-6,
    streams: Streams | None = None,
) -> Recovery:
    """The matrix of lowest rank with <A_i, M> = y_i, up to noise: gradient descent on factors, then refinement.

    Args:
        measurements: the matrices A_i, (m, d1, d2), as an array or a list, an `Operator`, or a SciPy `LinearOperator`
            or sparse matrix of shape (m, d1 d2).
        labels: y, (m,).
        shape: (d1, d2), where `measurements` does not say it.
        symmetric: look for U U^T instead of U V^T.
        rank: a bound of the unknown rank; by default as many as m measurements may determine.
        scale: the size of the start, in units of the root of the truth's norm; from smaller ones the phases of descent
            are told apart more clearly and take longer. The matrix found hardly depends on it.
        step: of gradient descent, in units of the truth's norm.
        steps: the most iterations of gradient descent.
        tolerance: the misfit |y - A(product)|/|y| at which the labels count as fitted.
        streams: where the start, and noise to compare with, are drawn from; seed 0 if not given.
    """
    operator = _operator(measurements, shape, symmetric)
    y = np.asarray(real_array("labels", labels), dtype=np.float64)
    if y.shape != (operator.measurements,) or not np.isfinite(y).all() or not y.any():
        raise InputError(
            f"labels must be {operator.measurements:g} finite numbers, not all zero; got an array of shape {y.shape}"
        )
    for name, value in (("scale", scale), ("step", step), ("tolerance", tolerance)):
        real_number(name, value, "a positive number", least=np.finfo(np.float64).tiny)
    most = _most_ranks(operator)
    columns = most if rank is None else whole_number("rank", rank, most=2 * max(operator.shape))
    streams = Streams(0) if streams is None else check_streams(streams)
    course, last = descend(operator, y, columns, scale, step, steps, tolerance, streams)
    fitter = Fitter(operator, y, streams.child("refinement"), tolerance)
    fit = _refined(fitter, last, min(columns, most), course.count)
    told, determined = _status(fitter, fit, columns, most)
    root = np.sqrt(fit.values)
    factors = Factors(fit.left * root, None if operator.symmetric else fit.right * root)
    misfit, misfits = fit.size / fitter.size, np.array(course.misfits)
    align, escape, refine = course.times
    return Recovery(factors, told, misfit, fit.rank, determined, align, escape, refine, misfits, step, scale)


def _most_ranks(operator: Operator) -> int:
    """The largest rank whose matrices have fewer degrees of freedom than there are measurements; 1 at least."""
    rows, columns = operator.shape
    ranks = np.arange(1, min(rows, columns) + 1)
    free = rows * ranks - ranks * (ranks - 1) // 2 if operator.symmetric else (rows + columns - ranks) * ranks
    return max(1, int(np.sum(free < operator.measurements)))


def _refined(fitter: Fitter, start: Array, most: int, count: int) -> FixedRank:
    """The fit of the lowest rank, up to a bound, that leaves nothing but noise."""
    fit = fitter.fitted(start, min(count, most))
    while (missing := fitter.missing(fit))[0] and fit.rank < most:
        fit = fitter.fitted(fit.matrix + missing[1], min(fit.rank + missing[0], most))
    while fit.rank > 1 and not fitter.missing(fit)[0]:
        fewer = fitter.fitted(fit.matrix, fit.rank - 1)
        if fitter.missing(fewer)[0] or (fit.size <= fitter.tolerance * fitter.size < fewer.size):
            break
        fit = fewer
    return fit


def _status(fitter: Fitter, fit: FixedRank, columns: int, most: int) -> tuple[str, bool]:
    """What is to be said of a fit, and whether the data determine it."""
    misfit, determined = fit.size / fitter.size, fitter.is_determined(fit)
    if misfit <= fitter.tolerance:
        told = f"the labels are fitted to {fitter.tolerance:g} by rank {fit.rank}"
    elif not fitter.missing(fit)[0]:
        told = f"rank {fit.rank} fits; what is left, {misfit:.2g} of the labels, looks like noise"
    elif fit.rank == most:
        told = f"not fitted: {misfit:.2g} of the labels is left, and no rank that they could determine fits them"
        determined = False
    else:
        told = f"not fitted: {misfit:.2g} of the labels is left and is not noise; raise the rank above {columns}"
    if not determined:
        told += "; the data do not determine the matrix: others of this rank fit them as well"
    return told, determined


def _operator(given: Measurements, shape: tuple[int, int] | None, symmetric: bool | None) -> Operator:
    if isinstance(given, Operator):
        if symmetric not in (None, given.symmetric) or shape not in (None, given.shape):
            raise InputError(f"shape and symmetric are those of the operator, {given!r}; leave them out")
        if not np.isfinite(given.measurements):
            raise InputError("infinitely many measurements have no labels")
        return given
    if isinstance(given, np.ndarray | list | tuple):
        matrices = real_array("measurement matrices", given)
        return DenseOperator.of_matrices(matrices, symmetric=bool(symmetric))
    if shape is None:
        raise InputError("for a linear operator give the shape of the matrix that it measures, shape=(d1, d2)")
    return LinearMap.of(sparse.linalg.aslinearoperator(cast("Any", given)), shape, symmetric=bool(symmetric))
