"""One SQLite file, opened so that a process killed at any moment loses nothing that was written."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from giantstep.errors import InputError, LostError
from giantstep.studies.seals import seal

APPLICATION = 0x67697374  # "gist", so that a file that is not a store is recognised
FORMAT = 2
PATIENCE_SECONDS = 60.0  # how long a writer waits for another one
AT_ONCE = 500  # keys asked for in one question

# What is sealed, with its columns: text as bytes, for damaged text may be no text any more.
FACTS = "(SELECT CAST(facts AS BLOB) FROM environments WHERE id = environment)"
SEALED = {
    "records": f"key, seed, measurement, CAST(error AS BLOB), seconds, made, {FACTS}",
    "points": "key, prediction",
    "studies": "CAST(name AS BLOB), CAST(words AS BLOB)",
}

# In the table of studies, `words` holds the spec and `cells` the number of records: names that files have on disk.
SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE environments (id INTEGER PRIMARY KEY, facts TEXT UNIQUE NOT NULL);
CREATE TABLE points (
    key BLOB PRIMARY KEY, claim TEXT NOT NULL, version INTEGER NOT NULL, parameters TEXT NOT NULL, prediction BLOB,
    seal BLOB
) WITHOUT ROWID;
CREATE TABLE records (
    key BLOB NOT NULL REFERENCES points(key), seed INTEGER NOT NULL, measurement BLOB, error TEXT NOT NULL,
    seconds REAL NOT NULL, made REAL NOT NULL, environment INTEGER NOT NULL REFERENCES environments(id),
    seal BLOB, PRIMARY KEY (key, seed)
);
CREATE TABLE studies (
    name TEXT PRIMARY KEY, words TEXT NOT NULL, made REAL NOT NULL, state TEXT NOT NULL, cells INTEGER NOT NULL,
    done INTEGER NOT NULL, failed INTEGER NOT NULL, rate REAL NOT NULL, seen REAL NOT NULL,
    seal BLOB, driver TEXT NOT NULL DEFAULT ''
);
CREATE TABLE asked (
    study TEXT NOT NULL REFERENCES studies(name), key BLOB NOT NULL, PRIMARY KEY (study, key)
) WITHOUT ROWID;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
COMMIT;
"""

TABLES = tuple(re.findall(r"CREATE TABLE (\w+)", SCHEMA))

# Format 1 had neither seals nor drivers: what it holds is sealed as it is found.
SINCE_1 = [
    *(f"ALTER TABLE {table} ADD COLUMN seal BLOB" for table in SEALED),
    "ALTER TABLE studies ADD COLUMN driver TEXT NOT NULL DEFAULT ''",
    *(f"UPDATE {table} SET seal = sealed({columns})" for table, columns in SEALED.items()),
    f"PRAGMA user_version = {FORMAT}",
]


class Database:
    """The file behind a store; None for one in memory. Write-ahead logging lets others read and write meanwhile."""

    def __init__(self, path: Path | None) -> None:
        self.path = path or Path(":memory:")
        with self.told():
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                if path.is_dir():
                    raise IsADirectoryError(0, f"it is a folder; a store is a file, such as {path / 'store.sqlite'}")
                _make_private(path)
            # Our own transactions (isolation_level None): Python's implicit ones would hold locks longer than needed.
            self.connection = sqlite3.connect(str(self.path), timeout=PATIENCE_SECONDS, isolation_level=None)
            try:
                self._check()
            except BaseException:
                self.connection.close()
                raise
            self._files = self._identities()

    def _check(self) -> None:
        """Make the tables of a new file; refuse files of others."""
        ask = self.connection.execute
        ask("PRAGMA synchronous = NORMAL")
        application, version = (ask(f"PRAGMA {p}").fetchone()[0] for p in ("application_id", "user_version"))
        if application == 0 and not ask("SELECT 1 FROM sqlite_master").fetchone():
            ask("PRAGMA journal_mode = WAL")
            self._create()
        elif application != APPLICATION:
            raise InputError(f"'{self.path}' is a database of something else; name another file with --store")
        elif version > FORMAT:
            raise InputError(
                f"the store '{self.path}' was made by a newer giantstep; update giantstep or use another store"
            )
        elif version < FORMAT:
            self._bring_up()

    def _bring_up(self) -> None:
        """Make an older file one of today."""
        self.connection.create_function("sealed", -1, seal, deterministic=True)
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            if self.connection.execute("PRAGMA user_version").fetchone()[0] < FORMAT:  # else another was quicker
                for change in SINCE_1:
                    self.connection.execute(change)
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    def _create(self) -> None:
        try:
            self.connection.executescript(SCHEMA)
        except sqlite3.OperationalError as error:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            if "already exists" not in str(error):  # another process was quicker
                raise

    def close(self) -> None:
        self.connection.close()

    def _identities(self) -> list[tuple[int, int] | None]:
        """Which files these are, whatever they are called: the database and its log."""
        return [_identity(self.path), _identity(Path(f"{self.path}-wal"))]

    def refuse_if_lost(self) -> None:
        """End what is written here if the file is no longer the one that was opened: nobody would find it there."""
        if str(self.path) != ":memory:" and self._identities() != self._files:
            raise LostError(
                f"the store '{self.path}' was deleted or replaced while it was in use: what is measured could not be "
                "kept; the same command goes on with what is there"
            )

    @contextmanager
    def told(self) -> Iterator[None]:
        """A full disk, a locked or broken file, in one sentence."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # a broken file may have names that are no text
            raise InputError(f"the store '{self.path}' cannot be used ({error}); {_remedy(error)}") from None
        except OSError as error:
            raise InputError(f"the store '{self.path}' cannot be used: {error.strerror}") from None

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing of what is done inside."""
        self.refuse_if_lost()
        with self.told():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
            except BaseException:
                if self.connection.in_transaction:  # a full disk ends a transaction by itself
                    self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        """All answers to a short question."""
        with self.told():
            return self.connection.execute(question).fetchall()

    def sealed_rows(self, table: str, more: str, where: str = "") -> Iterator[tuple[Any, ...]]:
        """Rows of a table, one after the other: `more` columns, then what is sealed, then the seal."""
        question = f"SELECT {more}, {SEALED[table]}, seal FROM {table} {where}"
        with self.told(), closing(self.connection.execute(question)) as found:
            yield from found

    def rows_of(self, keys: Sequence[bytes], columns: str, table: str) -> Iterator[tuple[Any, ...]]:
        """The rows of a table with these keys."""
        with self.told():
            for start in range(0, len(keys), AT_ONCE):
                some = keys[start : start + AT_ONCE]
                question = f"SELECT {columns} FROM {table} WHERE key IN ({','.join('?' * len(some))})"
                with closing(self.connection.execute(question, some)) as found:
                    yield from found


def _remedy(error: Exception) -> str:
    """What can be done: a full disk or missing rights are an `OperationalError` of SQLite, a broken file is not.

    Of what a broken file lacks, a missing table alone is such an error.
    """
    if isinstance(error, sqlite3.OperationalError) and "no such" not in str(error):
        return "what was written before is kept: free space or rights, or name another file with --store"
    return "it is left as it is: bring it back from a copy, or name another file with --store"


def _make_private(path: Path) -> None:
    """Make a new file for its owner alone; the log beside it takes after it."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
