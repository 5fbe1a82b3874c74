"""Points and weights that stand for z ~ N(0, I_p), dense enough to be sorted into slices by a function of z.

One and two directions: the means of equal cells. More: a Sobol net and all its mirror images. Both are symmetric in
each coordinate, so that what vanishes by such a symmetry vanishes exactly.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import require
from giantstep.gaussian.quadrature import normal_density, product_rule, sobol_points

REACH = 8.0
"""Cells lie within so many standard deviations."""
MOST_DIRECTIONS = 6
"""Beyond them the points are too few to tell a label's slices apart."""


@lru_cache(maxsize=4)
def gaussian_points(directions: int, log2: int) -> tuple[Array, Array]:
    """About 2^log2 points (Q, directions) and their weights (Q,), which sum to 1.

    With more than two directions the first and the second half are nets of their own: what both agree on is no error.
    """
    require(
        1 <= directions <= MOST_DIRECTIONS,
        f"the law of labels is computed for 1 to {MOST_DIRECTIONS} directions; the target has {directions}",
    )
    if directions <= 2:
        x, weight = product_rule([_cells(2 ** (log2 // directions))] * directions)
    else:
        nets = sobol_points(log2 - directions - 1, 2 * directions)
        signs = np.array(np.meshgrid(*[(1.0, -1.0)] * directions)).reshape(directions, -1).T
        both = (nets[:, :directions], nets[:, directions:])
        x = np.concatenate([(signs[:, None, :] * net).reshape(-1, directions) for net in both])
        weight = np.full(len(x), 1.0 / len(x))
    x.setflags(write=False)
    weight.setflags(write=False)
    return x, weight


def _cells(count: int) -> tuple[Array, Array]:
    """The mean of z in each of an even number of equal cells, and their probabilities; 0 is a border."""
    ends = np.linspace(-REACH, REACH, count + 1)
    mass = np.diff(scipy.special.ndtr(ends))
    mass = (mass + mass[::-1]) / 2  # ndtr loses digits near 1
    mean = -np.diff(normal_density(ends)) / mass
    return (mean - mean[::-1]) / 2, mass / mass.sum()
