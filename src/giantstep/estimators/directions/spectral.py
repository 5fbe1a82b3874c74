"""The best preprocessing of labels for a spectral method, estimated: T(y) = 1 - 1/E[<v, z>^2 | y].

For one direction no matrix sum_i T(y_i) z_i z_i' finds v from fewer samples (Luo, Alghamdi and Lu, arXiv:1811.04420);
what T should be depends on v itself. So T and v are found in turn, slice by slice of the label:

    s_h = v' E_h v,   T_h = 1 - 1/s_h,   v = top eigenvector of sum_h p_h T_h E_h,      E_h = E[z z' | slice h] .

The start is the best of the ends of a few fixed matrices (T linear and quadratic in the slice's place, and the squares
of sliced average variance). The strength is sum_h p_h (s_h - 1)^2: one over the n/d from which on the direction can be
found at all. The next direction is looked for in the same way orthogonal to those found.
"""

from __future__ import annotations

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.estimators.directions.gaussian_law import spectral_overlap
from giantstep.estimators.directions.permutation import Found
from giantstep.estimators.directions.slicing import SlicedDirections, SliceMoments, covariance
from giantstep.estimators.directions.statistics import Orders, Search, top_vector
from giantstep.estimators.labels import Labels
from giantstep.estimators.whitening import fixed_signs
from giantstep.theory.spectra.labels import best_transform

TURNS = 3
"""How often T and v are found in turn."""
LEAST = 0.1
"""E[<v, z>^2 | slice] is not taken to be below, so that T is at least -9: in a slice there are not so many samples."""


class SpectralDirections(SlicedDirections):
    """Directions in which the square of the inputs moves with the label, with the best transform of the label.

    It sees all that has E[<v, x>^2 | y] not constant: odd and even links, x1*x2, a parity of two directions, at the
    least n that a matrix of squares can do with; of a product of three directions alone it sees little.

    Args:
        n_directions: how many, or "auto".
        slices: H, of nearly equal weight, or "auto" for 8; a label of fewer values, or classes, has one for each.
        permutations, level, shrinkage, gaussianise, random_state, verbose: see `Directions`, which also lists the
            fitted attributes.

    >>> x = np.random.default_rng(0).standard_normal((1000, 10))
    >>> fit = SpectralDirections(random_state=0).fit(x, x[:, 0] * x[:, 1])
    >>> fit.n_directions_, sorted(np.abs(fit.standardised_directions_).sum(axis=0).argsort()[-2:].tolist())
    (2, [0, 1])
    """

    _usual_slices = 8

    def _search(self, z: Array, weight: Array, labels: Labels) -> Search:
        return _InTurn(z, weight, self._sliced(weight, labels))

    def _theory(self, z: Array, weight: Array, labels: Labels, found: Found) -> tuple[float | None, Array | None]:
        if labels.codes.shape[1] > 1 or not labels.columns.any():
            return None, None
        (number,) = self._sliced(weight, labels)
        overlaps = []
        for row in found.directions:
            second = np.bincount(number, weights=weight * (z @ row) ** 2) / np.bincount(number, weights=weight)
            overlaps.append(spectral_overlap(_transform(second)[number], z, weight, row)[1])
        return None, np.array(overlaps)  # the strength is not an eigenvalue: noise has no edge in a formula


def _transform(second: Array) -> Array:
    return best_transform(np.maximum(second, LEAST))


class _InTurn:
    """A `Search` that finds the transform and the direction in turn."""

    def __init__(self, z: Array, weight: Array, sliced: list[np.ndarray]) -> None:
        self.z, self.weight, self.sliced = z, weight, sliced
        self.whole = covariance(z, weight)
        self.axes = self.most = z.shape[1]
        self.numbers = z.size + 3 * self.most**2 * sum(int(number.max()) + 1 for number in sliced)

    def largest(self, orders: Orders, found: Array) -> tuple[Array, Array]:
        """See `Search`."""
        pairs = [self._one(order, found) for order in orders]
        return np.array([strength for strength, _ in pairs]), pairs[0][1]

    def refined(self, found: Array) -> Array:
        """See `Search`: each direction was found with a transform of its own."""
        return found

    def _one(self, order: Orders, found: Array) -> tuple[float, Array]:
        moments = SliceMoments.of(self.z, self.weight, [number[order] for number in self.sliced])
        second, apart, beside = moments.second, moments.second - self.whole, np.eye(self.most)
        if len(found):
            beside = scipy.linalg.null_space(found)
            second, apart = beside.T @ second @ beside, beside.T @ apart @ beside
        row = max(_starts(moments.share, second, apart), key=lambda v: _strength(moments.share, apart, v))
        for _ in range(TURNS):
            transform = _transform(second @ row @ row)
            row = top_vector(np.tensordot(moments.share * transform, second, axes=1))
        return _strength(moments.share, apart, row), fixed_signs((beside @ row)[None])[0]


def _strength(share: Array, apart: Array, row: Array) -> float:
    return float(share @ (apart @ row @ row) ** 2)


def _starts(share: Array, second: Array, apart: Array) -> list[Array]:
    """Ends of the spectra of fixed matrices, unit vectors."""
    place = np.cumsum(share) - share / 2
    starts = [top_vector(np.tensordot(share, apart @ apart, axes=1))]
    for shape in (place - 0.5, (place - 0.5) ** 2):
        matrix = np.tensordot(share * (shape - share @ shape), second, axes=1)
        starts += [top_vector(matrix), top_vector(-matrix)]
    return starts
