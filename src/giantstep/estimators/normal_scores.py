"""Columns made Gaussian by their ranks: z = Phi^-1(F(x)), F the weighted distribution of the column."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from giantstep.arrays import Array, Floats


@dataclass(frozen=True, eq=False)
class NormalScores:
    """A monotone map of each column to normal scores, linear between the values that were seen, flat beyond them.

    Args:
        values: for each column the different values seen, growing.
        scores: their normal scores, Phi^-1 of the share below plus half the share at the value.
    """

    values: tuple[Array, ...]
    scores: tuple[Array, ...]

    @classmethod
    def of(cls, x: Floats, weight: Array) -> NormalScores:
        """The map of the columns of `x` (n, d) whose rows have the shares `weight` (n,)."""
        values, scores = [], []
        for column in x.T:
            seen, place = np.unique(column, return_inverse=True)
            share = np.bincount(place, weights=weight, minlength=len(seen))
            values.append(np.asarray(seen, dtype=np.float64))
            middle = np.cumsum(share) - share / 2
            scores.append(ndtri(np.clip(middle, 1e-9, 1 - 1e-9)))  # a value of no weight may stand at an end
        return cls(tuple(values), tuple(scores))

    def __call__(self, x: Floats) -> Array:
        maps = zip(x.T, self.values, self.scores, strict=True)
        return np.stack([np.interp(column, values, scores) for column, values, scores in maps], axis=1)
