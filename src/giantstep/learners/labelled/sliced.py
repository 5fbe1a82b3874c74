"""Sliced inverse regression: the directions in which the mean of the inputs moves with the label. [li91]

The labels are ranked and cut into H slices of equal size; the columns sqrt(p_h) (mean of x in slice h - mean of x) make
a d x H matrix, whose top left singular vector is the direction. Equal labels are shared out in the order of the sample.
Inputs are taken as isotropic: nothing is whitened.
"""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import require, whole_number
from giantstep.learners.engines.blocks import one_blas_thread
from giantstep.problems import Sample, check_sample


def inverse_regression_matrix(sample: Sample, slices: int) -> Array:
    """The columns sqrt(p_h) (mean of x in slice h - mean of x), (d, slices), of a `sample` in so many `slices`.

    >>> from giantstep.problems import ArraySample
    >>> x = np.array([[1.0, 0.0], [3.0, 0.0], [-2.0, 1.0], [-2.0, -1.0]])
    >>> inverse_regression_matrix(ArraySample(x, x[:, 0]), 2).round(3).tolist()
    [[-1.414, 1.414], [0.0, 0.0]]
    """
    check_sample(sample)
    count = whole_number("slices", slices, least=2)
    n = sample.samples
    require(count <= n, f"{n} samples cannot be cut into {count} slices; give as many samples as slices, or more")
    with one_blas_thread():
        labels = np.concatenate([sample.block(number)[1] for number in range(sample.blocks())])
        which = np.empty(n, dtype=np.intp)
        which[np.argsort(labels, kind="stable")] = np.arange(n) * count // n
        sums, size = np.zeros((sample.d, count)), np.bincount(which, minlength=count)
        for number in range(sample.blocks()):
            x, _ = sample.block(number)
            start = number * sample.block_rows
            member = which[start : start + len(x), None] == np.arange(count)
            sums += x.T @ member.astype(x.dtype)
        share = size / n
        means = sums / size
        return np.asarray((means - means @ share[:, None]) * np.sqrt(share))


def leading_direction(columns: Array) -> tuple[Array, Array]:
    """The squared singular values of a tall matrix, falling, (H,), and its first left singular vector, (d,).

    `columns` is the matrix, (d, H).
    """
    vectors, values, _ = np.linalg.svd(columns, full_matrices=False)
    return np.asarray(values**2), np.asarray(vectors[:, 0])
