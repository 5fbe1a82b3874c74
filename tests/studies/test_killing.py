"""Nothing is lost when processes are killed: for real, with SIGKILL."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import threading
import time
from collections.abc import Sequence
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Self

import numpy as np
import pytest

from giantstep.claims import named, parameters
from giantstep.errors import InputError
from giantstep.studies import InProcess, LocalProcesses, Store, Study
from giantstep.studies.processes import STARTS, _Worker
from giantstep.verdicts.stating import Cost, Measurement, Run
from tests.claims.toy import NoisyLevel
from tests.studies.test_study import assert_bit_identical

KILLS = 50


def driver(place: str) -> None:
    """A study of 400 records in a process of its own; somebody may kill it at any moment."""
    Study(NoisyLevel(), size=list(range(1, 21)), seeds=20, name="killed", store=place).run(executor=InProcess())


def records(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT count(*) FROM records").fetchone()[0])


@pytest.mark.slow
def test_fifty_kills_in_a_row_lose_nothing(tmp_path: Path) -> None:
    place = tmp_path / "s.sqlite"
    Store(place).close()
    watching = sqlite3.connect(place)
    context = multiprocessing.get_context("forkserver")
    loaded = ["giantstep.studies.queue", "giantstep.studies.watching", "giantstep.studies.store", "scipy.linalg"]
    context.set_forkserver_preload([*loaded, "tests.claims.toy"])  # once, not at each start
    finished_by_then = np.random.default_rng(1).integers(0, 14, KILLS)
    before = killed_at_work = 0
    for more in finished_by_then:
        process = context.Process(target=driver, args=(str(place),))
        process.start()
        # At work, after a few more records: the moment itself falls anywhere, also into the middle of writing.
        while records(watching) < min(before + more, 400) and process.is_alive():
            time.sleep(0.003)
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        process.close()
        now = records(watching)
        assert now >= before, "a finished record was lost"
        killed_at_work += before < now < 400
        before = now
    assert watching.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    watching.close()
    assert killed_at_work > KILLS // 4, "most kills hit no study at work"
    results = Study(NoisyLevel(), size=list(range(1, 21)), seeds=20, name="killed", store=place).run()
    undisturbed = Study(NoisyLevel(), size=list(range(1, 21)), seeds=20).run()
    for one, other in zip(results.cells, undisturbed.cells, strict=True):
        assert_bit_identical(one.measurements, other.measurements)
        assert len(one.measurements) == 20


@named("toy/mortal", kind="example", cite="bes22")
class Mortal(NoisyLevel):
    """A claim whose simulations leave the number of their process behind, and some of which kill it."""

    folder: str = parameters.own("", "where the numbers of processes are left")
    deadly: int = parameters.own(0, "the size whose simulation kills its process")

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        for point in points:
            if point.folder:
                (Path(point.folder) / f"{os.getpid()}").touch()
                time.sleep(0.05)
            if point.deadly == point.size:
                os.kill(os.getpid(), signal.SIGKILL)
        return super().measure_path(points, run)

    def cost(self) -> Cost:
        return Cost(1e6, 1e3)


@pytest.mark.slow
def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    """Somebody kills a worker process in the middle of a study: its tasks are done again, elsewhere."""
    killed: list[int] = []

    def assassin() -> None:
        while not killed:
            for file in tmp_path.iterdir():
                os.kill(int(file.name), signal.SIGKILL)
                killed.append(int(file.name))
                return
            time.sleep(0.01)

    thread = threading.Thread(target=assassin)
    thread.start()
    study = Study(Mortal(folder=str(tmp_path)), size=list(range(1, 13)), seeds=2)
    results = study.run(executor=LocalProcesses(2))
    thread.join()
    assert killed
    assert not results.failures
    assert all(len(cell.measurements) == 2 for cell in results.cells)
    undisturbed = Study(NoisyLevel(), size=list(range(1, 13)), seeds=2).run()
    for one, other in zip(results.cells, undisturbed.cells, strict=True):
        assert_bit_identical(one.measurements, other.measurements)


@pytest.mark.slow
def test_a_task_that_always_kills_its_worker_fails_alone() -> None:
    study = Study(Mortal(deadly=3), size=[1, 2, 3, 4, 5, 6], seeds=1)
    results = study.run(executor=LocalProcesses(2))
    assert len(results.failures) == 1
    assert "worker process died" in results.failures[0]
    assert [len(cell.measurements) for cell in results.cells] == [1, 1, 0, 1, 1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("executor", [InProcess(1), LocalProcesses(2)])
def test_every_executor_gives_every_task_once(executor: InProcess | LocalProcesses) -> None:
    study = Study(NoisyLevel(), size=list(range(1, 31)), seeds=2)
    numbers = [number for number, _ in executor.perform_all(study.tasks())]
    assert sorted(numbers) == list(range(60))


def kill_at_birth(monkeypatch: pytest.MonkeyPatch, how_many: int) -> list[int]:
    """The first worker processes are killed before they have begun to work; gives their numbers."""
    killed: list[int] = []
    start = SpawnProcess.start

    def started(self: SpawnProcess) -> None:
        start(self)
        if len(killed) < how_many:
            assert self.pid is not None
            killed.append(self.pid)
            os.kill(self.pid, signal.SIGKILL)

    monkeypatch.setattr(SpawnProcess, "start", started)
    return killed


@pytest.mark.slow
def test_a_worker_killed_while_it_starts_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    killed = kill_at_birth(monkeypatch, STARTS - 1)
    results = Study(NoisyLevel(), size=[1, 2, 3, 4], seeds=2).run(executor=LocalProcesses(2))
    assert len(killed) == STARTS - 1
    assert not results.failures
    assert all(len(cell.measurements) == 2 for cell in results.cells)


def test_workers_that_cannot_start_are_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    killed = kill_at_birth(monkeypatch, 1000)
    with pytest.raises(InputError, match="5 worker processes died one after the other while they started"):
        Study(NoisyLevel(), size=[1, 2, 3, 4], seeds=2).run(executor=LocalProcesses(2))
    assert len(killed) < 10


@pytest.mark.slow
def test_a_worker_ends_when_its_pipe_closes() -> None:
    """Where the system does not end it with its driver, the pipe does."""
    worker = _Worker()
    worker.pipe.recv()  # it is ready
    worker.pipe.close()
    worker.process.join(60)
    assert worker.process.exitcode == 1


@pytest.mark.slow
def test_what_cannot_travel_is_told_in_a_sentence() -> None:
    lost = type("Lost", (NoisyLevel,), {"__module__": "tests.claims.toy", "__qualname__": "Lost", "__doc__": "Lost."})
    with pytest.raises(InputError, match="cannot be sent to another process"):
        Study(lost(), size=[1, 2], seeds=1).run(executor=LocalProcesses(2))
