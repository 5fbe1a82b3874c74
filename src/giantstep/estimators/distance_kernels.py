"""Kernels of the distance between two rows, and their gradients.

    laplace   k = exp(-r/L),          grad_x k = -(k/(L r)) (x - x')     (0 at r = 0, where it has a peak)
    gaussian  k = exp(-r^2/(2 L^2)),  grad_x k = -(k/L^2) (x - x')

Both gradients are -S (x - x') with a matrix S of slopes, so that those of a fit are two products of matrices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError

DistanceKind = Literal["laplace", "gaussian"]
ROWS = 512
"""Rows of a matrix of kernels that are computed at a time."""
SAME = 1e-12
"""Squared distance, relative to the squared lengths, below which two rows are the same."""
MEASURED = 1000
"""Rows whose distances give a width."""


@dataclass(frozen=True)
class DistanceKernel:
    """k(x, x') as a function of |x - x'|.

    Args:
        kind: "laplace" or "gaussian".
        width: L, in the units of the rows.
    """

    kind: DistanceKind
    width: float

    def __post_init__(self) -> None:
        if self.kind not in ("laplace", "gaussian"):
            raise InputError(f"there is no kernel {self.kind!r} of distances; there are: laplace, gaussian")

    @classmethod
    def fitting(cls, kind: DistanceKind, rows: Array, factor: float = 1.0) -> DistanceKernel:
        """The kernel whose width is `factor` times the median distance between different `rows` (n, r)."""
        few = rows[:: max(1, len(rows) // MEASURED)]
        square = _squares(few, few)[np.triu_indices(len(few), 1)]
        middle = float(np.sqrt(np.median(square[square > 0]))) if (square > 0).any() else 1.0
        return cls(kind, factor * middle)

    def __call__(self, rows: Array, other: Array) -> Array:
        """k between all rows (n, r) and all of the other (m, r): (n, m)."""
        values = _squares(rows, other)
        if self.kind == "laplace":
            np.sqrt(values, out=values)
            values *= -1 / self.width
        else:
            values *= -0.5 / self.width**2
        return np.asarray(np.exp(values, out=values))

    def matrix(self, rows: Array) -> Array:
        """k between all `rows` (n, r), (n, n) in Fortran order, with no second array of this size."""
        made = np.empty((len(rows), len(rows)), order="F")
        for start in range(0, len(rows), ROWS):
            made[:, start : start + ROWS] = self(rows, rows[start : start + ROWS])
        return made

    def slopes(self, rows: Array, other: Array) -> Array:
        """S, (n, m): the gradient of k(x, x') at a row x is -S (x - x')."""
        if self.kind == "gaussian":
            return self(rows, other) / self.width**2
        distance = np.sqrt(_squares(rows, other))
        apart = distance > 0
        made = np.exp(-distance / self.width)
        made /= np.where(apart, self.width * distance, 1.0)
        return np.asarray(np.where(apart, made, 0.0))


def _squares(rows: Array, other: Array) -> Array:
    """|x - x'|^2 for all pairs, exactly 0 for equal rows."""
    length, beside = (rows**2).sum(axis=1)[:, None], (other**2).sum(axis=1)
    found = rows @ other.T
    found *= -2.0
    found += length
    found += beside
    found[found < SAME * (length + beside)] = 0.0
    return np.asarray(found)
