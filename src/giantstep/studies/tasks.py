"""The unit of work: one seed at one point, or at all points that a single simulation serves."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from giantstep.claims import Claim
from giantstep.errors import InputError
from giantstep.learners.engines import one_blas_thread
from giantstep.streams import Streams
from giantstep.studies.environment import environment
from giantstep.studies.memory import MemoryWatch
from giantstep.studies.numbers import TOO_FAR, not_numbers, unwarned
from giantstep.verdicts.stating import Measurement, Run, no_progress


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
    version: int = 0  # of the claim, where it was performed
    environment: Mapping[str, str] = field(default_factory=environment)


def everything(point: Claim, seed: int) -> bool:  # noqa: ARG001
    """Nothing is known yet: every seed is wanted at every point."""
    return True


def group_tasks(
    points: Sequence[tuple[Claim, int]], first_seed: int, wanted: Callable[[Claim, int], bool] = everything
) -> list[Task]:
    """Deal (point, number of seeds) pairs into tasks, so that a path costs one simulation.

    Seeds come in the outer order: a study that is interrupted has all its points with fewer seeds. `wanted` says which
    seeds of a point are still to be run.
    """
    groups: dict[str, list[tuple[Claim, int]]] = {}
    for point, seeds in points:
        groups.setdefault(point.key(without=point.path_parameters()), []).append((point, seeds))
    most = max((seeds for _, seeds in points), default=0)
    tasks = (
        Task(tuple(p for p, seeds in members if seed < first_seed + seeds and wanted(p, seed)), seed)
        for seed in range(first_seed, first_seed + most)
        for members in groups.values()
    )
    return [task for task in tasks if task.points]


def perform(task: Task, threads: int = 1, progress: Callable[[float], None] = no_progress) -> Outcome:
    """Run a task. BLAS gets one thread, so that the result is the same wherever it runs.

    Whatever goes wrong in one simulation is told in its outcome: it must not cost the others. So is, among the facts of
    its environment, memory far beyond what was expected.
    """
    start = time.perf_counter()
    watch = MemoryWatch()
    run = Run(Streams(task.seed), threads, progress)
    claim = type(task.points[0])
    measurements: list[Measurement] = []
    error = ""
    try:
        with one_blas_thread(), unwarned():
            measurements = claim.measure_path(list(task.points), run)
        if len(measurements) != len(task.points):
            raise TypeError(f"measure_path gave {len(measurements)} measurements for {len(task.points)} points")
        if lost := ", ".join(filter(None, (not_numbers({**m.finite, **m.values}) for m in measurements))):
            error = f"it gave no number for {lost}: {TOO_FAR}"
    except MemoryError:
        error = "this machine's memory did not suffice"
    except InputError as refused:
        error = str(refused)
    except Exception as broken:
        error = f"the computation broke down: {type(broken).__name__}: {broken}"
    found = () if error else tuple(measurements)
    made = {**environment(), **watch.excess(_expected_bytes(task))}
    return Outcome(found, time.perf_counter() - start, error, claim.info.version, made)


def _expected_bytes(task: Task) -> float:
    """Memory that a task was expected to take, apart from its process."""
    try:
        return max(point.cost().bytes for point in task.points)
    except Exception:  # nothing was expected of it, then
        return math.inf
