"""The store: nothing lost, nothing mixed, one sentence when it cannot be used."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from giantstep.claims import claim
from giantstep.errors import InputError
from giantstep.studies import InProcess, Store, Study
from giantstep.studies.records import (
    Record,
    pack_measurement,
    pack_prediction,
    point_key,
    unpack_measurement,
    unpack_prediction,
)
from giantstep.verdicts.stating import Curve, Measurement
from tests.claims.toy import NoisyLevel
from tests.studies.test_study import assert_bit_identical


class Counting(InProcess):
    """Performs tasks and counts them."""

    def __init__(self) -> None:
        object.__setattr__(self, "threads", 1)
        object.__setattr__(self, "performed", [])

    def perform_all(self, tasks: Any, progress: Any = None) -> Any:
        for number, outcome in super().perform_all(tasks, progress):
            self.performed.append(number)  # type: ignore[attr-defined]
            yield number, outcome


def performed(study: Study, **options: Any) -> int:
    executor = Counting()
    study.run(executor=executor, **options)
    return len(executor.performed)  # type: ignore[attr-defined]


def test_what_is_packed_comes_back_to_the_last_bit() -> None:
    noise = np.random.default_rng(0).standard_normal(7)
    before = Measurement(
        {"a": 0.1 + 0.2, "bad": float("nan"), "c": Curve(noise, noise**3, "time")}, {"a": 1e-300}, {"s": noise[:3]}
    )
    after = unpack_measurement(pack_measurement(before))
    assert after.values["a"] == before.values["a"]
    assert np.isnan(after.values["bad"])  # type: ignore[arg-type]
    assert isinstance(after.values["c"], Curve)
    assert np.array_equal(after.values["c"].y, noise**3)
    assert after.values["c"].x_name == "time"
    assert after.finite == before.finite
    assert np.array_equal(after.spectra["s"], noise[:3])


def test_predictions_come_back_too() -> None:
    for point in (NoisyLevel(), claim("bes22/weight-spike", d=64)):
        before = point.predict()
        after = unpack_prediction(pack_prediction(before))
        assert (after.regime, after.notes, dict(after.thresholds)) == (
            before.regime,
            before.notes,
            dict(before.thresholds),
        )
        for name, density in before.densities.items():
            assert np.array_equal(after.densities[name].y, density.y)
            assert after.densities[name].spikes == density.spikes
            assert after.densities[name].edges == density.edges


def test_a_study_run_again_does_only_what_is_missing(tmp_path: Path) -> None:
    place = tmp_path / "s.sqlite"
    small = Study(NoisyLevel(), size=[4, 8], seeds=3, name="one", store=place)
    larger = Study(NoisyLevel(), size=[4, 8, 16], seeds=4, name="one", store=place)
    assert performed(small) == 6
    assert performed(small) == 0
    assert performed(larger) == 12 - 6
    assert_bit_identical(
        larger.results().cells[0].measurements, Study(NoisyLevel(size=4), seeds=4).run().cells[0].measurements
    )


def test_the_same_point_is_the_same_however_it_is_written() -> None:
    spike = claim("bes22/weight-spike")
    assert point_key(spike) == point_key(claim("bes22/weight-spike", d=512.0, activation="tanh(z)", step=6))
    assert point_key(spike) != point_key(spike.replace(step=6.5))


def test_records_of_another_version_are_not_mixed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    place = tmp_path / "s.sqlite"
    study = Study(NoisyLevel(), seeds=2, name="old", store=place)
    study.run()
    monkeypatch.setattr(NoisyLevel, "info", replace(NoisyLevel.info, version=2))
    with Store(place) as store, pytest.raises(InputError, match=r"version 1 of .*NoisyLevel.*present version 2"):
        Study.from_spec(store.study("old").spec, "old", place)
    assert performed(Study(NoisyLevel(), seeds=2, name="new", store=place)) == 2


def test_failures_are_kept_and_the_same_study_tries_them_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = Study(NoisyLevel(), size=[4, 8], seeds=2, name="f", store=tmp_path / "s.sqlite")
    right = NoisyLevel.measure_path.__func__  # type: ignore[attr-defined]

    def wrong(cls: type[NoisyLevel], points: Any, run: Any) -> Any:
        if points[0].size == 8:
            raise FloatingPointError("overflow")
        return right(cls, points, run)

    monkeypatch.setattr(NoisyLevel, "measure_path", classmethod(wrong))
    results = study.run()
    assert len(results.failures) == 2
    assert "overflow" in results.failures[0]
    assert len(results.cells[0].measurements) == 2  # the others did not suffer
    with study.open_store() as store:
        assert store.study("f").in_words() == "finished; the same command tries the 2 that failed again"
    monkeypatch.setattr(NoisyLevel, "measure_path", classmethod(right))
    assert performed(study, retry_failed=False) == 0
    assert performed(study) == 2  # its code is mended
    assert not study.results().failures
    with study.open_store() as store:
        assert store.study("f").in_words() == "finished"


def test_a_success_is_never_replaced(tmp_path: Path) -> None:
    key = point_key(NoisyLevel())
    with Store(tmp_path / "s.sqlite") as store:
        store.add_points({key: NoisyLevel()})
        store.write([(key, Record(0, Measurement({"level": 1.0}), 0.1))])
        store.write([(key, Record(0, None, 0.1, "broke down"))])
        store.write([(key, Record(0, Measurement({"level": 2.0}), 0.1))])
        (found,) = [record for _, record in store.read([key])]
    assert found.measurement is not None
    assert found.measurement["level"] == 1.0
    assert not found.error


def test_a_name_belongs_to_one_claim(tmp_path: Path) -> None:
    place = tmp_path / "s.sqlite"
    Study(NoisyLevel(), seeds=1, name="mine", store=place).run()
    with pytest.raises(InputError, match=r"'mine' belongs to a study of .*NoisyLevel; choose another name"):
        Study(claim("bes22/weight-spike", d=32), seeds=1, name="mine", store=place).run()


def test_forgetting_removes_what_the_study_asked_for_on_all_its_grids(tmp_path: Path) -> None:
    place = tmp_path / "s.sqlite"
    Study(NoisyLevel(), size=[4, 8], seeds=1, name="mine", store=place).run()
    Study(NoisyLevel(), size=[16], seeds=1, name="mine", store=place).run()
    with Store(place) as store:
        assert store.forget("mine") == 3


def test_forgetting_leaves_what_others_need(tmp_path: Path) -> None:
    place = tmp_path / "s.sqlite"
    one = Study(NoisyLevel(), size=[4, 8], seeds=2, name="one", store=place)
    two = Study(NoisyLevel(), size=[8, 16], seeds=2, name="two", store=place)
    one.run()
    two.run()
    with Store(place) as store:
        assert store.forget("one") == 2
        assert [entry.name for entry in store.studies()] == ["two"]
        with pytest.raises(InputError, match=r"there is no study 'one'.*it has: two"):
            store.study("one")
    assert performed(two) == 0


def test_a_store_tells_what_is_wrong_with_it(tmp_path: Path) -> None:
    no_database = tmp_path / "text"
    no_database.write_text("this is no database, but it is long enough to be taken for one" * 20)
    assert "cannot be used" in refused_and_closed(no_database)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE t (x)")
        db.execute("PRAGMA application_id = 5")
    db.close()
    assert "a database of something else" in refused_and_closed(other)
    newer = tmp_path / "newer.sqlite"
    Store(newer).close()
    with sqlite3.connect(newer) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    assert "newer giantstep" in refused_and_closed(newer)


def refused_and_closed(place: Path) -> str:
    """The sentence with which a file is refused; nothing holds it open afterwards."""
    with pytest.raises(InputError) as refused:
        Store(place)
    (opened,) = [frame.frame.f_locals["self"] for frame in refused.traceback if frame.name == "__init__"][-1:]
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened.connection.execute("SELECT 1")
    return str(refused.value)


def test_a_full_disk_gets_one_sentence_and_loses_nothing(tmp_path: Path) -> None:
    place = tmp_path / "s.sqlite"
    Study(NoisyLevel(), seeds=2, name="a", store=place).run()
    store = Store(place)
    (pages,) = store._db.connection.execute("PRAGMA page_count").fetchone()
    store._db.connection.execute(f"PRAGMA max_page_count = {pages}")  # a disk without room for one page more
    big = Measurement({"level": 1.0}, spectra={"s": np.zeros(20_000)})
    key = point_key(NoisyLevel())
    with pytest.raises(InputError, match=r"full.*what was written before is kept"):
        store.write([(key, Record(5, big, 0.0))])
    store._db.connection.execute("PRAGMA max_page_count = 1000000")
    store.write([(key, Record(5, big, 0.0))])
    assert store.known([key])[key] == {0: True, 1: True, 5: True}
    store.close()


def test_two_studies_at_a_time_share_a_store(tmp_path: Path) -> None:
    place = tmp_path / "s.sqlite"
    with Store(place) as one, Store(place) as two:
        points = {point_key(NoisyLevel(size=s)): NoisyLevel(size=s) for s in range(1, 40)}
        for number, (key, point) in enumerate(points.items()):
            mine = (one, two)[number % 2]
            mine.add_points({key: point})
            mine.write([(key, Record(0, Measurement({"level": float(number)}), 0.0))])
        assert len(one.known(list(points))) == len(two.known(list(points))) == 39


def test_the_frame_is_tidy_and_says_where_its_numbers_were_made(tmp_path: Path) -> None:
    study = Study(NoisyLevel(), size=[4, 8], seeds=2, name="a", store=tmp_path / "s.sqlite")
    study.run()
    frame = study.results().frame(provenance=True)
    assert frame.rows == 2 * 2 * (4 + 3)
    assert set(frame["claim_version"]) == {1}
    assert set(frame["numpy"]) == {np.__version__}
    assert study.frame().rows == frame.rows
