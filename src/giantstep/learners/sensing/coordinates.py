"""Matrices as vectors of Euclidean coordinates: all entries, or for symmetric matrices the upper triangle (svec).

    svec(M) = (M_ii, sqrt(2) M_ij for i < j),      <svec(M), svec(N)> = <M, N>,      length d(d+1)/2.

The symmetric part of a matrix with iid N(0,1) entries has iid N(0,1) coordinates: diagonal entries of variance 1,
others of variance 1/2. A Gaussian operator on symmetric matrices is therefore exact in half the memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.errors import InputError


@dataclass(frozen=True)
class Coordinates:
    """How matrices of one shape are written as vectors of length `size`, keeping inner products.

    >>> c = Coordinates((2, 2), symmetric=True)
    >>> c.size, float(c.vector(np.ones((2, 2))) @ c.vector(np.eye(2)))
    (3, 2.0)
    """

    shape: tuple[int, int]
    symmetric: bool
    size: int = field(init=False)
    _upper: tuple[NDArray[np.intp], Array] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rows, columns = self.shape
        if rows < 1 or columns < 1:
            raise InputError(f"a matrix of shape {self.shape} is not allowed; both sides must be at least 1")
        if self.symmetric and rows != columns:
            raise InputError(f"symmetric matrices are square, got the shape {self.shape}")
        if self.symmetric:
            i, j = np.triu_indices(rows)
            object.__setattr__(self, "_upper", (i * rows + j, np.where(i == j, 1.0, sqrt(2.0))))
            object.__setattr__(self, "size", rows * (rows + 1) // 2)
        else:
            object.__setattr__(self, "_upper", None)
            object.__setattr__(self, "size", rows * columns)

    def vector(self, matrix: Array) -> Array:
        """The coordinates of a matrix; of a symmetric one only the upper triangle is read."""
        flat = np.ravel(matrix)
        if self._upper is None:
            return flat.astype(np.float64, copy=False)
        where, weight = self._upper
        return np.asarray(flat[where] * weight)

    def matrix(self, vector: Array) -> Array:
        """The matrix with these coordinates."""
        if self._upper is None:
            return np.reshape(vector, self.shape)
        where, weight = self._upper
        half = np.zeros(self.shape)
        half.ravel()[where] = vector / weight
        full = half + half.T
        np.fill_diagonal(full, np.diagonal(half))
        return full
