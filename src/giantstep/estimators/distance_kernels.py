"""Kernels of the distance between two rows, and the gradients of what is fitted with them.

    laplace   k = exp(-r/L),               r = |x - x'|           grad_x k = -(k/(L r)) (x - x')   (0 at r = 0: a peak)
    gaussian  k = exp(-r^2/(2 L^2))                               grad_x k = -(k/L^2) (x - x')
    product   k = prod_j exp(-|x_j - x'_j|/L)                     grad_x k = -(k/L) sign(x - x')

The first two do not know columns: turn the rows and they stay. Their gradients are -S (x - x') with a matrix S of
slopes, so that those of a fit are two products of matrices. The third has a factor for each column: it suits tables
whose columns act each in its own way, with kinks. scikit-learn calls it laplacian.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.spatial.distance import cdist

from giantstep.arrays import Array
from giantstep.errors import InputError

DistanceKind = Literal["laplace", "gaussian", "product"]
KINDS: tuple[DistanceKind, ...] = ("laplace", "gaussian", "product")
ROWS = 512
"""Rows of a matrix of kernels that are computed at a time."""
SAME = 1e-12
"""Squared distance, relative to the squared lengths, below which two rows are the same."""
MEASURED = 1000
"""Rows whose distances give a width."""
HUGE = 2.0**600
"""A factor that brings any difference of two standardised numbers beyond 1."""
AT_TYPICAL = {"laplace": 2.0, "gaussian": 1.0, "product": 2.0}
"""Widths in typical distances at which k of two typical rows is exp(-1/2)."""


@dataclass(frozen=True)
class DistanceKernel:
    """k(x, x') as a function of x - x'.

    Args:
        kind: "laplace", "gaussian" or "product".
        width: L, in the units of the rows.
    """

    kind: DistanceKind
    width: float

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"there is no kernel {self.kind!r} of distances; there are: {', '.join(KINDS)}")

    @classmethod
    def fitting(cls, kind: DistanceKind, rows: Array, factor: float = 1.0) -> DistanceKernel:
        """The kernel whose width is `factor` times the median distance between different `rows` (n, r)."""
        few = rows[:: max(1, len(rows) // MEASURED)]
        distance = cls(kind, 1.0).distances(few, few)[np.triu_indices(len(few), 1)]
        middle = float(np.median(distance[distance > 0])) if (distance > 0).any() else 1.0
        return cls(kind, factor * middle)

    @classmethod
    def typical(cls, kind: DistanceKind, rows: Array, share: Array, factor: float = 1.0) -> DistanceKernel:
        """The kernel that is exp(-1/2) at the typical distance of `rows` (n, r) with shares `share` (n,).

        Typical is the root of the mean squared distance, for "product" the mean distance. Times `factor`.
        """
        if kind == "product":
            order = np.argsort(rows, axis=0, kind="stable")
            sorted_rows, weight = np.take_along_axis(rows, order, axis=0), share[order]
            below = np.cumsum(weight, axis=0) - weight
            middle = 2 * float((weight * sorted_rows * (2 * below + weight - 1)).sum())  # sum of E|x_j - x'_j|
        else:
            spread = rows - share @ rows
            middle = float(np.sqrt(2 * share @ (spread**2).sum(axis=1)))
        return cls(kind, factor * AT_TYPICAL[kind] * (middle if middle > 0 else 1.0))

    def distances(self, rows: Array, other: Array) -> Array:
        """The distances between all rows (n, r) and all of the other (m, r): (n, m)."""
        if self.kind == "product":
            return _taxicab(rows, other)
        found = _squares(rows, other)
        return np.asarray(np.sqrt(found, out=found))

    def __call__(self, rows: Array, other: Array) -> Array:
        """k between all rows (n, r) and all of the other (m, r): (n, m)."""
        if self.kind == "gaussian":
            values = _squares(rows, other)
            values *= -0.5 / self.width**2
        else:
            values = self.distances(rows, other)
            values *= -1 / self.width
        return np.asarray(np.exp(values, out=values))

    def matrix(self, rows: Array) -> Array:
        """k between all `rows` (n, r), (n, n) in Fortran order, with no second array of this size."""
        made = np.empty((len(rows), len(rows)), order="F")
        for start in range(0, len(rows), ROWS):
            stop = start + ROWS
            block = self(rows[start:stop], rows[start:])
            made[start:, start:stop] = block.T
            made[start:stop, stop:] = block[:, ROWS:]
        return made

    def slopes(self, values: Array) -> Array:
        """S from k, both (n, m): the gradient of k(x, x') at a row x is -S (x - x'), or -S sign(x - x') for "product".

        Of "laplace" S = k/(L r), with r/L = -log k; where k is below the smallest number, S is 0.
        """
        if self.kind == "gaussian":
            return values / self.width**2
        if self.kind == "product":
            return values / self.width
        with np.errstate(divide="ignore"):  # log 0, and k = 1 over no distance
            found = np.log(values)
            found *= -(self.width**2)
            np.divide(values, found, out=found)
        found[values >= 1] = 0.0
        return found

    def gradients(self, slopes: Array, rows: Array, centres: Array, dual: Array) -> Array:
        """Gradients at `rows` (m, r) of sum_j dual_j k(x, centre_j), for each of k columns of `dual` (n, k): (k, m, r).

        `slopes` (m, n) are those of rows and centres.
        """
        (m, r), labels = rows.shape, dual.shape[1]
        if self.kind != "product":
            moved = (slopes @ (dual[:, :, None] * centres[:, None, :]).reshape(len(centres), -1)).reshape(m, labels, r)
            return np.asarray((moved - (slopes @ dual)[:, :, None] * rows[:, None, :]).transpose(1, 0, 2))
        made, (two, low, high) = np.empty((labels, m, r)), _two_valued(rows, centres)
        pulls = [slopes * dual[:, label] for label in range(labels)]
        signs = np.empty_like(slopes)
        for column in np.flatnonzero(~two):
            at, beside = HUGE * rows[:, column, None], HUGE * np.ascontiguousarray(centres[:, column])
            np.clip(np.subtract(beside, at, out=signs), -1.0, 1.0, out=signs)  # the sign, faster than np.sign
            for label, pull in enumerate(pulls):
                made[label, :, column] = np.vecdot(signs, pull)
        if two.any():  # of two values: those at the other value pull, all columns in one product of matrices
            for label, pull in enumerate(pulls):
                up = pull @ (centres[:, two] == high[two])
                all_of_them = pull.sum(axis=1)
                is_low = rows[:, two] == low[two]
                made[label][:, two] = np.where(is_low, up, up - all_of_them[:, None])
        return made


def _two_valued(rows: Array, other: Array) -> tuple[np.ndarray, Array, Array]:
    """Which columns hold two values only in both, and the lower and the higher one."""
    low, high = (np.minimum(rows.min(axis=0), other.min(axis=0)), np.maximum(rows.max(axis=0), other.max(axis=0)))
    two = high > low
    for part in (rows, other):
        two &= ((part == low) | (part == high)).all(axis=0)
    return two, low, high


def _taxicab(rows: Array, other: Array) -> Array:
    """sum_j |x_j - x'_j| for all pairs; of two values |a - b| = (a - b)^2/|high - low|, a product of matrices."""
    two, low, high = _two_valued(rows, other)
    found = np.zeros((len(rows), len(other)))
    if not two.all():
        found += cdist(rows[:, ~two], other[:, ~two], "cityblock")
    if two.any():
        scale = 1 / np.sqrt((high - low)[two])
        found += _squares((rows[:, two] - low[two]) * scale, (other[:, two] - low[two]) * scale)
    return found


def _squares(rows: Array, other: Array) -> Array:
    """|x - x'|^2 for all pairs, exactly 0 for equal rows."""
    length, beside = (np.einsum("ij,ij->i", part, part) for part in (rows, other))
    if not len(length) or not len(beside):
        return np.zeros((len(rows), len(other)))
    # |x|^2 - 2 <x, x'> + |x'|^2 as one product of matrices
    left = np.column_stack([rows, length, np.ones_like(length)])
    right = np.column_stack([-2.0 * other, np.ones_like(beside), beside])
    found = left @ right.T
    few = np.flatnonzero(found.ravel() < SAME * (length.max() + beside.max()))  # those that may be the same
    i, j = np.divmod(few, len(other))
    few = few[found.ravel()[few] < SAME * (length[i] + beside[j])]
    found.ravel()[few] = 0.0
    return np.asarray(found)
