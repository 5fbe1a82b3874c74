"""One-pass SGD of many replicas at once, against a careless loop in dimension d.

    python benchmarks/sgd_replicas.py

A committee of p = 2 neurons and a teacher of two directions, both erf, d = 3000, one fresh sample a step. The job is
3e5 steps for 100 replicas; published code needs 45.9 s for one replica of it. Both sides are timed on fewer steps and
scaled: time is in proportion to them. First line: 100 replicas on order parameters against one replica of the loop.
Second line: time per replica and step of the two. Third line: 100 replicas at d = 1,000,000 against d = 3000.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import erf

from _measure import Time, header, interleaved, row
from giantstep.learners import run
from giantstep.learners.engines import one_blas_thread
from giantstep.learners.engines.online import OnlineSGD, random_replicas
from giantstep.problems import Activation, Problem, Target
from giantstep.streams import Streams

TARGET, ACTIVATION = Target("(erf(x1/sqrt(2)) + erf(x2/sqrt(2)))/2"), Activation("erf(z/sqrt(2))")
D, REPLICAS, STEPS, RATE = 3000, 100, 300_000, 2.0
TIMED, TIMED_LOOP = 10_000, 5_000
PUBLISHED = 45.9


def together(d: int) -> Callable[[], object]:
    start = random_replicas(ACTIVATION, d, 2, 2, REPLICAS, Streams(1))
    return lambda: run(OnlineSGD(Problem(TARGET, d), RATE / d, Streams(2)), start, times=[TIMED])


def careless() -> None:
    """As one writes it first: a sample, the fields, the error, the step; and again."""
    generator = np.random.default_rng(0)
    weights, teacher = generator.standard_normal((2, D)) / np.sqrt(D), np.eye(2, D)
    for _ in range(TIMED_LOOP):
        x = generator.standard_normal(D)
        h = weights @ x
        error = np.mean(erf(teacher @ x / np.sqrt(2))) - np.mean(erf(h / np.sqrt(2)))
        weights += RATE / D * error * np.outer(np.sqrt(2 / np.pi) * np.exp(-(h**2) / 2), x)


def scaled(time: Time, by: float) -> Time:
    return Time(time.wall * by, time.cpu * by)


if __name__ == "__main__":
    with one_blas_thread():
        times = interleaved(5, together=together(D), careless=careless, large=together(1_000_000))
    ours, loop = scaled(times["together"], STEPS / TIMED), scaled(times["careless"], STEPS / TIMED_LOOP)
    print(header("seconds", "against"))
    print(row("3e5 steps: 100 replicas over one careless", ours, loop, "<= 1"))
    per_step = (scaled(times["careless"], 1 / TIMED_LOOP), scaled(times["together"], 1 / (TIMED * REPLICAS)))
    print(row("a replica's step: careless over together", *per_step, ">= 100"))
    print(row("100 replicas: d=1e6 over d=3000", times["large"], times["together"], "<= 1.1"))
    print(
        f"published code: {PUBLISHED} s for one replica; here {REPLICAS} in {ours.wall:.1f} s, {ours.cpu:.1f} s of CPU"
    )
