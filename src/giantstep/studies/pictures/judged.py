"""What theory says, drawn as it was judged: equalities, bounds and limits look different, and silence is a gap.

A line that runs beside its marks while the verdict says "holds" would be a lie. So a solid line is only what the marks
were held against: the prediction, or its mean over the draws where each seed is judged by its own draw. What is a bound
is drawn as the edge of the side where nothing may be; a limit that finite size keeps away from is a thin dashed line.
Where marks leave their line or cross an edge and hold all the same, a pale band shows what is allowed for finite size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.claims import Claim
from giantstep.claims import view as views
from giantstep.figures import Series
from giantstep.studies.neighbours import point_at
from giantstep.studies.pictures.labels import Line, place_of, why_unjudged
from giantstep.studies.pictures.smooth import is_counted, smooth
from giantstep.verdicts import Cell, mean_and_error
from giantstep.verdicts.stating import Curve, Quantity

BEYOND_CHANCE = 2.0  # standard errors
SEEN = 0.02  # a part of the picture's height: two lines closer than this are one line to the eye
FORBIDDEN: dict[str, Literal["above", "below"]] = {"at most": "above", "at least": "below"}
FEWEST, MANY = 5, 80  # places of a curve between which it has no corners: fewer are counted ones, more are close


def judged_series(
    point: Claim, view: views.Curve, quantity: str, cells: Sequence[Cell], limit: Line | None, name: str
) -> list[Series]:
    """The lines of one quantity along a view: what it was judged by, and its limit where that is something else."""
    draws = _spoken(_on_draws(cells, view.x, quantity), point, view.x, quantity)
    known = limit or draws
    if known is None:
        return []
    unjudged = smooth(known, log_x=view.log_x, log_y=view.log_y)
    silence = view.unjudged or why_unjudged(point, quantity)
    if limit is None and not _judged_anywhere(point, quantity):
        return [Series(silence, *unjudged, kind="reference", group=name or None)]
    spoken = {place: _statement(point, view.x, place, quantity) for place in known[0]}
    by_draws = any(said is not None and said.against == "finite" for said in spoken.values())
    found: list[Series] = []
    for relation in ("equal", "at most", "at least"):
        line = _where(known, [said is not None and said.relation == relation for said in spoken.values()])
        if line is None:
            continue
        fine = smooth(line, log_x=view.log_x, log_y=view.log_y)
        if relation == "equal" and by_draws and draws and not _look_alike(draws, line, view.log_y):
            shape = line if is_counted(line[1]) else fine
            drawn = smooth(draws, shape, log_x=view.log_x, log_y=view.log_y)
            found.append(_with_allowance(point, view, quantity, cells, drawn, name))
            found.append(Series("limit", *fine, kind="reference", group=name or None))
        else:
            found.append(_with_allowance(point, view, quantity, cells, fine, name, relation))
    if not found and not _judged_anywhere(point, quantity):
        if not any(cell.values_of(quantity) for cell in cells):  # theory speaks alone: there is nothing to judge
            return [Series(name or "theory", *unjudged, kind="theory", group=name or None)]
        found.append(Series(silence, *unjudged, kind="reference", group=name or None))
    return found


def allowed_beyond(point: Claim, view: views.Curve, bound: str, cells: Sequence[Cell], line: Line) -> Series | None:
    """The edge of a `bound` of a view with what finite size is allowed beyond it; None if no mark is seen beyond."""
    relations = {said.relation for place in line[0] if (said := _statement(point, view.x, place, bound)) is not None}
    if len(relations) != 1 or not relations <= set(FORBIDDEN):
        return None
    found = _with_allowance(point, view, bound, cells, line, "", relations.pop())
    return None if found.error is None else found


def judged_curve(cell: Cell, quantity: str, name: str, log_x: bool, log_y: bool) -> list[Series]:
    """The lines of a quantity that is a curve itself: what it was judged by, and its limit where that is another."""
    limit = cell.prediction.values.get(quantity)
    known = [m.finite[quantity] for m in cell.measurements if quantity in m.finite]
    draws = mean_and_error(known)[0] if known else None
    limit, draws = (one if isinstance(one, Curve) else None for one in (limit, draws))
    assert isinstance(cell.point, Claim)
    said, seeds = statement_at(cell.point, quantity), [v for v in cell.values_of(quantity) if isinstance(v, Curve)]
    curve = draws if draws is not None and (limit is None or (said and said.against == "finite")) else limit
    if curve is None:
        return []
    if said is None and seeds:
        line = _fine(curve, log_x, log_y)
        return [Series(why_unjudged(cell.point, quantity), *line, kind="reference", group=name or None)]
    mean = error = allowed = np.full(curve.x.shape, np.nan)
    if said is not None and seeds and all(one.x.shape == curve.x.shape for one in seeds):
        mean, error = (np.asarray(one.y) for one in mean_and_error(seeds))  # type: ignore[union-attr]
        allowed = np.asarray(said.granted(cell.point, curve).y)  # type: ignore[union-attr]
    relation = said.relation if said else "equal"
    line = _fine(curve, log_x, log_y)
    own = np.isin(line[0], curve.x)
    mean, error, allowed = (_at_places(own, values) for values in (mean, error, allowed))
    found = [_banded(relation, line, (mean, error), allowed, name, log_x, log_y)]
    if limit is not None and curve is not limit and not _look_alike(_line(curve), _line(limit), log_y):
        found.append(Series("limit", *_fine(limit, log_x, log_y), kind="reference", group=name or None))
    return found


def _fine(curve: Curve, log_x: bool, log_y: bool) -> tuple[Array, Array]:
    """A curve without corners at its own places and at others between them."""
    few = curve.x.size < FEWEST or np.any(np.diff(curve.x) <= 0)
    x, y = _line(curve) if few else smooth(_line(curve), log_x=log_x, log_y=log_y, enough=MANY)
    return np.asarray(x, dtype=float), np.asarray(y, dtype=float)


def _at_places(own: NDArray[np.bool_], values: Array) -> Array:
    """The values at a line's own places, and NaN at those between them."""
    found = np.full(own.shape, np.nan)
    found[own] = values
    return found


def _line(curve: Curve) -> Line:
    return curve.x.tolist(), curve.y.tolist()


def _with_allowance(
    point: Claim,
    view: views.Curve,
    quantity: str,
    cells: Sequence[Cell],
    line: Line,
    name: str,
    relation: str = "equal",
) -> Series:
    """The line of an equality or a bound, with what finite size is allowed if a mark can be seen to leave it."""
    x, y = (np.asarray(part, dtype=float) for part in line)
    mean, error, allowed = (np.full(x.shape, np.nan) for _ in range(3))
    for cell in cells:
        here = np.flatnonzero(np.isclose(x, place := float(getattr(cell.point, view.x)), rtol=1e-9, atol=1e-12))
        said = _statement(point, view.x, place, quantity)
        measured = [v for v in cell.values_of(quantity) if not isinstance(v, Curve)]
        if said is None or not here.size or not measured or not np.isfinite(y[here[0]]):
            continue
        mean[here], error[here] = mean_and_error(measured)
        allowed[here] = said.allowance(cell.point, float(y[here[0]]))
    return _banded(relation, (x, y), (mean, error), allowed, name, view.log_x, view.log_y)


def _banded(
    relation: str,
    line: tuple[Array, Array],
    marks: tuple[Array, Array],
    allowed: Array,
    name: str,
    log_x: bool,
    log_y: bool,
) -> Series:
    """A line with the allowance, known at some of its places, as a band if one of the marks (mean, error) leaves it."""
    (x, y), (mean, error) = line, marks
    side = {"equal": np.abs, "at most": np.positive, "at least": np.negative}[relation]
    gap = side(mean - y)
    leaves = gap > BEYOND_CHANCE * np.where(np.isfinite(error), error, np.inf)
    known = np.isfinite(allowed)
    band = None
    if (allowed[known] > 0).any() and any(
        _is_seen(y, float(y[k]), float(gap[k]), log_y) for k in np.flatnonzero(leaves)
    ):
        across = np.log if log_x else np.asarray
        up, down = (np.log, np.exp) if log_y and (allowed[known] > 0).all() else (np.asarray, np.asarray)
        band = np.nan_to_num(down(np.interp(across(x), across(x[known]), up(allowed[known]))))
    if relation == "equal":
        return Series(name or "theory", x, y, band, kind="theory", group=name or None)
    return Series(relation, x, y, band, kind="bound", group=name or None, forbidden=FORBIDDEN[relation])


def _is_seen(line: Array, value: float, gap: float, log: bool) -> bool:
    """Whether a mark that is off by a gap stands beside its line to the eye."""
    shown = line[np.isfinite(line) & ((line > 0) | (not log))]
    if log:
        return bool(value > 0 and np.log1p(gap / value) > SEEN * max(float(np.ptp(np.log(shown))), 1.0))
    return gap > SEEN * max(float(np.ptp(shown)), gap)


def where_it_binds(point: Claim, x: str, bound: str, line: Line) -> Line | None:
    """The line of what is judged as a bound, at the places of the axis `x` where the claim says so; any other whole.

    None if it binds nowhere on the axis.
    """
    stated = [q for q in point.stated() if q.name == bound]
    if not any(q.relation in FORBIDDEN for q in stated):
        return line
    return _where(line, [_statement(point, x, place, bound) is not None for place in line[0]])


def _spoken(draws: Line | None, point: Claim, x: str, quantity: str) -> Line | None:
    """The prediction for the draws where the claim speaks of it; all of it where it never judges a value."""
    if draws is None or not _judged_anywhere(point, quantity):
        return draws
    return _where(draws, [_statement(point, x, place, quantity) is not None for place in draws[0]])


def _statement(point: Claim, x: str, place: float, quantity: str) -> Quantity | None:
    """What the claim says of a quantity at one place of the axis; None where it says nothing."""
    there = point_at(point, x, place)
    return None if there is None else statement_at(there, quantity)


def statement_at(there: Claim, quantity: str) -> Quantity | None:
    """What the claim says of the value of a quantity at a point; None where it says nothing."""
    if there.outside(quantity):
        return None
    said = (q for q in there.stated() if q.name == quantity and not q.is_along_an_axis and q.relation != "reported")
    return next((q for q in said if q.speaks_at(there)), None)


def _judged_anywhere(point: Claim, quantity: str) -> bool:
    """Whether the claim states a value of the quantity at some points; a slope or a trend states none."""
    stated = (q for q in point.stated() if q.name == quantity)
    return any(not q.is_along_an_axis and q.relation != "reported" for q in stated)


def _where(line: Line, chosen: Sequence[bool]) -> Line | None:
    """The line at the chosen places, with gaps elsewhere; None if nothing is left."""
    kept = [y if here else np.nan for y, here in zip(line[1], chosen, strict=True)]
    return None if np.isnan(kept).all() else (line[0], kept)


def _look_alike(draws: Line, limit: Line, log: bool) -> bool:
    """Whether the limit runs so close to the mean prediction for the draws that no eye tells them apart."""
    places, values = (np.asarray(part, dtype=float) for part in limit)
    known = np.isfinite(values)
    if not known.any():
        return False
    shown = np.asarray(draws[1], dtype=float)
    there = np.interp(draws[0], places[known], values[known])[np.isfinite(shown)]
    shown = shown[np.isfinite(shown)]
    if log:
        positive = (there > 0) & (shown > 0)
        there, shown = np.log(there[positive]), np.log(shown[positive])
    if not shown.size:
        return False
    height = float(np.ptp(np.concatenate([there, shown]))) or abs(float(shown[0])) or 1.0
    return bool(np.max(np.abs(there - shown)) <= SEEN * height)


def _on_draws(cells: Sequence[Cell], x: str, quantity: str) -> Line | None:
    """The mean over the draws of what theory says of each, at the places that were measured; else a gap."""
    found: Line = ([], [])
    for cell in sorted(cells, key=lambda c: place_of(c, x) or 0.0):
        known = [m.finite[quantity] for m in cell.measurements if quantity in m.finite]
        numbers = [float(v) for v in known if not isinstance(v, Curve)]
        if cell.measurements:
            found[0].append(float(getattr(cell.point, x)))
            found[1].append(float(np.mean(numbers)) if numbers else np.nan)
    return found if np.isfinite(found[1]).any() else None
