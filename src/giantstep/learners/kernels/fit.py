"""Ridge regression on a rotation invariant kernel: the whole path of penalties in one n x n array.

    f(x) = k(x)^T alpha,  alpha = (K + rho)^-1 y,      held-out error of sample i: alpha_i / [(K + rho)^-1]_ii .

K is written block by block into one array in Fortran order. A Cholesky factorisation works in its lower triangle and
leaves the upper one alone, from which K is restored for the next penalty: K and its factor share the memory of one
matrix, 3.2 GB for n = 20,000 (`benchmarks/kernel_memory.py`). One eigendecomposition would serve all penalties, but
takes the time of about 20 factorisations (6 with held-out errors; n = 1000 to 3000), and two more such matrices.

All products run on one BLAS thread, at any size: threaded ones round differently for each number of threads, and a fit
must give the same bits on every machine. To use all cores, run several fits (seeds, points) side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.linalg.lapack import dpotri

from giantstep.arrays import Array
from giantstep.checks import real_array
from giantstep.errors import InputError
from giantstep.learners.engines.blocks import one_blas_thread
from giantstep.learners.heads.ridge_path import positive_numbers
from giantstep.problems import ArraySample, InnerProductKernel, as_kernel

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
        x = real_array("the inputs", x, axes=2)
        if x.shape[1] != self.x.shape[1]:
            raise InputError(
                f"the inputs have dimension {x.shape[1]}, the samples {self.x.shape[1]}: they must be equal"
            )
        with one_blas_thread():
            parts = [self.dual @ _pairs(self.kernel, self.x, x[i : i + ROWS]) for i in range(0, len(x), ROWS)]
        return np.concatenate(parts, axis=1)

    def __repr__(self) -> str:
        return f"KernelFit({self.kernel}, n={len(self.x)}, {len(self.penalties)} penalties)"


def kernel_matrix(kernel: InnerProductKernel | str, x: NDArray[Any]) -> Array:
    """k on all pairs of rows of x, in Fortran order; no second array of this size is made."""
    kernel, x = as_kernel(kernel), real_array("the inputs", x, axes=2)
    n = len(x)
    matrix = np.empty((n, n), order="F")
    for start in range(0, n, ROWS):
        stop = min(start + ROWS, n)
        block = _pairs(kernel, x[:stop], x[start:stop])
        matrix[:stop, start:stop] = block
        matrix[start:stop, :start] = block[:start].T
    return matrix


def fit_kernel(
    kernel: InnerProductKernel | str, x: NDArray[Any], y: Array, penalties: ArrayLike, *, validate: bool = False
) -> KernelFit:
    """Fit for each penalty rho in K + rho I; `validate` asks for the leave-one-out errors, at three times the cost."""
    kernel, shifts, data = as_kernel(kernel), positive_numbers(penalties), ArraySample(x, y)
    x, y = data.inputs, data.labels
    dual, held_out = np.empty((len(shifts), len(y))), np.empty(len(shifts))
    with one_blas_thread():
        with np.errstate(over="ignore"):
            matrix = kernel_matrix(kernel, x)
        diagonal = np.diag(matrix).copy()
        if not np.isfinite(diagonal).all():  # the largest entries of a positive semi-definite matrix
            raise InputError(f"the kernel {kernel} overflows on these inputs; scale them down")
        for number, shift in enumerate(shifts):
            if number:
                _restore(matrix)
            np.einsum("ii->i", matrix)[:] = diagonal + shift
            try:
                factor = cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)
            except LinAlgError:
                raise InputError(
                    f"the penalty {shift:g} is below the rounding of the kernel: give a larger one"
                ) from None
            dual[number] = cho_solve(factor, y, check_finite=False)
            if validate:
                inverse, _ = dpotri(factor[0], lower=1, overwrite_c=1)
                held_out[number] = np.mean((dual[number] / np.diag(inverse)) ** 2)
    return KernelFit(kernel, x, shifts, dual, held_out if validate else None)


def _pairs(kernel: InnerProductKernel, x: NDArray[Any], other: NDArray[Any]) -> Array:
    """k between all rows of x and all of the other."""
    d = x.shape[1]
    product = x @ other.T
    product /= d  # in place: blocks are the only memory besides the matrix
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
