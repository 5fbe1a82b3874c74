"""The store: every finished record of every study in one SQLite file that survives being killed.

A record is found by its point (a hash of claim, claim version and parameters) and its seed; a study is a name, the
specification that defines it, and the points it asks for. Write-ahead logging means that a process killed at any
moment loses no record that was written, and that others may read and write at the same time. Each record and each
prediction carries a seal: what does not match it is left out, named, and simulated again by the same command.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from giantstep.checks import file_path
from giantstep.claims import Claim
from giantstep.errors import InputError, LostError
from giantstep.studies.database import SEALED, Database
from giantstep.studies.driver import is_gone, this_driver
from giantstep.studies.estimate import span
from giantstep.studies.records import Record, pack_measurement, pack_prediction, unpack_measurement, unpack_prediction
from giantstep.studies.seals import is_sound, is_study_sound, seal
from giantstep.verdicts.stating import Prediction

if TYPE_CHECKING:
    from giantstep.studies.checking import StoreCheck


SILENT_SECONDS = 60.0  # a running study writes every second unless one simulation takes longer


def default_path() -> Path:
    """The store in the user's data directory."""
    from platformdirs import user_data_path

    return user_data_path("giantstep") / "studies.sqlite"


@dataclass(frozen=True)
class StudyEntry:
    """A study as the store knows it, and how far it was when last seen.

    Args:
        name: how it is called.
        spec: what defines it: claim, version, parameters, axes, seeds.
        made: when it was begun, in seconds since 1970.
        state: running, stopped (whoever ran it is gone), interrupted, finished or damaged (nothing of it can be read).
        records: how many it asks for, one for each point and seed.
        done: how many of them are there, failed ones included.
        failed: how many of them failed.
        rate: records a second of its last run.
        seen: when it was last heard of, in seconds since 1970.
    """

    name: str
    spec: Mapping[str, Any]
    made: float
    state: str
    records: int
    done: int
    failed: int
    rate: float
    seen: float

    @property
    def seconds_left(self) -> float | None:
        """The time that a running study still takes; None where nobody can tell."""
        return (self.records - self.done) / self.rate if self.state == "running" and self.rate > 0 else None

    def in_words(self) -> str:
        """How it gets on, and how one goes on with it."""
        if self.state == "damaged":
            return "damaged; the command that began it goes on"
        if self.state in ("stopped", "interrupted"):
            return f"{self.state} at {self.done} of {self.records}; the same command goes on"
        if self.state != "running":
            again = f"; the same command tries the {self.failed} that failed again"
            return self.state + (again if self.failed else "")
        if time.time() - self.seen > SILENT_SECONDS:
            return "running, or stopped: silent"  # on another machine, whose processes cannot be seen from here
        if not self.rate:
            return "running"
        left = "" if self.seconds_left is None else f", {span(self.seconds_left)} left"
        return f"running, {self.rate:.3g} records a second{left}"


@dataclass(frozen=True)
class Note:
    """How far a study is, as it is written beside its records: its `name` and fields of `StudyEntry`."""

    name: str
    state: str
    done: int
    failed: int
    rate: float


class Store:
    """Records and studies in one file; `Store()` is the user's own, `Store.in_memory()` forgets when it is closed.

    `path` is the file; it is made when it is not there. Use a store in a `with` statement, or `close` it.
    """

    def __init__(self, path: Path | str | None = None) -> None:
        self._begin(Database(default_path() if path is None else file_path("the store", path, "spikes.sqlite")))

    @classmethod
    def in_memory(cls) -> Self:
        """A store that nobody else sees: studies without a name keep their records here."""
        store = cls.__new__(cls)
        store._begin(Database(None))
        return store

    def _begin(self, database: Database) -> None:
        self._db = database
        self._environments: dict[str, int] = {}
        self.damaged: dict[int, tuple[bytes, Any]] = {}  # rows of records that were found so: point and seed

    @property
    def path(self) -> Path:
        return self._db.path

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _environment_id(self, text: str) -> int:
        """The number of an environment; it has one as soon as something was made in it."""
        if text not in self._environments:
            with self._db.transaction() as db:
                db.execute("INSERT OR IGNORE INTO environments (facts) VALUES (?)", (text,))
                found = db.execute("SELECT id FROM environments WHERE facts = ?", (text,)).fetchone()
            self._environments[text] = int(found[0])
        return self._environments[text]

    # Points and records ---------------------------------------------------------------------------

    def add_points(self, points: Mapping[bytes, Claim]) -> None:
        """Make points known; those known already stay as they are."""
        rows = (
            (key, point.name, point.info.version, json.dumps(point.parameters(), sort_keys=True))
            for key, point in points.items()
        )
        with self._db.transaction() as db:
            db.executemany("INSERT OR IGNORE INTO points (key, claim, version, parameters) VALUES (?, ?, ?, ?)", rows)

    def write(self, records: Iterable[tuple[bytes, Record]], note: Note | None = None) -> None:
        """Keep the records of one simulation, all or none; a success replaces a failure, never the other way round.

        With them goes the `note` of their study: a study that somebody has forgotten meanwhile keeps nothing more.
        """
        rows = [self._sealed(key, record) for key, record in records]
        with self._db.transaction() as db:
            if note is not None:
                _update(db, note)
            db.executemany(
                "INSERT INTO records (key, seed, measurement, error, seconds, made, environment, seal) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key, seed) DO UPDATE SET "
                "measurement = excluded.measurement, error = excluded.error, seconds = excluded.seconds, "
                "made = excluded.made, environment = excluded.environment, seal = excluded.seal "
                "WHERE records.measurement IS NULL",
                rows,
            )

    def _sealed(self, key: bytes, r: Record) -> tuple[Any, ...]:
        """A record as a row: the last column is the seal of what will be read back."""
        measured = None if r.measurement is None else pack_measurement(r.measurement)
        seed, seconds, made, facts = int(r.seed), float(r.seconds), time.time(), _facts(r.environment)
        mark = seal(key, seed, measured, r.error.encode(), seconds, made, facts.encode())
        return key, seed, measured, r.error, seconds, made, self._environment_id(facts), mark

    def _sound_rows(self, keys: Sequence[bytes]) -> Iterator[tuple[Any, ...]]:
        """The sealed columns of all records of some points; damaged ones are left out and noted."""
        for number, *row in self._db.rows_of(keys, f"rowid, {SEALED['records']}, seal", "records"):
            if is_sound(row):
                yield tuple(row)
            else:
                self.damaged[number] = (row[0], row[1])

    def known(self, keys: Sequence[bytes]) -> dict[bytes, dict[int, bool]]:
        """For each point the seeds that are there, and whether they succeeded."""
        found: dict[bytes, dict[int, bool]] = {}
        for key, seed, measured, *_ in self._sound_rows(keys):
            found.setdefault(key, {})[seed] = measured is not None
        return found

    def read(self, keys: Sequence[bytes]) -> Iterator[tuple[bytes, Record]]:
        """All records of some points."""
        made: dict[bytes, Mapping[str, str]] = {}
        for key, seed, packed, error, seconds, _, facts, _ in self._sound_rows(keys):
            measurement = None if packed is None else unpack_measurement(packed)
            if facts not in made:
                made[facts] = json.loads(facts)
            yield key, Record(seed, measurement, seconds, error.decode(), made[facts])

    def drop_damaged(self) -> None:
        """Remove the records that were found damaged: nothing in them can be trusted, and others take their place."""
        with self._db.transaction() as db:
            db.executemany("DELETE FROM records WHERE rowid = ?", [(number,) for number in self.damaged])

    def predictions(self, keys: Sequence[bytes]) -> dict[bytes, Prediction]:
        """What theory said at these points, where it is known; what is damaged counts as not known."""
        rows = self._db.rows_of(keys, f"{SEALED['points']}, seal", "points")
        return {row[0]: unpack_prediction(row[1]) for row in rows if row[1] is not None and is_sound(row)}

    def keep_predictions(self, predictions: Mapping[bytes, Prediction]) -> None:
        """Keep what theory says at points that are known."""
        packed = [(pack_prediction(prediction), key) for key, prediction in predictions.items()]
        with self._db.transaction() as db:
            rows = ((content, seal(key, content), key) for content, key in packed)
            db.executemany("UPDATE points SET prediction = ?, seal = ? WHERE key = ?", rows)

    def check(self) -> StoreCheck:
        """Look at everything that is kept here, and say what is damaged; nothing is changed."""
        from giantstep.studies.checking import check_database

        return check_database(self._db)

    # Studies --------------------------------------------------------------------------------------

    def begin_study(self, name: str, spec: Mapping[str, Any], keys: Iterable[bytes], records: int) -> None:
        """Note that a study has begun, or goes on; points that it asked for before, on another grid, stay its own."""
        text = json.dumps(spec, sort_keys=True)
        now = time.time()
        with self._db.transaction() as db:
            db.execute(
                "INSERT INTO studies (name, words, made, state, cells, done, failed, rate, seen, seal, driver) "
                "VALUES (?, ?, ?, 'running', ?, 0, 0, 0, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET "
                "words = excluded.words, state = 'running', cells = excluded.cells, seen = excluded.seen, "
                "seal = excluded.seal, driver = excluded.driver, "
                "made = CASE WHEN typeof(made) IN ('integer', 'real') THEN made ELSE excluded.made END",
                (name, text, now, records, now, seal(name.encode(), text.encode()), this_driver()),
            )
            db.executemany("INSERT OR IGNORE INTO asked VALUES (?, ?)", ((name, key) for key in keys))

    def refuse_another(self, name: str, claim: str) -> None:
        """A name belongs to studies of one claim: going on is welcome, silently becoming another one is not."""
        owner = next((e.spec.get("claim", claim) for e in self.studies() if e.name == name), claim)
        if owner != claim:
            raise InputError(
                f"the name '{name}' belongs to a study of {owner}; choose another name, "
                f"or remove that study with 'giantstep forget {name}'"
            )

    def note(self, note: Note) -> None:
        """Say how far a study is, for those who watch."""
        with self._db.transaction() as db:
            _update(db, note)

    def refuse_if_lost(self) -> None:
        """Refuse to go on if the file of this store was deleted or replaced."""
        self._db.refuse_if_lost()

    def studies(self) -> list[StudyEntry]:
        """All studies, the latest first."""
        columns = "CAST(state AS BLOB), made, cells, done, failed, rate, seen, CAST(driver AS BLOB)"
        return [_entry(*row) for row in self._db.sealed_rows("studies", columns, "ORDER BY seen DESC")]

    def study(self, name: str) -> StudyEntry:
        """The study of this name."""
        for entry in self.studies():
            if entry.name == name and entry.state == "damaged":
                raise InputError(
                    f"what {self.path} says of the study '{name}' is damaged; its records are kept, and the command "
                    "that began it goes on with them"
                )
            if entry.name == name:
                return entry
        known = ", ".join(entry.name for entry in self.studies())
        raise InputError(
            f"there is no study '{name}' in {self.path}; " + (f"it has: {known}" if known else "it is empty")
        )

    def forget(self, name: str) -> int:
        """Remove a study and the records that no other study asks for; gives the number of records removed."""
        if all(entry.name != name for entry in self.studies()):
            self.study(name)
        with self._db.transaction() as db:
            db.execute("CREATE TEMP TABLE freed AS SELECT key FROM asked WHERE study = ?", (name,))
            db.execute("DELETE FROM asked WHERE study = ?", (name,))
            db.execute("DELETE FROM studies WHERE name = ?", (name,))
            db.execute("DELETE FROM freed WHERE key IN (SELECT key FROM asked)")
            removed = db.execute("DELETE FROM records WHERE key IN (SELECT key FROM freed)").rowcount
            db.execute("DELETE FROM points WHERE key IN (SELECT key FROM freed)")
            db.execute("DROP TABLE freed")
        return removed


def _facts(environment: Mapping[str, str]) -> str:
    """An environment as text."""
    return json.dumps(dict(environment), sort_keys=True)


def _update(db: Any, note: Note) -> None:
    changed = db.execute(
        "UPDATE studies SET state = ?, done = ?, failed = ?, rate = ?, seen = ? WHERE name = ?",
        (note.state, note.done, note.failed, note.rate, time.time(), note.name),
    )
    if not changed.rowcount:
        raise LostError(f"somebody forgot the study '{note.name}' while it ran: it ends, and nothing of it is kept")


def _entry(state: Any, made: Any, *rest: Any) -> StudyEntry:
    """A study from its row; of one that cannot be trusted only the name."""
    *numbers, driver, name, words, mark = rest
    called = name.decode(errors="replace")
    if not is_study_sound((made, *numbers), (name, words, mark)):
        return StudyEntry(called, {}, 0.0, "damaged", 0, 0, 0, 0.0, 0.0)
    gone = state == b"running" and is_gone(driver.decode(errors="replace"))
    return StudyEntry(called, json.loads(words), made, "stopped" if gone else state.decode(errors="replace"), *numbers)
