"""Kernel ridge regression along a path of penalties: its memory against one n x n matrix, its time against LAPACK.

    python benchmarks/kernel_memory.py [n]

The fit runs in a process of its own, whose peak of memory is compared with the 8 n^2 bytes of the kernel matrix (aim
1.3 or less). The bare side factorises a matrix of the same size once for each penalty and does nothing else. One BLAS
thread, so that the fit gives the same bits everywhere. Without n the size is 6000; n = 20,000 needs 3.7 GB and a
minute or two for each penalty.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
from scipy.linalg import cho_factor

from _measure import Time, header, row
from giantstep.learners.engines import one_blas_thread
from giantstep.learners.kernels import fit_kernel

D = 200
PENALTIES = (0.1, 1.0)


def resident() -> float:
    """Bytes of memory that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return float(pages * resource.getpagesize())


def timed(start: tuple[float, float]) -> Time:
    return Time(time.perf_counter() - start[0], time.process_time() - start[1])


def fit(n: int, answer: Connection) -> None:
    generator = np.random.default_rng(0)
    x, y = generator.standard_normal((n, D)), generator.standard_normal(n)
    fit_kernel("exp", x[:64], y[:64], PENALTIES)  # loads what a first call loads
    before, start = resident(), (time.perf_counter(), time.process_time())
    fit_kernel("exp", x, y, PENALTIES)
    spent = timed(start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0
    answer.send((peak - before, spent))


def factorise(n: int) -> Time:
    """As many factorisations as there are penalties, in place; the matrix is filled again between them, unmeasured."""
    matrix, wall, cpu = np.empty((n, n), order="F"), 0.0, 0.0
    with one_blas_thread():
        for _ in PENALTIES:
            matrix[:] = 0.1
            np.einsum("ii->i", matrix)[:] = 2.0
            start = (time.perf_counter(), time.process_time())
            cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)
            spent = timed(start)
            wall, cpu = wall + spent.wall, cpu + spent.cpu
    return Time(wall, cpu)


def main(n: int) -> None:
    spawn = multiprocessing.get_context("spawn")  # a forked process would start with our memory
    here, there = spawn.Pipe(duplex=False)
    process = spawn.Process(target=fit, args=(n, there))
    process.start()
    used, spent = here.recv()
    process.join()
    ratio = used / (8.0 * n**2)
    verdict = "met" if ratio <= 1.3 else "MISSED"
    print(f"n={n}: peak of memory over 8 n^2 bytes: {ratio:.3f}  (aim <= 1.3)  {verdict}")
    print(header("seconds", "Cholesky"))
    print(row(f"n={n}, {len(PENALTIES)} penalties: fit over factorisations", spent, factorise(n)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 6000)
