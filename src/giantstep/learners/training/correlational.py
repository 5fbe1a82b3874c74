"""The hard family of the lower bound for correlational learners, drawn and queried: f_u = He_p(<u, x>)/sqrt(p!)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from giantstep.gaussian.hermite import hermite
from giantstep.learners.engines.blocks import Results, sum_over_blocks

if TYPE_CHECKING:
    from giantstep.streams import Streams

BLOCK_ROWS = 8192


def largest_entry(overlaps: NDArray[np.float64]) -> float:
    """max |<u, v>| over the pairs of a family, from its `overlaps`, (M, M)."""
    return float(np.abs(overlaps[np.triu_indices(len(overlaps), 1)]).max())


def told_apart(overlaps: NDArray[np.float64], degree: int, tolerance: float) -> int:
    """How many functions of the family the best of M queries correlates with by `tolerance` or more.

    Query k is h = sum_{u <= k} f_u, normalised: in an orthonormal family it has correlation 1/sqrt(k) with each of its
    k functions, and no query reaches more of them. The functions' correlations are <u, v>^p, with signs of the f_u
    that make those with the first positive.

    Args:
        overlaps: <u, v>, (M, M).
        degree: p of He_p.
        tolerance: the least correlation that tells functions apart.
    """
    correlations = overlaps**degree
    signs = np.where(correlations[0] < 0, -1.0, 1.0)
    correlations = correlations * signs * signs[:, None]
    sums = np.cumsum(correlations, axis=1)  # <f_v, sum_{u <= k} f_u>
    norms2 = np.diag(np.cumsum(sums, axis=0))
    reached = np.abs(sums) >= tolerance * np.sqrt(norms2) * (1 - 1e-12)
    return int(reached.sum(axis=0).max())


def sampled_correlation(overlap: float, degree: int, samples: int, streams: Streams, *, threads: int = 1) -> float:
    """(1/n) sum_i f_u(x_i) f_v(x_i): only <u, x> and <v, x> are drawn.

    Args:
        overlap: <u, v>.
        degree: p of He_p.
        samples: n.
        streams: where the samples are drawn from, block by block.
        threads: that work on blocks; the result does not depend on it.
    """
    n = samples
    scale, rest = math.factorial(degree), math.sqrt(max(0.0, 1 - overlap**2))

    def work(number: int) -> Results:
        rows = min(BLOCK_ROWS, n - number * BLOCK_ROWS)
        along, other = streams.block(number).standard_normal((2, rows))
        return (np.array([hermite(degree, along) @ hermite(degree, overlap * along + rest * other)]),)

    (total,) = sum_over_blocks(-(-n // BLOCK_ROWS), work, threads=threads)
    return float(total[0]) / n / scale
