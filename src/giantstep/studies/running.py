"""One study while it runs: what its store does not hold yet is asked for, and each simulation is kept as it comes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from giantstep.claims import Claim
from giantstep.errors import InputError, printable
from giantstep.studies.estimate import expected_seconds
from giantstep.studies.plain_data import provenance
from giantstep.studies.predicting import predicted
from giantstep.studies.records import Record, point_key
from giantstep.studies.results import Results
from giantstep.studies.store import Note
from giantstep.studies.study import Study
from giantstep.studies.tasks import Outcome, Task
from giantstep.verdicts import Cell
from giantstep.verdicts.stating import Measurement, Prediction

if TYPE_CHECKING:
    from giantstep.studies.store import Store

NOTE_SECONDS = 1.0  # how often predictions are kept while they are computed


class StudyRun:
    """A study on its way: the simulations that its store lacks, those that came back, and the results at the end."""

    def __init__(self, study: Study, store: Store, retry_failed: bool = True) -> None:
        self.study, self._store = study, store
        self._key_of = {id(point): key for key, point in study.keys.items()}
        known = store.known(list(study.keys))

        def wanted(point: Claim, seed: int) -> bool:
            succeeded = known.get(self._key_of[id(point)], {}).get(seed)
            return succeeded is None or (retry_failed and not succeeded)

        self.tasks = study.tasks(wanted)
        self.missing = len(self.tasks)
        failed = sum(not good for seeds in known.values() for good in seeds.values())
        self._failed_before = 0 if retry_failed else failed
        self._expected = dict(zip(map(id, self.tasks), expected_seconds(self.tasks), strict=True))
        self.expected = sum(self._expected.values())
        self.expected_done = self.spent = 0.0

    @property
    def longest(self) -> float:
        """Seconds that its longest simulation may take."""
        return max(self._expected.values(), default=0.0)

    @property
    def stretch(self) -> float | None:
        """How much longer its simulations take than was expected; None before the first is done."""
        return self.spent / self.expected_done if self.expected_done else None

    def begin(self) -> None:
        """Compute what theory says, and note that the study runs."""
        if self.study.name:
            self._store.refuse_another(self.study.name, self.study.spec["claim"])
        if self._store.damaged:
            self._store.drop_damaged()
        self._store.add_points(self.study.keys)
        _predictions(self.study, self._store)
        self._journal = _Journal(self.study, self._store, self.tasks, self._failed_before)
        self._start = time.perf_counter()

    def keep(self, task: Task, outcome: Outcome) -> None:
        """Keep what one of its simulations gave."""
        more = len(task.points), bool(outcome.error)
        self._store.write(((self._key_of[id(p)], r) for p, r in _records(task, outcome)), self._journal.after(*more))
        self._journal.add(*more)  # not before: a full disk keeps nothing
        self.missing -= 1
        self.spent += outcome.seconds
        self.expected_done += self._expected[id(task)]

    def give_up(self) -> None:
        """It cannot begin: nothing of it is to be done."""
        self.tasks, self.missing, self.expected = [], 0, 0.0

    def stop(self) -> None:
        """Note that the study does not go on for now, if that can still be noted."""
        with suppress(InputError):
            self._journal.end("interrupted")

    def results(self, workers: int, interrupted: bool = False) -> Results:
        """All that is there by now, at the end or when somebody stops it."""
        self._store.refuse_if_lost()
        self._journal.end("interrupted" if interrupted else "finished")
        # Where all was there already, the time that the simulations took is told, not that of finding them.
        seconds = time.perf_counter() - self._start if self.tasks else None
        return collect(self.study, self._store, seconds, workers, interrupted)


def _predictions(study: Study, store: Store) -> dict[bytes, Prediction]:
    """What theory says at the points of a study, computed and kept where it is not known yet."""
    found = store.predictions(list(study.keys))
    if len(found) < len(study.keys):  # else nothing is to be written, which a file may forbid
        store.add_points(study.keys)
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
    """The line of a named study in its store: records there and failed, and how fast."""

    def __init__(self, study: Study, store: Store, tasks: list[Task], failed: int) -> None:
        self._name, self._store = study.name, store
        missing = sum(len(task.points) for task in tasks)
        self._before = self._done = study.record_count - missing
        self._failed = failed
        self._start = time.monotonic()
        if self._name:
            store.begin_study(self._name, study.spec, study.keys, study.record_count)
            store.note(self._note("running"))

    def after(self, records: int, failed: bool) -> Note | None:
        """What is to be noted with some more records; nothing if the study has no name."""
        return self._note("running", records, records * failed) if self._name else None

    def add(self, records: int, failed: bool) -> None:
        """Some more records are kept."""
        self._done += records
        self._failed += records * failed

    def end(self, state: str) -> None:
        if self._name:
            self._store.note(self._note(state))

    def _note(self, state: str, more: int = 0, more_failed: int = 0) -> Note:
        done = self._done + more
        rate = (done - self._before) / max(1e-9, time.monotonic() - self._start)
        return Note(self._name, state, done, self._failed + more_failed, rate)


def _damage(study: Study, store: Store) -> tuple[str, ...]:
    """The records of a study that its store was found to hold damaged, named by seed and point."""
    asked = ((study.keys.get(key), seed) for key, seed in store.damaged.values())
    return tuple(_which(study, point, seed) for point, seed in asked if point is not None)


def _which(study: Study, point: Claim, seed: int) -> str:
    """A record in words: seed 3 at d = 128."""
    own = study.base.parameters()
    at = ", ".join(f"{name} = {value}" for name, value in point.parameters().items() if value != own[name])
    return f"seed {seed}" + (f" at {at}" if at else "")


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
        failures += [printable(f"{_which(study, point, r.seed)}: {r.error}") for r in records if r.error]
        spent += sum(r.seconds for r in records)
        cells.append(Cell(point, predictions[key], tuple(m for _, m in good), tuple(seed for seed, _ in good)))
    facts = provenance(study.base, study.seed, spent if seconds is None else seconds, workers)
    facts |= {"seeds_times": study.seeds_times} if study.seeds_times > 1 else {}
    damaged = _damage(study, store)
    return Results(study.base, tuple(cells), facts, study.views, tuple(failures), interrupted, tuple(made), damaged)
