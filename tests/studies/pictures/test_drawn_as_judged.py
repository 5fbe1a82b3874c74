"""Every claim holds on simulations made once, and a solid line of its picture is what its marks were held against."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from giantstep.claims import Claim, claim_class, claim_names
from giantstep.claims import view as views
from giantstep.figures import Series
from giantstep.studies import Results, Study
from giantstep.studies.pictures.judged import SEEN, judged_series
from giantstep.studies.pictures.labels import place_of
from giantstep.studies.pictures.theory import theory_lines
from giantstep.verdicts import Cell, numbers
from giantstep.verdicts.at_points import judge_point
from tests.mutations.simulations import place_of as stored_place
from tests.mutations.simulations import predicted, stored_cells

pytestmark = pytest.mark.slow

STORED = [name for name in claim_names() if stored_place(name).exists()]


def lines_of(results: Results) -> Iterator[tuple[views.Curve, str, list[Cell], list[Series]]]:
    """Each quantity of each branch of each view: its cells along the axis and its lines."""
    for view in (view for view in results.claim.views if isinstance(view, views.Curve)):
        viewed = results.claim.replace(**view.at)
        for branch in view.branches:
            point = viewed.replace(**{view.by: branch}) if view.by else viewed
            cells = [cell for cell in results.around(point, view.x) if place_of(cell, view.x) is not None]
            limits = theory_lines(results, point, view, view.quantities)
            for quantity in view.quantities:
                yield view, quantity, cells, judged_series(point, view, quantity, cells, limits.get(quantity), "")


def reference(cell: Cell, quantity: str) -> float | None:
    """What the quantity was held against at this point, None if nothing was said of it."""
    assert isinstance(cell.point, Claim)
    for stated in (q for q in cell.point.stated() if q.name == quantity and not q.is_along_an_axis):
        judged = judge_point(cell, stated)
        if judged is not None and judged.counts and not cell.point.outside(quantity) and judged.reference is not None:
            return float(numbers(judged.reference)[0])
    return None


def _is_what_marks_were_held_against(line: Series, view: views.Curve, quantity: str, cells: list[Cell]) -> None:
    seen = np.isfinite(line.y) & (np.asarray(line.y) > (0 if view.log_y else -np.inf))  # no 0 on such an axis
    if not seen.any():
        return
    xs, ys = np.asarray(line.x)[seen], np.asarray(line.y)[seen]
    height = np.ptp(np.log(ys) if view.log_y else ys) or 1.0
    drawn = dict(zip(xs.tolist(), ys.tolist(), strict=True))
    for cell in (cell for cell in cells if cell.values_of(quantity)):
        here = drawn.get(float(getattr(cell.point, view.x)), np.nan)
        judged = reference(cell, quantity)
        if not np.isfinite(here):
            continue
        assert judged is not None, f"{quantity} is drawn at {cell} where nothing is said of it"
        off = abs(np.log(here / judged)) if view.log_y else abs(here - judged)
        assert off <= 1.5 * SEEN * height + 1e-12, f"{quantity} at {cell}: drawn {here}, judged by {judged}"


def _has_its_marks_within_what_is_allowed(line: Series, view: views.Curve, quantity: str, cells: list[Cell]) -> None:
    """Up to chance: a mark beside its line stands in the band."""
    x, y = np.asarray(line.x), np.asarray(line.y)
    band = np.zeros_like(y) if line.error is None else np.asarray(line.error)
    for cell in cells:
        seeds = [float(v) for v in cell.values_of(quantity) if isinstance(v, float)]
        here = np.flatnonzero(np.isclose(x, float(getattr(cell.point, view.x)), rtol=1e-9, atol=1e-12))
        if len(seeds) < 2 or not here.size or not np.isfinite(y[here[0]]):
            continue
        if view.log_y and y[here[0]] <= 0:
            continue  # such an axis shows no line there
        error = float(np.std(seeds, ddof=1)) / np.sqrt(len(seeds))
        seen = SEEN * max(float(np.ptp(y[np.isfinite(y)])), abs(float(y[here[0]])))
        gap = abs(float(np.mean(seeds)) - y[here[0]])
        assert gap <= band[here[0]] + 6 * error + seen, f"{quantity} at {cell}: off by {gap}"


@pytest.mark.parametrize("name", STORED)
def test_theory_holds_on_the_stored_simulations_and_is_drawn_as_it_was_judged(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claim_class(name), "line_places", 0)  # where the study has points, and nowhere else
    results = Results(claim_class(name)(), tuple(predicted(stored_cells(name)[1])), {"seed": 0})
    assert results.verdict.status == "holds", str(results.verdict)
    for view, quantity, cells, series in lines_of(results):
        for line in (one for one in series if one.kind in ("theory", "bound")):
            _is_what_marks_were_held_against(line, view, quantity, cells)
        for line in (one for one in series if one.kind == "theory"):
            _has_its_marks_within_what_is_allowed(line, view, quantity, cells)


def test_where_theory_of_the_draws_is_silent_its_line_has_a_gap() -> None:
    """Between a small start and a large one nothing is said of the aligned mass."""
    claim = claim_class("lazy/neurons")(samples=8, neurons=8)
    results = Study(claim, scale=[0.01, 1, 100], seeds=2).run(workers=1)
    (view,) = (one for one in claim.views if isinstance(one, views.Curve))
    lines = judged_series(claim, view, "aligned_mass", results.cells, None, "")
    told = dict(zip(lines[0].x, lines[0].y, strict=True))
    assert np.isfinite([told[0.01], told[100.0]]).all()
    assert np.isnan(told[1.0])
