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

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from giantstep.arrays import Array
from giantstep.checks import real_array
from giantstep.errors import InputError
from giantstep.learners.engines.blocks import one_blas_thread
from giantstep.learners.heads.ridge_path import positive_numbers
from giantstep.problems import ArraySample, InnerProductKernel, as_kernel, warn_of_scale

ROWS = 512
"""Rows of the kernel matrix that are computed at a time."""
SHORTEN = "clip or transform columns that are mostly one value, or take arccos1, which grows like the length alone"
MOST = 1e300
FAR = 1e6
"""k(x, x) of the longest sample over that of a usual one, or of a new row over the longest's: beyond, a warning."""


@dataclass(frozen=True, eq=False, repr=False)
class KernelFit:
    """Fitted functions f(x) = k(x)^T alpha, one for each of L penalties.

    Args:
        kernel: k.
        inputs: the samples, (n, d).
        ridge: rho, what is added to the diagonal of K, (L,).
        dual: alpha, (L, n).
        leave_one_out: mean squared error of the n fits that each leave one sample out, (L,); None unless asked for.
    """

    kernel: InnerProductKernel
    inputs: NDArray[Any]
    ridge: Array
    dual: Array
    leave_one_out: Array | None

    def predict(self, inputs: NDArray[Any]) -> Array:
        """f at the rows of `inputs` (rows, d), (L, rows)."""
        x, own = real_array("the inputs", inputs, axes=2), self.inputs
        if x.shape[1] != own.shape[1]:
            raise InputError(f"the inputs have dimension {x.shape[1]}, the samples {own.shape[1]}: they must be equal")
        self._warn_of_longer(x)
        with one_blas_thread():
            parts = [self.dual @ _pairs(self.kernel, own, x[i : i + ROWS]) for i in range(0, len(x), ROWS)]
        return np.concatenate(parts, axis=1)

    def objective(self, labels: Array, weights: Array) -> Array:
        """(1/n)|y - f|^2 + weight |f|_H^2 of each fit to `labels` (n,), with a weight of its own, `weights` (L,).

        As (K + rho) alpha = y, the samples miss rho alpha, and the norm is <alpha, y - rho alpha>.
        """
        missed = self.ridge[:, None] * self.dual
        return np.asarray((missed**2).mean(axis=1) + weights * (self.dual * (labels - missed)).sum(axis=1))

    def _warn_of_longer(self, inputs: NDArray[Any]) -> None:
        """Nothing is known of rows that are much longer than all samples, and a kernel may be huge there."""
        if not self.kernel.is_power_series or not len(inputs):
            return
        longest, known = (float(_own(self.kernel, x).max()) for x in (inputs, self.inputs))
        if longest > FAR * known:
            times = min(longest / known, MOST)
            warnings.warn(
                f"k(x, x) of a new row is {times:.1g} times that of the longest sample: nothing is known there, "
                f"and predictions may be huge; {SHORTEN}",
                stacklevel=3,
            )

    def __repr__(self) -> str:
        return f"KernelFit({self.kernel}, n={len(self.inputs)}, {len(self.ridge)} penalties)"


def kernel_matrix(kernel: InnerProductKernel | str, inputs: NDArray[Any]) -> Array:
    """`kernel` on all pairs of rows of `inputs` (n, d): (n, n), in Fortran order, and no second array of this size."""
    kernel, x = as_kernel(kernel), real_array("the inputs", inputs, axes=2)
    n = len(x)
    matrix = np.empty((n, n), order="F")
    for start in range(0, n, ROWS):
        stop = min(start + ROWS, n)
        block = _pairs(kernel, x[:stop], x[start:stop])
        matrix[:stop, start:stop] = block
        matrix[start:stop, :start] = block[:start].T
    return matrix


def fit_kernel(
    kernel: InnerProductKernel | str, inputs: NDArray[Any], labels: Array, ridge: ArrayLike, *, validate: bool = False
) -> KernelFit:
    """Kernel ridge regression, alpha = (K + rho)^-1 y for each penalty rho.

    Args:
        kernel: k, an `InnerProductKernel` or its text such as "exp(2*t)".
        inputs: x, (n, d).
        labels: y, (n,).
        ridge: rho, one positive number or L of them; what is added to the diagonal of K, not divided by n.
        validate: whether the leave-one-out errors are computed too, at three times the cost.

    Kernels are functions of <x, x'>/d, which theory supposes to be of order 1: a warning tells of inputs on another
    scale, on which an exponential, say, ranges over many orders and a fit is ruled by the few longest samples. Another
    tells of such samples on the right scale: their leave-one-out errors look fine where a new one of them is missed by
    far, for the mean has few of them.
    """
    kernel, shifts, data = as_kernel(kernel), positive_numbers(ridge), ArraySample(inputs, labels)
    x, y = data.inputs, data.labels
    if kernel.is_power_series:  # the others are homogeneous: the same on every scale
        warn_of_scale(x, centred=False)
    dual, held_out = np.empty((len(shifts), len(y))), np.empty(len(shifts))
    with one_blas_thread():
        with np.errstate(over="ignore"):
            matrix = kernel_matrix(kernel, x)
        diagonal = np.diag(matrix).copy()
        if not np.isfinite(diagonal).all():  # the largest entries of a positive semi-definite matrix
            raise InputError(f"the kernel {kernel} overflows on these inputs; scale them down")
        if kernel.is_power_series:
            _warn_of_few(diagonal)
        for number, shift in enumerate(shifts):
            if number:
                _restore(matrix)
            np.einsum("ii->i", matrix)[:] = diagonal + shift
            try:
                factor = scipy.linalg.cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)
            except scipy.linalg.LinAlgError:
                raise InputError(
                    f"the penalty {shift:g} is below the rounding of the kernel: give a larger one"
                ) from None
            dual[number] = scipy.linalg.cho_solve(factor, y, check_finite=False)
            if validate:
                inverse, _ = scipy.linalg.lapack.dpotri(factor[0], lower=1, overwrite_c=1)
                held_out[number] = np.mean((dual[number] / np.diag(inverse)) ** 2)
    return KernelFit(kernel, x, shifts, dual, held_out if validate else None)


def _warn_of_few(own: Array) -> None:
    """Warn of samples at which the kernel is so large, `own` being k(x, x), that a fit serves them alone."""
    ratio = float(own.max()) / max(float(np.median(own)), np.finfo(np.float64).tiny)
    if ratio > FAR:
        times = min(ratio, MOST)
        warnings.warn(
            f"k(x, x) of the longest sample is {times:.1g} times that of a usual one: where new rows are as long, "
            f"predictions may be off by far, whatever leave-one-out says; {SHORTEN}",
            stacklevel=4,  # beyond `fit_kernel` and the door of its package
        )


def _own(kernel: InnerProductKernel, x: NDArray[Any]) -> Array:
    """k(x, x) of each row."""
    square = np.einsum("ij,ij->i", x, x, dtype=np.float64) / x.shape[1]
    with np.errstate(over="ignore"):
        return np.asarray(kernel(square, square, square))


def _pairs(kernel: InnerProductKernel, x: NDArray[Any], other: NDArray[Any]) -> Array:
    """k between all rows of x and all of the other."""
    d = x.shape[1]
    if not kernel.is_power_series:  # in single precision a product may exceed the squares it is compared with
        x, other = x.astype(np.float64, copy=False), other.astype(np.float64, copy=False)
    product = x @ other.T
    product /= d  # in place: blocks are the only memory besides the matrix
    if kernel.is_power_series:
        return kernel(0.0, 0.0, product)
    square, beside = np.einsum("ij,ij->i", x, x) / d, np.einsum("ij,ij->i", other, other) / d
    for start in range(0, len(x), ROWS):  # a kernel of three arguments makes many arrays on its way
        rows = slice(start, start + ROWS)
        product[rows] = kernel(square[rows, None], beside, product[rows])
    return np.asarray(product)


def _restore(matrix: Array) -> None:
    """Write the upper triangle into the lower one, block by block."""
    n = len(matrix)
    for start in range(0, n, ROWS):
        stop = min(start + ROWS, n)
        square = matrix[start:stop, start:stop]
        square[:] = np.triu(square) + np.triu(square, 1).T
        matrix[stop:, start:stop] = matrix[start:stop, stop:].T
