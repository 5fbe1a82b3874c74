"""Running a study: what its store does not hold yet is performed, and each simulation is kept as soon as it is done."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from giantstep.claims import Claim
from giantstep.errors import InputError
from giantstep.studies.estimate import refuse_what_cannot_fit
from giantstep.studies.executors import Executor, InProcess, cores
from giantstep.studies.processes import LocalProcesses
from giantstep.studies.records import Record, point_key
from giantstep.studies.results import Results, provenance
from giantstep.studies.study import Study, worker_count
from giantstep.studies.tasks import Outcome, Task
from giantstep.verdicts import Cell, Measurement, Prediction

if TYPE_CHECKING:
    from giantstep.studies.store import Store

NOTE_SECONDS = 1.0  # how often those who watch from elsewhere are told, and predictions kept


class Watcher(Protocol):
    """Somebody who is told how far a study is."""

    def begin(self, tasks: int) -> None: ...
    def inside(self, fraction: float) -> None: ...
    def done(self, failed: bool) -> None: ...


class Unwatched:
    """Nobody."""

    def begin(self, tasks: int) -> None: ...
    def inside(self, fraction: float) -> None: ...
    def done(self, failed: bool) -> None: ...


def run_study(
    study: Study,
    store: Store,
    workers: int | None = None,
    watcher: Watcher | None = None,
    executor: Executor | None = None,
    retry_failed: bool = False,
) -> Results:
    """Perform what is missing, keep it, and collect everything."""
    if study.name:
        store.refuse_another(study.name, study.words["claim"])
    key_of = {id(point): key for key, point in study.keys.items()}
    known = store.known(list(study.keys))

    def wanted(point: Claim, seed: int) -> bool:
        succeeded = known.get(key_of[id(point)], {}).get(seed)
        return succeeded is None or (retry_failed and not succeeded)

    tasks = study.tasks(wanted)
    workers = worker_count(tasks, workers)
    if executor is None:
        refuse_what_cannot_fit(tasks, workers)
        executor = LocalProcesses(workers) if workers > 1 else InProcess(cores())
    watcher = watcher or Unwatched()
    store.add_points(study.keys)
    _predictions(study, store)  # theory first: where it breaks down, no time is spent on simulations
    failed_before = sum(not good for seeds in known.values() for good in seeds.values())
    journal = _Journal(study, store, tasks, 0 if retry_failed else failed_before)
    start = time.perf_counter()
    interrupted = False
    watcher.begin(len(tasks))
    try:
        for number, outcome in executor.perform_all(tasks, watcher.inside):
            store.write((key_of[id(p)], r) for p, r in _records(tasks[number], outcome))
            watcher.done(bool(outcome.error))
            journal.note(len(tasks[number].points), bool(outcome.error))
    except KeyboardInterrupt:
        interrupted = True
    journal.end("interrupted" if interrupted else "finished")
    return collect(study, store, time.perf_counter() - start, workers, interrupted)


def _predictions(study: Study, store: Store) -> dict[bytes, Prediction]:
    """What theory says at the points of a study, computed and kept where it is not known yet."""
    found = store.predictions(list(study.keys))
    new: dict[bytes, Prediction] = {}
    saved = time.monotonic()
    for key, point in study.keys.items():
        if key in found:
            continue
        found[key] = new[key] = predicted(point)
        if time.monotonic() - saved > NOTE_SECONDS:
            store.keep_predictions(new)
            new, saved = {}, time.monotonic()
    if new:
        store.keep_predictions(new)
    return found


def predicted(point: Claim) -> Prediction:
    """What theory says at a point; where its code breaks down, a sentence says where."""
    try:
        return point.predict()
    except InputError:
        raise
    except Exception as error:
        place = ", ".join(f"{name} = {value}" for name, value in point.parameters().items())
        raise InputError(
            f"the theory of {point.name} breaks down at {place}: {type(error).__name__}: {error}"
        ) from error


def _records(task: Task, outcome: Outcome) -> list[tuple[Claim, Record]]:
    """One record per point of a task; its time is shared among them."""
    here = task.points[0].info.version
    if outcome.measurements and outcome.version != here:
        raise InputError(
            f"a worker has version {outcome.version} of {task.points[0].name}, and version {here} was asked for; "
            "install the same giantstep everywhere"
        )
    seconds = outcome.seconds / len(task.points)
    found: tuple[Measurement | None, ...] = outcome.measurements or (None,) * len(task.points)
    made = outcome.environment
    return [(p, Record(task.seed, m, seconds, outcome.error, made)) for p, m in zip(task.points, found, strict=True)]


class _Journal:
    """The line of a named study in its store: cells done and failed, and how fast."""

    def __init__(self, study: Study, store: Store, tasks: list[Task], failed: int) -> None:
        self._name, self._store = study.name, store
        missing = sum(len(task.points) for task in tasks)
        self._before = self._done = study.cells - missing
        self._failed = failed
        self._start = self._noted = time.monotonic()
        if self._name:
            store.begin_study(self._name, study.words, study.keys, study.cells)
            self._write("running")

    def note(self, cells: int, failed: bool) -> None:
        self._done += cells
        self._failed += cells * failed
        if self._name and time.monotonic() - self._noted > NOTE_SECONDS:
            self._noted = time.monotonic()
            self._write("running")

    def end(self, state: str) -> None:
        if self._name:
            self._write(state)

    def _write(self, state: str) -> None:
        rate = (self._done - self._before) / max(1e-9, time.monotonic() - self._start)
        self._store.note(self._name, state, self._done, self._failed, rate)


def collect(
    study: Study, store: Store, seconds: float | None = None, workers: int = 0, interrupted: bool = False
) -> Results:
    """The cells of a study from its store, with what theory says of them."""
    predictions = _predictions(study, store)
    found: dict[bytes, list[Record]] = {}
    for key, record in store.read(list(study.keys)):
        found.setdefault(key, []).append(record)
    cells: list[Cell] = []
    made: list[tuple[Mapping[str, str], ...]] = []
    failures: list[str] = []
    spent = 0.0
    for point, seeds in study.points:
        key = point_key(point)
        # In the order of seeds, whatever the order in which they came back.
        records = [r for r in found.get(key, []) if study.seed <= r.seed < study.seed + seeds]
        records.sort(key=lambda r: r.seed)
        good = [(r.seed, r.measurement) for r in records if r.measurement is not None]
        made.append(tuple(r.environment for r in records if r.measurement is not None))
        failures += [f"seed {r.seed}: {r.error}" for r in records if r.error]
        spent += sum(r.seconds for r in records)
        cells.append(Cell(point, predictions[key], tuple(m for _, m in good), tuple(seed for seed, _ in good)))
    facts = provenance(study.base, study.seed, spent if seconds is None else seconds, workers)
    return Results(study.base, tuple(cells), facts, study.views, tuple(failures), interrupted, tuple(made))
