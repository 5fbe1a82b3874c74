"""Message passing from labels to several directions, to first order: a matrix of n p numbers squared.

    L = Diag(G_1, ..., G_n) ((X X^T/d - I) x I_p),   G_i = E[z z^T - I | y_i], p x p

Its top eigenvectors g, as n x p, give estimates X^T g of the directions. It is not symmetric, and eigenvalues are
complex: all of them are computed, or the first alone, by products with L, which cost n d p operations.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.checks import require, whole_number
from giantstep.learners.engines.blocks import one_blas_thread

ENOUGH = 1e-5
"""Relative error of the eigenvalues that Arnoldi's iteration ends with."""
KRYLOV = 40
"""Vectors that it keeps."""


@dataclass(frozen=True, eq=False)
class MessageSpectrum:
    """Eigenvalues of L and what its first eigenvectors estimate.

    Args:
        values: eigenvalues, complex, by falling real part: all of them, (n p,), or the first, (count,).
        estimates: X^T g of the first eigenvectors, complex, (count, d, p).
    """

    values: NDArray[np.complex128]
    estimates: NDArray[np.complex128]

    def share_along(self, basis: Array) -> float:
        """The share of the estimates that lies in the span of orthonormal rows, `basis` (p, r), of the first r inputs:
        the mean over the estimates of |basis w|^2/|w|^2."""
        inside = np.einsum("pr,krc->kpc", basis, self.estimates[:, : basis.shape[1]])
        size = np.sum(np.abs(self.estimates) ** 2, axis=(1, 2))
        return float(np.mean(np.sum(np.abs(inside) ** 2, axis=(1, 2)) / size))


def message_spectrum(inputs: Array, gains: Array, count: int = 1) -> MessageSpectrum:
    """The whole spectrum of L, by a factorisation of about 25 (n p)^3 operations.

    Args:
        inputs: X, (n, d).
        gains: G of each label, (n, p, p).
        count: of how many eigenvectors estimates are made.

    >>> x = np.array([[2.0, 0.0], [0.0, 1.0]])
    >>> found = message_spectrum(x, np.array([[[1.0]], [[3.0]]]))
    >>> found.values.real.tolist(), found.share_along(np.eye(2)[:1])
    ([1.0, -1.5], 1.0)
    """
    import scipy

    n, d = inputs.shape
    p = gains.shape[-1]
    require(gains.shape == (n, p, p), f"gains must be (n, p, p), one matrix for each of {n} inputs")
    most = whole_number("count", count, most=n * p)
    with one_blas_thread():
        near = inputs @ inputs.T / d - np.eye(n)
        matrix = np.einsum("ij,iab->iajb", near, gains).reshape(n * p, n * p)
        values, vectors = scipy.linalg.eig(matrix, overwrite_a=True, check_finite=False)
        order = np.argsort(-values.real, kind="stable")
        leading = vectors[:, order[:most]].T.reshape(most, n, p)
        return MessageSpectrum(values[order], np.einsum("nd,knp->kdp", inputs, leading))


def message_outliers(inputs: Array, gains: Array, count: int = 1, *, seed: int = 0) -> MessageSpectrum:
    """The first eigenvalues of L and their estimates, by Arnoldi's iteration: quick where they stand apart.

    Args:
        inputs: X, (n, d).
        gains: G of each label, (n, p, p).
        count: how many eigenvalues and eigenvectors, at most n p - 2.
        seed: of the vector that the iteration begins with.
    """
    import scipy

    n, d = inputs.shape
    p = gains.shape[-1]
    require(gains.shape == (n, p, p), f"gains must be (n, p, p), one matrix for each of {n} inputs")
    many = whole_number("count", count, most=n * p - 2)

    def product(vector: Array) -> Array:
        g = vector.reshape(n, p)
        return np.asarray(np.einsum("nab,nb->na", gains, inputs @ (inputs.T @ g) / d - g)).ravel()

    operator = scipy.sparse.linalg.LinearOperator((n * p, n * p), matvec=product, dtype=np.float64)
    start = np.random.default_rng(seed).standard_normal(n * p)
    with one_blas_thread():
        values, vectors = scipy.sparse.linalg.eigs(
            operator, k=many, which="LR", v0=start, tol=ENOUGH, ncv=min(n * p, max(KRYLOV, 4 * many))
        )
        order = np.argsort(-values.real, kind="stable")
        leading = vectors[:, order].T.reshape(many, n, p)
        return MessageSpectrum(values[order], np.einsum("nd,knp->kdp", inputs, leading))
