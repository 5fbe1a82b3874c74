"""A study through dask-jobqueue on a real SLURM, one of whose jobs is killed: nothing may be lost.

`make test-slurm` starts a SLURM on loopback and runs this file.
"""

from __future__ import annotations

import subprocess
import threading
import time

import numpy as np

from giantstep.claims import claim
from giantstep.studies import InProcess, Standing, Study, cluster, cluster_executor

killed: list[str] = []


def jobs() -> list[str]:
    listed = subprocess.run(["squeue", "-h", "-t", "running", "-o", "%i"], capture_output=True, text=True, check=True)
    return listed.stdout.split()


class Assassin:
    """Watches the study, and kills one of its two jobs when some cells are done."""

    def tell(self, standing: Standing) -> None:
        if standing.done == 0:
            print(f"{standing.tasks} simulations on SLURM jobs {jobs()}", flush=True)
        running = jobs() if not killed else []
        if standing.done - standing.failed >= 4 and len(running) > 1:
            killed.append(running[0])
            threading.Thread(target=subprocess.run, args=(["scancel", "--signal=KILL", "--full", running[0]],)).start()


if __name__ == "__main__":
    study = Study(claim("bes22/weight-spike", d=256), samples_per_dim=[1, 2, 4, 8], seeds=10)
    here = study.run(executor=InProcess(1))
    start = time.perf_counter()
    cluster.QUEUE_SECONDS = 120
    with cluster_executor("slurm", jobs=2, options=["memory=1GB", "walltime=00:10:00"]) as executor:
        assert executor is not None
        while len(jobs()) < 2 and time.perf_counter() - start < 120:
            time.sleep(0.5)
        there = study.run(executor=executor, watcher=Assassin())
    assert killed, "no job was killed: nothing was tested"
    assert not there.failures, there.failures
    for one, other in zip(here.cells, there.cells, strict=True):
        assert one.seeds == other.seeds
        for a, b in zip(one.measurements, other.measurements, strict=True):
            assert all(np.array_equal(a.values[k], b.values[k]) for k in a.values)  # type: ignore[arg-type]
    cells = sum(len(cell.measurements) for cell in there.cells)
    print(f"job {killed[0]} was killed; all {cells} cells are there, with the same bits as here")
