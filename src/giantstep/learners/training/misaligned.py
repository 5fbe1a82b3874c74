"""The first gradient of many neurons on a sample that is streamed, and its cosines with given directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from giantstep.arrays import Array
from giantstep.learners.engines.blocks import Results, sum_over_blocks
from giantstep.problems import Sample

if TYPE_CHECKING:
    from giantstep.problems import Activation


def neuron_gradients(activation: Activation, weights: Array, sample: Sample, *, threads: int = 1) -> Array:
    """(1/n) sum y s'(<x, w_i>) x for the rows w_i of weights, (N, d): the first step of a network that starts at 0."""

    def work(number: int) -> Results:
        x, y = sample.block(number)
        return ((y[:, None] * np.asarray(activation.derivative(x @ weights.T))).T @ x,)

    (total,) = sum_over_blocks(sample.blocks(), work, threads=threads)
    return total / sample.n


def mean_cosine(rows: Array, direction: Array) -> float:
    """Mean cosine between the rows and a unit vector; rows that are zero are left out."""
    lengths = np.linalg.norm(rows, axis=1)
    alive = lengths > 0
    return float(np.mean((rows[alive] @ direction) / lengths[alive]))


def split_gradient_squares(
    activation: Activation, weights: Array, first: Sample, second: Sample, *, threads: int = 1
) -> tuple[float, float]:
    """Means over neurons of |E g|^2 and of |g - E g|^2 for both samples together, from two halves.

    The halves err independently: <g_1, g_2> is |E g|^2 without bias, and |g_1 - g_2|^2/4 the scatter of their mean.
    """
    halves = [neuron_gradients(activation, weights, sample, threads=threads) for sample in (first, second)]
    square = float(np.mean((halves[0] * halves[1]).sum(axis=1)))
    scatter = float(np.mean(((halves[0] - halves[1]) ** 2).sum(axis=1))) / 4
    return square, scatter
