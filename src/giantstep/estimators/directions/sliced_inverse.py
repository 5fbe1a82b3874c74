"""Sliced inverse regression [li91]: where the inputs are on average, slice by slice of the label.

    A = [sqrt(p_h) E[z | y in slice h]]_h,   directions: left singular vectors,  strengths: squared singular values

For Gaussian inputs and s^2 = sum_h p_h E[<v, z> | slice h]^2, delta = n/d (`giantstep.theory.spectra`):

    strength about s^2 + 1/delta,   overlap^2 about s^2/(s^2 + 1/delta),   edge of noise (1 + sqrt((H - 1)/d))^2/delta .
"""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.estimators.directions.permutation import Found
from giantstep.estimators.directions.slicing import SlicedDirections
from giantstep.estimators.directions.statistics import Search, product_search
from giantstep.estimators.labels import Labels
from giantstep.theory.spectra.labels import inverse_regression


class SlicedInverseRegression(SlicedDirections):
    """Directions in which the mean of the inputs moves with the label, by slices of the label.

    It sees every direction with E[<v, x> | y] not 0: also several of them, and nonlinear links whose correlation with
    the inputs vanishes. Of labels that are even in v, as |<v, x>| or x1*x2, it sees nothing.

    Args:
        n_directions: how many, or "auto".
        slices: H, of nearly equal weight, or "auto" for 10; a label of fewer values, or classes, has one for each.
        permutations, level, shrinkage, gaussianise, random_state, verbose: see `Directions`, which also lists the
            fitted attributes.

    >>> x = np.random.default_rng(0).standard_normal((1000, 10))
    >>> fit = SlicedInverseRegression(random_state=0).fit(x, x[:, 0] / (0.5 + (x[:, 1] + 1.5) ** 2))
    >>> fit.n_directions_, np.abs(fit.directions_).argmax(axis=1).tolist()
    (2, [0, 1])
    """

    _usual_slices = 10

    def _search(self, z: Array, weight: Array, labels: Labels) -> Search:
        return product_search(z * weight[:, None], self._members(weight, labels))

    def _members(self, weight: Array, labels: Labels) -> Array:
        """Indicators of the slices over sqrt(p_h), (n, slices): sum_i w_i z_i member_i' is A."""
        parts = []
        for number in self._sliced(weight, labels):
            share = np.bincount(number, weights=weight)
            parts.append((number[:, None] == np.arange(len(share))) / np.sqrt(share))
        return np.concatenate(parts, axis=1)

    def _theory(self, z: Array, weight: Array, labels: Labels, found: Found) -> tuple[float | None, Array | None]:
        if labels.codes.shape[1] > 1:
            return None, None
        d, slices = z.shape[1], self._members(weight, labels).shape[1]
        if slices < 2:
            return None, None
        delta, c = 1 / (d * float(weight @ weight)), (slices - 1) / d
        # A strength is (1 + t)(c + t)/(t delta) with t = s^2 (delta - c): the larger root, 0 below the edge.
        rise = found.strengths * delta - 1 - c
        t = np.where(rise > 2 * np.sqrt(c), (rise + np.sqrt(np.maximum(rise**2 - 4 * c, 0))) / 2, 0)
        laws = [inverse_regression(float(one) / (delta - c), delta, slices, d) for one in t]
        edge = inverse_regression(0.0, delta, slices, d).edge
        return edge, np.sqrt([law.overlap for law in laws])
