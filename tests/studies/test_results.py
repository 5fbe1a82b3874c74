"""Results: a cell found by its point or by its parameters."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.studies import Frame, Results, Study
from giantstep.verdicts import mean_and_error
from giantstep.verdicts.stating import Curve, Measurement, number_text
from tests.claims.toy import Bare, NoisyLevel


@pytest.fixture(scope="module")
def results():
    return Study(NoisyLevel(), level=[1, 2, 3], size=[10, 20], seeds=2).run(workers=1)


def test_a_cell_is_found_by_what_differs(results) -> None:
    assert results.at(level=3) is results.cells[4]
    assert results.at(level=3, size=20) is results.cells[5]
    assert results.at() is results.base_cell
    assert results.at(NoisyLevel(level=1.0, size=20)) is results.cells[1]
    assert results.at(NoisyLevel(size=20), level=1) is results.cells[1]


def test_what_is_not_there_gets_a_sentence(results) -> None:
    with pytest.raises(
        InputError,
        match=r"^this study has no point at level = 7.0, size = 10; it has level = 1.0, 2.0, 3.0, size = 10, 20$",
    ):
        results.at(level=7)
    with pytest.raises(InputError, match=r"no point at .*spread = 0.5; .*spread = 0.003$"):
        results.at(spread=0.5)
    with pytest.raises(InputError, match="no parameter 'lvel'"):
        results.at(lvel=7)
    with pytest.raises(InputError, match="level = -1 is not allowed"):
        results.at(level=-1)
    with pytest.raises(InputError, match="the point must be a claim at a point, not 3"):
        results.at(3)
    with pytest.raises(InputError, match="this is not a study of toy/bare"):
        results.at(Bare())


def test_cells_around_a_point_differ_in_what_is_free(results) -> None:
    assert [cell.point.level for cell in results.around(NoisyLevel(level=9, size=20), "level")] == [1, 2, 3]
    assert len(results.around(NoisyLevel(), "level", "size")) == 6
    assert results.around(NoisyLevel(spread=0.5), "level", "size") == ()


def test_results_show_themselves_in_a_notebook(results) -> None:
    page = results._repr_html_()
    assert "toy/noisy-level: A noisy number sits where theory says." in page
    assert results.verdict.status in page
    assert "<th style='text-align:left'>size</th>" in page
    assert "spread" not in page, "parameters that are everywhere the same are no columns"
    assert "(3)" in page, "the prediction stands beside what was measured"
    assert "data:image/svg+xml;base64," in page


def test_a_cell_and_a_measurement_show_themselves_in_a_notebook(results) -> None:
    cell = results.cells[0]
    page = cell._repr_html_()
    mean, error = (number_text(value) for value in mean_and_error(cell.values_of("level")))
    for words in (f"{len(cell.seeds)} seeds", "level=1", f">{mean}<", f">{error}<", "predicted", "std. error"):
        assert words in page
    assert "needs 2 seeds" in type(cell)(cell.point, cell.prediction, cell.measurements[:1])._repr_html_()
    assert "measured" in type(cell)(cell.point, cell.prediction)._repr_html_()
    ragged = [Measurement({"level": Curve(np.arange(n), np.arange(n))}) for n in (2, 3)]
    assert ">curves<" in type(cell)(cell.point, cell.prediction, ragged)._repr_html_()
    assert number_text(cell.measurements[0]["level"]) in cell.measurements[0]._repr_html_()


@pytest.mark.slow
def test_a_large_study_shows_its_first_points(results) -> None:
    many = Study(NoisyLevel(), level="1:3:30", seeds=1).run(workers=1)
    page = many._repr_html_()
    assert "and 20 points more" in page
    single = NoisyLevel().run(seeds=2, workers=1)._repr_html_()
    assert "points more" not in single


def test_what_failed_is_told_in_a_notebook(results) -> None:
    cells = tuple(type(cell)(cell.point, cell.prediction) for cell in results.cells)
    page = Results(results.claim, cells, {"seed": 0}, results.views, ("seed 0: overflow",))._repr_html_()
    assert "overflow" in page
    assert "undecided" in page
    assert "<img" not in page


def test_without_matplotlib_a_notebook_has_the_tables(results, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    page = results._repr_html_()
    assert "<img" not in page
    assert "toy/noisy-level" in page


def test_studies_and_tables_show_themselves_in_a_notebook(results) -> None:
    page = Study(NoisyLevel(), level="1:3:5", size=list(range(1, 101)), name="mine", store="x.sqlite")._repr_html_()
    for words in ("A study of toy/noisy-level", "1:3:5", "500", "4000", "mine", "..."):
        assert words in page
    assert "over its views" in Study.of_views(NoisyLevel)._repr_html_()
    assert "over its point" in Study(NoisyLevel)._repr_html_()
    frame = results.frame()
    assert f"{frame.rows} rows x {len(frame)} columns" in frame._repr_html_()
    assert "nan" not in frame._repr_html_()
    assert "&lt;b&gt;" in Frame({"<b>": [1.0]})._repr_html_()
    assert "0 rows" in Frame({})._repr_html_()


def test_completion_offers_what_is_public(results) -> None:
    assert {"at", "verdict", "figure", "frame", "cells"} <= set(dir(results))
    assert {"run", "estimate", "points", "spec"} <= set(dir(Study(NoisyLevel)))
    assert {"rows", "items"} <= set(dir(results.frame()))
    for thing in (results, Study(NoisyLevel), results.frame()):
        assert not [name for name in dir(thing) if name.startswith("_")]
