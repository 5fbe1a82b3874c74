"""The linear part: v = E[T(y) z], what a first gradient step sees of the labels.

    overlap^2 = c^2/(c^2 + E[T^2]/delta),  c = E[T <v, z>],  delta = n/d       (no threshold; [frontier] section 1)

For Gaussian inputs |v|^2 is c^2 + E[T^2]/delta, and E[T^2]/delta when there is nothing.
"""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.estimators.directions.base import Directions
from giantstep.estimators.directions.permutation import Found
from giantstep.estimators.directions.statistics import Search, product_search
from giantstep.estimators.labels import Labels


class LinearDirection(Directions):
    """The direction along which the label's mean rises: sum_i w_i y_i z_i of whitened rows z.

    It sees what is odd: a label that is linear or monotone in one direction, at a number of samples of a few d. Of
    |<v, x>|, a product of two directions or a parity it sees nothing. Of a label with several outputs there are as many
    directions as outputs, at most.

    Args:
        n_directions, permutations, level, shrinkage, gaussianise, random_state, verbose: see `Directions`, which
            also lists the fitted attributes.

    >>> x = np.random.default_rng(0).standard_normal((400, 10))
    >>> fit = LinearDirection(random_state=0).fit(x, 3 * x[:, 2] + x[:, 0] ** 2)
    >>> fit.n_directions_, int(np.abs(fit.directions_[0]).argmax()), fit.transform(x).shape
    (1, 2, (400, 1))
    """

    def _search(self, z: Array, weight: Array, labels: Labels) -> Search:
        return product_search(z * weight[:, None], labels.columns)

    def _theory(self, z: Array, weight: Array, labels: Labels, found: Found) -> tuple[float | None, Array | None]:
        if labels.columns.shape[1] > 1:
            return None, None
        edge = z.shape[1] * float(weight**2 @ labels.columns[:, 0] ** 2)  # E[T^2] d/n for equal weights
        return edge, np.sqrt(np.maximum(1 - edge / found.strengths, 0))
