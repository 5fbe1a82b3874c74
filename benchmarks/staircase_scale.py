"""The staircase does not know d: time per sample and memory at d = 100,000 against d = 1000.

    python benchmarks/staircase_scale.py

Example 1, p = 32 neurons, n = 20 d fresh samples a step, T = 3 steps, on 2 threads. At d = 1000 the same number of
samples is taken in many runs, so that both times are of the same length. Memory is the peak of what NumPy and Python
hold beyond what was there before (both also hold the libraries, which are the same). The last line is the whole
simulation of `giantstep run dklps23/staircase --preset large` with one seed, theory included.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

from _measure import Time, header, interleaved, row
from giantstep.claims.dklps23.staircase import Staircase
from giantstep.learners.engines import GiantStep, initial_state, take_step
from giantstep.learners.networks import DKLPS23
from giantstep.problems import Problem
from giantstep.streams import Streams
from giantstep.verdicts.stating import Run

SMALL, LARGE, NEURONS, PER_DIM, STEPS, THREADS = 1_000, 100_000, 32, 20, 3, 2
POINT = Staircase(d=LARGE, neurons=NEURONS, samples_per_dim=PER_DIM, steps=STEPS)


def climb(d: int, samples: int) -> Callable[[], object]:
    problem = Problem(POINT.target, d)

    def run() -> None:
        state = initial_state(DKLPS23, POINT.activation, d, NEURONS, POINT.target.directions, Streams(1))
        for number in range(STEPS):
            state, _ = take_step(
                state, problem.sample(samples, Streams(2 + number)), GiantStep(POINT.step), threads=THREADS
            )

    return run


def peak_megabytes(work: Callable[[], object]) -> float:
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


if __name__ == "__main__":
    print(header("seconds", "against"))
    small, large = PER_DIM * SMALL, PER_DIM * LARGE
    runs = 10
    share = large // 10  # a tenth of the large batch: the time per sample needs no more
    short, long = climb(SMALL, small), climb(LARGE, share)
    times = interleaved(5, small=lambda: [short() for _ in range(runs)], large=long)
    each = {name: 1e6 / (STEPS * n) for name, n in (("small", runs * small), ("large", share))}
    micro = {name: Time(t.wall * each[name], t.cpu * each[name]) for name, t in times.items()}
    print(row("microseconds per sample, d=1e5 over d=1e3", micro["large"], micro["small"], "<= 1.1"))
    held = {d: peak_megabytes(climb(d, share)) for d in (LARGE, SMALL)}
    memory = {d: Time(megabytes, megabytes) for d, megabytes in held.items()}
    print(row("megabytes, d=1e5 over d=1e3, same n", memory[LARGE], memory[SMALL], "<= 1.1"))
    start = time.perf_counter()
    POINT.measure(Run(Streams(0), THREADS))
    print(f"for the record, d=1e5, p=32, n=20 d, T=3, one seed: {time.perf_counter() - start:.1f} seconds")
