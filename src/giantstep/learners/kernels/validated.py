"""Kernel ridge regression with every penalty of a path validated, from one reduction in the memory of one matrix.

    min over f and b of  sum_i s_i (y_i - b - f(x_i))^2 + rho |f|^2,       f = sum_i r_i beta_i k(x_i, .),
    r_i = sqrt(s_i),  M = diag(r) K diag(r),  G = (M + rho)^-1 .

All that is needed of G is its action on the labels and on the constant, and its diagonal (`learners.heads.bordered`).
M = Q T Q' with T tridiagonal is made once, in place; then for each penalty G_ii = sum_j (L^-1 Q')_ji^2 / D_j, where
T + rho = L D L' costs O(n) and its inverse factor O(n^2). An eigendecomposition would do the same at the cost of
one to two more matrices of this size.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from giantstep.arrays import Array
from giantstep.checks import real_array, require
from giantstep.errors import InputError
from giantstep.learners.engines.blocks import Progress, one_blas_thread
from giantstep.learners.heads.bordered import bordered
from giantstep.learners.heads.ridge_path import positive_numbers

REFLECTORS = 128
"""Reflectors that are multiplied into one block before they are applied."""
COLUMNS = 256
"""Columns of Q that a block of reflectors is applied to at a time."""
ROWS = 1024
"""Rows of Q whose held-out errors are computed at a time: with 30 penalties they stay in a second-level cache."""
SHARES = (0.55, 0.35)
"""About which share of the time the reduction takes, and the forming of Q."""


@dataclass(frozen=True, eq=False, repr=False)
class ValidatedPath:
    """Fits f(x) = b + sum_i alpha_i k(x_i, x) of k labels for each of L penalties, with all held-out errors.

    Args:
        ridge: rho, (L,).
        dual: alpha, (L, n, k); NaN for a penalty below rounding.
        intercept: b, (L, k).
        held_out: y_i minus what the fit without row i says, (L, n, k); infinite for a penalty below rounding.
    """

    ridge: Array
    dual: Array
    intercept: Array
    held_out: Array

    def __repr__(self) -> str:
        return f"ValidatedPath(n={self.dual.shape[1]}, {len(self.ridge)} penalties, {self.dual.shape[2]} labels)"


def validated_path(
    matrix: Array,
    labels: Array,
    ridge: ArrayLike,
    *,
    weights: Array | None = None,
    progress: Progress | None = None,
) -> ValidatedPath:
    """Kernel ridge regression with an intercept for every penalty, and the exact leave-one-out errors of each.

    Args:
        matrix: K, (n, n), symmetric; it is overwritten, without a copy if it is in Fortran order.
        labels: y, (n,) or (n, k).
        ridge: rho, one positive number or L of them; what is added to the diagonal, not divided by n.
        weights: s, (n,), positive; 1 for all unless given.
        progress: called with the fraction done.
    """
    shifts, y = positive_numbers(ridge), real_array("the labels", labels)
    y = np.asarray(y.reshape(len(y), -1), dtype=np.float64)
    n = len(y)
    require(n >= 2 and matrix.shape == (n, n), f"{n} labels need a matrix ({n}, {n}) and two rows, not {matrix.shape}")
    roots = np.ones(n) if weights is None else np.sqrt(np.asarray(real_array("the weights", weights), dtype=np.float64))
    require(roots.shape == (n,) and np.all(roots > 0), f"the weights must be {n} positive numbers")
    if weights is not None:
        matrix *= roots[:, None]
        matrix *= roots
    told = progress if progress is not None else _silent
    with one_blas_thread():
        q, diagonal, beside = _tridiagonal(matrix, told)
        ways = np.column_stack([y * roots[:, None], roots])  # the labels, and the constant
        solved = _solve(diagonal, beside, shifts, q.T @ ways)
        dual = (q @ solved.transpose(1, 0, 2).reshape(n, -1)).reshape(n, len(shifts), -1).transpose(1, 0, 2)
        inverse = _inverse_diagonal(q, diagonal, beside, shifts, told)
    fits = bordered(dual, inverse, roots)
    return ValidatedPath(shifts, fits.dual * roots[:, None], fits.intercept, fits.held_out)


def _silent(share: float) -> None:
    del share


def _tridiagonal(matrix: Array, told: Progress) -> tuple[Array, Array, Array]:
    """Q, in the memory of the matrix, and the diagonal of T and what stands beside it."""
    n = len(matrix)
    work = int(scipy.linalg.lapack.dsytrd_lwork(n, lower=1)[0])
    reduced, diagonal, beside, scale, failed = scipy.linalg.lapack.dsytrd(matrix, lower=1, lwork=work, overwrite_a=1)
    if failed or not np.isfinite(diagonal).all():
        raise InputError("the kernel is not finite on these inputs; scale them down")
    told(SHARES[0])
    first = (n - 2) // REFLECTORS * REFLECTORS
    for start in range(first, -1, -REFLECTORS):
        _apply_block(reduced, start, min(start + REFLECTORS, n - 1), scale)
        told(SHARES[0] + SHARES[1] * (1 - start / n))
    reduced[0], reduced[:, 0] = 0.0, 0.0
    reduced[0, 0] = 1.0
    return reduced, diagonal, beside


def _apply_block(q: Array, start: int, stop: int, scale: Array) -> None:
    """Multiply the reflectors start..stop - 1, stored below the diagonal of these columns, into the rest of Q.

    H_1 ... H_m = 1 - V S V' with S triangular: Schreiber and Van Loan, SIAM J. Sci. Stat. Comput. 10 (1989).
    """
    vectors = np.tril(q[start + 1 :, start:stop], -1)
    np.fill_diagonal(vectors, 1.0)
    products = vectors.T @ vectors
    size = stop - start
    triangle = np.zeros((size, size))
    for j, factor in enumerate(scale[start:stop]):
        triangle[:j, j] = -factor * (triangle[:j, :j] @ products[:j, j])
        triangle[j, j] = factor
    # Columns whose reflectors are used up become those of the identity, on which the block acts with the rest.
    rest = q[start + 1 :, start + 1 :]
    rest[:, :size] = 0.0
    rest[:size, size:] = 0.0
    np.fill_diagonal(rest[:size, :size], 1.0)
    weighted = vectors @ triangle
    for column in range(0, len(rest), COLUMNS):
        part = rest[:, column : column + COLUMNS].T  # numbers of a column lie side by side
        part -= (part @ vectors) @ weighted.T


def _solve(diagonal: Array, beside: Array, ridge: Array, right: Array) -> Array:
    """(T + rho)^-1 right, (L, n, k); NaN for a penalty below rounding, which has a pivot that is not positive."""
    solved = np.full((len(ridge), *right.shape), np.nan)
    for number, shift in enumerate(ridge):
        pivots, factors, failed = scipy.linalg.lapack.dpttrf(diagonal + shift, beside)
        if not failed:
            solved[number] = scipy.linalg.lapack.dpttrs(pivots, factors, right)[0]
    return solved


def _inverse_diagonal(q: Array, diagonal: Array, beside: Array, ridge: Array, told: Progress) -> Array:
    """G_ii for each penalty, (L, n): rows of L^-1 Q' in turn, for all penalties and some columns at a time."""
    n = len(q)
    pivots, factors = np.empty((n, len(ridge), 1)), np.empty((n, len(ridge), 1))
    pivots[0] = (diagonal[0] + ridge)[:, None]
    for j in range(1, n):
        factors[j] = beside[j - 1] / pivots[j - 1]
        pivots[j] = (diagonal[j] + ridge)[:, None] - factors[j] * beside[j - 1]
    inverse = np.zeros((len(ridge), n))
    for start in range(0, n, ROWS):
        rows = slice(start, min(start + ROWS, n))
        total = inverse[:, rows]
        column = np.repeat(q[None, rows, 0], len(ridge), axis=0)
        square = np.empty_like(column)
        for j in range(n):
            if j:
                column *= -factors[j]
                column += q[rows, j]
            np.multiply(column, column, out=square)
            square /= pivots[j]
            total += square
        told(sum(SHARES) + (1 - sum(SHARES)) * rows.stop / n)
    return inverse
