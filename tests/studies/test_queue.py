"""Several studies as one queue: no core idles between them, one that fails stops no other, Ctrl-C loses nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import pytest

from giantstep.claims import named, parameters
from giantstep.errors import InputError
from giantstep.studies import InProcess, LocalProcesses, Results, Standing, Store, Study, run_all
from giantstep.studies.tasks import Outcome, Task
from giantstep.verdicts.stating import Cost, Measurement, Prediction, Run
from tests.claims.toy import NoisyLevel
from tests.studies.test_study import assert_bit_identical


@named("toy/slow", kind="example", cite="bes22")
class Slow(NoisyLevel):
    """A claim whose simulations take their time, and write down when they began and ended."""

    seconds: float = parameters.own(0.0, "what a simulation takes", ge=0)
    diary: str = parameters.own("", "the file that tells when simulations began and ended")
    wrong: bool = parameters.own(False, "whether theory breaks down")

    def predict(self) -> Prediction:
        if self.wrong:
            raise ZeroDivisionError("no theory")
        return super().predict()

    @classmethod
    def measure_path(cls, points: Sequence[Self], run: Run) -> list[Measurement]:
        begin = time.time()
        time.sleep(points[0].seconds)
        if points[0].diary:
            with Path(points[0].diary).open("a") as file:
                file.write(f"{points[0].seconds} {begin} {time.time()}\n")
        return super().measure_path(points, run)

    def cost(self) -> Cost:
        return Cost(1e9 * self.seconds, 8.0)


def answers(studies: Sequence[Study], **options: Any) -> dict[int, Results | InputError]:
    return dict(run_all(studies, **options))


@pytest.mark.slow
@pytest.mark.parametrize("executor", [InProcess(1), LocalProcesses(2)])
def test_a_queue_gives_what_single_studies_give(executor: InProcess | LocalProcesses) -> None:
    studies = [Study.of_views(NoisyLevel(spread=spread)) for spread in (0.001, 0.002, 0.003)]
    found = answers(studies, executor=executor)
    assert sorted(found) == [0, 1, 2]
    for number, study in enumerate(studies):
        alone, together = study.run(), found[number]
        assert isinstance(together, Results)
        assert together.verdict.sentence == alone.verdict.sentence
        for one, other in zip(together.cells, alone.cells, strict=True):
            assert one.seeds == other.seeds
            assert_bit_identical(one.measurements, other.measurements)


@pytest.mark.slow
def test_no_worker_waits_for_the_end_of_a_study(tmp_path: Path) -> None:
    """Of three long simulations in two processes one is left alone: the short study fills the other core meanwhile."""
    diary = str(tmp_path / "diary")
    short, long = Study(Slow(seconds=0.05, diary=diary), seeds=8), Study(Slow(seconds=0.8, diary=diary), seeds=3)
    handed_out: list[float] = []

    class Noting(LocalProcesses):
        def perform_all(self, tasks: Iterable[Task], *rest: Any) -> Iterator[tuple[int, Outcome]]:
            def noted() -> Iterator[Task]:
                for task in tasks:
                    (point,) = task.points
                    assert isinstance(point, Slow)
                    handed_out.append(point.seconds)
                    yield task

            return super().perform_all(noted(), *rest)

    order = [number for number, _ in run_all([short, long], executor=Noting(2))]
    lines = [tuple(map(float, line.split())) for line in (tmp_path / "diary").read_text().splitlines()]
    assert handed_out == [0.8] * 3 + [0.05] * 8, "the longest come first"
    last_long = max(end for seconds, _, end in lines if seconds == 0.8)
    meanwhile = sum(begin < last_long for seconds, begin, _ in lines if seconds == 0.05)
    assert meanwhile >= 1, "the short study waited for the long one"
    assert sorted(order) == [0, 1]


def test_a_study_is_told_as_soon_as_it_is_complete(tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    studies = [Study(Slow(seconds=seconds, diary=str(diary)), seeds=2) for seconds in (0.001, 0.1)]
    steps = run_all(studies, executor=InProcess(1))
    assert next(steps)[0] == 1, "the longer one comes first"
    done = [line.split()[0] for line in diary.read_text().splitlines()]
    assert done.count("0.1") == 2
    assert done.count("0.001") < 2, "it is told before the other one is complete"
    assert next(steps)[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("executor", [InProcess(1), LocalProcesses(2)])
def test_a_study_that_fails_stops_no_other(executor: InProcess | LocalProcesses, tmp_path: Path) -> None:
    diary = tmp_path / "diary"
    studies = [
        Study(Slow(seconds=0.02), seeds=2),
        Study(Slow(seconds=0.03, wrong=True, diary=str(diary)), seeds=2),
        Study(Slow(seconds=0.01), seeds=2),
    ]
    found = answers(studies, executor=executor)
    assert "the theory of toy/slow breaks down" in str(found[1])
    assert not diary.exists(), "time was spent on simulations without a theory"
    for number in (0, 2):
        told = found[number]
        assert isinstance(told, Results)
        assert len(told.cells[0].measurements) == 2


def test_a_study_too_large_for_the_memory_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("giantstep.studies.estimate.available_memory", lambda: 1e9)
    found = answers([Study(NoisyLevel(), seeds=1), Study(NoisyLevel(size=100_000), seeds=1)])
    assert isinstance(found[0], Results)
    assert "of memory" in str(found[1])


class Watching:
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[Standing] = []

    def tell(self, standing: Standing) -> None:
        self.told.append(standing)


def test_the_watcher_hears_of_studies_and_of_the_time_to_go() -> None:
    watcher = Watching()
    studies = [Study(Slow(seconds=0.05), seeds=4), Study(Slow(seconds=0.1), seeds=4), Study(Slow(wrong=True), seeds=4)]
    answers(studies, executor=InProcess(1), watcher=watcher)
    first, last = watcher.told[0], watcher.told[-1]
    assert (first.studies, first.finished, first.running) == (3, 0, 1)
    assert (last.studies, last.finished, last.running, last.done, last.tasks) == (3, 3, 0, 8, 8)
    assert first.seconds_left is None
    halfway = next(s for s in watcher.told if s.done == 4)
    assert halfway.seconds_left is not None
    assert 0.15 < halfway.seconds_left < 2, "four simulations of 0.05 s each, on a machine that may be busy"
    assert last.seconds_left == pytest.approx(0, abs=1e-6)


class PressedAtTheEnd(InProcess):
    """Somebody presses Ctrl-C when all is done, while the workers are sent home."""

    def perform_all(self, tasks: Any, progress: Any = None) -> Any:
        try:
            yield from super().perform_all(tasks, progress)
        finally:
            raise KeyboardInterrupt


def test_ctrl_c_when_all_is_done_loses_nothing_and_is_not_lost(tmp_path: Path) -> None:
    place = tmp_path / "s.sqlite"
    results = Study(NoisyLevel(), size=[4, 8], seeds=2, name="mine", store=place).run(executor=PressedAtTheEnd())
    assert not results.interrupted
    assert [len(cell.measurements) for cell in results.cells] == [2, 2]
    assert not place.with_name("s.sqlite-wal").exists(), "the store was not closed"


SCRIPT = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell may have switched off in the background
from giantstep.studies import LocalProcesses, Study, run_all
from tests.studies.test_queue import Slow

studies = [
    Study(Slow(seconds=s), seeds=n, name=f"slow-{n}", store=sys.argv[1]) for s, n in ((0.3, 3), (0.2, 40), (0.1, 50))
]
try:
    for number, told in run_all(studies, executor=LocalProcesses(2)):
        print(number, told.interrupted, flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_done_and_the_queue_goes_on_there(tmp_path: Path) -> None:
    place = tmp_path / "s.sqlite"
    line = [sys.executable, "-c", SCRIPT, str(place)]
    root = str(Path(__file__).parents[2])
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True, cwd=root) as process:
        assert process.stdout is not None
        said = [process.stdout.readline().strip()]
        time.sleep(0.3)  # the second study is at work
        os.kill(process.pid, signal.SIGINT)
        said += [text.strip() for text in process.stdout]
    assert said == ["0 False", "1 True", "interrupted"]
    with Store(place) as store:
        states = {entry.name: (entry.state, entry.done) for entry in store.studies()}
    assert states["slow-3"] == ("finished", 3)
    assert states["slow-40"][0] == "interrupted"
    there = states["slow-40"][1]
    assert 0 < there < 40
    assert "slow-50" not in states
    again = Study(Slow(seconds=0.2), seeds=there + 2, name="slow-40", store=place)
    watcher = Watching()
    (told,) = answers([again], executor=InProcess(1), watcher=watcher).values()
    assert watcher.told[-1].tasks == 2, "what was done is not done again"
    assert isinstance(told, Results)
    assert len(told.cells[0].measurements) == there + 2
