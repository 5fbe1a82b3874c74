"""Directional regression (Li and Wang, JASA 102, 2007): means and spreads within slices in one matrix.

    M = 2 sum_h p_h (E_h - C)^2 + 2 B^2 + 2 tr(B) B,   B = sum_h p_h m_h m_h',
    m_h = E[z | slice h],  E_h = E[z z' | slice h],  C = E[z z'], the identity but for shrinkage .

The first term is what two independent samples with labels in the same slices tell about the squares of their
differences, the others restore what sliced inverse regression sees.
"""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.estimators.directions.slicing import SlicedDirections, SliceMoments, covariance
from giantstep.estimators.directions.statistics import MatrixSearch, Orders, Search
from giantstep.estimators.labels import Labels


class DirectionalRegression(SlicedDirections):
    """Directions in which mean or spread of the inputs moves with the label: odd and even links alike.

    Args:
        n_directions: how many, or "auto".
        slices: H, of nearly equal weight, or "auto" for 5; a label of fewer values, or classes, has one for each.
        permutations, level, shrinkage, gaussianise, random_state, verbose: see `Directions`, which also lists the
            fitted attributes.

    >>> x = np.random.default_rng(0).standard_normal((1500, 10))
    >>> fit = DirectionalRegression(random_state=0).fit(x, x[:, 0] + 2 * np.abs(x[:, 1]))
    >>> fit.n_directions_, sorted(np.abs(fit.directions_).argmax(axis=1).tolist())
    (2, [0, 1])
    """

    def _search(self, z: Array, weight: Array, labels: Labels) -> Search:
        whole, sliced, r = covariance(z, weight), self._sliced(weight, labels), z.shape[1]

        def matrix(order: Orders) -> Array:
            found = SliceMoments.of(z, weight, [number[order] for number in sliced])
            apart = found.second - whole
            means = (found.mean * found.share[:, None]).T @ found.mean
            spreads = np.tensordot(found.share, apart @ apart, axes=1)
            return np.asarray(2 * (spreads + means @ means + np.trace(means) * means))

        numbers = z.size + 3 * r * r * sum(int(number.max()) + 1 for number in sliced)
        return MatrixSearch(
            lambda orders: np.stack([matrix(order) for order in orders]), (r, r), symmetric=True, numbers=numbers
        )
