"""All other views as panels: spectra, heat maps, quantities that are curves over time, and trajectories."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from giantstep.claims import Claim, HeatMapView, SpectrumView, TimeView, TrajectoryView, axis_values
from giantstep.figures import CurvePicture, HeatMapPicture, Series, SpectrumPicture, TrajectoryPicture
from giantstep.studies.pictures.labels import Line, Plot, branch_name, is_at, label
from giantstep.studies.results import Results
from giantstep.verdicts import Curve, mean_and_error


def spectrum_panel(results: Results, view: SpectrumView) -> Plot | None:
    point = results.claim.replace(**view.at)
    cell = next((c for c in results.cells if is_at(c, point, ())), None)
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


def heat_map_panel(results: Results, view: HeatMapView) -> Plot | None:
    """A quantity over two parameters: what was measured; where it is measured nowhere in the map, what theory says."""
    point = results.claim.replace(**view.at)
    xs, ys = (sorted(axis_values(*axis)) for axis in ((view.x, view.x_values), (view.y, view.y_values)))
    measured, predicted = (np.full((len(ys), len(xs)), np.nan) for _ in range(2))
    for i, y in enumerate(ys):
        for j, x in enumerate(xs):
            here = point.replace(**{view.x: x, view.y: y})
            cell = next((c for c in results.cells if is_at(c, here, ())), None)
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
        label(results.claim, view.x),
        label(results.claim, view.y),
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


def time_panel(results: Results, view: TimeView, quantity: str) -> Plot | None:
    """A quantity that is a curve itself, in one panel; each branch has a colour of its own."""
    viewed = results.claim.replace(**view.at)
    series: list[Series] = []
    x_name = ""
    for branch in axis_values(view.by, view.by_values) if view.by else [None]:
        point = viewed.replace(**{view.by: branch}) if view.by else viewed
        cell = next((c for c in results.cells if is_at(c, point, ())), None)
        seeds = [v for v in (cell.seeds_of(quantity) if cell else []) if isinstance(v, Curve)]
        if cell is None or not seeds:
            continue
        name = branch_name(view.by, branch)
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
    return CurvePicture(title, x_name, label(viewed, quantity), tuple(series), log_y=view.log_y)


def trajectory_panel(results: Results, view: TrajectoryView, branch: object) -> Plot | None:
    """The paths of the first seed at one value of the view's parameter."""
    point = results.claim.replace(**view.at, **({view.by: branch} if view.by else {}))
    cell = next((c for c in results.cells if is_at(c, point, ()) and c.measurements), None)
    if cell is None:
        return None
    found = cell.measurements[0].paths
    series = [Series(name, p.x, p.y, kind="simulation", group=name) for name in view.paths for p in found.get(name, ())]
    series += [Series(name, p.x, p.y, kind="reference") for name in view.references for p in found.get(name, ())]
    if not series:
        return None
    title = ", ".join(words for words in (view.title, branch_name(view.by, branch)) if words)
    return TrajectoryPicture(title or ", ".join(view.paths), view.x_label, view.y_label, tuple(series))
