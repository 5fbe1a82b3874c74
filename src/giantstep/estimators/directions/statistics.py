"""What a method makes of whitened rows and labels: its strongest direction beside those already found.

A *search* is asked for many orders of the labels at once: the order in which they came, and permutations, under which
nothing is to be found. Most methods are a matrix whose leading directions are those they find (`MatrixSearch`):

    factors A, (r, c): the directions are the left singular vectors, their strengths the squared singular values;
    symmetric M, (r, r): the directions are the eigenvectors of the largest eigenvalues, which are the strengths.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

import numpy as np
import scipy
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.estimators.whitening import fixed_signs

Orders: TypeAlias = NDArray[np.integer[Any]]
"""Permutations of the samples as rows, (b, n): sample i gets the label of sample orders[:, i]."""


SMALL = 48
"""Rows of a matrix up to which all of its eigenvalues are found as quickly as one."""


class Search(Protocol):
    """A method at work on one set of samples."""

    @property
    def numbers(self) -> int:
        """How many numbers are in memory for one order."""
        ...

    @property
    def axes(self) -> int:
        """r, the dimension of whitened rows."""
        ...

    @property
    def most(self) -> int:
        """How many directions there can be."""
        ...

    def largest(self, orders: Orders, found: Array) -> tuple[Array, Array]:
        """The largest strength for each of `orders` beside the directions `found`, and the direction of the first.

        Args:
            orders: (b, n).
            found: orthonormal rows, (k, r), that the direction is orthogonal to.

        Returns:
            Strengths, (b,), and a unit vector, (r,).
        """
        ...

    def refined(self, found: Array) -> Array:
        """The directions `found`, orthonormal rows (k, r), made better where all of them together allow it."""
        ...


class MatrixSearch:
    """The leading directions of one matrix.

    Args:
        matrices: from orders (b, n) to matrices (b, r, c).
        shape: (r, c).
        symmetric: whether these are symmetric matrices M, else factors A.
        numbers: how many numbers are in memory for one matrix while it is computed, without itself.
        as_shares: whether a strength is told, and compared with permuted labels, as a share of the trace that is left
            beside the directions found: for symmetric matrices whose size says more of the fit than of directions.
    """

    def __init__(
        self,
        matrices: Callable[[Orders], Array],
        shape: tuple[int, int],
        *,
        symmetric: bool,
        numbers: int,
        as_shares: bool = False,
    ) -> None:
        self.matrices, self.symmetric, self.as_shares = matrices, symmetric, as_shares
        self.axes, self.numbers = shape[0], numbers + 3 * shape[0] * shape[1]
        self.most = shape[0] if symmetric else min(shape)
        self._last: tuple[Orders, Array] | None = None

    def largest(self, orders: Orders, found: Array) -> tuple[Array, Array]:
        """See `Search`. The matrices of the last orders are kept, as the next direction needs them again."""
        if self._last is None or self._last[0] is not orders:
            self._last = None  # not two of them in memory
            self._last = orders, self.matrices(orders)
        beside = self._last[1] - found.T @ (found @ self._last[1])
        if self.symmetric:
            beside = beside - (beside @ found.T) @ found
        squares = beside if self.symmetric else _small_grams(beside)
        strengths = top_values(squares)
        if self.as_shares:
            strengths = strengths / np.maximum(np.trace(squares, axis1=1, axis2=2), np.finfo(float).tiny)
        first = beside[0] if self.symmetric else beside[0] @ beside[0].T
        return strengths, _beside(top_vector(first), found)

    def refined(self, found: Array) -> Array:
        """See `Search`: eigenvectors need not be made better."""
        return found

    def spectrum(self, orders: Orders, count: int) -> Array:
        """The largest strengths, falling, of the first of `orders`: (count,) or fewer."""
        matrix = self._last[1][0] if self._last is not None else self.matrices(orders[:1])[0]
        square = matrix if self.symmetric else _small_grams(matrix[None])[0]
        values = np.linalg.eigvalsh(square)[::-1]
        if self.as_shares:
            values = values / np.maximum(np.cumsum(values[::-1])[::-1], np.finfo(float).tiny)
        return np.asarray(values[: min(count, self.most)])


def _small_grams(factors: Array) -> Array:
    """A A' or A'A of each factor, whichever is smaller."""
    turned = factors.transpose(0, 2, 1)
    return np.asarray(factors @ turned if factors.shape[1] <= factors.shape[2] else turned @ factors)


def top_values(squares: Array) -> Array:
    """The largest eigenvalue of each of the symmetric matrices (b, r, r)."""
    if squares.shape[1] <= SMALL:
        return np.asarray(np.linalg.eigvalsh(squares)[:, -1])
    ends = (squares.shape[1] - 1,) * 2
    return np.array([scipy.linalg.eigvalsh(one, subset_by_index=ends, check_finite=False)[0] for one in squares])


def top_vector(square: Array) -> Array:
    """The unit eigenvector of the largest eigenvalue of a symmetric matrix, (r,)."""
    if len(square) <= SMALL:
        return np.asarray(np.linalg.eigh(square)[1][:, -1])
    last = len(square) - 1
    return np.asarray(scipy.linalg.eigh(square, subset_by_index=(last, last), check_finite=False)[1][:, 0])


def _beside(row: Array, found: Array) -> Array:
    """A unit vector of fixed sign without what rounding left of the found directions."""
    row = row - found.T @ (found @ row)
    return np.asarray(fixed_signs(row[None] / np.linalg.norm(row))[0])


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


def product_search(rows: Array, labels: Array) -> MatrixSearch:
    """The search whose factors are `products` of rows (n, r) and labels (n, m)."""
    shape = rows.shape[1], labels.shape[1]
    return MatrixSearch(lambda orders: products(rows, labels, orders), shape, symmetric=False, numbers=2 * labels.size)
