"""Tables that come in blocks: the same head as from all rows at once, chosen by predicting before learning."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from giantstep import InputError
from giantstep.estimators import GiantStepClassifier, GiantStepRegressor, table_blocks
from giantstep.learners.heads import validated_head


def product(n: int, seed: int, d: int = 10) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    x = generator.standard_normal((n, d))
    return x, 100 + 5 * x[:, 0] * x[:, 1] + 0.5 * generator.standard_normal(n)


def streamed(blocks: int = 5, **given: object) -> GiantStepRegressor:
    model = GiantStepRegressor(**{"neurons": 60, "random_state": 0, **given})
    for seed in range(blocks):
        model.partial_fit(*product(300, seed))
    return model


@pytest.fixture(scope="module")
def learned() -> GiantStepRegressor:
    return streamed()


def test_a_step_is_found_and_the_errors_told_are_those_on_new_rows(learned: GiantStepRegressor) -> None:
    assert learned.step_ > 0
    new = product(2000, seed=99)
    random = streamed(step=0)
    assert learned.score(*new) > random.score(*new) + 0.05
    assert learned.held_out_score_ == pytest.approx(learned.score(*new), abs=0.1)
    assert learned.held_out_errors_[0.0, 0] == pytest.approx(random.held_out_errors_[0.0, 0], rel=0.2)


def test_the_head_is_that_of_all_rows_at_once() -> None:
    """Random features: the first block has its rows, and so have all others."""
    weights = [np.random.default_rng(seed).uniform(0.5, 2.0, 300) for seed in range(3)]
    model = GiantStepRegressor(neurons=60, step=0, ridge=0.01, random_state=0)
    for seed in range(3):
        model.partial_fit(*product(300, seed), weights[seed])
    tables = [product(300, seed) for seed in range(3)]
    x, y = (np.concatenate(column) for column in zip(*tables, strict=True))
    rows = model._inputs(x)
    white = (y - model.label_means_) / model.label_scales_
    head = validated_head(model.start_(rows), white, 0.01, weights=np.concatenate(weights))
    np.testing.assert_allclose(model.parts_[0].coefficients, head.coefficients[0], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(model.parts_[0].intercept, head.intercept[0], rtol=1e-6)


def test_memory_does_not_grow_with_the_number_of_blocks() -> None:
    model = GiantStepRegressor(neurons=60, step=2.0, random_state=0)
    tracemalloc.start()
    peaks = []
    for seed in range(12):
        model.partial_fit(*product(300, seed))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.reset_peak()
    tracemalloc.stop()
    assert max(peaks[6:]) < 1.05 * max(peaks[1:6])


def test_fit_begins_anew_and_single_rows_are_blocks(learned: GiantStepRegressor) -> None:
    model = streamed(1)
    model.partial_fit(*product(1, 7))
    whole = product(300, 0)
    fresh = GiantStepRegressor(neurons=60, random_state=0).fit(*whole)
    np.testing.assert_array_equal(model.fit(*whole).predict(whole[0]), fresh.predict(whole[0]))
    assert not hasattr(model, "stream_")
    np.testing.assert_array_equal(streamed().predict(whole[0]), learned.predict(whole[0]))
    assert GiantStepRegressor(neurons=10).partial_fit(*product(4, 0)).step_ == 0
    two = streamed(2, steps=2, step=2.0)
    assert (two.step_, two.steps_) == (2.0, 2)


def test_classes_come_in_any_block() -> None:
    model = GiantStepClassifier(neurons=60, random_state=0)
    for seed in range(4):
        x, y = product(300, seed)
        model.partial_fit(x, np.where(y > 100, "up", "down"), classes=["down", "sideways", "up"])
    x, y = product(500, 9)
    assert model.score(x, np.where(y > 100, "up", "down")) > 0.7
    with pytest.raises(InputError, match="the class 'left' is new"):
        model.partial_fit(x, np.full(500, "left"))


@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet"])
def test_files_in_blocks(tmp_path: Path, kind: str) -> None:
    x, y = product(50, 0, d=3)
    place = tmp_path / f"table.{kind}"
    if kind == "parquet":
        polars = pytest.importorskip("polars")
        polars.DataFrame({"a": x[:, 0], "price": y, "b": x[:, 1], "c": x[:, 2]}).write_parquet(place)
    else:
        mark = {"csv": ",", "tsv": "\t"}[kind]
        lines = [mark.join(map(repr, map(float, (r[0], v, r[1], r[2])))) for r, v in zip(x, y, strict=True)]
        place.write_text("\n".join([mark.join(["a", "price", "b", "c"]), *lines]))
    blocks = list(table_blocks(place, "price", rows=20))
    assert [len(block) for block, _ in blocks] == [20, 20, 10]
    np.testing.assert_array_equal(np.concatenate([block for block, _ in blocks]), x)
    np.testing.assert_array_equal(np.concatenate([label for _, label in blocks]), y)
    with pytest.raises(InputError, match="there are: a, price, b, c"):
        list(table_blocks(place, "cost"))


def test_wrong_files_get_sentences(tmp_path: Path) -> None:
    place = tmp_path / "table.csv"
    place.write_text("a,kind,y\n1,2,yes\n1,blue,no\n")
    with pytest.raises(InputError, match="line 3, column 'kind': 'blue' is not a number"):
        list(table_blocks(place, "y"))
    place.write_text("a,y\n1,yes\n2,no\n")
    assert next(table_blocks(place, "y"))[1].tolist() == ["yes", "no"]
    place.write_text("a,y\n1,2\n\n3,4\n\n")
    assert next(table_blocks(place, "y"))[1].tolist() == [2, 4], "an empty line is no row"
    place.write_bytes("größe,y\n1,2\n".encode("cp1252"))
    with pytest.raises(InputError, match="is not written in UTF-8"):
        list(table_blocks(place, "y"))
    place.write_text("a,y\n1,2\n3\n")
    with pytest.raises(InputError, match="line 3 has 1 entries"):
        list(table_blocks(place, "y"))
    for path, words in (
        (tmp_path / "none.csv", "there is no file"),
        (tmp_path / "table.xls", ".csv, .tsv or .parquet"),
    ):
        with pytest.raises(InputError, match=words):
            table_blocks(path, "y")
