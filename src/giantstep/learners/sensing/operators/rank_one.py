"""Measurements x x' - I of a quadratic network, without their matrices: O(n d r) for factors of r columns.

    A(M)_i = (x_i'M x_i - tr M)/sqrt(2 n),     A*(z) = sum_i z_i (x_i x_i' - I)/sqrt(2 n),     E[A* A] = Id

on symmetric M for x ~ N(0, I). Of U U' the squares of X U are enough, and
A*(z) U = (X'(z * (X U)) - (sum z) U)/sqrt(2 n): neither the matrices of the measurements, n d^2 numbers, nor U U' are
ever formed.
"""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.learners.sensing.operators.operators import Operator


class RankOneOperator(Operator):
    """The measurements of symmetric matrices by samples.

    Args:
        inputs: the samples x_i as rows, (n, d).
    """

    def __init__(self, inputs: Array) -> None:
        self.inputs = np.asarray(inputs, dtype=np.float64)
        if self.inputs.ndim != 2 or not np.isfinite(self.inputs).all():
            raise InputError(f"samples must be finite and of shape (n, d), got shape {self.inputs.shape}")
        n, d = self.inputs.shape
        super().__init__((d, d), True, n)
        self._unit = float(1 / np.sqrt(2 * n))

    def apply_factor(self, factor: Array) -> Array:
        """A(U U'), (n,), of a `factor` U, (d, r)."""
        return self._squares(self.inputs @ factor, factor)

    def pulled(self, values: Array, factor: Array) -> Array:
        """A*(z) U, (d, r), of `values` z, (n,), and a `factor` U, (d, r)."""
        return self._pulled(values, self.inputs @ factor, factor)

    def fit_and_pull(self, factor: Array, labels: Array) -> tuple[Array, Array]:
        """The residual z = A(U U') - y and A*(z) U, with one product X U for both.

        Args:
            factor: U, (d, r).
            labels: y, (n,).
        """
        fields = self.inputs @ factor
        residual = self._squares(fields, factor) - labels
        return residual, self._pulled(residual, fields, factor)

    def _squares(self, fields: Array, factor: Array) -> Array:
        return np.asarray((np.einsum("nr,nr->n", fields, fields) - np.vdot(factor, factor)) * self._unit)

    def _pulled(self, values: Array, fields: Array, factor: Array) -> Array:
        return np.asarray((self.inputs.T @ (values[:, None] * fields) - values.sum() * factor) * self._unit)

    def _apply(self, vector: Array) -> Array:
        matrix = self.coordinates.matrix(vector)
        squares = np.einsum("nd,nd->n", self.inputs @ matrix, self.inputs)
        return np.asarray((squares - np.trace(matrix)) * self._unit)

    def _adjoint(self, values: Array) -> Array:
        matrix = self.inputs.T @ (values[:, None] * self.inputs)
        matrix[np.diag_indices_from(matrix)] -= values.sum()
        return self.coordinates.vector(matrix * self._unit)
