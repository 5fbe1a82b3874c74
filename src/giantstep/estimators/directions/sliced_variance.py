"""Sliced average variance estimation (Cook and Weisberg, JASA 86, 1991): where the spread changes with the label.

M = sum_h p_h (C - C_h)^2,   C_h = Cov(z | slice h),  C = Cov(z), the identity but for shrinkage .
"""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.estimators.directions.slicing import SlicedDirections, SliceMoments, covariance
from giantstep.estimators.directions.statistics import MatrixSearch, Orders, Search
from giantstep.estimators.labels import Labels


class SlicedAverageVariance(SlicedDirections):
    """Directions in which the covariance of the inputs within slices of the label differs from the whole.

    It sees what is even, |<v, x>|, x1*x2, a parity of two directions, and most of what is odd; it needs more samples
    than a method that looks for the right thing, as every slice has a whole matrix of noise.

    Args:
        n_directions: how many, or "auto".
        slices: H, of nearly equal weight, or "auto" for 5; a label of fewer values, or classes, has one for each.
        permutations, level, shrinkage, gaussianise, random_state, verbose: see `Directions`, which also lists the
            fitted attributes.

    >>> x = np.random.default_rng(0).standard_normal((1500, 10))
    >>> fit = SlicedAverageVariance(random_state=0).fit(x, np.abs(x[:, 0]) + 2 * np.abs(x[:, 1]))
    >>> fit.n_directions_, np.abs(fit.directions_).argmax(axis=1).tolist()
    (2, [1, 0])
    """

    def _search(self, z: Array, weight: Array, labels: Labels) -> Search:
        whole, sliced, r = covariance(z, weight), self._sliced(weight, labels), z.shape[1]

        def matrix(order: Orders) -> Array:
            found = SliceMoments.of(z, weight, [number[order] for number in sliced])
            apart = whole - found.second + found.mean[:, :, None] * found.mean[:, None, :]
            return np.asarray(np.tensordot(found.share, apart @ apart, axes=1))

        numbers = z.size + 4 * r * r * sum(int(number.max()) + 1 for number in sliced)
        return MatrixSearch(
            lambda orders: np.stack([matrix(order) for order in orders]), (r, r), symmetric=True, numbers=numbers
        )
