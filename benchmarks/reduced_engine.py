"""The reduced engine: its cost does not know d, and it beats the full engine by orders of magnitude.

    python benchmarks/reduced_engine.py

p = 8 neurons, r = 2 directions, one step on a fresh batch. First line: d = 1,000,000 against d = 1,000 for equal
n = 400,000. Second line: the same step on the full engine at d = 4000, n = 4d, against the reduced one; both on
2 threads.
"""

from __future__ import annotations

from collections.abc import Callable

from _measure import header, interleaved, row
from giantstep.learners.engines import GiantStep, initial_state, take_step
from giantstep.learners.networks import DKLPS23, initialise
from giantstep.problems import Activation, Problem, Target
from giantstep.streams import Streams

TARGET, ACTIVATION, STEP = Target("x1 + He2(x1)*x2"), Activation("relu"), GiantStep(2.0)
NEURONS, THREADS = 8, 2


def reduced(d: int, n: int) -> Callable[[], object]:
    problem = Problem(TARGET, d)

    def run() -> None:
        state = initial_state(DKLPS23, ACTIVATION, d, NEURONS, 2, Streams(1))
        take_step(state, problem.sample(n, Streams(2)), STEP, threads=THREADS)

    return run


def full(d: int, n: int) -> Callable[[], object]:
    problem = Problem(TARGET, d)

    def run() -> None:
        net = initialise(DKLPS23, ACTIVATION, d, NEURONS, Streams(1))
        take_step(net, problem.sample(n, Streams(2)), STEP, threads=THREADS)

    return run


if __name__ == "__main__":
    print(header("seconds", "against"))
    times = interleaved(15, small=reduced(1000, 400_000), large=reduced(1_000_000, 400_000))
    print(row("reduced: d=1e6 over d=1e3, n=400000", times["large"], times["small"], "<= 1.1"))
    times = interleaved(9, full=full(4000, 16_000), reduced=reduced(4000, 16_000))
    print(row("full over reduced, d=4000, n=16000", times["full"], times["reduced"], ">= 100"))
    times = interleaved(3, reduced=reduced(1_000_000, 4_000_000))
    print(f"for the record, d=1e6 and n=4e6: {times['reduced'].wall:.2f} seconds")
