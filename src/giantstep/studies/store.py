"""The store: every finished cell of every study in one SQLite file that survives being killed.

A record is found by its point (a hash of claim, claim version and parameters) and its seed; a study is a name, the
words that define it, and the points it asks for. Write-ahead logging means that a process killed at any moment loses no
record that was written, and that others may read and write at the same time.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from giantstep.claims import Claim, Prediction
from giantstep.errors import InputError
from giantstep.studies.records import (
    Record,
    pack_measurement,
    pack_prediction,
    unpack_measurement,
    unpack_prediction,
)

APPLICATION = 0x67697374  # "gist", so that a file that is not a store is recognised
FORMAT = 1
PATIENCE_SECONDS = 60.0  # how long a writer waits for another one
SAVE_SECONDS = 1.0  # how often predictions are kept while theory is computed
AT_ONCE = 500  # points asked for in one question

SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE environments (id INTEGER PRIMARY KEY, facts TEXT UNIQUE NOT NULL);
CREATE TABLE points (
    key BLOB PRIMARY KEY, claim TEXT NOT NULL, version INTEGER NOT NULL, parameters TEXT NOT NULL, prediction BLOB
) WITHOUT ROWID;
CREATE TABLE records (
    key BLOB NOT NULL REFERENCES points(key), seed INTEGER NOT NULL, measurement BLOB, error TEXT NOT NULL,
    seconds REAL NOT NULL, made REAL NOT NULL, environment INTEGER NOT NULL REFERENCES environments(id),
    PRIMARY KEY (key, seed)
);
CREATE TABLE studies (
    name TEXT PRIMARY KEY, words TEXT NOT NULL, made REAL NOT NULL, state TEXT NOT NULL, cells INTEGER NOT NULL,
    done INTEGER NOT NULL, failed INTEGER NOT NULL, rate REAL NOT NULL, seen REAL NOT NULL
);
CREATE TABLE asked (
    study TEXT NOT NULL REFERENCES studies(name), key BLOB NOT NULL, PRIMARY KEY (study, key)
) WITHOUT ROWID;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
COMMIT;
"""


def default_path() -> Path:
    """The store in the user's data directory."""
    from platformdirs import user_data_path

    return user_data_path("giantstep") / "studies.sqlite"


@dataclass(frozen=True)
class StudyEntry:
    """A study as the store knows it: its words, and how far it was when last seen."""

    name: str
    words: Mapping[str, Any]
    made: float
    state: str
    cells: int
    done: int
    failed: int
    rate: float
    seen: float


def _predicted(point: Claim) -> Prediction:
    try:
        return point.predict()
    except InputError:
        raise
    except Exception as error:
        place = ", ".join(f"{name} = {value}" for name, value in point.parameters().items())
        raise InputError(
            f"the theory of {point.name} breaks down at {place}: {type(error).__name__}: {error}"
        ) from error


class Store:
    """Records and studies in one file; `Store()` is the user's own, `Store.in_memory()` forgets when it is closed."""

    def __init__(self, path: Path | str | None = None) -> None:
        self.path = Path(path) if path is not None else default_path()
        with self._told():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._open(str(self.path))

    @classmethod
    def in_memory(cls) -> Self:
        """A store that nobody else sees: studies without a name keep their records here."""
        store = cls.__new__(cls)
        store.path = Path(":memory:")
        store._open(":memory:")
        return store

    def _open(self, place: str) -> None:
        # Our own transactions (isolation_level None): Python's implicit ones would hold locks longer than needed.
        self._db = sqlite3.connect(place, timeout=PATIENCE_SECONDS, isolation_level=None)
        self._db.execute("PRAGMA synchronous = NORMAL")
        application, version = (
            self._db.execute(f"PRAGMA {p}").fetchone()[0] for p in ("application_id", "user_version")
        )
        if application == 0 and not self._db.execute("SELECT 1 FROM sqlite_master").fetchone():
            self._db.execute("PRAGMA journal_mode = WAL")
            self._create()
        elif application != APPLICATION:
            raise InputError(f"'{place}' is a database of something else; name another file with --store")
        elif version > FORMAT:
            raise InputError(
                f"the store '{place}' was made by a newer giantstep; update giantstep or use another store"
            )
        self._environments: dict[str, int] = {}

    def _create(self) -> None:
        try:
            self._db.executescript(SCHEMA)
        except sqlite3.OperationalError as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if "already exists" not in str(error):  # another process was quicker
                raise

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """A full disk, a locked or broken file, in one sentence."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise InputError(
                f"the store '{self.path}' cannot be used ({error}); what was written before is kept: "
                "free space or rights, or name another file with --store"
            ) from None
        except OSError as error:
            raise InputError(f"the store '{self.path}' cannot be used: {error.strerror}") from None

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._told():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                if self._db.in_transaction:  # a full disk ends a transaction by itself
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def _environment_id(self, facts: Mapping[str, str]) -> int:
        """The number of an environment; it has one as soon as something was made in it."""
        text = json.dumps(dict(facts), sort_keys=True)
        if text not in self._environments:
            with self._transaction() as db:
                db.execute("INSERT OR IGNORE INTO environments (facts) VALUES (?)", (text,))
            found = self._db.execute("SELECT id FROM environments WHERE facts = ?", (text,)).fetchone()
            self._environments[text] = int(found[0])
        return self._environments[text]

    # Points and records ---------------------------------------------------------------------------

    def add_points(self, points: Mapping[bytes, Claim]) -> None:
        """Make points known; those known already stay as they are."""
        rows = (
            (key, point.name, point.info.version, json.dumps(point.parameters(), sort_keys=True))
            for key, point in points.items()
        )
        with self._transaction() as db:
            db.executemany("INSERT OR IGNORE INTO points (key, claim, version, parameters) VALUES (?, ?, ?, ?)", rows)

    def write(self, records: Iterable[tuple[bytes, Record]]) -> None:
        """Keep the records of one simulation, all or none; a success replaces a failure, never the other way round."""
        rows = [
            (
                key,
                r.seed,
                None if r.measurement is None else pack_measurement(r.measurement),
                r.error,
                r.seconds,
                time.time(),
                self._environment_id(r.environment),
            )
            for key, r in records
        ]
        with self._transaction() as db:
            db.executemany(
                "INSERT INTO records (key, seed, measurement, error, seconds, made, environment) "
                "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key, seed) DO UPDATE SET "
                "measurement = excluded.measurement, error = excluded.error, seconds = excluded.seconds, "
                "made = excluded.made, environment = excluded.environment WHERE records.measurement IS NULL",
                rows,
            )

    def known(self, keys: Sequence[bytes]) -> dict[bytes, dict[int, bool]]:
        """For each point the seeds that are there, and whether they succeeded."""
        found: dict[bytes, dict[int, bool]] = {}
        for key, seed, succeeded in self._select("key, seed, measurement IS NOT NULL", keys):
            found.setdefault(key, {})[seed] = bool(succeeded)
        return found

    def read(self, keys: Sequence[bytes]) -> Iterator[tuple[bytes, Record]]:
        """All records of some points."""
        made = {number: json.loads(facts) for number, facts in self._db.execute("SELECT id, facts FROM environments")}
        columns = "key, seed, measurement, error, seconds, environment"
        for key, seed, packed, error, seconds, number in self._select(columns, keys):
            measurement = None if packed is None else unpack_measurement(packed)
            yield key, Record(seed, measurement, seconds, error, made[number])

    def _select(self, columns: str, keys: Sequence[bytes], table: str = "records") -> Iterator[tuple[Any, ...]]:
        with self._told():
            for start in range(0, len(keys), AT_ONCE):
                some = keys[start : start + AT_ONCE]
                marks = ",".join("?" * len(some))
                with closing(self._db.execute(f"SELECT {columns} FROM {table} WHERE key IN ({marks})", some)) as rows:
                    yield from rows

    def predictions(self, points: Mapping[bytes, Claim]) -> dict[bytes, Prediction]:
        """What theory says at these points, computed where it is not known yet."""
        found = {
            key: unpack_prediction(packed)
            for key, packed in self._select("key, prediction", list(points), "points")
            if packed is not None
        }
        missing = {key: point for key, point in points.items() if key not in found}
        new: dict[bytes, Prediction] = {}
        saved = time.monotonic()
        for key, point in missing.items():
            new[key] = _predicted(point)
            if time.monotonic() - saved > SAVE_SECONDS:
                self._keep_predictions(new)
                found, new, saved = found | new, {}, time.monotonic()
        self._keep_predictions(new)
        return found | new

    def _keep_predictions(self, predictions: Mapping[bytes, Prediction]) -> None:
        if predictions:
            with self._transaction() as db:
                packed = ((pack_prediction(prediction), key) for key, prediction in predictions.items())
                db.executemany("UPDATE points SET prediction = ? WHERE key = ?", packed)

    # Studies --------------------------------------------------------------------------------------

    def begin_study(self, name: str, words: Mapping[str, Any], keys: Iterable[bytes], cells: int) -> None:
        """Note that a study has begun, or goes on."""
        text = json.dumps(words, sort_keys=True)
        now = time.time()
        with self._transaction() as db:
            db.execute(
                "INSERT INTO studies VALUES (?, ?, ?, 'running', ?, 0, 0, 0, ?) ON CONFLICT (name) DO UPDATE SET "
                "words = excluded.words, state = 'running', cells = excluded.cells, seen = excluded.seen",
                (name, text, now, cells, now),
            )
            db.execute("DELETE FROM asked WHERE study = ?", (name,))
            db.executemany("INSERT INTO asked VALUES (?, ?)", ((name, key) for key in keys))

    def note(self, name: str, state: str, done: int, failed: int, rate: float) -> None:
        """Say how far a study is, for those who watch."""
        with self._transaction() as db:
            db.execute(
                "UPDATE studies SET state = ?, done = ?, failed = ?, rate = ?, seen = ? WHERE name = ?",
                (state, done, failed, rate, time.time(), name),
            )

    def studies(self) -> list[StudyEntry]:
        """All studies, the latest first."""
        with self._told():
            rows = self._db.execute("SELECT * FROM studies ORDER BY seen DESC").fetchall()
        return [StudyEntry(row[0], json.loads(row[1]), *row[2:]) for row in rows]

    def study(self, name: str) -> StudyEntry:
        """The study of this name."""
        for entry in self.studies():
            if entry.name == name:
                return entry
        known = ", ".join(entry.name for entry in self.studies())
        raise InputError(
            f"there is no study '{name}' in {self.path}; " + (f"it has: {known}" if known else "it is empty")
        )

    def forget(self, name: str) -> int:
        """Remove a study and the records that no other study asks for; gives the number of records removed."""
        self.study(name)
        with self._transaction() as db:
            db.execute("CREATE TEMP TABLE freed AS SELECT key FROM asked WHERE study = ?", (name,))
            db.execute("DELETE FROM asked WHERE study = ?", (name,))
            db.execute("DELETE FROM studies WHERE name = ?", (name,))
            db.execute("DELETE FROM freed WHERE key IN (SELECT key FROM asked)")
            removed = db.execute("DELETE FROM records WHERE key IN (SELECT key FROM freed)").rowcount
            db.execute("DELETE FROM points WHERE key IN (SELECT key FROM freed)")
            db.execute("DROP TABLE freed")
        return removed
