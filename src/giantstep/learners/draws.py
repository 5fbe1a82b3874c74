"""Random directions and what is seen of them: the only place where learners draw them.

A direction uniform on the sphere of R^d is a Gaussian vector over its length, so that its first r coordinates are
m = g/sqrt(|g|^2 + c) with g ~ N(0, I_r) and c ~ chi^2_{d-r}. Of several such vectors only inner products matter, and
those are a Wishart matrix A^T A with Bartlett's triangular factor A: nothing of size d has to be made.

Each function keeps its own order of draws, for the numbers that a seed gives depend on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError

if TYPE_CHECKING:
    from giantstep.streams import Streams


def unit_rows(rows: Array) -> Array:
    """The rows over their lengths, (count, d)."""
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def random_directions(d: int, count: int, streams: Streams) -> Array:
    """`count` independent vectors as rows, uniform on the unit sphere of R^d, `(count, d)`; drawn from `streams`."""
    return unit_rows(streams.generator().standard_normal((count, d)))


def random_overlaps(d: int, directions: int, count: int, streams: Streams) -> Array:
    """The first coordinates of `count` vectors that are uniform on the unit sphere of R^d, `(count, directions)`.

    Drawn from `streams` at a cost that does not know d.

    >>> from giantstep.streams import Streams
    >>> random_overlaps(10**12, 2, 5, Streams(0)).shape
    (5, 2)
    """
    generator = streams.generator()
    inside = generator.standard_normal((count, directions))
    rest = generator.chisquare(d - directions, size=(count, 1))
    return np.asarray(inside / np.sqrt((inside**2).sum(axis=1, keepdims=True) + rest))


def folded_directions(d: int, coordinates: int, count: int, streams: Streams) -> Array:
    """`count` uniform unit vectors of R^d in fewer `coordinates`, (count, coordinates).

    The last coordinate is the length of all that the others leave out; with d coordinates nothing is folded.
    """
    generator = streams.generator()
    rows = generator.standard_normal((count, coordinates))
    if coordinates < d:
        rows[:, -1] = np.sqrt(generator.chisquare(d - coordinates + 1, count))
    return unit_rows(rows)


def pairwise_overlaps(d: int, count: int, streams: Streams) -> Array:
    """<u, v> of `count` independent uniform unit vectors of R^`d`, (count, count), drawn from `streams`."""
    coordinates = bartlett(d, count, streams.generator())
    coordinates /= np.linalg.norm(coordinates, axis=0)
    return np.asarray(coordinates.T @ coordinates)


def gaussian_rows(d: int, directions: int, count: int, streams: Streams) -> Array:
    """`count` vectors N(0, I_d) as rows, up to rotations that fix the first axes.

    The first `directions` coordinates are those of the vectors; the others, min(d - directions, count) of them, keep
    their inner products.
    """
    generator = streams.generator()
    inside = generator.standard_normal((count, directions))
    return np.hstack([inside, bartlett(d - directions, count, generator).T])


def replicated_directions(d: int, directions: int, count: int, replicas: int, streams: Streams) -> Array:
    """`gaussian_rows` of length one, for many runs at once, (count, directions + count, replicas)."""
    if directions + count > d:
        raise InputError(f"{directions} directions and {count} neurons do not fit in d = {d}")
    generator = streams.generator()
    rows = generator.standard_normal((count, directions + count, replicas))
    for i in range(count):  # Bartlett's triangle: vector i has a chi on the diagonal and nothing beyond it
        rows[i, directions + i + 1 :] = 0.0
        rows[i, directions + i] = np.sqrt(generator.chisquare(d - directions - i, replicas))
    rows /= np.sqrt((rows**2).sum(axis=1, keepdims=True))
    return rows


def orthonormal_columns(rows: int, columns: int, streams: Streams, count: int | None = None) -> Array:
    """Uniformly random orthonormal columns, `(rows, columns)`, from `streams`; with `count` several such matrices.

    The Q of a Gaussian matrix is uniform only with the signs for which R has a positive diagonal: LAPACK alone makes
    the first entry of the first column negative, always.
    """
    shape = (rows, columns) if count is None else (count, rows, columns)
    q, r = np.linalg.qr(streams.generator().standard_normal(shape))
    return np.asarray(q * np.sign(np.diagonal(r, axis1=-2, axis2=-1))[..., None, :])


def bartlett(freedom: int, columns: int, generator: np.random.Generator) -> Array:
    """A with A^T A ~ Wishart(freedom, I), upper trapezoidal, (min(freedom, columns), columns).

    A_ii^2 ~ chi^2_{freedom - i}, i = 0, 1, ..., and A_ij ~ N(0, 1) for j > i. With freedom < columns the Wishart matrix
    is singular, and A has fewer rows than columns. The generator goes on from where its caller left it.
    """
    rows = min(freedom, columns)
    upper = np.triu(generator.standard_normal((rows, columns)), k=1)
    upper[np.arange(rows), np.arange(rows)] = np.sqrt(generator.chisquare(freedom - np.arange(rows)))
    return upper
