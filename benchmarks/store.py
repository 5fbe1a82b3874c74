"""The store: rows a second written and read, and the time to see that 100,000 finished records are finished.

    python benchmarks/store.py

One transaction a row, as a study of separate simulations writes. Aim of the last line: under 5 seconds.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from _tiny import Tiny
from giantstep.studies import InProcess, Store, Study
from giantstep.studies.records import Record
from giantstep.verdicts.stating import Measurement

POINTS, SEEDS, SINGLE, AIM = 10_000, 10, 5_000, 5.0


def main(place: Path) -> None:
    study = Study(Tiny(), place=range(POINTS), seeds=SEEDS, name="done", store=place)
    keys = list(study.keys)
    with Store(place) as store:
        store.add_points(study.keys)
        start = time.perf_counter()
        for number in range(SINGLE):
            store.write([(keys[number % POINTS], Record(number // POINTS, Measurement({"level": 1.0}), 0.1))])
        print(f"written, one transaction a row: {SINGLE / (time.perf_counter() - start):,.0f} rows a second")
        start = time.perf_counter()
        store.write((key, Record(seed, Measurement({"level": 1.0}), 0.1)) for key in keys for seed in range(SEEDS))
        print(f"written, one transaction for all: {POINTS * SEEDS / (time.perf_counter() - start):,.0f} rows a second")
        start = time.perf_counter()
        read = sum(1 for _ in store.read(keys))
        print(f"read: {read / (time.perf_counter() - start):,.0f} rows a second")
    start, cpu = time.perf_counter(), time.process_time()
    again = Study(Tiny(), place=range(POINTS), seeds=SEEDS, name="done", store=place)
    results = again.run(executor=InProcess())
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    assert sum(len(cell.measurements) for cell in results.cells) == POINTS * SEEDS
    verdict = "met" if seconds < AIM else "MISSED"
    told = f"{seconds:.2f} s, {cpu:.2f} s of CPU"
    print(f"resume of {POINTS * SEEDS:,} finished records: {told}  (aim < {AIM:g} s)  {verdict}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(Path(folder) / "s.sqlite")
