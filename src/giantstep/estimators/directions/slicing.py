"""What methods by slices of the label share: the parameter, the slices, and the moments of the inputs in each.

p_h the share of slice h,   m_h = E[z | slice h],   E_h = E[z z' | slice h].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.checks import whole_number
from giantstep.estimators.directions.base import Directions
from giantstep.estimators.labels import Labels


class SlicedDirections(Directions):
    """Directions by slices of the label. See `Directions` for the other parameters and the fitted attributes.

    Args:
        n_directions: how many, or "auto".
        slices: H, of nearly equal weight, or "auto"; a label of fewer values, or classes, has one for each.
        permutations, level, shrinkage, gaussianise, random_state, verbose: see `Directions`.
    """

    _usual_slices = 5

    def __init__(
        self,
        n_directions: int | str = "auto",
        *,
        slices: int | str = "auto",
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

    def _sliced(self, weight: Array, labels: Labels) -> list[NDArray[np.intp]]:
        """For each output the slice of every sample, (n,)."""
        auto = isinstance(self.slices, str) and self.slices == "auto"
        return labels.slices(self._usual_slices if auto else whole_number("slices", self.slices, least=2), weight)


@dataclass(frozen=True, eq=False)
class SliceMoments:
    """Moments of the inputs in each of H slices; of several outputs all slices, each output with the same share.

    Args:
        share: p_h, (H,).
        mean: m_h, (H, r).
        second: E_h, (H, r, r).
    """

    share: Array
    mean: Array
    second: Array

    @classmethod
    def of(cls, z: Array, weight: Array, sliced: list[NDArray[np.intp]]) -> SliceMoments:
        """Moments of the rows `z` (n, r) with shares `weight` (n,) by the numbers of their slices."""
        share, mean, second = [], [], []
        for number in sliced:
            for h in range(int(number.max()) + 1):
                rows, own = z[number == h], weight[number == h]
                part = max(float(own.sum()), np.finfo(float).tiny)  # a permutation may leave a slice without weight
                weighted = rows * (own / part)[:, None]
                share.append(part / len(sliced))
                mean.append(weighted.sum(axis=0))
                second.append(weighted.T @ rows)
        return cls(np.array(share), np.array(mean), np.array(second))


def covariance(z: Array, weight: Array) -> Array:
    """sum_i w_i z_i z_i' of whitened rows: the identity, but for what shrinkage left."""
    return np.asarray((z * weight[:, None]).T @ z)
