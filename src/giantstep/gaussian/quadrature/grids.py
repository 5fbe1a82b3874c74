"""Points and weights for averages over several independent standard normal variables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.gaussian.quadrature.lines import gauss_hermite


def product_rule(axes: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    """The product of one-dimensional rules: nodes (Q, axes) and weights (Q,), the last axis fastest.

    `axes` holds a pair of nodes and weights for each axis.

    >>> x, weight = product_rule([gauss_hermite(2), gauss_hermite(3)])
    >>> x.shape, round(float(weight @ (x[:, 0] ** 2 * x[:, 1] ** 4)), 12)
    ((6, 2), 3.0)
    """
    if not axes:
        return np.zeros((1, 0)), np.ones(1)
    grid = np.meshgrid(*(nodes for nodes, _ in axes), indexing="ij")
    weights = reduce(np.multiply.outer, (w for _, w in axes))
    return np.stack([g.ravel() for g in grid], axis=1), np.asarray(weights).ravel()


def hermite_grid(nodes: int, axes: int) -> tuple[Array, Array]:
    """The product of equal Gauss-Hermite rules: exact for polynomials of degree 2 nodes - 1 in each variable.

    Nodes (Q, axes) and weights (Q,), Q = `nodes`^`axes`.
    """
    return product_rule([gauss_hermite(nodes)] * axes)


@lru_cache(maxsize=16)
def sobol_points(log2: int, axes: int) -> Array:
    """2^`log2` standard normal points (Q, `axes`) of equal weight: a Sobol net moved to the centres of its cells."""
    from scipy.stats import qmc  # takes a third of a second to import

    cells = qmc.Sobol(axes, scramble=False).random_base2(log2)
    points = np.asarray(scipy.special.ndtri(cells + 0.5 ** (log2 + 1)), dtype=np.float64)
    points.setflags(write=False)
    return points
