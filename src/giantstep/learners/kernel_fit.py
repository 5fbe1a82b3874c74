"""Ridge regression on a rotation invariant kernel: the whole path of penalties in one n x n array.

    f(x) = k(x)^T alpha,  alpha = (K + rho)^-1 y,      held-out error of sample i: alpha_i / [(K + rho)^-1]_ii .

K is written block by block into one array in Fortran order. A Cholesky factorisation works in its lower triangle and
leaves the upper one alone, from which K is restored for the next penalty: K and its factor share the memory of one
matrix, 3.2 GB for n = 20,000.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.linalg.lapack import dpotri

from giantstep.errors import InputError
from giantstep.learners.blocks import one_blas_thread
from giantstep.problems.inner_product import InnerProductKernel

Array = NDArray[np.float64]

ROWS = 512
"""Rows of the kernel matrix that are computed at a time."""


@dataclass(frozen=True, eq=False, repr=False)
class KernelFit:
    """Fitted functions, one per penalty."""

    kernel: InnerProductKernel
    x: NDArray[Any]
    """The samples, (n, d)."""
    penalties: Array
    """rho, what is added to the diagonal of K, (L,)."""
    dual: Array
    """alpha, (L, n)."""
    leave_one_out: Array | None
    """Mean squared error of the n fits that each leave one sample out, (L,); None unless asked for."""

    def predict(self, x: NDArray[Any]) -> Array:
        """f at the rows of x, (L, rows)."""
        with one_blas_thread():
            parts = [self.dual @ _pairs(self.kernel, self.x, x[i : i + ROWS]) for i in range(0, len(x), ROWS)]
        return np.concatenate(parts, axis=1)

    def __repr__(self) -> str:
        return f"KernelFit({self.kernel}, n={len(self.x)}, {len(self.penalties)} penalties)"


def kernel_matrix(kernel: InnerProductKernel, x: NDArray[Any]) -> Array:
    """k on all pairs of rows of x, in Fortran order; no second array of this size is made."""
    n = len(x)
    matrix = np.empty((n, n), order="F")
    for start in range(0, n, ROWS):
        stop = min(start + ROWS, n)
        block = _pairs(kernel, x[:stop], x[start:stop])
        matrix[:stop, start:stop] = block
        matrix[start:stop, :start] = block[:start].T
    return matrix


def fit_kernel(
    kernel: InnerProductKernel, x: NDArray[Any], y: Array, penalties: Sequence[float] | Array, *, validate: bool = False
) -> KernelFit:
    """Fit for each penalty rho in K + rho I; `validate` asks for the leave-one-out errors, at three times the cost."""
    shifts = np.asarray(penalties, dtype=np.float64)
    if shifts.ndim != 1 or not len(shifts) or not (shifts > 0).all() or not np.isfinite(shifts).all():
        raise InputError(f"the penalties are {penalties}: give one or more positive numbers.")
    if x.ndim != 2 or y.shape != x.shape[:1]:
        raise InputError(f"inputs {x.shape} and labels {y.shape} must be (n, d) and (n,).")
    dual, held_out = np.empty((len(shifts), len(y))), np.empty(len(shifts))
    with one_blas_thread():
        matrix = kernel_matrix(kernel, x)
        diagonal = np.diag(matrix).copy()
        for number, shift in enumerate(shifts):
            if number:
                _restore(matrix)
            np.einsum("ii->i", matrix)[:] = diagonal + shift
            try:
                factor = cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)
            except LinAlgError:
                raise InputError(
                    f"the penalty {shift:g} is below the rounding of the kernel: give a larger one."
                ) from None
            dual[number] = cho_solve(factor, y, check_finite=False)
            if validate:
                inverse, _ = dpotri(factor[0], lower=1, overwrite_c=1)
                held_out[number] = np.mean((dual[number] / np.diag(inverse)) ** 2)
    return KernelFit(kernel, x, shifts, dual, held_out if validate else None)


def _pairs(kernel: InnerProductKernel, x: NDArray[Any], other: NDArray[Any]) -> Array:
    """k between all rows of x and all of the other."""
    d = x.shape[1]
    product = x @ other.T / d
    if kernel.is_power_series:
        return kernel(0.0, 0.0, product)
    square, beside = np.einsum("ij,ij->i", x, x) / d, np.einsum("ij,ij->i", other, other) / d
    return kernel(square[:, None], beside, product)


def _restore(matrix: Array) -> None:
    """Write the upper triangle into the lower one, block by block."""
    n = len(matrix)
    for start in range(0, n, ROWS):
        stop = min(start + ROWS, n)
        square = matrix[start:stop, start:stop]
        square[:] = np.triu(square) + np.triu(square, 1).T
        matrix[stop:, start:stop] = matrix[start:stop, stop:].T
