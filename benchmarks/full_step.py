"""One full step plus a ridge head, divided by the time of the bare matrix products of the same flops.

    python benchmarks/full_step.py [n ...]          (default n = 4096 65536)

d = 1024, N = 2048, tanh, 2 threads. Bare products, with two BLAS threads on rows of 4096: X W^T and R^T X for the step,
X W^T and Psi^T Psi (a symmetric rank-k update) for the head. "held": the data are already in memory; "drawn": every
block is drawn, as in a real run. Everything is measured in turn in one run.
"""

from __future__ import annotations

import sys

import numpy as np

from _measure import header, interleaved, row
from giantstep.learners.engines import GiantStep, take_step
from giantstep.learners.heads import RidgeHead, fit_head
from giantstep.learners.networks import BES22, StepConvention, initialise
from giantstep.problems import Activation, ArraySample, Problem, Sample, Target
from giantstep.streams import Streams

D, NEURONS, ROWS, THREADS = 1024, 2048, 4096, 2


def measure(samples: int, dtype: type, repeats: int) -> list[str]:
    problem = Problem(Target("relu(x1)"), D, noise=0.1)
    net = initialise(BES22, Activation("tanh"), D, NEURONS, Streams(1))
    step, head = GiantStep(4.0, StepConvention.BES22_SLIDE), RidgeHead(0.1)
    drawn = problem.sample(samples, Streams(2), dtype=dtype)
    inputs, labels = (np.concatenate(p) for p in zip(*map(drawn.block, range(drawn.blocks())), strict=True))
    held = ArraySample(inputs, labels)
    weights: np.ndarray = net.weights.astype(dtype)
    features: np.ndarray = np.random.default_rng(0).standard_normal((ROWS, NEURONS), dtype=np.float32).astype(dtype)

    def products() -> None:
        for start in range(0, samples, ROWS):
            x = held.inputs[start : start + ROWS]
            x @ weights.T
            features[: len(x)].T @ x
            x @ weights.T
            features[: len(x)].T @ features[: len(x)]

    def run(sample: Sample) -> None:
        moved, _ = take_step(net, sample, step, threads=THREADS)
        fit_head(moved, sample, head, threads=THREADS)

    times = interleaved(repeats, bare=products, held=lambda: run(held), drawn=lambda: run(drawn))
    aims = {"held": "<= 1.3", "drawn": "<= 1.6"} if samples >= 65536 else {}
    return [
        row(f"n={samples} {np.dtype(dtype).name}, data {kind}", times[kind], times["bare"], aims.get(kind, ""))
        for kind in ("held", "drawn")
    ]


if __name__ == "__main__":
    print(header("seconds", "bare GEMMs"))
    for size in [int(argument) for argument in sys.argv[1:]] or [4096, 65536]:
        for kind in (np.float64, np.float32):
            for line in measure(size, kind, repeats=5 if size < 20_000 else 3):
                print(line, flush=True)
