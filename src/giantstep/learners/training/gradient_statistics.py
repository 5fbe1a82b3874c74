"""What is read off the gradients of many neurons: cosines with a direction, sizes without bias."""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array


def mean_cosine(rows: Array, direction: Array) -> float:
    """Mean cosine between the `rows` (count, d) and a unit vector `direction` (d,); rows that are zero are left out."""
    lengths = np.linalg.norm(rows, axis=1)
    alive = lengths > 0
    return float(np.mean((rows[alive] @ direction) / lengths[alive]))


def split_squares(first: Array, second: Array) -> tuple[float, float]:
    """Means over neurons of |E g|^2 and of |g - E g|^2 for two halves of a sample together, from g of each half.

    The halves err independently: <g_1, g_2> is |E g|^2 without bias, and |g_1 - g_2|^2/4 the scatter of their mean.

    Args:
        first: the gradients on one half, (neurons, d).
        second: those on the other, of as many samples.
    """
    square = float(np.mean((first * second).sum(axis=1)))
    scatter = float(np.mean(((first - second) ** 2).sum(axis=1))) / 4
    return square, scatter
