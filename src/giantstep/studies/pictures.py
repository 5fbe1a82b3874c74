"""From cells to pictures: a view of a claim, drawn with theory as lines and simulation as marks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from giantstep.claims import Cell, Claim, Curve, CurveView, HeatMapView, SpectrumView, View
from giantstep.claims.axes import axis_values
from giantstep.claims.base import extra
from giantstep.claims.judge import mean_and_error
from giantstep.errors import InputError
from giantstep.figures import CurvePicture, HeatMapPicture, PanelPicture, Picture, Series, SpectrumPicture
from giantstep.studies.results import Results

Plot: TypeAlias = CurvePicture | SpectrumPicture | HeatMapPicture  # what stands in one panel

QUICK_SECONDS = 0.05
LINE_POINTS = 61  # a theory line over a continuous parameter is drawn through this many places


def picture_of(results: Results, number: int | None = None) -> Picture:
    """The picture of one view, or of all views side by side."""
    claim = results.claim
    views = list(claim.views)
    if number is not None:
        if not 0 <= number < len(views):
            raise InputError(f"{claim.name} has no view {number}; it has views 0 to {len(views) - 1}")
        views = [views[number]]
    drawn: list[Plot] = [p for v in views for p in _pictures(results, v)] or _curves_of_values(results)
    if not drawn:
        raise InputError(f"nothing was measured for a picture of {claim.name}; run more seeds")
    caption = caption_of(results)
    if len(drawn) == 1:
        return replace(drawn[0], caption=caption)
    return PanelPicture(title_of(claim), tuple(drawn), caption=caption)


def title_of(claim: Claim) -> str:
    """The first sentence of a claim's statement."""
    return (type(claim).__doc__ or claim.name).strip().splitlines()[0]


def caption_of(results: Results) -> str:
    """All parameters and the convention, so that a picture can be repeated from itself."""
    values = ", ".join(f"{k} = {v}" for k, v in results.claim.parameters().items())
    seeds = len(results.base_cell.measurements)
    convention = f" {results.claim.convention}." if results.claim.convention else ""
    return f"{results.claim.name}: {values}; {seeds} seeds from {results.provenance['seed']}.{convention}"


def _pictures(results: Results, view: View) -> list[Plot]:
    if isinstance(view, SpectrumView):
        return [p for p in [_spectrum(results, view)] if p]
    if isinstance(view, HeatMapView):
        return [p for p in [_heat_map(results, view)] if p]
    panels = [view.quantities] if view.together else [(q,) for q in view.quantities]
    return [p for names in panels for p in [_curve(results, view, names)] if p]


def _same_elsewhere(cell: Cell, point: Claim, free: Sequence[str]) -> bool:
    mine, other = cell.point.parameters(), point.parameters()
    return all(mine[k] == other[k] for k in mine if k not in free)


def _label(claim: Claim, name: str) -> str:
    """A parameter's or quantity's name with its symbol, for an axis."""
    fields = type(claim).model_fields
    if name in fields:
        symbol = extra(fields[name])["symbol"]
    else:
        symbol = next((q.symbol for q in claim.quantities if q.name == name), "")
    words = name.replace("_", " ")
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
    for branch in branches:
        point = viewed.replace(**{view.by: branch}) if view.by else viewed
        cells = [c for c in results.cells if _same_elsewhere(c, point, (view.x,))]
        theory = _theory_lines(point, view, (*quantities, *view.bounds))
        for quantity in quantities:
            words = [quantity.replace("_", " ")] if len(quantities) > 1 else []
            words += [f"{view.by.replace('_', ' ')} = {branch}"] if view.by else []
            name = ", ".join(words)
            if quantity in theory:
                label = f"theory, {name}" if name else "theory"
                series.append(Series(label, *theory[quantity], kind="theory", group=name or None))
            xs, ys, errors = _measured(cells, view.x, quantity)
            if xs:
                label = f"simulation, {name}" if name else "simulation"
                series.append(Series(label, xs, ys, errors, kind="simulation", group=name or None))
        for bound in view.bounds:
            if bound in theory and branch == branches[0]:
                series.append(Series(bound.replace("_", " "), *theory[bound], kind="bound"))
    if not any(s.kind == "simulation" for s in series):
        return None
    shown = ", ".join(q.replace("_", " ") for q in quantities)
    return CurvePicture(
        view.title or f"{shown} against {view.x.replace('_', ' ')}",
        _label(claim, view.x),
        _label(claim, quantities[0]) if len(quantities) == 1 else "",
        tuple(series),
        log_x=view.log_x,
        log_y=view.log_y,
    )


def _theory_lines(point: Claim, view: CurveView, names: Sequence[str]) -> dict[str, tuple[list[float], list[float]]]:
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
    found: dict[str, tuple[list[float], list[float]]] = {}
    for x in sorted(predictions):
        for name in names:
            value = predictions[x].values.get(name)
            if isinstance(value, float | int):
                xs, ys = found.setdefault(name, ([], []))
                xs.append(x)
                ys.append(float(value))
    return found


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
    point = results.claim.replace(**view.at)
    xs, ys = axis_values(view.x, view.x_values), axis_values(view.y, view.y_values)
    table = np.full((len(ys), len(xs)), np.nan)
    for i, y in enumerate(ys):
        for j, x in enumerate(xs):
            here = point.replace(**{view.x: x, view.y: y})
            cell = next((c for c in results.cells if _same_elsewhere(c, here, ())), None)
            seeds = cell.seeds_of(view.quantity) if cell else []
            if seeds:
                table[i, j] = float(np.mean([float(v) for v in seeds if not isinstance(v, Curve)]))
    if np.isnan(table).all():
        return None
    return HeatMapPicture(
        view.title or view.quantity,
        _label(results.claim, view.x),
        _label(results.claim, view.y),
        [float(x) for x in xs],
        [float(y) for y in ys],
        table,
        value_label=view.quantity.replace("_", " "),
        log_x=view.log_x,
        log_y=view.log_y,
    )


def _curves_of_values(results: Results) -> list[Plot]:
    """Quantities that are curves themselves, at the claim's own point."""
    pictures: list[Plot] = []
    cell = results.base_cell
    for quantity in results.claim.quantities:
        seeds = cell.seeds_of(quantity.name)
        if not seeds or not isinstance(seeds[0], Curve):
            continue
        mean, error = mean_and_error(seeds)
        assert isinstance(mean, Curve)
        assert isinstance(error, Curve)
        predicted = cell.prediction.values.get(quantity.name)
        bars = np.where(np.isfinite(error.y), error.y, 0.0)
        series = [Series("simulation", mean.x, mean.y, bars, kind="simulation")]
        if isinstance(predicted, Curve):
            series.insert(0, Series("theory", predicted.x, predicted.y, kind="theory"))
        words = quantity.name.replace("_", " ")
        pictures.append(CurvePicture(words, mean.x_name, _label(results.claim, quantity.name), tuple(series)))
    return pictures
