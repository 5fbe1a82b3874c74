"""A curve view as a panel: theory as lines, simulation as marks with standard errors, bounds."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import numpy as np

from giantstep.claims import Claim, CurveView, axis_values
from giantstep.figures import CurvePicture, Series
from giantstep.studies.pictures.labels import Line, Plot, branch_name, is_at, label
from giantstep.studies.results import Results
from giantstep.verdicts import Cell, Curve, mean_and_error

QUICK_SECONDS = 0.05
LINE_POINTS = 61  # a theory line over a continuous parameter is drawn through this many places


def curve_panel(results: Results, view: CurveView, quantities: tuple[str, ...]) -> Plot | None:
    """Quantities against one parameter in one panel; each branch and each quantity has a colour of its own."""
    claim, viewed = results.claim, results.claim.replace(**view.at)
    branches = axis_values(view.by, view.by_values) if view.by else [None]
    series: list[Series] = []
    limits: dict[str, dict[str, Line]] = {}
    for branch in branches:
        point = viewed.replace(**{view.by: branch}) if view.by else viewed
        cells = [c for c in results.cells if is_at(c, point, (view.x,))]
        theory = _theory_lines(point, view, (*quantities, *view.bounds))
        called = branch_name(view.by, branch)
        for quantity in quantities:
            words = [quantity.replace("_", " ")] if len(quantities) > 1 else []
            words += [called] if view.by else []
            name = ", ".join(words)
            line = theory.get(quantity) or _on_draws(cells, view.x, quantity)
            if line:
                series.append(Series(name or "theory", *line, kind="theory", group=name or None))
            xs, ys, errors = _measured(cells, view.x, quantity)
            if xs and not line:
                series += _power_law(point, view.x, quantity, xs, ys, name)
            if xs:
                series.append(Series(name or "simulation", xs, ys, errors, kind="simulation", group=name or None))
        for bound in view.bounds:
            if bound in theory:
                limits.setdefault(bound, {})[called] = theory[bound]
    series += [one for bound, lines in limits.items() for one in _bounds(bound, lines)]
    told_only = {q.name for q in claim.stated() if q.relation == "reported"}
    if not any(s.kind == "simulation" for s in series) and not (series and told_only.issuperset(quantities)):
        return None
    shown = ", ".join(q.replace("_", " ") for q in quantities)
    return CurvePicture(
        view.title or f"{shown} against {view.x.replace('_', ' ')}",
        label(claim, view.x),
        label(claim, quantities[0]) if len(quantities) == 1 else "",
        tuple(series),
        log_x=view.log_x,
        log_y=view.log_y,
        vertical_lines=_threshold(viewed, view),
    )


def _measured(cells: Sequence[Cell], x: str, quantity: str) -> tuple[list[float], list[float], list[float]]:
    xs, ys, errors = [], [], []
    for cell in cells:
        seeds = cell.seeds_of(quantity)
        if seeds and not isinstance(seeds[0], Curve):
            mean, error = mean_and_error(seeds)
            xs.append(float(cell.point.parameters()[x]))
            ys.append(float(mean))  # type: ignore[arg-type]
            errors.append(float(error) if np.isfinite(error) else 0.0)  # type: ignore[arg-type]
    return xs, ys, errors


def _bounds(bound: str, lines: Mapping[str, Line]) -> list[Series]:
    """One limit for all branches, or one in the colour of each branch where they differ."""
    words, finest = bound.replace("_", " "), max(lines.values(), key=lambda line: len(line[0]))
    if all(_agree(line, finest) for line in lines.values()):
        return [Series(words, *finest, kind="bound")]
    return [Series(f"{words}, {name}", *line, kind="reference", group=name) for name, line in lines.items()]


def _agree(line: Line, other: Line) -> bool:
    """Whether two lines, which may have different numbers of places, have equal values where both have one."""
    known = dict(zip(*other, strict=True))
    shared = [(known[x], y) for x, y in zip(*line, strict=True) if x in known]
    return np.array_equal([a for a, _ in shared], [b for _, b in shared], equal_nan=True)


def _on_draws(cells: Sequence[Cell], x: str, quantity: str) -> Line | None:
    """Where theory speaks of the draws only: its mean over them, at the places that were measured."""
    found: Line = ([], [])
    for cell in sorted(cells, key=lambda c: float(c.point.parameters()[x])):
        known = [m.finite[quantity] for m in cell.measurements if quantity in m.finite]
        numbers = [float(v) for v in known if not isinstance(v, Curve)]
        if numbers:
            found[0].append(float(cell.point.parameters()[x]))
            found[1].append(float(np.mean(numbers)))
    return found if found[0] else None


def _power_law(
    point: Claim, x: str, quantity: str, xs: Sequence[float], ys: Sequence[float], group: str
) -> list[Series]:
    """Where only the exponent is predicted: the line of that slope through the measured points."""
    judged = [q for q in point.stated() if q.name == quantity and q.along == x and q.speaks_at(point)]
    exponents = [q.exponent(point) for q in judged if q.exponent]
    if not exponents or min(*xs, *ys) <= 0:
        return []
    level = float(np.exp(np.mean(np.log(ys) - exponents[0] * np.log(xs))))
    ends = [min(xs), max(xs)]
    line = [level * v ** exponents[0] for v in ends]
    return [Series(f"slope {exponents[0]:g}", ends, line, kind="reference", group=group or None)]


def _threshold(point: Claim, view: CurveView) -> tuple[tuple[float, str], ...]:
    """The predicted threshold of the view's parameter, where there is one within the picture."""
    place = point.predict().thresholds.get(view.x)
    values = [float(v) for v in axis_values(view.x, view.values)]
    if place is None or view.by or not min(values) <= place <= max(values):
        return ()
    return ((place, "threshold"),)


def _theory_lines(point: Claim, view: CurveView, names: Sequence[str]) -> dict[str, Line]:
    """Predicted values against the view's parameter, on a fine grid where that is continuous and theory is quick."""
    grid = [float(point.replace(**{view.x: v}).parameters()[view.x]) for v in axis_values(view.x, view.values)]
    start = time.perf_counter()
    predictions = {x: point.replace(**{view.x: x}).predict() for x in grid}
    quick = time.perf_counter() - start < QUICK_SECONDS * len(grid)
    if quick and type(point).model_fields[view.x].annotation is float and len(grid) > 1:
        low, high = min(grid), max(grid)
        spaced = np.geomspace if view.log_x and low > 0 else np.linspace
        fine = [float(f"{v:.12g}") for v in spaced(low, high, LINE_POINTS)]
        predictions |= {x: point.replace(**{view.x: x}).predict() for x in fine if x not in predictions}
    found: dict[str, Line] = {}
    for x in sorted(predictions):
        for name in names:
            value = predictions[x].values.get(name)
            xs, ys = found.setdefault(name, ([], []))
            xs.append(x)
            ys.append(float(value) if isinstance(value, float | int) else np.nan)  # a gap where theory is silent
    return {name: line for name, line in found.items() if not np.isnan(line[1]).all()}
