"""Ridge regression along a path of penalties, from one small symmetric matrix.

With A = Psi^T Psi / n and b = Psi^T y / n (N side), or K = Psi Psi^T / n (n side), the minimiser of
(1/n)|y - Psi c|^2 + lambda |c|^2 is

    c = (A + lambda)^-1 b  =  Psi^T (K + lambda)^-1 y / n .

Few penalties: one Cholesky factorisation each; many: one reduction A = Q T Q^T to tridiagonal form for all, after which
each penalty costs O(m). The eigendecomposition, three times as dear, is for the smoother
H = Psi (A + lambda)^-1 Psi^T / n that the two validation scores need, which are different things:

    leave-one-out  (1/n) sum_i ((y - Hy)_i / (1 - H_ii))^2        exactly the mean of the n held-out errors
    GCV            (1/n) |y - Hy|^2 / (1 - tr H / n)^2            every H_ii replaced by their mean
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from giantstep.arrays import Array
from giantstep.checks import real_array, shown
from giantstep.errors import InputError

CHOLESKY_UP_TO = 8
"""One reduction to tridiagonal form costs about as much as 8 Cholesky factorisations (N = 400 to 1500)."""

REFLECTOR_ROOM = 64
"""Reflectors that LAPACK applies at a time: its workspace is this many rows of the columns, and of a small triangle."""


def positive_numbers(ridge: ArrayLike) -> Array:
    """The penalties of a path, (L,): one number or several, all positive."""
    try:
        path = np.atleast_1d(real_array("the ridge", ridge)).astype(np.float64)
    except InputError:
        path = np.empty(0)
    if path.ndim != 1 or not path.size or not (np.isfinite(path) & (path > 0)).all():
        raise InputError(f"ridge = {shown(ridge)} is not allowed; it must be one or more positive numbers")
    return path


@dataclass(frozen=True, eq=False)
class Spectrum:
    """A symmetric positive semi-definite matrix as U diag(values) U^T."""

    values: Array
    vectors: Array

    @classmethod
    def of(cls, matrix: Array) -> Spectrum:
        # Divide and conquer is the fastest driver when all vectors are wanted.
        values, vectors = scipy.linalg.eigh(matrix, driver="evd", check_finite=False)
        return cls(np.maximum(values, 0.0), vectors)

    def shrink(self, ridge: Array) -> Array:
        """1 / (value + lambda), (L, m)."""
        return 1.0 / (self.values + ridge[:, None])

    def solve(self, right: Array, ridge: Array) -> Array:
        """(matrix + lambda)^-1 right for each penalty, (L, m)."""
        return (self.shrink(ridge) * (self.vectors.T @ right)) @ self.vectors.T

    def smoother_trace(self, ridge: Array) -> Array:
        """tr H = sum_j value_j / (value_j + lambda): the same on both sides, (L,)."""
        return self.shrink(ridge) @ self.values


def solve_path(matrix: Array, right: Array, ridge: Array) -> Array:
    """(matrix + lambda)^-1 right for each penalty, (L, m), by the cheaper factorisation."""
    try:
        if len(ridge) <= CHOLESKY_UP_TO or len(matrix) < 3:  # LAPACK refuses to rotate fewer than two coordinates
            return np.stack([_cholesky_solve(matrix, right, lam) for lam in ridge])
        return _tridiagonal_solve(matrix, right, ridge)
    except scipy.linalg.LinAlgError:
        # A penalty below the rounding of the matrix: the eigendecomposition still copes.
        return Spectrum.of(matrix).solve(right, ridge)


def _cholesky_solve(matrix: Array, right: Array, ridge: float) -> Array:
    # Fortran order (free, as the matrix is symmetric) and overwriting avoid the copies that make
    # np.linalg.cholesky 2 to 5 times slower.
    shifted = np.array(matrix.T, order="F")
    np.einsum("ii->i", shifted)[:] += ridge
    factor = scipy.linalg.cho_factor(shifted, lower=True, overwrite_a=True, check_finite=False)
    return np.asarray(scipy.linalg.cho_solve(factor, right, check_finite=False))


def _tridiagonal_solve(matrix: Array, right: Array, ridge: Array) -> Array:
    """Q (T + lambda)^-1 Q^T right for each penalty, (L, m), Q being kept as Householder reflectors."""
    size = len(matrix)
    work = int(scipy.linalg.lapack.dsytrd_lwork(size, lower=1)[0])
    reflectors, diagonal, beside, scale, _ = scipy.linalg.lapack.dsytrd(matrix.T, lower=1, lwork=work)
    # Q is 1 in the first coordinate and, in the others, the Q of a QR factorisation stored in the same way.
    below = reflectors[1:, :-1]

    def rotate(columns: Array, transposed: str) -> Array:
        turned, _, _ = scipy.linalg.lapack.dormqr(
            "L", transposed, below, scale, columns[1:], REFLECTOR_ROOM * (columns.shape[1] + 65)
        )
        return np.concatenate([columns[:1], turned])

    rotated = rotate(right[:, None], "T")
    solved = np.empty((size, len(ridge)))
    for number, lam in enumerate(ridge):
        pivots, factors, failed = scipy.linalg.lapack.dpttrf(diagonal + lam, beside)
        if failed:
            raise scipy.linalg.LinAlgError("the matrix plus the penalty is not positive definite")
        solved[:, number] = scipy.linalg.lapack.dpttrs(pivots, factors, rotated)[0][:, 0]
    return np.ascontiguousarray(rotate(solved, "N").T)


def squared_errors_by_features(
    spectrum: Spectrum, features: Array, y: Array, coefficients: Array, ridge: Array, n: int
) -> tuple[Array, Array]:
    """Sums over some rows of Psi of the squared held-out and training errors, each (L,); N side.

    H_ii = (1/n) sum_j (Psi U)_ij^2 / (value_j + lambda).
    """
    rotated = features @ spectrum.vectors
    leverage = spectrum.shrink(ridge) @ (rotated**2).T / n
    residual = y - coefficients @ features.T
    return ((residual / (1.0 - leverage)) ** 2).sum(axis=1), (residual**2).sum(axis=1)


def squared_errors_by_samples(spectrum: Spectrum, dual: Array, ridge: Array) -> tuple[Array, Array]:
    """The same sums over all samples on the n side, from dual = (K + lambda)^-1 y, (L, n).

    y - Hy = lambda (K + lambda)^-1 y and 1 - H_ii = lambda [(K + lambda)^-1]_ii, so that nothing cancels.
    """
    inverse_diagonal = spectrum.shrink(ridge) @ (spectrum.vectors**2).T
    return ((dual / inverse_diagonal) ** 2).sum(axis=1), ((ridge[:, None] * dual) ** 2).sum(axis=1)


def generalised_cross_validation(training_error: Array, trace: Array, n: int) -> Array:
    """(1/n)|y - Hy|^2 / (1 - tr H / n)^2."""
    return training_error / (1.0 - trace / n) ** 2
