"""Workers that keep the memory of dropped arrays, against workers that give each back to the system.

    python benchmarks/kept_memory.py

The same small simulations twice in one worker process; processor time, of the system's part too. Aim: 0.8 or less
where the C library is glibc; elsewhere the two are the same. Prints the records' largest difference, which is 0.
"""

from __future__ import annotations

import resource

import numpy as np

from giantstep.studies import LocalProcesses, Results, Study
from giantstep.studies.children import starting

CLAIM, SEEDS, AIM = "dklps23/transition", 12, 0.8


def processor_time() -> tuple[Results, float, float]:
    """A study in a new worker: its results, its processor time, and the system's part of it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    results = Study.of_views(CLAIM, seeds=SEEDS).run(executor=LocalProcesses(1))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    system = after.ru_stime - before.ru_stime
    return results, after.ru_utime - before.ru_utime + system, system


def shares(results: Results) -> list[float]:
    return [float(np.asarray(one.values["share"])) for cell in results.cells for one in cell.measurements]


def main() -> None:
    kept, seconds, system = processor_time()
    starting.KEPT_MEMORY.clear()
    given_back, bare_seconds, bare_system = processor_time()
    print(f"kept        {seconds:6.2f} s, of which the system {system:5.2f} s")
    print(f"given back  {bare_seconds:6.2f} s, of which the system {bare_system:5.2f} s")
    difference = np.abs(np.subtract(shares(kept), shares(given_back))).max()
    print(f"ratio {seconds / bare_seconds:.2f}   aim {AIM} or less   largest difference of records {difference:g}")


if __name__ == "__main__":
    main()
