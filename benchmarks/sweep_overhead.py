"""What a study adds to its computation: milliseconds a record, over 10,000 records that compute next to nothing.

    python benchmarks/sweep_overhead.py

1000 points times 10 seeds with a store on disk, in this process and in two worker processes, against the bare
loop of measurements. Aim: under 5 ms a record.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from _tiny import Tiny
from giantstep.streams import Streams
from giantstep.studies import Executor, InProcess, LocalProcesses, Study
from giantstep.verdicts.stating import Run

POINTS, SEEDS, AIM = 1000, 10, 5.0


def bare() -> float:
    start = time.perf_counter()
    for place in range(POINTS):
        for seed in range(SEEDS):
            Tiny(place=place).measure(Run(Streams(seed)))
    return time.perf_counter() - start


def study(executor: Executor) -> float:
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        whole = Study(Tiny(), place=range(POINTS), seeds=SEEDS, name="tiny", store=Path(folder) / "s.sqlite")
        results = whole.run(executor=executor)
        assert sum(len(cell.measurements) for cell in results.cells) == POINTS * SEEDS
        return time.perf_counter() - start


if __name__ == "__main__":
    alone = min(bare() for _ in range(3))
    print(f"bare computation: {1000 * alone / POINTS / SEEDS:.3f} ms a record")
    for name, executor in (("in this process", InProcess()), ("two local processes", LocalProcesses(2))):
        seconds = min(study(executor) for _ in range(2))
        over = 1000 * (seconds - alone) / POINTS / SEEDS
        verdict = "met" if over < AIM else "MISSED"
        print(
            f"{name}: overhead {over:.2f} ms a record, ratio to the aim {over / AIM:.2f}  (aim < {AIM:g} ms)  {verdict}"
        )
