"""SGD that looks ahead on each sample, in blocks of steps, against the engine that goes step by step.

    python benchmarks/repetition.py

One ReLU neuron on the sphere and the target He3, d = 16,384, timed on few steps. First line: a look-ahead on every
sample against one pass of `OnlineSGD`, which does Python's work at every step; 100 replicas each. Second line: the same
for 8 replicas, where Python's share is largest. Third line: with a look-ahead against without, both in blocks. Last:
what 30 d steps of 100 replicas take.
"""

from __future__ import annotations

from collections.abc import Callable

from _measure import header, interleaved, row
from giantstep.learners import run
from giantstep.learners.engines import one_blas_thread
from giantstep.learners.engines.online import OnlineSGD, RepeatedSGD, random_replicas
from giantstep.problems import Activation, Problem, Target
from giantstep.streams import Streams

TARGET, RELU = Target("He3(x1)/sqrt(6)"), Activation("relu")
D, STEP, LOOK, TIMED = 16_384, 0.3, 1.0, 10_000


def blocks(replicas: int, look_ahead: float) -> Callable[[], object]:
    start = random_replicas(RELU, D, 1, 1, replicas, Streams(1), upper=True)
    sgd = RepeatedSGD(Problem(TARGET, D), STEP / D, Streams(2), look_ahead / D)
    return lambda: run(sgd, start, times=[TIMED])


def step_by_step(replicas: int) -> Callable[[], object]:
    start = random_replicas(RELU, D, 1, 1, replicas, Streams(1), upper=True)
    return lambda: run(OnlineSGD(Problem(TARGET, D), STEP / D, Streams(2), sphere=True), start, times=[TIMED])


if __name__ == "__main__":
    with one_blas_thread():
        times = interleaved(
            5, many=blocks(100, LOOK), one_pass=blocks(100, 0.0), loop=step_by_step(100), few=blocks(8, LOOK),
            few_loop=step_by_step(8),
        )  # fmt: skip
    print(header("seconds", "against"))
    print(row("100 replicas: look-ahead over one pass's loop", times["many"], times["loop"], "<= 2"))
    print(row("8 replicas: look-ahead over one pass's loop", times["few"], times["few_loop"], "<= 0.2"))
    print(row("100 replicas in blocks: look-ahead over one pass", times["many"], times["one_pass"], "<= 2"))
    whole = 30 * D / TIMED
    print(
        f"30 d steps of 100 replicas: {times['many'].wall * whole:.1f} s, {times['many'].cpu * whole:.1f} s of CPU"
        " (aim: 10 s on an idle core)"
    )
