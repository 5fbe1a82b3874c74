"""A curve view as a panel: theory as lines, simulation as marks with standard errors, bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from giantstep.claims import Claim, Printed
from giantstep.claims import view as views
from giantstep.figures import CurvePicture, Series, as_plain
from giantstep.studies.neighbours import point_at
from giantstep.studies.pictures.judged import FORBIDDEN, allowed_beyond, judged_series, where_it_binds
from giantstep.studies.pictures.labels import (
    Line,
    Plot,
    axis_places,
    branch_name,
    label,
    panel_title,
    place_of,
    quantity_words,
    shared_label,
    spelled,
)
from giantstep.studies.pictures.smooth import smooth
from giantstep.studies.pictures.theory import theory_lines, threshold_of
from giantstep.studies.results import Results
from giantstep.verdicts import Cell, mean_and_error
from giantstep.verdicts.stating import Curve

SAME = 2e-3  # relative: what is printed is theory's own line to the eye


def curve_panel(
    results: Results, view: views.Curve, quantities: tuple[str, ...], theory_alone: bool = False
) -> Plot | None:
    """Quantities against one parameter in one panel; each branch and each quantity has a colour of its own.

    Without simulations there is a panel only of what is never measured, or if `theory_alone` will do.
    """
    claim, viewed = results.claim, results.claim.replace(**view.at)
    series: list[Series] = []
    limits: dict[str, dict[str, Line]] = {}
    beyond: dict[str, dict[str, Series]] = {}
    bounds = view.bounds if view.quantities[0] in quantities else ()  # panels of other quantities have none
    for branch in view.branches:
        point = viewed.replace(**{view.by: branch}) if view.by else viewed
        cells = [c for c in results.around(point, view.x) if place_of(c, view.x) is not None]
        theory = theory_lines(results, point, view, (*quantities, *bounds))
        called = branch_name(claim, view.by, branch)
        for quantity in quantities:
            words = [as_plain(quantity_words(claim, quantity))] if len(quantities) > 1 else []
            words += [called] if view.by else []
            name = ", ".join(words)
            drawn = judged_series(point, view, quantity, cells, theory.get(quantity), name)
            series += drawn
            series += _as_printed(point, view.x, quantity, theory.get(quantity), name)
            xs, ys, errors = _measured(cells, view.x, quantity)
            if np.isnan(ys).all():
                continue
            if all(one.kind == "reference" for one in drawn):  # nothing else is judged here
                series += _power_law(point, view.x, quantity, xs, ys, name)
            series.append(Series(name or "simulation", xs, ys, errors, kind="simulation", group=name or None))
        for bound in bounds:
            line = where_it_binds(point, view.x, bound, theory[bound]) if bound in theory else None
            if line is not None:
                curved = line if _is_bound(claim, bound) else smooth(line, log_x=view.log_x, log_y=view.log_y)
                limits.setdefault(bound, {})[called] = curved
                edge = allowed_beyond(point, view, bound, cells, line)
                if edge is not None:
                    beyond.setdefault(bound, {})[called] = edge
    for bound, lines in limits.items():
        free = [
            called
            for called in (branch_name(claim, view.by, branch) for branch in view.branches)
            if called not in lines
        ]
        whose = ", not for ".join([_bound_words(claim, bound), *free])
        series += _bounds(whose, lines, beyond.get(bound, {}), _is_bound(claim, bound))
    series = _printed_once(series)
    told_only = {q.name for q in claim.stated() if q.relation == "reported"}
    shown_kinds = {"simulation", "theory"} if told_only.issuperset(quantities) else {"simulation"}
    if not any(one.kind in shown_kinds for one in series) and not (theory_alone and series):
        return None  # bounds alone, or theory of what was to be measured, are no picture
    title = panel_title(claim, view, quantities, view.quantities)
    return CurvePicture(
        title if view.title else f"{title} against {spelled(view.x)}",
        label(claim, view.x),
        (view.y_label if len(quantities) > 1 else "") or shared_label(claim, quantities),
        tuple(series),
        log_x=view.log_x,
        log_y=view.log_y,
        vertical_lines=_threshold(results, viewed, view),
    )


def _as_printed(point: Claim, x: str, quantity: str, theory: Line | None, group: str) -> list[Series]:
    """What the source prints where it had to be corrected: a thin dashed line beside that of theory."""
    found: list[Series] = []
    for one in (p for p in point.printed if p.name == quantity and p.value and theory):
        places = theory[0] if theory else []
        ys = [_printed_number(one, point, x, place) for place in places]
        known = np.isfinite(ys)
        own = np.asarray(theory[1] if theory else ys)
        if known.any() and not np.allclose(np.asarray(ys)[known], own[known], rtol=SAME, atol=0):  # else it stands here
            is_stub = known.size > 1 and np.count_nonzero(known) == 1  # which says where it stands
            at = f"{spelled(x)} = {places[int(np.argmax(known))]:g}" if is_stub else ""
            words = ", ".join(w for w in (group, at, "as printed") if w)
            found.append(Series(words, places, ys, kind="reference", group=group or None))
    return found


def _printed_number(printed: Printed, point: Claim, x: str, place: float) -> float:
    there = point_at(point, x, place)
    value = printed.value(there) if printed.value and there is not None else None
    return float(value) if isinstance(value, float | int) else np.nan


def _measured(cells: Sequence[Cell], x: str, quantity: str) -> tuple[list[float], list[float], list[float]]:
    """Means over seeds with their errors; a cell of which every simulation failed is shown as not measured."""
    xs, ys, errors = [], [], []
    for cell in sorted(cells, key=lambda c: place_of(c, x) or 0.0):
        numbers = [v for v in cell.values_of(quantity) if not isinstance(v, Curve)]
        if cell.measurements and not numbers:
            continue
        mean, error = mean_and_error(numbers) if numbers else (np.nan, 0.0)
        xs.append(float(getattr(cell.point, x)))
        ys.append(float(mean))  # type: ignore[arg-type]
        errors.append(float(error) if np.isfinite(error) else 0.0)  # type: ignore[arg-type]
    return xs, ys, errors


def _bound_words(claim: Claim, name: str) -> str:
    """What a bound is called: for what is stated of it, or, where nothing is, for what it is."""
    said = next((q for q in claim.stated() if q.name == name), None)
    words = as_plain(quantity_words(claim, name))
    if said is None or said.relation not in FORBIDDEN:
        return words
    if name.endswith("_star") and said.symbol:
        return f"${said.symbol}$"
    kind = f"{'upper' if said.relation == 'at most' else 'lower'} bound"
    if name == "bound":
        return kind
    return spelled(name) if name.endswith(("bound", "floor")) else f"{kind}: {words}"


def _is_bound(claim: Claim, name: str) -> bool:
    """Whether something is a bound; else it is a limit, or what a source prints, which marks may cross."""
    return name.endswith("bound") or any(q.relation in FORBIDDEN for q in claim.stated() if q.name == name)


def _printed_once(series: Sequence[Series]) -> list[Series]:
    """Without what is printed where a limit of another name covers it: that one says so instead.

    What is printed for several branches alike is one line, of none of them.
    """
    found = list(series)
    told = [s for s in series if s.group and s.label == f"{s.group}, as printed"]
    if len(told) > 1 and all(_covers(told[0], s) for s in told[1:]):
        found = [replace(s, label="as printed", group=None) if s is told[0] else s for s in series if s not in told[1:]]
    series = tuple(found)
    for one in (s for s in series if s.label.endswith("as printed")):
        limits = (s for s in found if s is not one and s.kind == "reference" and s not in told)
        twin = next((s for s in limits if _covers(s, one)), None)
        if twin is not None:
            words = twin.label if twin.label.endswith("printed") else f"{twin.label}, as printed"
            found = [replace(s, label=words) if s is twin else s for s in found if s is not one]
    return found


def _covers(one: Series, other: Series) -> bool:
    """Whether a line hides another to the eye."""
    places, values = (np.asarray(part, dtype=float) for part in (one.x, one.y))
    known = np.isfinite(np.asarray(other.y))
    if not np.isin(other.x, places).all() or not known.any():
        return False
    there = np.interp(np.asarray(other.x, dtype=float), places, values)
    return bool(np.allclose(there[known], np.asarray(other.y)[known], rtol=SAME, atol=0))


def _bounds(words: str, lines: Mapping[str, Line], beyond: Mapping[str, Series], binds: bool) -> list[Series]:
    """One limit for all branches, with what is allowed beyond it, or one in the colour of each where they differ."""
    finest = max(lines.values(), key=lambda line: len(line[0]))
    if all(_agree(line, finest) for line in lines.values()):
        kind: Literal["bound", "reference"] = "bound" if binds else "reference"
        edges = list(beyond.values())
        return [replace(edges[-1], label=words) if edges else Series(words, *finest, kind=kind)]
    return [
        replace(beyond[name], label=f"{words}, {name}", group=name)
        if name in beyond
        else Series(f"{words}, {name}", *line, kind="reference", group=name)
        for name, line in lines.items()
    ]


def _agree(line: Line, other: Line) -> bool:
    """Whether two lines, which may have different numbers of places, have equal values where both have one."""
    known = dict(zip(*other, strict=True))
    shared = [(known[x], y) for x, y in zip(*line, strict=True) if x in known]
    return np.array_equal([a for a, _ in shared], [b for _, b in shared], equal_nan=True)


def _power_law(
    point: Claim, x: str, quantity: str, xs: Sequence[float], ys: Sequence[float], group: str
) -> list[Series]:
    """Where only the exponent is predicted: the line of that slope through the measured points."""
    judged = [q for q in point.stated() if q.name == quantity and q.along == x and q.speaks_at(point)]
    exponents = [q.exponent(point) for q in judged if q.exponent]
    if not exponents or np.nanmin([*xs, *ys]) <= 0:
        return []
    level = float(np.exp(np.nanmean(np.log(ys) - exponents[0] * np.log(xs))))
    ends = [min(xs), max(xs)]
    line = [level * v ** exponents[0] for v in ends]
    words = f"slope {exponents[0]:.3g}".replace("-", "\N{MINUS SIGN}")
    return [Series(words, ends, line, kind="reference", group=group or None)]


def _threshold(results: Results, point: Claim, view: views.Curve) -> tuple[tuple[float, str], ...]:
    """The predicted threshold of the view's parameter, where there is one within the picture."""
    places = axis_places(view.x_axis)
    if view.by or not places:
        return ()
    along = results.around(point, view.x)
    place = threshold_of(along[0].prediction if along else results.theory_at(point), view.x)
    if place is None or not places[0] <= place <= places[-1] or (view.log_x and place <= 0):
        return ()
    return ((place, "threshold"),)
