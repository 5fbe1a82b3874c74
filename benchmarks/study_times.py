"""Estimated against used time of whole studies: the default study of every claim, of which one seed a point is run.

    python benchmarks/study_times.py [CLAIM ...] [--seed N]
    python benchmarks/study_times.py --write      measures at which pace each claim works, for all estimates

`giantstep verify --all --dry-run` tells the same estimates. Time is that of one core as the process was given it, so
that other work on the machine counts little; all seeds of a point are taken to cost as much as the one that was run.
Aims: a factor 1.5 for all studies together, and for each that takes more than a minute of one core; a factor 3 for the
others above ten seconds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass

import numpy as np

import giantstep.studies.worker  # noqa: F401  (what a worker loads)
from giantstep.claims import claim_class, claim_names
from giantstep.studies import Study
from giantstep.studies.estimate import PACES, core_speed, expected_seconds, operations, paces
from giantstep.studies.tasks import Task, perform

LONG_AIM, SHORT_AIM = 1.5, 3.0
LONG, SHORT = 60.0, 10.0  # seconds of one core: for shorter studies nobody waits
QUICK = 0.2  # seconds: what is quicker is run again, for the first time it also loads and remembers
NOTHING = 0.05  # seconds: what is quicker is as quick as it is told


@dataclass(frozen=True)
class Row:
    """One of the simulations of a study: how many like it there are, its operations by the claim's own cost, seconds as
    estimated and as used, and the operations of a core in a second."""

    count: int
    operations: float
    told: float
    used: float
    speed: float


def measure_one(name: str, seed: int) -> None:
    """The rows of one claim as lines of JSON, in a process that knows no other claim."""
    tasks = Study.of_views(claim_class(name)(), seed=seed).tasks()
    counts = Counter(tuple(map(id, task.points)) for task in tasks)
    perform(min(tasks, key=operations))  # a worker loads once what all simulations use
    for task in {tuple(map(id, task.points)): task for task in reversed(tasks)}.values():
        used = timed(task)
        if used < QUICK:
            used = timed(Task(task.points, task.seed + 1))
        count = counts[tuple(map(id, task.points))]
        row = Row(count, operations(task), expected_seconds([task])[0], used, core_speed())
        print(json.dumps(asdict(row)), flush=True)


def timed(task: Task) -> float:
    start = time.process_time()
    failed = perform(task).error
    if failed:
        print(f"{task.points[0].name}, seed {task.seed}: {failed}", file=sys.stderr)
    return time.process_time() - start


def measure(name: str, seed: int) -> list[Row]:
    told = subprocess.check_output([sys.executable, __file__, "--one", name, "--seed", str(seed)], text=True)
    return [Row(**json.loads(line)) for line in told.splitlines()]


def pace(rows: list[Row]) -> tuple[float, float]:
    """Operations that a simulation takes besides those of its cost, and by how many times those count.

    Whichever pair gives the time of the whole study, then of its simulations by the time that they take, and misses
    none of them by more than a factor 2.5. They count by a quarter at least: larger sizes will follow them.
    """
    count, cost, used, speed = np.array([(r.count, r.operations, r.used, r.speed) for r in rows]).T
    spent = used * speed
    weight = count * used / (count * used).sum()
    best, found = np.inf, (0.0, 1.0)
    for fixed in (0.0, *np.logspace(6, 10.5, 91)):
        for times in np.logspace(-0.6, 2, 79):
            expected = fixed + times * cost
            missed = np.abs(np.log(np.maximum(expected, NOTHING * speed) / np.maximum(spent, NOTHING * speed))).max()
            whole = abs(np.log((weight * expected / spent).sum()))
            each = float((weight * np.abs(np.log(expected / spent))).sum())
            score = whole + 0.3 * each + 0.3 * max(0.0, missed - np.log(2.5)) + 0.05 * missed
            if score < best:
                best, found = score, (float(f"{fixed:.2g}"), float(f"{times:.2g}"))
    return found


def main(names: list[str], seed: int, write: bool) -> None:
    print(f"{'':<34} {'s told':>9} {'used':>9} {'ratio':>7}")
    new, told_all, used_all, missed = dict(paces()), 0.0, 0.0, 0
    for name in names:
        rows = measure(name, seed)
        told, used = (sum(r.count * getattr(r, what) for r in rows) for what in ("told", "used"))
        aim = LONG_AIM if used > LONG else SHORT_AIM if used > SHORT else np.inf
        is_missed = not 1 / aim <= told / used <= aim
        print(f"{name:<34} {told:>9.3g} {used:>9.3g} {told / used:>7.2f}{' *' if is_missed else ''}", flush=True)
        told_all, used_all, missed = told_all + told, used_all + used, missed + is_missed
        new[name] = pace(rows)
    ratio = told_all / used_all
    verdict = "met" if not missed and 1 / LONG_AIM <= ratio <= LONG_AIM else "MISSED"
    print(f"{'all':<34} {told_all:>9.3g} {used_all:>9.3g} {ratio:>7.2f}  {missed} outside  {verdict}")
    if write:
        lines = ",\n".join(f'  "{name}": {list(new[name])}' for name in sorted(new))
        PACES.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    asked = argparse.ArgumentParser()
    asked.add_argument("claims", nargs="*")
    asked.add_argument("--one", default="")
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--write", action="store_true")
    given = asked.parse_args()
    if given.one:
        measure_one(given.one, given.seed)
    else:
        main(given.claims or list(claim_names()), given.seed, given.write)
