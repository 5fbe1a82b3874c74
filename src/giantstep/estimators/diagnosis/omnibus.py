"""Is there anything at all, and is anything left beside the linear part: one test by permutation of the labels.

Four statistics look for what is common in tables, each a sum over all rows: a linear part, one bent column, one
direction of curvature, and any smooth surface. Each is standardised by its own permutations, and the largest is
compared with the largest of each permutation (Westfall and Young 1993, max-T): four looks, one level.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr

from giantstep.arrays import Array
from giantstep.estimators.diagnosis.estimates import permutation_p
from giantstep.estimators.diagnosis.tables import Table
from giantstep.streams import Streams

PERMUTATIONS = 199
LEVEL = 0.02  # at which something is called found: with all other looks at the table, false alarms stay below 5 %
MOST_ROWS = 1500  # for the smooth part, which needs all pairs
MOST_DIRECTIONS = 60  # principal components in which curvature is looked for
FEWEST_ROWS_A_COLUMN = 3
LOOKS = ("linear", "bent column", "curved direction", "smooth surface")


@dataclass(frozen=True)
class Omnibus:
    """The outcome of one test.

    Args:
        p_value: of all looks together.
        looks: how many standard deviations each statistic lies above its permutations.
    """

    p_value: float
    looks: dict[str, float]

    @property
    def is_found(self) -> bool:
        return self.p_value <= LEVEL


class Looks:
    """The statistics of one set of inputs; `values` takes many sets of labels at once."""

    def __init__(self, z: Array, projected: Array | None = None) -> None:
        clipped = np.clip(z, -3.0, 3.0)
        self.z = z if projected is None else None  # what is linear has been taken off
        bent = clipped**2
        spread = bent.std(axis=0)
        bent = (bent - bent.mean(axis=0))[:, spread > 1e-9] / spread[spread > 1e-9]
        self.bent = bent if projected is None else bent - projected @ (projected.T @ bent)
        _, _, axes = np.linalg.svd(clipped - clipped.mean(axis=0), full_matrices=False)
        self.axes = clipped @ axes[: min(MOST_DIRECTIONS, z.shape[0] // 5)].T
        self.axes /= np.maximum(self.axes.std(axis=0), 1e-9)
        self.kernel = _smooth(clipped)

    def values(self, labels: Array) -> Array:
        """The statistics of labels of shape (n, q, B), shape (looks, B)."""
        n, _, many = labels.shape
        flat = labels.reshape(n, -1)
        bent = _squares(self.bent.T @ flat, labels.shape)
        smooth = (flat * (self.kernel @ flat)).reshape(labels.shape).sum(axis=(0, 1))
        found = [bent.max(axis=0) if bent.size else np.zeros(many), self._curved(labels), smooth]
        linear = [] if self.z is None else [_squares(self.z.T @ flat, labels.shape).sum(axis=0)]
        return np.array([*linear, *found])

    def _curved(self, labels: Array) -> Array:
        """The largest |eigenvalue| of sum_i y_i u_i u_i', u the leading principal components of the inputs."""
        n, q, many = labels.shape
        m = self.axes.shape[1]
        products = (self.axes[:, :, None] * self.axes[:, None, :]).reshape(n, m * m)
        matrices = (products.T @ np.clip(labels, -3.0, 3.0).reshape(n, -1)).T.reshape(q * many, m, m)
        ends = np.abs(np.linalg.eigvalsh(matrices)[:, [0, -1]]).max(axis=1)
        return np.asarray(ends.reshape(q, many).max(axis=0))


def _squares(products: Array, shape: tuple[int, ...]) -> Array:
    """Squares of correlations, summed over the q labels: shape (features, B)."""
    return np.asarray((products.reshape(-1, shape[1], shape[2]) ** 2).sum(axis=1))


def _smooth(z: Array) -> Array:
    """A Gaussian kernel whose width is the typical distance, without its diagonal: a row says nothing of itself."""
    squares = (z**2).sum(axis=1)
    distances = np.maximum(squares[:, None] + squares - 2 * z @ z.T, 0.0)
    kernel = np.exp(-distances / np.median(distances[distances > 0]))
    np.fill_diagonal(kernel, 0.0)
    return np.asarray(kernel)


def anything(table: Table, streams: Streams) -> Omnibus:
    """Whether the label depends on the inputs at all: the labels are dealt anew to the rows, 199 times.

    Args:
        table: inputs and label.
        streams: where permutations, and the rows if there are many, are drawn from.
    """
    generator = streams.child("anything").generator()
    z, y = _some_rows(table, generator)
    null = np.stack([y[generator.permutation(y.shape[0])] for _ in range(PERMUTATIONS)], axis=2)
    looks = Looks(z)
    return _judged(looks.values(y[:, :, None])[:, 0], looks.values(null), LOOKS)


def anything_left(table: Table, streams: Streams) -> Omnibus | None:
    """Whether anything but a linear part is in the label; None with fewer than three rows a column.

    The linear part is taken off, the rest is dealt anew to the rows, and its linear part taken off again (Freedman and
    Lane 1983). Noise whose size depends on the inputs would make the rest look too regular beside its permutations, so
    a second null changes signs only, and the larger p-value counts.

    Args:
        table: inputs and label.
        streams: where permutations, signs, and the rows if there are many, are drawn from.
    """
    generator = streams.child("rest").generator()
    z, y = _some_rows(table, generator)
    n, d = z.shape
    if n < FEWEST_ROWS_A_COLUMN * (d + 1):
        return None
    linear = linear_basis(z)
    rest = _without(y, linear)
    looks = Looks(z, linear)
    observed = looks.values(rest[:, :, None])[:, 0]
    dealt = np.stack([rest[generator.permutation(n)] for _ in range(PERMUTATIONS)], axis=2)
    signs = rest[:, :, None] * generator.choice([-1.0, 1.0], size=(n, 1, PERMUTATIONS))
    judged = [_judged(observed, looks.values(_without(null, linear)), LOOKS[1:]) for null in (dealt, signs)]
    return max(judged, key=lambda one: one.p_value)


def linear_basis(z: Array) -> Array:
    """Orthonormal columns, shape (n, rank), that span a constant and the columns of `z`, shape (n, d)."""
    q, r, _ = qr(np.column_stack([np.ones(len(z)), z]), mode="economic", pivoting=True)
    return np.asarray(q[:, np.abs(np.diag(r)) > 1e-9 * np.abs(r[0, 0])], dtype=np.float64)


def _without(labels: Array, linear: Array) -> Array:
    flat = labels.reshape(labels.shape[0], -1)
    return np.asarray((flat - linear @ (linear.T @ flat)).reshape(labels.shape))


def _judged(observed: Array, null: Array, names: tuple[str, ...]) -> Omnibus:
    """The largest standardised statistic against the largest of each permutation."""
    everything = np.column_stack([observed, null])  # exchangeable under the null: all are standardised alike
    mean, spread = everything.mean(axis=1, keepdims=True), np.maximum(everything.std(axis=1, keepdims=True), 1e-300)
    scores = (everything - mean) / spread
    largest = scores.max(axis=0)
    own = (observed - null.mean(axis=1)) / np.maximum(null.std(axis=1), 1e-300)
    return Omnibus(permutation_p(largest[0], largest[1:]), dict(zip(names, own.tolist(), strict=True)))


def _some_rows(table: Table, generator: np.random.Generator) -> tuple[Array, Array]:
    rows = generator.permutation(table.n)[:MOST_ROWS] if table.n > MOST_ROWS else np.arange(table.n)
    z, y = table.inputs[rows], table.labels[rows]
    spread = z.std(axis=0)
    z = (z - z.mean(axis=0))[:, spread > 0] / spread[spread > 0]
    y = y - y.mean(axis=0)
    return z, y / np.sqrt((y**2).mean(axis=0).sum())
