"""One giant step, a ridge head and the risk at d = 512, p = 1024, n = d^2, over the bare matrix products; peak memory.

    python benchmarks/against_notebook.py [d] [threads]                (default d = 512, 2 threads)

The public notebook of [dklps23] on a single step does this job (one seed, 100,000 test points) in 44.5 s with 5 GB on
one machine; n = d^2 = 262,144 samples of which it holds all. Ours: p = 2d neurons, the step on n samples, the head on n
fresh ones, all drawn in blocks and dropped, in single precision; the risk exact (no test set) and, for comparison, on
100,000 test points. Bare products: X W^T and R^T X for the step, X W^T and Psi^T Psi for the head, X W^T for the test
points, as many rows as the job has, in the same precision on as many BLAS threads, measured in turn in one run. Peak
memory is the largest resident set (getrusage) of a fresh process that does nothing but import and the job.
"""

from __future__ import annotations

import resource
import subprocess
import sys

import numpy as np

from _measure import header, interleaved, row
from giantstep.learners.engines import GiantStep, take_step
from giantstep.learners.heads import RidgeHead, fit_head
from giantstep.learners.networks import DKLPS23, initialise
from giantstep.learners.risk import exact_risk, monte_carlo_risk
from giantstep.problems import Activation, Problem, Target
from giantstep.streams import Streams

TARGET, ROWS, TEST_POINTS, DTYPE = "He2(x1) + x2", 4096, 100_000, np.float32
MOST_MEGABYTES = 500


def job(d: int, threads: int, risk: str) -> float:
    """The risk after one step and a ridge head, everything included."""
    problem = Problem(Target(TARGET), d)
    net = initialise(DKLPS23, Activation("relu"), d, 2 * d, Streams(1))
    step = GiantStep(float(np.sqrt(d)))
    net, _ = take_step(net, problem.sample(d**2, Streams(2), dtype=DTYPE), step, threads=threads)
    sample = problem.sample(d**2, Streams(3), dtype=DTYPE)
    net = fit_head(net, sample, RidgeHead(1e-3), threads=threads).network(net)
    if risk == "exact":
        return float(exact_risk(net, problem))
    return monte_carlo_risk(net, problem, TEST_POINTS, Streams(4), threads=threads, dtype=DTYPE).value


def products(d: int) -> None:
    """The matrix products of the job without anything else, on rows of 4096 that stay in memory."""
    generator = np.random.default_rng(0)
    x = generator.standard_normal((ROWS, d), dtype=np.float32)
    weights = generator.standard_normal((2 * d, d), dtype=np.float32)
    factors = generator.standard_normal((ROWS, 2 * d), dtype=np.float32)
    for start in range(0, d**2, ROWS):
        rows = min(ROWS, d**2 - start)
        x[:rows] @ weights.T
        factors[:rows].T @ x[:rows]
        x[:rows] @ weights.T
        factors[:rows].T @ factors[:rows]
    for _ in range(0, TEST_POINTS, ROWS):
        x @ weights.T


def peak_megabytes(d: int, threads: int, risk: str) -> float:
    """The largest resident set of a fresh process that does the job once."""
    command = [sys.executable, __file__, str(d), str(threads), risk]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    d, threads = (int(v) for v in (sys.argv[1:3] + ["512", "2"][len(sys.argv[1:3]) :]))
    if len(sys.argv) > 3:
        job(d, threads, sys.argv[3])
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        sys.exit()
    from threadpoolctl import threadpool_limits

    print(header("seconds", "bare GEMMs"))
    with threadpool_limits(threads):
        times = interleaved(
            2,
            bare=lambda: products(d),
            exact=lambda: job(d, threads, "exact"),
            sampled=lambda: job(d, threads, "sampled"),
        )
    for kind, words in (("exact", "exact risk"), ("sampled", "100,000 test points")):
        print(row(f"d={d}, p={2 * d}, n=d^2, {words}", times[kind], times["bare"], "<= 1.5"))
    for kind in ("exact", "sampled"):
        used = peak_megabytes(d, threads, kind)
        print(f"peak memory, {kind} risk: {used:.0f} MB, aim <= {MOST_MEGABYTES} MB  "
              f"{'met' if used <= MOST_MEGABYTES else 'MISSED'}")  # fmt: skip
