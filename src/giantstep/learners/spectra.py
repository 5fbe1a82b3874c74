"""Singular values of what was simulated: the whole spectrum, its top vectors, and its distance from a law."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from giantstep.arrays import Array


def _small_gram(matrix: Array) -> Array:
    """The Gram matrix of the rows or the columns, whichever are fewer."""
    return matrix.T @ matrix if matrix.shape[0] >= matrix.shape[1] else matrix @ matrix.T


def operator_norm(matrix: Array) -> float:
    """The largest singular value of `matrix`, (rows, columns).

    From the smaller Gram matrix: as quick as iterations at the sizes of simulations, and never stuck.
    """
    import scipy

    gram = _small_gram(matrix)
    last = len(gram) - 1
    top = scipy.linalg.eigh(gram, eigvals_only=True, subset_by_index=(last, last), overwrite_a=True, check_finite=False)
    return float(np.sqrt(max(top[0], 0.0)))


def top_direction(matrix: Array) -> Array:
    """The unit vector, (columns,), that `matrix`, (rows, columns), stretches most."""
    import scipy

    gram = _small_gram(matrix)
    last = len(gram) - 1
    vector = scipy.linalg.eigh(gram, subset_by_index=(last, last), overwrite_a=True, check_finite=False)[1][:, 0]
    if matrix.shape[0] >= matrix.shape[1]:
        return np.asarray(vector)
    return np.asarray(matrix.T @ vector / float(np.linalg.norm(matrix.T @ vector)))


def singular_values_and_top(matrix: Array) -> tuple[Array, Array, Array]:
    """All min(rows, columns) singular values of `matrix`, growing, and the top pair of unit vectors.

    Returns the values, the vector in column space, (columns,), and the vector in row space, (rows,).
    """
    import scipy

    squares, vectors = scipy.linalg.eigh(_small_gram(matrix), overwrite_a=True, check_finite=False)
    values = np.sqrt(np.maximum(squares, 0.0))
    own, tall = vectors[:, -1], matrix.shape[0] >= matrix.shape[1]
    other = (matrix @ own if tall else matrix.T @ own) / values[-1]
    return (values, own, other) if tall else (values, other, own)


def distance_to_law(values: Array, cdf: Callable[[Array], Array]) -> float:
    """Kolmogorov-Smirnov distance of a sorted sample from a law.

    `values`, (n,), grow; `cdf` is the law's distribution function, which takes all of them at once.
    """
    theory, n = np.asarray(cdf(values)), len(values)
    return float(max(np.max(np.arange(1, n + 1) / n - theory), np.max(theory - np.arange(n) / n)))
