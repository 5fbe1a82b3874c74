"""The kernels of `LazyRegressor` on rows of a table: functions of products between rows, or of distances."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import require
from giantstep.estimators.distance_kernels import KINDS, DistanceKernel
from giantstep.estimators.outer_products import KernelFunction
from giantstep.learners.engines import one_blas_thread
from giantstep.learners.kernels import KernelFit, kernel_matrix
from giantstep.problems import InnerProductKernel, as_kernel


class RowsKernel(Protocol):
    """A kernel on the rows that it was made for."""

    @property
    def name(self) -> str: ...

    def matrix(self) -> Array:
        """k between all rows, (n, n), in Fortran order."""

    def predict(self, rows: Array, dual: Array) -> Array:
        """sum_i alpha_i k(x_i, x) at other rows (m, d), for alpha of k labels, (k, n): (m, k)."""


class OfProducts:
    """A function of <x, x'>/d and of the lengths: tangent kernels, power series.

    A bias b of the neurons adds b^2 to each <x, x'>/d, as one more coordinate of the rows.
    """

    def __init__(self, kernel: InnerProductKernel, rows: Array, bias: float) -> None:
        self.kernel, self.name = kernel, str(kernel)
        self.bias = 0.0 if kernel.is_power_series else bias
        self.rows = self._with_bias(rows)

    def matrix(self) -> Array:
        with one_blas_thread(), np.errstate(over="ignore"):
            made = kernel_matrix(self.kernel, self.rows)
        sentence = f"the kernel {self.name} overflows on these inputs: gaussianise=True tames long tails"
        require(np.isfinite(np.diag(made)).all(), sentence)
        return made

    def predict(self, rows: Array, dual: Array) -> Array:
        fit = KernelFit(self.kernel, self.rows, np.ones(len(dual)), dual, None)
        return fit.predict(self._with_bias(rows)).T

    def _with_bias(self, rows: Array) -> Array:
        if not self.bias:
            return rows
        d = rows.shape[1]
        return np.hstack([rows * np.sqrt((d + 1) / d), np.full((len(rows), 1), self.bias * np.sqrt(d + 1))])


class OfDistances:
    """A function of x - x', which is exp(-1/2) at the typical distance of the rows."""

    def __init__(self, kind: Any, rows: Array, share: Array) -> None:
        self.kernel, self.name, self.rows = DistanceKernel.typical(kind, rows, share), str(kind), rows

    def matrix(self) -> Array:
        with one_blas_thread():
            return self.kernel.matrix(self.rows)

    def predict(self, rows: Array, dual: Array) -> Array:
        with one_blas_thread():
            return KernelFunction(self.kernel, self.rows, dual.T, np.zeros(len(dual))).predict(rows)


def kernels_of(given: Any) -> list[InnerProductKernel | str]:
    """The kernels that a text, or several of them, mean; a mistake gets its sentence before anything is computed."""
    several = list(given) if isinstance(given, list | tuple) else [given]
    require(bool(several), "kernel = [] is not allowed; it must be a kernel or several to choose from")
    return [one if isinstance(one, str) and one in KINDS else as_kernel(one) for one in several]


def on_rows(kernel: InnerProductKernel | str, rows: Array, share: Array, bias: float) -> RowsKernel:
    """The kernel on `rows` (n, d) with shares `share` (n,)."""
    return OfDistances(kernel, rows, share) if isinstance(kernel, str) else OfProducts(kernel, rows, bias)
