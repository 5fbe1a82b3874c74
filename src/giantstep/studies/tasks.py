"""The unit of work: one seed at one point, or at all points that a single simulation serves."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from giantstep.claims import Claim, Measurement, Run
from giantstep.claims.values import no_progress
from giantstep.streams import Streams


@dataclass(frozen=True)
class Task:
    """Points that differ in path parameters only, and the seed of their common simulation."""

    points: tuple[Claim, ...]
    seed: int


@dataclass(frozen=True)
class Outcome:
    """What a task gave: a measurement for each of its points, or the sentence of its failure."""

    measurements: tuple[Measurement, ...]
    seconds: float
    error: str = ""


def group_tasks(points: Sequence[tuple[Claim, int]], first_seed: int) -> list[Task]:
    """Deal (point, number of seeds) pairs into tasks, so that a path costs one simulation.

    Seeds come in the outer order: a study that is interrupted has all its points with fewer seeds.
    """
    groups: dict[tuple[str, int], list[Claim]] = {}
    for point, seeds in points:
        fixed = {k: v for k, v in point.parameters().items() if k not in point.path_parameters()}
        groups.setdefault((f"{point.name} {sorted(fixed.items())!r}", seeds), []).append(point)
    most = max((seeds for _, seeds in groups), default=0)
    return [
        Task(tuple(members), first_seed + index)
        for index in range(most)
        for (_, seeds), members in groups.items()
        if index < seeds
    ]


def perform(task: Task, threads: int = 1, progress: Callable[[float], None] = no_progress) -> Outcome:
    """Run a task. BLAS gets one thread, so that the result is the same wherever it runs."""
    import scipy.linalg  # noqa: F401  (SciPy brings its own BLAS, which must be loaded to be limited)
    from threadpoolctl import threadpool_limits

    start = time.perf_counter()
    run = Run(Streams(task.seed), threads, progress)
    try:
        with threadpool_limits(1):
            measurements = type(task.points[0]).measure_path(list(task.points), run)
    except MemoryError:
        return Outcome((), time.perf_counter() - start, "this machine's memory did not suffice")
    except ArithmeticError as error:
        return Outcome((), time.perf_counter() - start, f"the computation broke down: {error}")
    return Outcome(tuple(measurements), time.perf_counter() - start)
