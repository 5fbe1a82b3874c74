"""The store: every finished record of every study in one SQLite file that survives being killed.

A record is found by its point (a hash of claim, claim version and parameters) and its seed; a study is a name, the
specification that defines it, and the points it asks for. Write-ahead logging means that a process killed at any
moment loses no record that was written, and that others may read and write at the same time.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from giantstep.checks import file_path
from giantstep.claims import Claim
from giantstep.errors import InputError
from giantstep.studies.database import Database
from giantstep.studies.records import Record, pack_measurement, pack_prediction, unpack_measurement, unpack_prediction
from giantstep.verdicts import Prediction


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
        state: running, interrupted or finished.
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

    @property
    def path(self) -> Path:
        return self._db.path

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _environment_id(self, facts: Mapping[str, str]) -> int:
        """The number of an environment; it has one as soon as something was made in it."""
        text = json.dumps(dict(facts), sort_keys=True)
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
        with self._db.transaction() as db:
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
        for key, seed, succeeded in self._db.rows_of(keys, "key, seed, measurement IS NOT NULL", "records"):
            found.setdefault(key, {})[seed] = bool(succeeded)
        return found

    def read(self, keys: Sequence[bytes]) -> Iterator[tuple[bytes, Record]]:
        """All records of some points."""
        made = {number: json.loads(facts) for number, facts in self._db.rows("SELECT id, facts FROM environments")}
        columns = "key, seed, measurement, error, seconds, environment"
        for key, seed, packed, error, seconds, number in self._db.rows_of(keys, columns, "records"):
            measurement = None if packed is None else unpack_measurement(packed)
            yield key, Record(seed, measurement, seconds, error, made[number])

    def predictions(self, keys: Sequence[bytes]) -> dict[bytes, Prediction]:
        """What theory said at these points, where it is known."""
        rows = self._db.rows_of(keys, "key, prediction", "points")
        return {key: unpack_prediction(packed) for key, packed in rows if packed is not None}

    def keep_predictions(self, predictions: Mapping[bytes, Prediction]) -> None:
        """Keep what theory says at points that are known."""
        packed = [(pack_prediction(prediction), key) for key, prediction in predictions.items()]
        with self._db.transaction() as db:
            db.executemany("UPDATE points SET prediction = ? WHERE key = ?", packed)

    # Studies --------------------------------------------------------------------------------------

    def begin_study(self, name: str, spec: Mapping[str, Any], keys: Iterable[bytes], records: int) -> None:
        """Note that a study has begun, or goes on; points that it asked for before, on another grid, stay its own."""
        text = json.dumps(spec, sort_keys=True)
        now = time.time()
        with self._db.transaction() as db:
            db.execute(
                "INSERT INTO studies VALUES (?, ?, ?, 'running', ?, 0, 0, 0, ?) ON CONFLICT (name) DO UPDATE SET "
                "words = excluded.words, state = 'running', cells = excluded.cells, seen = excluded.seen",
                (name, text, now, records, now),
            )
            db.executemany("INSERT OR IGNORE INTO asked VALUES (?, ?)", ((name, key) for key in keys))

    def refuse_another(self, name: str, claim: str) -> None:
        """A name belongs to studies of one claim: going on is welcome, silently becoming another one is not."""
        owner = next((e.spec["claim"] for e in self.studies() if e.name == name), claim)
        if owner != claim:
            raise InputError(
                f"the name '{name}' belongs to a study of {owner}; choose another name, "
                f"or remove that study with 'giantstep forget {name}'"
            )

    def note(self, name: str, state: str, done: int, failed: int, rate: float) -> None:
        """Say how far a study is, for those who watch."""
        with self._db.transaction() as db:
            db.execute(
                "UPDATE studies SET state = ?, done = ?, failed = ?, rate = ?, seen = ? WHERE name = ?",
                (state, done, failed, rate, time.time(), name),
            )

    def studies(self) -> list[StudyEntry]:
        """All studies, the latest first."""
        rows = self._db.rows("SELECT * FROM studies ORDER BY seen DESC")
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
        with self._db.transaction() as db:
            db.execute("CREATE TEMP TABLE freed AS SELECT key FROM asked WHERE study = ?", (name,))
            db.execute("DELETE FROM asked WHERE study = ?", (name,))
            db.execute("DELETE FROM studies WHERE name = ?", (name,))
            db.execute("DELETE FROM freed WHERE key IN (SELECT key FROM asked)")
            removed = db.execute("DELETE FROM records WHERE key IN (SELECT key FROM freed)").rowcount
            db.execute("DELETE FROM points WHERE key IN (SELECT key FROM freed)")
            db.execute("DROP TABLE freed")
        return removed
