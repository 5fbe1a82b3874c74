"""Tables: what is used, what is left out and named, and one sentence for what cannot be diagnosed."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pytest

from giantstep.errors import InputError
from giantstep.estimators.diagnosis import Table, diagnose_table, read_table
from giantstep.estimators.diagnosis.reading import table_from
from giantstep.estimators.diagnosis.tables import table_of

N = 120
DRAW = np.random.default_rng(0)


def houses() -> dict[str, Any]:
    """A table with everything that a real one has."""
    area, price = DRAW.gamma(3.0, 40.0, N), DRAW.gamma(3.0, 1e5, N)
    return {
        "house_id": np.arange(5000, 5000 + N),
        "sold": [date(2024, 1, 1) + timedelta(days=3 * i) for i in range(N)],
        "area": [None if i % 17 == 0 else float(area[i]) for i in range(N)],
        "rooms": DRAW.integers(1, 7, N),
        "street": [f"Street {i}" for i in range(N)],
        "heating": [("gas", "gas", "oil", "pump")[i % 4] if i % 11 else None for i in range(N)],
        "garden": DRAW.random(N) < 0.5,
        "country": ["here"] * N,
        "same": [None if i % 17 == 0 else float(area[i]) for i in range(N)],
        "feet": [None if i % 17 == 0 else float(10.76 * area[i] - 3) for i in range(N)],
        "town_id": [100 + (7 * i) % 40 for i in range(N)],
        "price_in_cents": 100 * price + 3,
        "log_price": np.log(price),
        "price": price,
    }


def test_columns_are_used_encoded_or_named_and_left_out(tmp_path: Path) -> None:
    polars.DataFrame(houses()).write_csv(tmp_path / "houses.csv")
    table = read_table(tmp_path / "houses.csv", "price")
    assert table.columns == ("area", "rooms", "heating=missing", "heating=oil", "heating=pump", "garden", "log_price")
    assert table.inputs.shape == (N, 7)
    assert np.isfinite(table.inputs).all()
    told = " ".join(table.notes)
    for words in (
        "house_id (a number of the row)",
        "sold (date)",
        "street (text, different in every row)",
        "country (always the same)",
        "same (the same as area)",
        "feet (the same as area, in other units)",
        "town_id (an id)",
        "heating (3, 11 missing as a level)",
        "price_in_cents (a leak: it is price itself, in other units)",
        "area (8)",
        "Look at log_price: it orders the rows exactly as price does",
    ):
        assert words in told, words
    assert set(np.unique(table.inputs[:, 2:6])) == {0.0, 1.0}


@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "semicolons"])
def test_every_kind_of_file_gives_the_same_numbers(tmp_path: Path, kind: str) -> None:
    frame = polars.DataFrame(
        {"a": DRAW.standard_normal(60), "b": DRAW.integers(0, 9, 60), "y": DRAW.standard_normal(60)}
    )
    place = tmp_path / ("t.csv" if kind == "semicolons" else f"t.{kind}")
    if kind == "parquet":
        frame.write_parquet(place)
    else:
        frame.write_csv(place, separator={"csv": ",", "tsv": "\t", "semicolons": ";"}[kind])
    table = read_table(place, "y")
    np.testing.assert_allclose(table.inputs, frame.select("a", "b").to_numpy())
    np.testing.assert_allclose(table.label, frame["y"].to_numpy())


def test_words_are_classes_and_gaps_in_the_label_are_left_out() -> None:
    y = np.array(["low", "high", None] * 40, dtype=object)
    table = table_from(DRAW.standard_normal((N, 3)), y)
    assert table.classes == ("high", "low")
    assert table.n == 80
    assert "40 rows without a label were left out." in table.notes
    assert table.labels.shape == (80, 1)
    three = table_from(DRAW.standard_normal((N, 3)), np.array(["a", "b", "c"] * 40))
    np.testing.assert_array_equal(three.labels.sum(axis=1), 1.0)


def test_copies_are_seen_whatever_their_size_and_others_stay() -> None:
    x = DRAW.standard_normal((N, 400))
    columns = {"a": x[:, 0], "large": 1e6 + 3 * x[:, 1], "mirrored": 5 - x[:, 1], "close": x[:, 0] + 1e-3 * x[:, 2]}
    columns |= {f"x{j}": x[:, j] for j in range(2, 400)} | {"huge": 1e99 * x[:, 0], "y": x.sum(axis=1)}
    table = table_of(columns, "y")
    assert table.columns == ("a", "large", "close", *(f"x{j}" for j in range(2, 400)))
    assert table.notes == (
        "Left out: mirrored (the same as large, in other units), huge (the same as a, in other units).",
    )


def test_data_frames_keep_their_names() -> None:
    columns = {"one": DRAW.standard_normal(N), "kind": ["u", "v", "w"] * 40}
    y = pandas.Series(DRAW.standard_normal(N), name="size")
    for frame in (pandas.DataFrame(columns), polars.DataFrame(columns)):
        table = table_from(frame, y)
        assert table.columns == ("one", "kind=v", "kind=w")
        assert table.target == "size"


def test_copies_of_rows_are_left_out_and_coincidences_are_kept_together() -> None:
    """A label that comes again with its row would look like knowledge to permutations; among few values rows repeat."""
    x, y = DRAW.standard_normal((60, 2)), DRAW.standard_normal(60)
    again = np.r_[np.arange(60), np.arange(40)]
    copied = table_from(x[again], y[again])
    assert copied.notes == ("40 rows were left out as copies of another, in numbers that no third row has.",)
    np.testing.assert_array_equal(copied.inputs, x)
    np.testing.assert_array_equal(copied.label, y)
    few = table_from(DRAW.integers(0, 3, (N, 2)), DRAW.integers(0, 2, N))
    assert few.n == N
    assert np.unique(few.groups).size == 9
    assert "rows repeat another in every column" in few.notes[0]
    with pytest.raises(InputError, match="40 rows are too few, and the 40 others are copies of them"):
        table_from(np.repeat(x[:40], 2, axis=0), np.repeat(y[:40], 2))


def test_rows_of_one_person_are_held_out_together() -> None:
    person = np.repeat(np.arange(40), 3)
    frame = pandas.DataFrame({"patient_id": 100 + (7 * person) % 40, "x": DRAW.standard_normal(N)})
    words = frame.assign(patient_id=[f"P{number}" for number in frame["patient_id"]])
    for given in (frame, words):
        table = table_from(given, DRAW.standard_normal(N))
        assert table.columns == ("x",)
        assert np.unique(np.column_stack([person, table.together]), axis=0).shape[0] == 40
        assert np.unique(table.together).size == 40
        assert "Rows of one patient_id are never in training and test at once" in table.notes[0]
        assert table.rows(np.arange(60)).together.size == 60
    flags = table_from(frame.assign(x=DRAW.integers(0, 2, N)), DRAW.standard_normal(N))
    assert np.unique(flags.together).size == 40, "that flags are equal does not make it one person"
    crowded = table_from(frame.assign(patient_id=np.r_[np.arange(31), np.zeros(N - 31)]), DRAW.standard_normal(N))
    assert crowded.members is None
    assert "patient_id comes again, but" in crowded.notes[0]


NUMBERS = np.round(DRAW.uniform(1000, 9000, 60), 1)
WAYS = {
    "decimal commas": (lambda v: f"{v:.1f}".replace(".", ","), "utf-8", ";"),
    "points between thousands": (
        lambda v: f"{v:,.1f}".replace(",", "_").replace(".", ",").replace("_", "."),
        "utf-8",
        ";",
    ),
    "commas between thousands": (lambda v: f'"{v:,.1f}"', "utf-8", ","),
    "currency": (lambda v: f"€ {v:.1f}", "utf-8", ","),
    "per cent": (lambda v: f"{v:.1f} %", "utf-8", ","),
    "a mark at the beginning": (lambda v: f"{v:.1f}", "utf-8-sig", ","),
    "utf-16": (lambda v: f"{v:.1f}", "utf-16", ","),
    "windows": (lambda v: f"{v:.1f}", "cp1252", ","),
    "spaces around names": (lambda v: f"{v:.1f}", "utf-8", " , "),
}


@pytest.mark.parametrize(("write", "encoding", "separator"), WAYS.values(), ids=WAYS)
def test_numbers_as_people_write_them(tmp_path: Path, write: Any, encoding: str, separator: str) -> None:
    lines = [f"größe{separator}b{separator}price"]
    lines += [
        f"{write(v)}{separator.strip()}{k % 7}{separator.strip()}{write(v + k % 5)}" for k, v in enumerate(NUMBERS)
    ]
    (tmp_path / "t.csv").write_bytes("\n".join(lines).encode(encoding))
    table = read_table(tmp_path / "t.csv", "price")
    assert table.columns == ("größe", "b")
    np.testing.assert_allclose(table.inputs[:, 0], NUMBERS)
    np.testing.assert_allclose(table.label, NUMBERS + np.arange(60) % 5)


def test_a_few_odd_words_are_gaps_and_many_make_a_category() -> None:
    few = np.where(np.arange(N) % 10 == 0, "unknown", DRAW.standard_normal(N).astype(str)).astype(object)
    many = np.where(np.arange(N) % 2 == 0, "unknown", (np.arange(N) % 3).astype(str)).astype(object)
    table = table_from(pandas.DataFrame({"few": few, "many": many}), DRAW.standard_normal(N))
    assert table.columns == ("few", "many=0", "many=1", "many=2")
    assert "Words read as numbers: few." in table.notes
    assert any("12 missing values were filled with the median: few (12)" in note for note in table.notes)


def test_what_frames_hide_is_seen() -> None:
    x = DRAW.standard_normal((N, 2))
    hidden = np.ma.masked_where(x > 1.5, x)
    assert "missing" in table_from(hidden, x[:, 0]).notes[-1]
    frame = pandas.DataFrame(np.hstack([x, 2 * x + DRAW.standard_normal((N, 2))]), columns=["a", "b", "a", "b"])
    frame["when"] = pandas.date_range("2024", periods=N, tz="UTC")
    frame["flag"] = pandas.array([None if i % 5 == 0 else bool(i % 2) for i in range(N)], dtype="boolean")
    table = table_from(frame, DRAW.standard_normal(N))
    assert table.columns == ("a", "b", "a (2)", "b (2)", "flag")
    assert "Left out: when (date)." in table.notes


def test_rare_classes_and_leaks_of_a_class_are_named() -> None:
    y = np.array(["a", "b", "c"] * 40, dtype=object)
    columns = {"code": np.where(y == "a", "P", np.where(y == "b", "Q", "R")), "x": DRAW.standard_normal(N)}
    table = table_from(pandas.DataFrame(columns), y)
    assert table.columns == ("x",)
    assert "code=Q (a leak: it is a class of the label, in other units)" in table.notes[0]
    y[:4] = "odd"
    rare = table_from(pandas.DataFrame(columns), y)
    assert (rare.classes, rare.n) == (("a", "b", "c"), N - 4)
    assert rare.notes[0] == "Rows of classes with fewer than 10 rows were left out: odd (4)."
    assert set(np.unique(rare.label)) == {0.0, 1.0, 2.0}


X = DRAW.standard_normal((N, 3))
Y = DRAW.standard_normal(N)
MISTAKES = {
    "few rows": (X[:49], Y[:49], "49 rows are too few; a diagnosis needs at least 50 rows with a label"),
    "many columns": (DRAW.standard_normal((60, 20_001)), Y[:60], "20001 columns are too many"),
    "constant label": (X, np.ones(N), "'the label' is 1 in every row; a label must vary to be predicted"),
    "one class": (X, ["a"] * N, "'the label' is a in every row"),
    "lengths": (X, Y[:-1], "X has 120 rows and y has shape (119,); y must hold one label a row"),
    "names as labels": (X, [f"n{i}" for i in range(N)], "'the label' has 120 different words, such as 'n0'"),
    "nothing varies": (np.ones((N, 2)), Y, "no column is left to predict 'the label' from"),
    "no table": (None, Y, "X must be numbers of shape (n, d)"),
    "one axis": (Y, Y, "X must be numbers of shape (n, d)"),
    "two labels": (X, np.ones((N, 2)), "y must be one number or word a row"),
    "dates": (X, np.arange(N).astype("datetime64[D]"), "'the label' holds dates"),
    "one row of a class": (
        X,
        ["a"] + ["b"] * (N - 1),
        "two classes need at least 10 rows each; there are a (1), b (119)",
    ),
    "huge": (np.sign(X) * 1.7e308, Y, "'x1' holds numbers as large as "),
    "no columns": (X[:, :0], Y, "X has no columns"),
    "all gaps": (X, np.full(N, np.nan), "'the label' has no value in any row"),
}


@pytest.mark.parametrize(("x", "y", "sentence"), MISTAKES.values(), ids=MISTAKES)
def test_what_cannot_be_diagnosed_gets_one_sentence(x: Any, y: Any, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        table_from(x, y)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "target", "sentence"),
    [
        ("t.csv", "area,price\n1,2\n", "Price", "there is no column 'Price'; did you mean 'price'?"),
        ("t.csv", "area,price\n1,2\n", "prise", "there is no column 'prise'; did you mean 'price'?"),
        ("t.csv", "area,price\n1,2\n", "xyzzy", "there is no column 'xyzzy'; there are: area, price"),
        ("t.csv", "", "price", "'t.csv' is empty"),
        ("t.csv", "area,price\n1,2,3,4\n", "price", "'t.csv' cannot be read as a table: "),
        ("t.parquet", "no parquet", "price", "'t.parquet' cannot be read as a table: "),
        ("t.csv", "area,price\n", "price", "0 rows are too few"),
        ("t.xlsx", "x", "price", "'t.xlsx' is no table that can be read; it must end in .csv, .tsv or .parquet"),
        ("none.csv", None, "price", "there is no file '"),
    ],
)
def test_a_file_that_cannot_be_read_gets_one_sentence(
    tmp_path: Path, name: str, content: str | None, target: str, sentence: str
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(InputError) as caught:
        read_table(tmp_path / name, target)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_names_and_classes_of_a_file_command_no_terminal_and_are_not_long(tmp_path: Path) -> None:
    rows = "".join(f"{k % 7},{k % 5},{'u' * 5000 if k % 2 else 'v'}\n" for k in range(60))
    (tmp_path / "t.csv").write_text(f"a\x1b[31m\x07,{'b' * 9000},y\x85\u202e\n{rows}", encoding="utf-8")
    table = read_table(tmp_path / "t.csv", "y\x85\u202e")
    assert table.columns == ("a?[31m?", "b" * 57 + "...")
    assert (table.target, table.classes) == ("y??", ("u" * 57 + "...", "v"))
    with pytest.raises(InputError, match=r"there is no column 'z'; there are: a\?\[31m\?, b{57}\.\.\., y\?\?"):
        read_table(tmp_path / "t.csv", "z")


def test_one_long_text_does_not_make_all_rows_as_long() -> None:
    words = np.array(["p", "q", "r"] * 400 + ["z" * 2_000_000], dtype=object)
    table = table_of({"a": words, "y": np.arange(1201.0) % 7}, "y")
    assert table.columns[:2] == ("a=q", "a=r")


def test_what_varies_too_little_for_squares_is_refused_and_is_no_leak() -> None:
    draw = np.random.default_rng(3)
    x = draw.standard_normal((60, 2))
    with pytest.raises(InputError, match=r"'the label' varies by .*; give it in other units"):
        table_from(x, 1e-200 * draw.standard_normal(60))


EYE, RAMP = np.eye(60), np.arange(60.0)


@pytest.mark.parametrize(
    ("inputs", "label", "names", "told"),
    [
        (EYE, np.ones(59), 60, "label must have the shape"),
        (np.eye(3), np.arange(3.0), 3, "3 rows are too few"),
        (EYE, RAMP, 3, "60 columns and 3 names"),
        (np.zeros((60, 0)), RAMP, 0, "0 columns and 0 names"),
        (np.ones((60, 2)), RAMP, 2, "'c0' is the same in every row"),
        (EYE, np.ones(60), 60, "'y' is the same in every row"),
        (EYE * 1e300, RAMP, 60, "'c0' holds numbers as large as 1e"),
        (np.where(EYE > 0, np.inf, 0.0), RAMP, 60, "'c0' holds numbers as large as inf"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_tables_made_by_hand_that_cannot_be_diagnosed_get_a_sentence(
    inputs: Any, label: Any, names: int, told: str
) -> None:
    with pytest.raises(InputError, match=told):
        diagnose_table(Table(inputs, label, tuple(f"c{j}" for j in range(names)), "y"))
