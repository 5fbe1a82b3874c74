"""D = (1/n) sum_i T(y_i) x_i x_i^T for growing n on one pass over a sample, and its top eigenpairs.

Rows with T > 0 and with T < 0 are scaled by sqrt|T| and multiplied by themselves: a symmetric product each, of which
only one triangle is computed. So a pass costs half the operations of the matrix product X^T (T X) (see
`benchmarks/spectral_matrix.py`), and the sample is never held whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.checks import require, whole_number
from giantstep.learners.engines.blocks import Progress, one_blas_thread
from giantstep.problems import Sample, check_sample

Transform = Callable[[Array], Array]
"""T, of an array of labels."""

DENSE = 4000
"""Up to this dimension eigenpairs come from a factorisation, beyond from Lanczos iterations."""


@dataclass(frozen=True, eq=False)
class LabelledMatrices:
    """The matrices D of the first n rows of a sample, for several n.

    Args:
        counts: n of each, growing.
        matrices: D of each, (d, d), symmetric.
    """

    counts: tuple[int, ...]
    matrices: tuple[Array, ...]


def labelled_matrices(
    sample: Sample, transform: Transform, counts: Sequence[int] | None = None, *, progress: Progress | None = None
) -> LabelledMatrices:
    """D = (1/n) sum T(y_i) x_i x_i^T over the first n rows, for each n of `counts`, on one pass.

    Args:
        sample: inputs and labels.
        transform: T, which takes the labels of a block, (rows,), and gives as many finite numbers.
        counts: the numbers of rows, growing; all of the sample if not given.
        progress: told the share that is done.

    >>> from giantstep.problems import ArraySample
    >>> sample = ArraySample(np.eye(2), np.array([1.0, -4.0]))
    >>> labelled_matrices(sample, lambda y: y).matrices[0].tolist()
    [[0.5, 0.0], [0.0, -2.0]]
    """
    check_sample(sample)
    wanted = [sample.samples] if counts is None else [whole_number("counts", n, most=sample.samples) for n in counts]
    require(sorted(set(wanted)) == wanted and len(wanted) > 0, f"counts must grow, not {wanted}")
    total, done, found = np.zeros((sample.d, sample.d), order="F"), 0, []
    with one_blas_thread():
        for number in range(-(-wanted[-1] // sample.block_rows)):
            x, y = sample.block(number)
            weight = np.asarray(transform(y), dtype=np.float64)
            require(weight.shape == y.shape and bool(np.isfinite(weight).all()), "the transform must give numbers")
            for n in [n for n in wanted if done < n <= done + len(y)]:
                cut = n - done
                _add(total, x[:cut], weight[:cut])
                found.append(_whole(total, n))
                x, weight, done, y = x[cut:], weight[cut:], n, y[cut:]
            if done < wanted[-1]:
                _add(total, x, weight)
            done += len(y)
            if progress is not None:
                progress(min(done, wanted[-1]) / wanted[-1])
    return LabelledMatrices(tuple(wanted), tuple(found))


def _add(total: Array, x: NDArray[Any], weight: Array) -> None:
    """sum T x x^T, added to the lower triangle of `total`, which is in Fortran's order."""
    from scipy.linalg.blas import dsyrk

    for sign in (1.0, -1.0):
        rows = sign * weight > 0
        if rows.any():
            scaled = x[rows] * np.sqrt(np.abs(weight[rows]))[:, None]
            dsyrk(sign, scaled.T, beta=1.0, c=total, lower=1, overwrite_c=1)


def _whole(lower: Array, samples: int) -> Array:
    """The symmetric matrix of which this is the lower triangle, over n."""
    return np.asarray((np.tril(lower) + np.tril(lower, -1).T) / samples)


def top_eigenpairs(matrix: Array, count: int = 1) -> tuple[Array, Array]:
    """The largest eigenvalues of a symmetric matrix, falling, (count,), and their vectors as columns, (d, count).

    Args:
        matrix: (d, d), symmetric.
        count: how many.

    >>> values, vectors = top_eigenpairs(np.diag([1.0, 3.0, 2.0]), 2)
    >>> values.tolist(), np.abs(vectors[:, 0]).tolist()
    ([3.0, 2.0], [0.0, 1.0, 0.0])
    """
    import scipy

    d = len(matrix)
    most = whole_number("count", count, most=d)
    if d <= DENSE:
        values, vectors = scipy.linalg.eigh(matrix, subset_by_index=(d - most, d - 1), check_finite=False)
    else:
        from scipy.sparse.linalg import eigsh

        # A start of fixed entries, so that the same matrix gives the same bits.
        start = np.cos(np.arange(d, dtype=np.float64))
        values, vectors = eigsh(matrix, most, which="LA", v0=start, ncv=max(4 * most, 40), tol=1e-8, maxiter=20 * d)
    order = np.argsort(values)[::-1]
    return np.asarray(values[order]), np.asarray(vectors[:, order])
