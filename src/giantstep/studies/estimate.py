"""Time and memory of a study before it runs, and the refusal of what cannot fit."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from giantstep.claims import Claim
from giantstep.errors import InputError, TooLargeError
from giantstep.studies.executors import cores
from giantstep.studies.numbers import unwarned
from giantstep.studies.tasks import Task
from giantstep.verdicts.stating import Cost

BASE_BYTES = 47e6  # a worker process with NumPy; what else a claim loads belongs to its cost
GROUP = Path("/sys/fs/cgroup")
PACES = Path(__file__).with_name("paces.json")  # written by benchmarks/study_times.py
USUAL_PACE = (2e8, 3.0)  # of a claim that was not measured
ABOUT = 0.9  # what saves nine tenths as much saves as much
YEAR = 3.2e7
MOST_SECONDS = 10 * YEAR  # nobody waits longer: it is a mistake
START_SECONDS = 1.0  # a worker process starts in about this time


@dataclass(frozen=True)
class ResourceEstimate:
    """What a study will need on this machine, roughly.

    Args:
        tasks: simulations, each of one seed at one point or along one path.
        workers: how many of them run at a time.
        seconds: time until all are done.
        bytes: memory of all workers together.
    """

    tasks: int
    workers: int
    seconds: float
    bytes: float

    def __str__(self) -> str:
        return (
            f"{self.tasks} simulations on {self.workers} {'worker' if self.workers == 1 else 'workers'}: "
            f"about {span(self.seconds)} and {self.memory} of memory"
        )

    @property
    def memory(self) -> str:
        """The memory as people say it: 94 MB, 3.2 GB."""
        return f"{max(1, round(self.bytes / 1e6))} MB" if self.bytes < 0.95e9 else f"{self.bytes / 1e9:.2g} GB"


def span(seconds: float) -> str:
    """A time in `seconds` as people say it: 40 s, 12 min, 3.5 h, 4 days."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 172_800:
        return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
    return f"{seconds / 86_400:.0f} days" if seconds < MOST_SECONDS else f"{seconds / YEAR:.1g} years"


@cache
def paces() -> dict[str, tuple[float, float]]:
    """By claim, operations that a simulation takes besides those of its cost, and by how many times those count.

    A product of matrices runs at the speed of the core; loops, random numbers and small matrices do not. Both numbers
    were measured in the default study of the claim.
    """
    return {name: (fixed, times) for name, (fixed, times) in json.loads(PACES.read_text(encoding="utf-8")).items()}


@cache
def core_speed() -> float:
    """Floating-point operations a second of one core that has nothing else to do, from a small matrix product."""
    from threadpoolctl import threadpool_limits

    a = np.ones((384, 384))
    with threadpool_limits(1):
        a @ a
        best = min(_timed_product(a) for _ in range(3))
    return 2 * 384**3 / best


def _timed_product(a: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> float:
    start = time.thread_time()
    a @ a
    return max(time.thread_time() - start, 1e-9)


def available_memory() -> float:
    """Bytes that this process may still take: free memory, or what a container leaves; infinite if nobody can tell."""
    limits = _system_memory()
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        limits.append(float(_after("MemAvailable:", meminfo.read_text())) * 1024)
    limits += _left_in_group()
    return min(limits, default=math.inf)


def _after(name: str, text: str) -> str:
    """The number that stands behind a name in such a file."""
    return text[text.index(name) + len(name) :].split(maxsplit=1)[0]


def _left_in_group() -> list[float]:
    """What a container allows beyond what its processes hold; files that are only cached would be given back."""
    try:
        allowed = (GROUP / "memory.max").read_text().strip()
        held = float((GROUP / "memory.current").read_text())
        cached = _after("inactive_file ", (GROUP / "memory.stat").read_text())
    except (OSError, ValueError):
        return []
    return [float(allowed) - held + float(cached)] if allowed.isdigit() else []


def _system_memory() -> list[float]:
    """Bytes as the system tells them: all of them on Linux and macOS, the free ones on Windows, nothing elsewhere."""
    sysconf = getattr(os, "sysconf", None)  # Linux and macOS have it, Windows has not
    if sysconf is not None:
        return [float(sysconf("SC_PAGE_SIZE")) * sysconf("SC_PHYS_PAGES")]
    import ctypes

    windows = getattr(ctypes, "windll", None)
    if windows is None:
        return []
    status = (ctypes.c_ulonglong * 8)(64)  # MEMORYSTATUSEX: its own length, then total and free memory, seven numbers
    return [float(status[2])] if windows.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)) else []


def seconds_here(flops: float) -> float:
    """About how long so many `flops` take on all cores of this machine."""
    return flops / (core_speed() * cores())


def all_flops(tasks: Sequence[Task]) -> float:
    """Floating-point operations that all `tasks` are worth, at the pace of their claims."""
    costs = _costs(tasks)
    return sum(_flops(task.points[0].name, [costs[id(p)] for p in task.points]) for task in tasks)


def expected_seconds(tasks: Sequence[Task]) -> list[float]:
    """Time of each task on one core."""
    return _seconds(tasks, _costs(tasks))


def _seconds(tasks: Sequence[Task], costs: Mapping[int, Cost]) -> list[float]:
    speed = core_speed()
    return [_flops(task.points[0].name, [costs[id(p)] for p in task.points]) / speed for task in tasks]


def task_seconds(tasks: Sequence[Task]) -> float:
    """Time of all tasks one after the other on one core."""
    return sum(expected_seconds(tasks))


def operations(task: Task) -> float:
    """Floating-point operations of a task by the cost of its claim alone, at whatever pace."""
    return _together([_cost(point) for point in task.points])


def _flops(claim: str, costs: Sequence[Cost]) -> float:
    """Operations that points of one simulation are worth, at the pace of the claim."""
    fixed, times = paces().get(claim, USUAL_PACE)
    return fixed + times * _together(costs)


def _together(costs: Sequence[Cost]) -> float:
    """One simulation serves several points: the dearest, and what each of the others adds."""
    return max(c.flops for c in costs) + sum(c.path_flops for c in costs[1:])


def _costs(tasks: Sequence[Task]) -> dict[int, Cost]:
    """The cost of each point by its id, computed once for all its seeds."""
    points = {id(point): point for task in tasks for point in task.points}
    return {number: _cost(point) for number, point in points.items()}


def _cost(point: Claim) -> Cost:
    """The cost of a point; where it is beyond all numbers, the sentence that says so."""
    try:
        with unwarned():
            cost = point.cost()
    except (OverflowError, ValueError, ZeroDivisionError) as error:
        if isinstance(error, InputError):
            raise
        raise TooLargeError(f"{point.name} is too large here for any machine ({error})") from None
    if not (math.isfinite(cost.flops) and math.isfinite(cost.bytes)):
        raise TooLargeError(f"{point.name} is too large here for any machine")
    return cost


def estimate(tasks: Sequence[Task], workers: int) -> ResourceEstimate:
    """What these tasks need with so many workers."""
    costs = _costs(tasks)
    one = max((cost.bytes for cost in costs.values()), default=0.0)
    start, seconds = START_SECONDS if workers > 1 else 0.0, sum(_seconds(tasks, costs))
    return ResourceEstimate(len(tasks), workers, start + seconds / workers, workers * (one + BASE_BYTES))


def refuse_what_cannot_fit(tasks: Sequence[Task], workers: int) -> ResourceEstimate:
    """Refuse a study of which even one simulation exceeds the memory or a lifetime, naming the parameter to lower.

    What is not refused is answered with what it needs.
    """
    needed = estimate(tasks, workers)
    if needed.seconds > MOST_SECONDS:
        slowest = max({id(p): p for t in tasks for p in t.points}.values(), key=lambda p: _cost(p).flops)
        raise TooLargeError(
            f"{slowest.name} would take about {needed.seconds / YEAR:.1g} years here; lower "
            f"{parameter_to_lower(slowest, lambda cost: cost.flops)}"
        )
    room = available_memory()
    if needed.bytes <= room:
        return needed
    largest = max({id(p): p for t in tasks for p in t.points}.values(), key=lambda p: _cost(p).bytes)
    if workers > 1 and estimate(tasks, 1).bytes <= room:
        raise TooLargeError(
            f"{workers} simulations at a time need about {needed.bytes / 1e9:.3g} GB, but only {room / 1e9:.3g} GB "
            "are free; use fewer workers (--workers 1)"
        )
    raise TooLargeError(
        f"{largest.name} would need about {_cost(largest).bytes / 1e9:.3g} GB of memory, but only {room / 1e9:.3g} GB "
        f"are free; lower {parameter_to_lower(largest)}"
    )


def parameter_to_lower(point: Claim, of: Callable[[Cost], float] = lambda cost: cost.bytes) -> str:
    """The parameter whose halving saves most memory, or most `of` another cost; of several, one that was given."""
    saved: dict[str, float] = {}
    for name, value in point.parameters().items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        try:
            smaller = point.replace(**{name: type(value)(value / 2)})
        except InputError:
            continue
        saved[name] = of(_cost(point)) - of(_cost(smaller))
    if not saved:
        return "its size"
    as_much = [name for name in saved if saved[name] >= ABOUT * max(saved.values())]
    given = [name for name in as_much if name in point.changed()]
    return f"'{max(given or as_much, key=lambda name: saved[name])}'"
