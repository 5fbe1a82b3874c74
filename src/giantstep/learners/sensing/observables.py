"""What is looked at along a trajectory: angles between spaces, signal and noise parts, errors.

The decomposition of [ss21]: with orthonormal X and X^T U = V S W^T (SVD, W of shape r x r*),

    U = U W W^T + U (I - W W^T) = signal + noise,         signal noise^T = 0,

so that once the signal has converged the error is |noise noise^T|.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from giantstep.arrays import Array


def sine(one: Array, other: Array) -> float:
    """The sine of the largest principal angle between the spaces of orthonormal bases `one` and `other`, (d, k)."""
    apart = one - other @ (other.T @ one)  # keeps small angles exact, which 1 - cos^2 does not
    return float(min(1.0, scipy.linalg.svdvals(apart)[0]))


def top_left_space(matrix: Array, count: int) -> Array:
    """An orthonormal basis, (rows, `count`), of the `count` leading left singular vectors of `matrix`."""
    if matrix.shape[1] <= count:
        return np.asarray(np.linalg.qr(matrix)[0])
    rows, columns = matrix.shape
    if rows <= columns:
        return _top_eigenvectors(matrix @ matrix.T, count)
    right = _top_eigenvectors(matrix.T @ matrix, count)
    return np.asarray(np.linalg.qr(matrix @ right)[0])


def top_eigenspace(symmetric: Array, count: int) -> Array:
    """An orthonormal basis, (d, `count`), of the leading eigenvectors of a `symmetric` matrix, (d, d)."""
    return _top_eigenvectors(symmetric, count)


def _top_eigenvectors(symmetric: Array, count: int) -> Array:
    last = len(symmetric) - 1
    scale = (
        float(np.abs(symmetric).max()) or 1.0
    )  # LAPACK's subset solver loses tiny matrices to its absolute tolerance
    return np.asarray(scipy.linalg.eigh(symmetric / scale, subset_by_index=(last - count + 1, last))[1])


@dataclass(frozen=True, eq=False)
class Parts:
    """Sizes of the signal and of the noise part of U.

    Args:
        signal: singular values of X^T U, largest first: the signal in each direction of the truth, (r*,).
        noise: |U (I - W W^T)|, spectral norm.
        outside: |(I - X X^T) U W|, spectral norm: how far the signal part still points out of the column space.
        learned: U W, (d, r*), whose product with itself is the signal's.
    """

    signal: Array
    noise: float
    outside: float
    learned: Array

    @property
    def weakest(self) -> float:
        """sigma_min(X^T U), which must grow to leave the saddle."""
        return float(self.signal[-1])

    def signal_error(self, truth: Array) -> float:
        """The relative error of the signal part, |U W W^T U^T - M|/|M|, for a `truth` M, (d, d)."""
        return relative_error(self.learned @ self.learned.T, truth)


def parts(left: Array, basis: Array) -> Parts:
    """Signal and noise of U = `left`, (d, r), with respect to X = `basis`, (d, r*), orthonormal and spanning the true
    column space."""
    _, values, right = np.linalg.svd(basis.T @ left, full_matrices=False)
    signal = left @ right.T
    noise = left - signal @ right
    outside = signal - basis @ (basis.T @ signal)
    largest = [float(scipy.linalg.svdvals(part)[0]) for part in (noise, outside)]
    return Parts(values, largest[0] if left.shape[1] > basis.shape[1] else 0.0, largest[1], signal)


def weakest_signal(left: Array, basis: Array) -> float:
    """sigma_min(X^T U) of U = `left`, (d, r), and X = `basis`, (d, r*), alone, at little cost."""
    return float(scipy.linalg.svdvals(basis.T @ left)[-1])


def relative_error(product: Array, truth: Array) -> float:
    """|`product` - `truth`| / |`truth`|, Frobenius norms of matrices (d1, d2)."""
    return float(np.linalg.norm(product - truth) / np.linalg.norm(truth))
