"""From cells to pictures: a view of a claim, drawn with theory as lines and simulation as marks."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from giantstep.claims import (
    Cell,
    Claim,
    Curve,
    CurveView,
    HeatMapView,
    SpectrumView,
    TimeView,
    TrajectoryView,
    View,
)
from giantstep.claims.axes import axis_values
from giantstep.claims.cells import mean_and_error
from giantstep.claims.describe import statement
from giantstep.claims.fields import extra
from giantstep.errors import InputError
from giantstep.figures import (
    CurvePicture,
    HeatMapPicture,
    PanelPicture,
    Picture,
    Series,
    SpectrumPicture,
    TrajectoryPicture,
)
from giantstep.studies.results import Results

Plot: TypeAlias = CurvePicture | SpectrumPicture | HeatMapPicture | TrajectoryPicture  # what stands in one panel
Line: TypeAlias = tuple[list[float], list[float]]  # places and values

QUICK_SECONDS = 0.05
LINE_POINTS = 61  # a theory line over a continuous parameter is drawn through this many places


def picture_of(results: Results, number: int | None = None) -> Picture:
    """The picture of one view, or of all views side by side."""
    claim = results.claim
    views = list(results.views)
    if number is not None:
        if not 0 <= number < len(views):
            raise InputError(f"{claim.name} has no view {number}; it has views 0 to {len(views) - 1}")
        views = [views[number]]
    drawn: list[Plot] = [p for v in views for p in _pictures(results, v)] or _curves_of_values(results)
    if not drawn:
        raise InputError(f"there is no picture of this study of {claim.name}: sweep one or two numeric parameters")
    caption = caption_of(results)
    if len(drawn) == 1:
        return replace(drawn[0], caption=caption)
    return PanelPicture(statement(type(claim)), tuple(drawn), caption=caption)


def thumbnail_of(results: Results) -> Picture:
    """The first panel of the first view."""
    whole = picture_of(results, 0 if results.views else None)
    return whole.panels[0] if isinstance(whole, PanelPicture) else replace(whole, caption="")


def caption_of(results: Results) -> str:
    """All parameters and the convention, so that a picture can be repeated from itself."""
    values = ", ".join(f"{k} = {v}" for k, v in results.base_cell.point.parameters().items())
    seeds = len(results.base_cell.measurements)
    convention = f" {results.claim.convention}." if results.claim.convention else ""
    return f"{results.claim.name}: {values}; {seeds} seeds from {results.provenance['seed']}.{convention}"


def _pictures(results: Results, view: View) -> list[Plot]:
    if isinstance(view, SpectrumView):
        return [p for p in [_spectrum(results, view)] if p]
    if isinstance(view, HeatMapView):
        return [p for p in [_heat_map(results, view)] if p]
    if isinstance(view, TimeView):
        return [p for q in view.quantities for p in [_trajectory(results, view, q)] if p]
    if isinstance(view, TrajectoryView):
        return [p for branch in view.branches for p in [_paths(results, view, branch)] if p]
    panels = [view.quantities] if view.together else [(q,) for q in view.quantities]
    return [p for names in panels for p in [_curve(results, view, names)] if p]


def _same_elsewhere(cell: Cell, point: Claim, free: Sequence[str]) -> bool:
    return cell.point.key(without=free) == point.key(without=free)


def _label(claim: Claim, name: str) -> str:
    """A parameter's or quantity's name with its symbol, for an axis."""
    fields = type(claim).model_fields
    if name in fields:
        symbol = extra(fields[name])["symbol"]
    else:
        symbol = next((q.symbol for q in claim.stated() if q.name == name), "")
    words = name.replace("_", " ")
    if symbol == words:
        return f"${symbol}$"
    return f"{words} ${symbol}$" if symbol else words


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


def _curve(results: Results, view: CurveView, quantities: tuple[str, ...]) -> Plot | None:
    """Quantities against one parameter in one panel; each branch and each quantity has a colour of its own."""
    claim, viewed = results.claim, results.claim.replace(**view.at)
    branches = axis_values(view.by, view.by_values) if view.by else [None]
    series: list[Series] = []
    limits: dict[str, dict[str, Line]] = {}
    for branch in branches:
        point = viewed.replace(**{view.by: branch}) if view.by else viewed
        cells = [c for c in results.cells if _same_elsewhere(c, point, (view.x,))]
        theory = _theory_lines(point, view, (*quantities, *view.bounds))
        branch_name = _branch_name(view.by, branch)
        for quantity in quantities:
            words = [quantity.replace("_", " ")] if len(quantities) > 1 else []
            words += [branch_name] if view.by else []
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
                limits.setdefault(bound, {})[branch_name] = theory[bound]
    series += [one for bound, lines in limits.items() for one in _bounds(bound, lines)]
    told_only = {q.name for q in claim.stated() if q.relation == "reported"}
    if not any(s.kind == "simulation" for s in series) and not (series and told_only.issuperset(quantities)):
        return None
    shown = ", ".join(q.replace("_", " ") for q in quantities)
    return CurvePicture(
        view.title or f"{shown} against {view.x.replace('_', ' ')}",
        _label(claim, view.x),
        _label(claim, quantities[0]) if len(quantities) == 1 else "",
        tuple(series),
        log_x=view.log_x,
        log_y=view.log_y,
        vertical_lines=_threshold(viewed, view),
    )


def _branch_name(by: str, value: object) -> str:
    power = len(str(value)) - 1
    if isinstance(value, int) and power > 4 and value == 10**power:
        value = f"$10^{{{power}}}$"  # nobody counts zeros
    return f"{by.replace('_', ' ')} = {value}" if by else ""


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


def _spectrum(results: Results, view: SpectrumView) -> Plot | None:
    point = results.claim.replace(**view.at)
    cell = next((c for c in results.cells if _same_elsewhere(c, point, ())), None)
    if cell is None:
        return None
    samples = [m.spectra[view.spectrum] for m in cell.measurements if view.spectrum in m.spectra]
    if not samples:
        return None
    before = [m.spectra[view.before] for m in cell.measurements if view.before in m.spectra]
    density = cell.prediction.densities.get(view.spectrum)
    spikes = [(s, "predicted spike", "predicted") for s in (density.spikes if density else ())]
    if density and density.edges:
        spikes.append((density.edges[1], "edge of the bulk", "edge"))
    top = float(np.mean([s.max() for s in samples]))
    if not density or not density.edges or top > density.edges[1]:
        spikes.append((top, "largest, mean over seeds", "measured"))
    return SpectrumPicture(
        view.title or view.spectrum,
        view.x_label,
        np.concatenate(samples),
        density.x if density else None,
        density.y if density else None,
        tuple(spikes),  # type: ignore[arg-type]
        before=np.concatenate(before) if before else None,
    )


def _heat_map(results: Results, view: HeatMapView) -> Plot | None:
    """A quantity over two parameters: what was measured; where it is measured nowhere in the map, what theory says."""
    point = results.claim.replace(**view.at)
    xs, ys = (sorted(axis_values(*axis)) for axis in ((view.x, view.x_values), (view.y, view.y_values)))
    measured, predicted = (np.full((len(ys), len(xs)), np.nan) for _ in range(2))
    for i, y in enumerate(ys):
        for j, x in enumerate(xs):
            here = point.replace(**{view.x: x, view.y: y})
            cell = next((c for c in results.cells if _same_elsewhere(c, here, ())), None)
            if cell is None:
                continue
            numbers = [float(v) for v in cell.seeds_of(view.quantity) if not isinstance(v, Curve)]
            told = cell.prediction.values.get(view.quantity)
            measured[i, j] = np.mean(numbers) if numbers else np.nan
            predicted[i, j] = told if isinstance(told, float | int) else np.nan
    is_theory = bool(np.isnan(measured).all())
    table = predicted if is_theory else measured
    if np.isnan(table).all():
        return None
    words = view.quantity.replace("_", " ")
    return HeatMapPicture(
        (view.title or words) + (" (theory)" if is_theory else ""),
        _label(results.claim, view.x),
        _label(results.claim, view.y),
        [float(x) for x in xs],
        [float(y) for y in ys],
        table,
        value_label=f"{words}, predicted" if is_theory else words,
        boundary=_boundary(point, view, xs, ys),
        boundary_label="predicted threshold",
        log_x=view.log_x,
        log_y=view.log_y,
    )


def _boundary(point: Claim, view: HeatMapView, xs: Sequence[float], ys: Sequence[float]) -> Line | None:
    """Where theory puts the thresholds of one parameter for each value of the other, as far as they lie in the map.

    If both parameters have thresholds, these are two lines with a gap between them.
    """
    found: Line = ([], [])
    for across, along, inside, places in ((view.x, view.y, xs, ys), (view.y, view.x, ys, xs)):
        thresholds = {float(v): point.replace(**{along: v}).predict().thresholds.get(across) for v in places}
        line = [(v, t) for v, t in thresholds.items() if t is not None and min(inside) <= t <= max(inside)]
        if len(line) > 1:
            line.append((np.nan, np.nan))
            found[0].extend(t if across == view.x else v for v, t in line)
            found[1].extend(v if across == view.x else t for v, t in line)
    return (found[0][:-1], found[1][:-1]) if found[0] else None


def _trajectory(results: Results, view: TimeView, quantity: str) -> Plot | None:
    """A quantity that is a curve itself, in one panel; each branch has a colour of its own."""
    viewed = results.claim.replace(**view.at)
    series: list[Series] = []
    x_name = ""
    for branch in axis_values(view.by, view.by_values) if view.by else [None]:
        point = viewed.replace(**{view.by: branch}) if view.by else viewed
        cell = next((c for c in results.cells if _same_elsewhere(c, point, ())), None)
        seeds = [v for v in (cell.seeds_of(quantity) if cell else []) if isinstance(v, Curve)]
        if cell is None or not seeds:
            continue
        name = _branch_name(view.by, branch)
        x_name = seeds[0].x_name
        known = [v for m in cell.measurements for k, v in m.finite.items() if k == quantity]
        predicted = cell.prediction.values.get(quantity) or (mean_and_error(known)[0] if known else None)
        if isinstance(predicted, Curve):
            series.append(Series(name or "theory", predicted.x, predicted.y, kind="theory", group=name or None))
        mean, error = (v.y for v in mean_and_error(seeds) if isinstance(v, Curve))
        bars = np.where(np.isfinite(error), error, 0.0)
        series.append(Series(name or "simulation", seeds[0].x, mean, bars, kind="simulation", group=name or None))
    if not series:
        return None
    title = view.title or quantity.replace("_", " ")
    return CurvePicture(title, x_name, _label(viewed, quantity), tuple(series), log_y=view.log_y)


def _curves_of_values(results: Results) -> list[Plot]:
    """Quantities that are curves themselves, at the claim's own point."""
    names = [q.name for q in results.claim.stated()]
    return [p for name in names for p in [_trajectory(results, TimeView((name,)), name)] if p]


def _paths(results: Results, view: TrajectoryView, branch: object) -> Plot | None:
    """The paths of the first seed at one value of the view's parameter."""
    point = results.claim.replace(**view.at, **({view.by: branch} if view.by else {}))
    cell = next((c for c in results.cells if _same_elsewhere(c, point, ()) and c.measurements), None)
    if cell is None:
        return None
    found = cell.measurements[0].paths
    series = [Series(name, p.x, p.y, kind="simulation", group=name) for name in view.paths for p in found.get(name, ())]
    series += [Series(name, p.x, p.y, kind="reference") for name in view.references for p in found.get(name, ())]
    if not series:
        return None
    title = ", ".join(words for words in (view.title, _branch_name(view.by, branch)) if words)
    return TrajectoryPicture(title or ", ".join(view.paths), view.x_label, view.y_label, tuple(series))
