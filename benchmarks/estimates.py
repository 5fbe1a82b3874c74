"""Estimates against what is used: peak memory and time of one simulation of every claim, at three sizes.

    python benchmarks/estimates.py [CLAIM ...]

Memory is that of a whole worker process (Linux tells its peak), time that of one core. Aims: memory within a factor 1.5
either way, time within a factor 3 on an idle machine; `study_times.py` measures times of whole studies. Each simulation
runs in a process of its own, forked from one that has loaded what a worker loads for this claim.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import giantstep.studies.worker  # noqa: F401  (what a worker loads)
from giantstep.claims import Claim, claim_class, claim_names
from giantstep.errors import InputError
from giantstep.studies.children.starting import KEPT_MEMORY, ONE_BLAS_THREAD
from giantstep.studies.estimate import core_speed, estimate, expected_seconds
from giantstep.studies.tasks import Task, perform

MEMORY_AIM, TIME_AIM = 1.5, 3.0
FACTORS = (1.0, 0.5, 0.25, 2.0, 1.5, 3.0, 4.0)  # of what makes a claim large; the first three that it allows
SIZES = 3
SIZE_NAMES = ("d", "neurons", "samples", "rank", "directions", "starts")
MOST_FLOPS = 3e11  # larger ones would take minutes
QUICK = 0.05  # seconds: nobody waits for what is quicker, and it is as quick as it is told


@dataclass(frozen=True)
class Row:
    """One simulation: bytes and seconds as estimated and as used, its operations, and those of a core in a second."""

    claim: str
    size: str
    bytes: float
    peak: float
    expected: float
    seconds: float
    flops: float
    speed: float

    @property
    def memory(self) -> float:
        return self.bytes / self.peak

    @property
    def time(self) -> float:
        return max(self.expected, QUICK) / max(self.seconds, QUICK)

    def __str__(self) -> str:
        memory = f"{self.bytes / 1e6:>8.0f} {self.peak / 1e6:>8.0f} {self.memory:>7.2f}{_mark(self.memory, MEMORY_AIM)}"
        seconds = f"{self.expected:>9.3g} {self.seconds:>9.3g} {self.time:>7.2f}{_mark(self.time, TIME_AIM)}"
        return f"{self.claim:<34} {self.size:<16} {memory} {seconds}"


def _mark(ratio: float, aim: float) -> str:
    return "  " if 1 / aim <= ratio <= aim else " *"


def points(cls: type[Claim]) -> Iterator[tuple[str, Claim]]:
    """A claim at three sizes: its own, a half and a quarter of it, and larger ones where these make no sense."""
    yield "as it is", cls()
    found = {cls().key()}
    for name in (n for n in SIZE_NAMES if n in cls.model_fields):
        for factor in FACTORS[1:]:
            try:
                point = cls(**{name: int(getattr(cls(), name) * factor)})
            except InputError:
                continue
            if point.key() not in found and point.cost().flops <= MOST_FLOPS:
                yield f"{name} = {getattr(point, name)}", point
                found.add(point.key())
            if len(found) == SIZES:
                return


def used(task: Task) -> tuple[float, float]:
    """Peak bytes and seconds of one simulation, in a process that is forked for it; NaN of one that failed or died."""
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        start = time.process_time()
        failed = perform(task).error
        seconds = time.process_time() - start
        status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
        peak = float(status["VmHWM"].split()[0]) * 1024
        os.write(there, b"nan nan" if failed else f"{peak} {seconds}".encode())
        os._exit(0)
    os.close(there)
    with os.fdopen(here) as pipe:
        peak, seconds = map(float, (pipe.read() or "nan nan").split())
    os.waitpid(child, 0)
    return peak, seconds


def measure_one(name: str) -> None:
    """The rows of one claim as lines of JSON, in a process that knows no other claim."""
    sizes = list(points(claim_class(name)))
    smallest = min((point for _, point in sizes), key=lambda p: p.cost().flops)
    perform(Task((smallest,), 0))  # a worker loads once what several simulations use
    for size, point in sizes:
        task = Task((point,), 0)
        told, (expected,) = estimate([task], 1).bytes, expected_seconds([task])
        peak, seconds = used(task)
        row = Row(name, size, told, peak, expected, seconds, point.cost().flops, core_speed())
        print(json.dumps(asdict(row)), flush=True)


def measure(name: str) -> list[Row]:
    environment = {**os.environ, **KEPT_MEMORY, **ONE_BLAS_THREAD}  # as workers have it, before anything is loaded
    told = subprocess.check_output([sys.executable, __file__, "--one", name], text=True, env=environment)
    return [Row(**json.loads(line)) for line in told.splitlines()]


def main(names: list[str]) -> None:
    print(f"{'':<34} {'':<16} {'MB told':>8} {'used':>8} {'ratio':>7}   {'s told':>9} {'used':>9} {'ratio':>7}")
    rows: list[Row] = []
    for name in names:
        found = measure(name)
        print(*found, sep="\n", flush=True)
        rows += found
    for what, aim in (("memory", MEMORY_AIM), ("time", TIME_AIM)):
        ratios = [getattr(row, what) for row in rows]
        inside = sum(1 / aim <= ratio <= aim for ratio in ratios)
        verdict = "met" if inside == len(ratios) else "MISSED"
        span = f"{np.nanmin(ratios):.2f} to {np.nanmax(ratios):.2f}"
        failed = f", {count} failed" if (count := int(np.isnan(ratios).sum())) else ""
        print(f"{what}: {inside} of {len(ratios)} within a factor {aim:g}, ratios {span}{failed}  {verdict}")
    sizes = Counter(row.claim for row in rows)
    if few := [name for name in names if sizes[name] < SIZES]:
        print(f"fewer than {SIZES} sizes: {', '.join(few)}")


if __name__ == "__main__":
    if not Path("/proc/self/status").exists():
        sys.exit("this needs Linux, which tells the peak of a process")
    if sys.argv[1:2] == ["--one"]:
        measure_one(sys.argv[2])
    else:
        main(sys.argv[1:] or list(claim_names()))
