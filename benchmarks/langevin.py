"""A step of mean-field Langevin dynamics, against the bare matrix products of the same operations.

    python benchmarks/langevin.py

N particles meet n samples in dimension d: a step is a product (N, d) (d, n), tanh and its derivative, a product (N, n)
(n, d), and N d normal numbers. The bare side multiplies the same matrices and does nothing else. One BLAS thread.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from _measure import header, interleaved, row
from giantstep.learners import run
from giantstep.learners.engines import one_blas_thread
from giantstep.learners.meanfield import Langevin, prior_network
from giantstep.streams import Streams

STEPS = 20
SIZES = ((2000, 1000, 100), (1000, 1000, 400))


def job(n: int, count: int, d: int) -> tuple[Callable[[], object], Callable[[], object]]:
    generator = np.random.default_rng(0)
    x, y = generator.standard_normal((n, d)) / d**0.5, np.sign(generator.standard_normal(n))
    start = prior_network(d, count, 30.0, Streams(1))
    dynamics = Langevin(x, y, 5e-3, Streams(2), step=0.1)

    def bare() -> None:
        hidden, move = np.empty((count, n)), np.empty((count, d))
        for _ in range(STEPS):
            np.matmul(start.weights, x.T, out=hidden)
            np.matmul(hidden, x, out=move)

    return lambda: run(dynamics, start, times=[STEPS]), bare


if __name__ == "__main__":
    print(header("seconds", "products"))
    for n, count, d in SIZES:
        ours, bare = job(n, count, d)
        with one_blas_thread():
            times = interleaved(5, ours=ours, bare=bare)
        print(row(f"n={n}, N={count}, d={d}: step over products", times["ours"], times["bare"], "<= 3"))
