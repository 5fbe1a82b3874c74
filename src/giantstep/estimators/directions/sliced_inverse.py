"""Sliced inverse regression (Li, JASA 86, 1991): where the inputs are on average, slice by slice of the label.

    A = [sqrt(p_h) E[z | y in slice h]]_h,   directions: left singular vectors,  strengths: squared singular values

For Gaussian inputs and s^2 = sum_h p_h E[<v, z> | slice h]^2, delta = n/d ([frontier] section 1):

    strength s^2 + 1/delta,   overlap^2 = s^2/(s^2 + 1/delta),   edge of noise (1 + sqrt(H/d))^2/delta .
"""

from __future__ import annotations

from typing import Any

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import whole_number
from giantstep.estimators.directions.base import Directions
from giantstep.estimators.directions.permutation import Found
from giantstep.estimators.directions.statistics import Statistic, products
from giantstep.estimators.labels import Labels


class SlicedInverseRegression(Directions):
    """Directions in which the mean of the inputs moves with the label, by slices of the label.

    It sees every direction with E[<v, x> | y] not 0: also several of them, and nonlinear links whose correlation with
    the inputs vanishes. Of labels that are even in v, as |<v, x>| or x1*x2, it sees nothing.

    Args:
        n_directions: how many, or "auto".
        slices: H, of nearly equal weight; a label of fewer values, or classes, has one for each.
        permutations, level, shrinkage, gaussianise, random_state, verbose: see `Directions`, which also lists the
            fitted attributes.

    >>> x = np.random.default_rng(0).standard_normal((1000, 10))
    >>> fit = SlicedInverseRegression(random_state=0).fit(x, x[:, 0] / (0.5 + (x[:, 1] + 1.5) ** 2))
    >>> fit.n_directions_, np.abs(fit.directions_).argmax(axis=1).tolist()
    (2, [0, 1])
    """

    def __init__(
        self,
        n_directions: int | str = "auto",
        *,
        slices: int = 10,
        permutations: int = 99,
        level: float = 0.02,
        shrinkage: float | str = "auto",
        gaussianise: bool = False,
        random_state: Any = None,
        verbose: Any = False,
    ) -> None:
        super().__init__(
            n_directions,
            permutations=permutations,
            level=level,
            shrinkage=shrinkage,
            gaussianise=gaussianise,
            random_state=random_state,
            verbose=verbose,
        )
        self.slices = slices

    def _statistic(self, z: Array, weight: Array, labels: Labels, seed: int) -> Statistic:
        del seed
        member = self._members(weight, labels)
        rows = z * weight[:, None]
        numbers = member.shape[1] * (len(z) + z.shape[1])
        return Statistic(lambda orders: products(rows, member, orders), symmetric=False, numbers=numbers)

    def _members(self, weight: Array, labels: Labels) -> Array:
        """Indicators of the slices over sqrt(p_h), (n, slices): columns of sum_i w_i z_i member_i are A."""
        count = whole_number("slices", self.slices, least=2)
        parts = []
        for number in labels.slices(count, weight):
            share = np.bincount(number, weights=weight)
            parts.append((number[:, None] == np.arange(len(share))) / np.sqrt(share))
        return np.concatenate(parts, axis=1)

    def _theory(self, z: Array, weight: Array, labels: Labels, found: Found) -> tuple[float | None, Array | None]:
        if labels.codes.shape[1] > 1:
            return None, None
        d, slices = z.shape[1], self._members(weight, labels).shape[1]
        ratio = d * float(weight @ weight)
        overlaps = np.sqrt(np.maximum(1 - ratio / found.strengths, 0))
        return ratio * (1 + np.sqrt(slices / d)) ** 2, overlaps
