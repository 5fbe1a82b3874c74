"""How far a ReLU neuron's gradient on n samples is from its mean, exact in law at a cost that does not know d.

    g = (1/n) sum_i f(x_i) 1{<w, x_i> + b >= 0} x_i

The factors F_i = f(x_i) 1{..} depend on the r + 1 coordinates of x_i in V and along the rest of w only. In the
d - r - 1 others g has mean zero and, given the factors, squared norm (1/n^2) sum F_i^2 chi^2_{d-r-1}. (Derived.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from giantstep.errors import InputError
from giantstep.learners.draws import random_overlaps
from giantstep.learners.engines.blocks import Progress, Results, sum_over_blocks
from giantstep.learners.engines.population import population_gradient

if TYPE_CHECKING:
    from giantstep.problems import Target
    from giantstep.streams import Streams

BLOCK_ROWS = 8192


def squared_deviations(
    target: Target,
    d: int,
    samples: int,
    neurons: int,
    streams: Streams,
    *,
    bias: float = 0.0,
    threads: int = 1,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """|g - E g|^2 of ReLU neurons, each with a w of its own, uniform on the sphere, and a batch of its own; (neurons,).

    Args:
        target: f*, a polynomial of r <= 3 directions.
        d: the dimension of the inputs, r + 2 or more.
        samples: n, the size of each batch.
        neurons: how many.
        streams: where neurons and batches are drawn from.
        bias: b, the same for all.
        threads: how many blocks are worked on at a time; the result does not depend on it.
        progress: called with the fraction done after each block.
    """
    r, n = target.directions, samples
    if d < r + 2:
        raise InputError(f"d = {d} is not allowed; with {r} directions it must be {r + 2} or more")
    overlaps = random_overlaps(d, r, neurons, streams.child("neurons"))
    rest = np.sqrt(1 - (overlaps**2).sum(axis=1))
    data = streams.child("samples")
    blocks = -(-n // BLOCK_ROWS)

    def work(number: int) -> Results:
        batch, part = divmod(number, blocks)
        rows = min(BLOCK_ROWS, n - part * BLOCK_ROWS)
        z = data.block(number).standard_normal((rows, r + 1))
        active = z[:, :r] @ overlaps[batch] + rest[batch] * z[:, r] + bias >= 0
        factors = np.where(active, target(z), 0.0)
        sums = np.zeros((neurons, r + 2))
        sums[batch] = [*(factors @ z), factors @ factors]
        return (sums,)

    (sums,) = sum_over_blocks(neurons * blocks, work, threads=threads, progress=progress)
    inside = sums[:, :-1] / n - population_gradient(target, overlaps, bias)
    chi2 = streams.child("orthogonal").generator().chisquare(d - r - 1, size=neurons)
    return np.asarray((inside**2).sum(axis=1) + sums[:, -1] * chi2 / n**2)
