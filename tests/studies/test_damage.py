"""Damaged stores, one kind after the other: a sentence, nothing silent, nothing lost that was sound."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import giantstep.studies
from giantstep.cli.completion import candidates
from giantstep.cli.main import status
from giantstep.errors import LONGEST, InputError, LostError
from giantstep.studies import InProcess, Results, Store, Study
from giantstep.studies.database import Database
from giantstep.studies.driver import is_gone, this_driver
from giantstep.studies.seals import seal
from giantstep.studies.tasks import Outcome
from tests.claims.toy import NoisyLevel
from tests.studies.test_store import performed
from tests.studies.test_study import assert_bit_identical


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with four records of the study 'mine', closed."""
    place = tmp_path_factory.mktemp("whole") / "s.sqlite"
    study_at(place).run(executor=InProcess())
    return place


@pytest.fixture
def place(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path / "s.sqlite"))


def study_at(place: Path) -> Study:
    return Study(NoisyLevel(), size=[4, 8], seeds=2, name="mine", store=place)


def change(place: Path, *words: Any) -> None:
    with closing(sqlite3.connect(place)) as db, db:
        db.execute(*words)


def assert_sound(found: Results) -> None:
    """Whatever is told is what was measured."""
    right = Study(NoisyLevel(), size=[4, 8], seeds=2).run(executor=InProcess())
    for one, other in zip(found.cells, right.cells, strict=True):
        kept = [other.measurements[other.seeds.index(seed)] for seed in one.seeds]
        assert_bit_identical(one.measurements, kept)
        assert dict(one.prediction.thresholds) == dict(other.prediction.thresholds)
        assert one.prediction.values["level"] == other.prediction.values["level"]


def flip(place: Path, table: str, column: str) -> None:
    """One bit, in the middle of what a row holds."""
    with closing(sqlite3.connect(place)) as db, db:
        (content,) = db.execute(f"SELECT {column} FROM {table} WHERE {column} NOT NULL LIMIT 1").fetchone()
        raw = bytearray(content)
        raw[len(raw) // 2] ^= 1
        assert db.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (bytes(raw), content)).rowcount


CHANGES: dict[str, tuple[Any, ...]] = {
    "a blob cut short": ("UPDATE records SET measurement = substr(measurement, 1, 20) WHERE seed = 1",),
    "an empty blob": ("UPDATE records SET measurement = x'' WHERE seed = 1",),
    "a measurement that is none": ("UPDATE records SET measurement = NULL WHERE seed = 1",),
    "a text for a seed": ("UPDATE records SET seed = 'one' WHERE seed = 1",),
    "another seed": ("UPDATE records SET seed = 7 WHERE seed = 1",),
    "another time": ("UPDATE records SET seconds = 1e9 WHERE seed = 1",),
    "an error that is no text": ("UPDATE records SET error = x'ff00fe' WHERE seed = 1",),
    "a record of another point": ("UPDATE records SET measurement = (SELECT measurement FROM records) WHERE seed = 1",),
    "no seal": ("UPDATE records SET seal = NULL WHERE seed = 1",),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_damaged_records_are_named_left_out_and_simulated_again(kind: str, place: Path) -> None:
    change(place, *CHANGES[kind])
    before = study_at(place).results()
    assert_sound(before)
    assert len(before.damaged) in (1, 2), before.damaged  # one of the changes is no change at one of the points
    assert before.damaged[0].startswith("seed ")
    with Store(place) as store:
        assert len(store.check().damage) == len(before.damaged)
    assert performed(study_at(place)) == len(before.damaged)
    after = study_at(place).results()
    assert_sound(after)
    assert [len(cell.seeds) for cell in after.cells] == [2, 2]
    with Store(place) as store:
        assert not store.check().damage
    assert not after.damaged


def test_one_flipped_bit_in_a_measurement_gives_no_other_number(place: Path) -> None:
    flip(place, "records", "measurement")
    assert len(study_at(place).results().damaged) == 1
    assert performed(study_at(place)) == 1
    assert_sound(study_at(place).results())


def test_an_environment_that_is_no_json_costs_its_records(place: Path) -> None:
    change(place, "UPDATE environments SET facts = '{broken'")
    assert len(study_at(place).results().damaged) == 4
    assert performed(study_at(place)) == 4
    assert not study_at(place).results().damaged


def test_a_damaged_prediction_is_computed_again(place: Path) -> None:
    flip(place, "points", "prediction")
    with Store(place) as store:
        lines = store.check().damage
    assert len(lines) == 2  # both points have the same prediction
    assert all(line.startswith("the prediction of toy/noisy-level") for line in lines)
    assert_sound(study_at(place).results())
    with Store(place) as store:
        assert not store.check().damage


def test_a_damaged_study_is_told_and_the_same_command_mends_it(place: Path) -> None:
    change(place, "UPDATE studies SET words = replace(words, '4', '5')")
    with Store(place) as store:
        assert [(e.name, e.state) for e in store.studies()] == [("mine", "damaged")]
        assert "what is said of the study mine" in store.check().damage
        with pytest.raises(InputError, match=r"what .* says of the study 'mine' is damaged; its records are kept"):
            store.study("mine")
    assert status(["studies", "--store", str(place)]) == 0
    assert performed(study_at(place)) == 0
    with Store(place) as store:
        assert store.study("mine").state == "finished"


@pytest.mark.parametrize("column", ["made", "cells", "done", "failed", "rate", "seen"])
def test_numbers_of_a_study_that_are_none_are_damage(column: str, place: Path) -> None:
    change(place, f"UPDATE studies SET {column} = 'many'")
    with Store(place) as store:
        assert [e.state for e in store.studies()] == ["damaged"]
        assert store.check().damage == ("what is said of the study mine",)
    assert performed(study_at(place)) == 0
    with Store(place) as store:
        assert not store.check().damage


def test_a_table_that_is_missing_is_damage(place: Path) -> None:
    with closing(sqlite3.connect(place)) as file:
        file.execute("DROP TABLE asked")
    with Store(place) as store:
        assert store.check().damage == ("the file: it has no table 'asked'",)
    with closing(sqlite3.connect(place)) as file:
        file.execute("DROP TABLE records")
    with pytest.raises(InputError, match=r"no such table: records.*bring it back from a copy"), Store(place) as store:
        store.check()


def test_columns_of_somebody_else_do_no_harm(place: Path) -> None:
    change(place, "ALTER TABLE studies ADD COLUMN mood TEXT DEFAULT 'merry'")
    change(place, "ALTER TABLE records ADD COLUMN mood TEXT DEFAULT 'merry'")
    assert_sound(study_at(place).results())
    assert performed(study_at(place)) == 0


def told_of_file(place: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What reading commands say of a file: one sentence and status 2."""
    said = []
    for line in (["studies"], ["studies", "--check"], ["results", "mine"], ["forget", "mine"]):
        assert status([*line, "--store", str(place)]) == 2, line
        captured = capsys.readouterr()
        assert captured.err.startswith("giantstep: ")
        assert captured.err.count("\n") == 1
        said.append(captured.err)
    return said[0]


def test_a_truncated_file(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = place.read_bytes()
    place.write_bytes(content[: len(content) // 2])
    said = told_of_file(place, capsys)
    assert "cannot be used" in said
    assert "bring it back from a copy" in said  # and nobody is told that what was written is kept
    assert place.read_bytes()[:4096] == content[:4096]  # nobody has tried to mend it


def test_a_random_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "s.sqlite"
    place.write_bytes(np.random.default_rng(0).bytes(10_000))
    assert "not a database" in told_of_file(place, capsys)


def test_an_empty_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "s.sqlite"
    place.touch()
    assert "is empty" in told_of_file(place, capsys)


def test_a_directory_in_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "cannot be used: it is a folder; a store is a file" in told_of_file(tmp_path, capsys)


def test_a_newer_file(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(place, "PRAGMA user_version = 99")
    assert "newer giantstep" in told_of_file(place, capsys)


def test_a_file_that_cannot_be_written_can_be_read(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Database.__init__

    def read_only(self: Database, path: Path | None) -> None:
        opened(self, path)
        if path is not None:
            self.connection.execute("PRAGMA query_only = 1")

    monkeypatch.setattr(Database, "__init__", read_only)
    assert_sound(study_at(place).results())
    with pytest.raises(InputError, match="readonly database"):
        Study(NoisyLevel(), size=[16], name="more", store=place).run(executor=InProcess())


def test_flipped_bits_anywhere_are_never_taken_for_numbers(whole: Path, tmp_path: Path) -> None:
    """Wherever a bit is flipped in the file: what is told is right, or it is a sentence."""
    content = whole.read_bytes()
    places = np.random.default_rng(5).integers(0, 8 * len(content), 150)
    refused = left_out = 0
    for number, bit in enumerate(places):
        raw = bytearray(content)
        raw[bit // 8] ^= 1 << (bit % 8)
        place = tmp_path / f"{number}.sqlite"
        place.write_bytes(raw)
        try:
            found = study_at(place).results()
            with Store(place) as store:
                store.check(), store.studies()
        except InputError:
            refused += 1
        else:
            assert_sound(found)
            left_out += any(len(cell.seeds) < 2 for cell in found.cells)
    assert refused
    assert left_out


class Disturbed(InProcess):
    """Something happens to the store while a study runs, after its first simulation."""

    def __init__(self, happens: Callable[[], None]) -> None:
        object.__setattr__(self, "threads", 1)
        object.__setattr__(self, "happens", happens)

    def perform_all(self, tasks: Any, progress: Any = None) -> Any:
        for number, outcome in super().perform_all(tasks, progress):
            if number == 1:
                self.happens()  # type: ignore[attr-defined]
            yield number, outcome


def test_a_store_deleted_while_a_study_runs_ends_it(tmp_path: Path) -> None:
    place = tmp_path / "s.sqlite"
    with pytest.raises(LostError, match="was deleted or replaced while it was in use"):
        study_at(place).run(executor=Disturbed(place.unlink))


def test_a_store_replaced_while_a_study_runs_ends_it(whole: Path, tmp_path: Path) -> None:
    place = tmp_path / "s.sqlite"
    other = shutil.copy(whole, tmp_path / "other.sqlite")
    with pytest.raises(LostError, match="deleted or replaced"):
        study_at(place).run(executor=Disturbed(lambda: os.replace(other, place)))
    assert_sound(study_at(place).results())


def test_a_log_deleted_while_a_study_runs_loses_nothing(tmp_path: Path) -> None:
    place = tmp_path / "s.sqlite"
    with pytest.raises(LostError, match="deleted or replaced"):
        study_at(place).run(executor=Disturbed((tmp_path / "s.sqlite-wal").unlink))
    found = study_at(place).results()
    assert sum(len(cell.seeds) for cell in found.cells) == 1  # what was written before
    assert performed(study_at(place)) == 3


def test_a_study_that_a_full_disk_stops_counts_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "s.sqlite"
    keep, written = Store.write, iter((True, True, False))

    def until_full(self: Store, *given: Any) -> None:
        if not next(written):
            raise InputError("database or disk is full")
        keep(self, *given)

    monkeypatch.setattr(Store, "write", until_full)
    with pytest.raises(InputError, match="full"):
        study_at(place).run(executor=InProcess())
    with Store(place) as store:
        entry, check = store.study("mine"), store.check()
    assert entry.in_words() == "interrupted at 2 of 4; the same command goes on"
    assert (check.records, check.damage) == (2, ())


def test_a_lost_store_is_status_1(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place = tmp_path / "s.sqlite"
    keep = Store.write

    def unlinked(self: Store, *given: Any) -> None:
        place.unlink(missing_ok=True)
        keep(self, *given)

    monkeypatch.setattr(Store, "write", unlinked)
    line = ["sweep", "tests.claims.toy:NoisyLevel", "--size", "1,2", "--seeds", "2", "--workers", "1", "--quiet"]
    assert status([*line, "--store", str(place)]) == 1


def test_a_study_forgotten_while_it_runs_leaves_nothing(tmp_path: Path) -> None:
    place = tmp_path / "s.sqlite"

    def forget() -> None:
        with Store(place) as store:
            store.forget("mine")

    with pytest.raises(LostError, match="somebody forgot the study 'mine' while it ran"):
        study_at(place).run(executor=Disturbed(forget))
    with closing(sqlite3.connect(place)) as db:
        assert db.execute("SELECT count(*) FROM records").fetchone() == (0,)
        assert db.execute("SELECT count(*) FROM points").fetchone() == (0,)


def test_a_store_of_the_first_format_is_brought_up(place: Path) -> None:
    for table in ("records", "points", "studies"):
        change(place, f"ALTER TABLE {table} DROP COLUMN seal")
    change(place, "ALTER TABLE studies DROP COLUMN driver")
    change(place, "PRAGMA user_version = 1")
    assert_sound(study_at(place).results())
    with Store(place) as store:
        assert not store.check().damage
        assert store.study("mine").state == "finished"
    assert performed(study_at(place)) == 0


@pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")
def test_a_store_is_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with Store(tmp_path / "s.sqlite") as store:
            store.add_points({})
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(["s.sqlite", "s.sqlite-wal", "s.sqlite-shm"], 0o600)


def test_nothing_in_a_store_is_executed() -> None:
    for name in ("checking", "database", "driver", "records", "seals", "store"):
        source = (Path(giantstep.studies.__file__).parent / f"{name}.py").read_text()
        assert not re.search(r"pickle|marshal|eval\(|exec\(|load_extension", source), name


def test_a_study_whose_driver_is_gone_is_stopped(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        own = this_driver().split(" ", 2)
        living = this_driver()
        dead = f"{process.pid} {own[1]} {own[2]}"
        process.communicate(b"\n")
    assert not is_gone(living)
    assert is_gone(dead)
    assert not is_gone(f"{process.pid} - elsewhere")
    assert not is_gone("")
    assert is_gone(f"{process.pid} - {own[2]}")  # without the time of birth, as where no /proc tells it
    for driver, words in ((living, "running"), (dead, "stopped at 3 of 4; the same command goes on")):
        change(place, "UPDATE studies SET state = 'running', done = 3, driver = ?", (driver,))
        assert status(["studies", "--store", str(place)]) == 0
        assert words in capsys.readouterr().out


def test_a_store_of_somebody_else_commands_no_terminal(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its seals are right, for whoever writes a store can make them; its words are not to be obeyed."""
    evil, error = "\x1b]0;evil\x07\n$(touch x)", "\x1b[2J" + "a" * 5000
    with closing(sqlite3.connect(place)) as db, db:
        ((words,),) = db.execute("SELECT words FROM studies").fetchall()
        db.execute("UPDATE studies SET name = ?, seal = ?", (evil, seal(evil.encode(), words.encode())))
        db.execute("UPDATE records SET seconds = seconds + 1 WHERE seed = 1")
    assert status(["studies", "--store", str(place)]) == 0
    assert "?]0;evil??$(touch" in capsys.readouterr().out
    change(place, "UPDATE studies SET words = words || ' '")
    assert status(["studies", "--check", "--store", str(place)]) == 1
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setattr("giantstep.studies.default_path", lambda: place)
    monkeypatch.setattr("giantstep.studies.Store", lambda _: Store(place))
    assert not list(candidates(["results", ""]))
    study = Study(NoisyLevel(), size=[32], seeds=1, name="failed", store=tmp_path / "other.sqlite")
    (told,) = study.run(executor=Failing(error)).failures
    assert told.isprintable()
    assert len(told) <= LONGEST


class Failing(InProcess):
    """Each simulation fails, and says this."""

    def __init__(self, words: str) -> None:
        object.__setattr__(self, "words", words)

    def perform_all(self, tasks: Any, progress: Any = None) -> Any:
        for number, _ in enumerate(tasks):
            yield number, Outcome((), 0.0, self.words)  # type: ignore[attr-defined]
