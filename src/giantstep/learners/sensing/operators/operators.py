"""Measurement operators: a matrix in, m numbers out, and back; one interface for all of them.

    A(M)_i = <A_i, M> / sqrt(m),      A*(z) = sum_i z_i A_i / sqrt(m),      E[A* A] = Id for Gaussian A_i,

where A_i has iid N(0,1) entries; on symmetric M only its symmetric part acts, and A* returns symmetric matrices.

    operator.apply(M)      the measurements, an array of length m
    operator.adjoint(z)    the matrix A*(z)
    operator.normal(M)     A* A (M), which gradients need
    operator.shape, operator.symmetric, operator.measurements (m, infinite for the population)

`DenseOperator` holds all entries; `RevealedOperator` (in `revealed`) draws of the same random operator only what is
asked; `PopulationOperator` is the limit m = infinity; `LinearMap` is somebody else's operator.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.learners.sensing.coordinates import Coordinates

if TYPE_CHECKING:
    from scipy.sparse.linalg import LinearOperator

    from giantstep.streams import Streams


class Operator(ABC):
    """A linear map from matrices to m numbers, with its adjoint.

    Args:
        shape: (d1, d2) of the matrices.
        symmetric: whether it measures symmetric matrices only.
        measurements: m, infinite for the population.
    """

    def __init__(self, shape: tuple[int, int], symmetric: bool, measurements: float) -> None:
        self.coordinates = Coordinates((int(shape[0]), int(shape[1])), symmetric)
        if not measurements >= 1:
            raise InputError(f"{measurements} measurements are not allowed; there must be at least 1")
        self.measurements = measurements

    @property
    def shape(self) -> tuple[int, int]:
        return self.coordinates.shape

    @property
    def symmetric(self) -> bool:
        return self.coordinates.symmetric

    def apply(self, matrix: Array) -> Array:
        """A(M)."""
        return self._apply(self.coordinates.vector(self._checked(matrix)))

    def adjoint(self, values: Array) -> Array:
        """A*(z)."""
        return self.coordinates.matrix(self._adjoint(np.asarray(values, dtype=np.float64)))

    def normal(self, matrix: Array) -> Array:
        """A* A (M)."""
        return self.adjoint(self.apply(matrix))

    def _checked(self, matrix: Array) -> Array:
        if np.shape(matrix) != self.shape:
            raise InputError(f"a matrix of shape {np.shape(matrix)} was given; the operator measures {self.shape}")
        return matrix

    @abstractmethod
    def _apply(self, vector: Array) -> Array:
        """A on coordinates."""

    @abstractmethod
    def _adjoint(self, values: Array) -> Array:
        """The coordinates of A*."""

    def __repr__(self) -> str:
        kind = "symmetric " if self.symmetric else ""
        return f"{type(self).__name__}({kind}{self.shape[0]} x {self.shape[1]}, m={self.measurements:g})"


class DenseOperator(Operator):
    """An operator whose entries are all in memory: 8 m d(d+1)/2 bytes for symmetric matrices, 8 m d1 d2 for others.

    Args:
        rows: the coordinates of A_i / sqrt(m), one measurement a row, (m, d1 d2) or (m, d(d+1)/2).
        shape: (d1, d2) of the matrices.
        symmetric: whether it measures symmetric matrices only.
    """

    def __init__(self, rows: Array, shape: tuple[int, int], *, symmetric: bool) -> None:
        super().__init__(shape, symmetric, len(rows))
        self.rows = rows

    @classmethod
    def gaussian(cls, shape: tuple[int, int], measurements: int, streams: Streams, *, symmetric: bool) -> DenseOperator:
        """A_i with iid N(0,1) entries."""
        size = Coordinates(shape, symmetric).size
        rows = streams.generator().standard_normal((measurements, size))
        rows /= np.sqrt(measurements)
        return cls(rows, shape, symmetric=symmetric)

    @classmethod
    def of_matrices(cls, matrices: Array, *, symmetric: bool) -> DenseOperator:
        """The operator M -> <A_i, M> of given matrices A_i, not divided by sqrt(m); symmetric parts, if `symmetric`."""
        given = np.asarray(matrices, dtype=np.float64)
        if given.ndim != 3 or not np.isfinite(given).all():
            raise InputError(f"measurement matrices must be finite and of shape (m, d1, d2), got shape {given.shape}")
        m, rows, columns = given.shape
        if not symmetric:
            return cls(given.reshape(m, rows * columns), (rows, columns), symmetric=False)
        where = Coordinates((rows, columns), symmetric)
        return cls(np.array([where.vector((a + a.T) / 2) for a in given]), (rows, columns), symmetric=True)

    def _apply(self, vector: Array) -> Array:
        return np.asarray(self.rows @ vector)

    def _adjoint(self, values: Array) -> Array:
        return np.asarray(values @ self.rows)


class PopulationOperator(Operator):
    """Infinitely many Gaussian measurements: A* A = Id. The coordinates themselves serve as measurements.

    Args:
        shape: (d1, d2) of the matrices.
        symmetric: whether it measures symmetric matrices only.
    """

    def __init__(self, shape: tuple[int, int], *, symmetric: bool) -> None:
        super().__init__(shape, symmetric, float("inf"))

    def _apply(self, vector: Array) -> Array:
        return vector

    def _adjoint(self, values: Array) -> Array:
        return values


class LinearMap(Operator):
    """A user's operator, from functions of flattened matrices or (`LinearMap.of`) a SciPy `LinearOperator`.

    Args:
        forward: from a matrix, flattened row by row, (d1 d2,), to m numbers.
        backward: its adjoint, from m numbers to (d1 d2,).
        shape: (d1, d2) of the matrices.
        measurements: m.
        symmetric: replace the adjoint by its symmetric part, which is the adjoint on symmetric matrices.
    """

    def __init__(
        self,
        forward: Callable[[Array], Array],
        backward: Callable[[Array], Array],
        shape: tuple[int, int],
        measurements: int,
        *,
        symmetric: bool,
    ) -> None:
        super().__init__(shape, symmetric, measurements)
        self._forward, self._backward = forward, backward

    @classmethod
    def of(cls, operator: LinearOperator, shape: tuple[int, int], *, symmetric: bool) -> LinearMap:
        """From a SciPy linear operator on the rows of a matrix, one after another."""
        m, size = operator.shape
        if size != shape[0] * shape[1]:
            raise InputError(f"the operator takes {size} numbers, but matrices of shape {shape} have another number")
        return cls(operator.matvec, operator.rmatvec, shape, m, symmetric=symmetric)

    def _apply(self, vector: Array) -> Array:
        return np.asarray(self._forward(self.coordinates.matrix(vector).ravel()), dtype=np.float64)

    def _adjoint(self, values: Array) -> Array:
        matrix = np.reshape(np.asarray(self._backward(values), dtype=np.float64), self.shape)
        return self.coordinates.vector((matrix + matrix.T) / 2 if self.symmetric else matrix)


class Centred(Operator):
    """Another operator without the mean of its measurement matrices: A(M) - mean of A(M), for labels without theirs.

    Args:
        whole: the operator A.
    """

    def __init__(self, whole: Operator) -> None:
        super().__init__(whole.shape, whole.symmetric, whole.measurements)
        self.whole = whole

    def _apply(self, vector: Array) -> Array:
        seen = self.whole.apply(self.coordinates.matrix(vector))
        return np.asarray(seen - seen.mean())

    def _adjoint(self, values: Array) -> Array:
        return self.coordinates.vector(self.whole.adjoint(values - values.mean()))
