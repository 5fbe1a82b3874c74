"""Two workers over one: how much faster a study gets, in local processes and on a dask scheduler.

    python benchmarks/sweep_scaling.py

40 records of a quarter of a second each; the time to start workers is not counted for dask, whose scheduler runs
already, and is counted for local processes. Aim: 1.8 or more, on two free cores.
"""

from __future__ import annotations

import sys
import time
from importlib.util import find_spec
from pathlib import Path

from _tiny import Tiny
from giantstep.studies import Executor, LocalProcesses, Study, cluster_executor

RECORDS, WORK, AIM = 40, 0.25, 1.8


def seconds(executor: Executor) -> float:
    start = time.perf_counter()
    Study(Tiny(work=WORK), place=range(RECORDS), seeds=1).run(executor=executor)
    return time.perf_counter() - start


def on_dask(workers: int) -> float:
    from distributed import LocalCluster

    options = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(**options) as cluster:  # type: ignore[no-untyped-call]
        here = str(Path(__file__).parent)
        with cluster_executor(cluster.scheduler_address) as executor:
            assert executor is not None
            executor.client.run(sys.path.append, here)  # type: ignore[attr-defined]
            seconds_of_start = seconds(executor)  # imports on the workers, once
            return min(seconds(executor), seconds_of_start)


def told(name: str, one: float, two: float) -> str:
    ratio = one / two
    return f"{name}: one worker {one:.2f} s, two {two:.2f} s, ratio {ratio:.2f}  (aim >= {AIM})  " + (
        "met" if ratio >= AIM else "MISSED"
    )


if __name__ == "__main__":
    print(told("local processes", seconds(LocalProcesses(1)), seconds(LocalProcesses(2))))
    if find_spec("distributed"):
        print(told("dask", on_dask(1), on_dask(2)))
    else:
        print("dask is not installed: pip install 'giantstep[cluster]'")
