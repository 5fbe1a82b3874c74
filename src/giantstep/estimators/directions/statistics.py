"""What a method makes of whitened rows and labels: a matrix whose leading directions are those it has found.

A *statistic* makes these matrices for many orders of the labels at once: the first order is the one in which they
came, the others are permutations, under which nothing is to be found. Its matrices are

    factors A, (r, c): the directions are the left singular vectors, their strengths the squared singular values;
    symmetric M, (r, r): the directions are the eigenvectors of the largest eigenvalues, which are the strengths.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import scipy
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.estimators.whitening import fixed_signs

Orders: TypeAlias = NDArray[np.integer[Any]]
"""Permutations of the samples as rows, (b, n): sample i gets the label of sample orders[:, i]."""


@dataclass(frozen=True, eq=False)
class Statistic:
    """The matrices of one method on one set of samples.

    Args:
        matrices: from orders (b, n) to matrices (b, r, c).
        symmetric: whether these are symmetric matrices M, else factors A.
        numbers: how many numbers one matrix keeps in memory while it is computed, which bounds b.
    """

    matrices: Callable[[Orders], Array]
    symmetric: bool
    numbers: int

    def observed(self, n: int) -> Array:
        """The matrix of the labels as they came, for `n` samples."""
        return np.asarray(self.matrices(np.arange(n)[None, :])[0])


def leading(matrix: Array, symmetric: bool, count: int) -> tuple[Array, Array]:
    """The `count` largest strengths of a matrix, falling, and their directions as rows of fixed sign, (count, r)."""
    square = matrix if symmetric else matrix @ matrix.T
    r = len(square)
    count = min(count, r if symmetric else min(matrix.shape))
    if count == 0:
        return np.zeros(0), np.zeros((0, r))
    if not symmetric and matrix.shape[1] < r:  # few columns: their Gram matrix is the small one
        vectors, values, _ = np.linalg.svd(matrix, full_matrices=False)
        strengths, rows = values[:count] ** 2, vectors[:, :count].T
    else:
        found, vectors = scipy.linalg.eigh(square, subset_by_index=(r - count, r - 1), check_finite=False)
        strengths, rows = found[::-1], vectors[:, ::-1].T
    return np.asarray(strengths), fixed_signs(rows)


def top_strengths(matrices: Array, symmetric: bool, found: Array) -> Array:
    """The largest strength of each of the matrices (b, r, c) beside what was `found`, orthonormal rows (k, r)."""
    beside = matrices - found.T @ (found @ matrices)
    if symmetric:
        beside = beside - (beside @ found.T) @ found
    elif matrices.shape[1] <= matrices.shape[2]:
        beside = beside @ beside.transpose(0, 2, 1)
    else:
        beside = beside.transpose(0, 2, 1) @ beside
    last = beside.shape[1] - 1
    ends = [scipy.linalg.eigvalsh(one, subset_by_index=(last, last), check_finite=False)[0] for one in beside]
    return np.array(ends)


def products(rows: Array, labels: Array, orders: Orders) -> Array:
    """sum_i rows_i labels_{order(i)}' for each of the orders, (b, r, m), in one product of matrices.

    Args:
        rows: (n, r).
        labels: (n, m).
        orders: (b, n).
    """
    (b, n), m = orders.shape, labels.shape[1]
    given = labels[orders].transpose(1, 0, 2).reshape(n, b * m)
    return np.asarray((rows.T @ given).reshape(-1, b, m).transpose(1, 0, 2))
