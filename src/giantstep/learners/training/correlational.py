"""The hard family of the lower bound for correlational learners, drawn and queried: f_u = He_p(<u, x>)/sqrt(p!)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from giantstep.checks import require
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
    require(np.all(np.abs(overlaps) < 1 + 1e-9), "overlaps of unit directions are cosines, between -1 and 1")
    correlations = overlaps**degree
    signs = np.where(correlations[0] < 0, -1.0, 1.0)
    correlations = correlations * signs * signs[:, None]
    sums = np.cumsum(correlations, axis=1)  # <f_v, sum_{u <= k} f_u>
    norms2 = np.diag(np.cumsum(sums, axis=0))
    reached = np.abs(sums) >= tolerance * np.sqrt(norms2) * (1 - 1e-12)
    return int(reached.sum(axis=0).max())


def samples_to_learn(degree: int, d: int, streams: Streams, most: int) -> float:
    """The n from which on a correlational learner of He_p(x_1)/sqrt(p!) has squared overlap 1/2 with the direction.

    The tensor of degree p, correlated with the labels, is traced over pairs of its indices until a vector (odd p) or a
    matrix (even p) is left: (1/n) sum y q x, or (1/n) sum y q x x^T and its first eigenvector, with q = 1 for p <= 2
    and q = |x|^2 - d - 2 (p - 2) for p = 3, 4. These are d or d^2 correlational queries. The overlap is looked at with
    n = d, sqrt(2) d, 2 d, ..., samples being added, and the crossing interpolated in log n; `most` if there is none.

    Args:
        degree: p, 1 to 4.
        d: input dimension.
        streams: where the samples are drawn from.
        most: the largest n.
    """
    total = np.zeros((d, d) if degree % 2 == 0 else d)
    n, number, last = 0, 0, (math.log(d) - 0.5, 0.0)
    while n < most:
        wanted = min(most, math.ceil(d * 2 ** (number / 2)))
        for first in range(n, wanted, BLOCK_ROWS):
            rows = min(BLOCK_ROWS, wanted - first)
            x = streams.child(f"round {number}").block(first // BLOCK_ROWS).standard_normal((rows, d))
            weight = hermite(degree, x[:, 0]) * ((x**2).sum(axis=1) - d - 2 * (degree - 2) if degree > 2 else 1.0)
            total += (x.T * weight) @ x if degree % 2 == 0 else weight @ x
        n, number = wanted, number + 1
        direction = np.linalg.eigh(total)[1][:, -1] if degree % 2 == 0 else total / np.linalg.norm(total)
        now = (math.log(n), float(direction[0] ** 2))
        if now[1] >= 0.5:
            part = (0.5 - last[1]) / (now[1] - last[1])
            return math.exp(last[0] + part * (now[0] - last[0]))
        last = now
    return float(most)


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
