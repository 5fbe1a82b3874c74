"""Views of single cells as panels: spectra, quantities that are curves over time, trajectories and points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from giantstep.claims import view as views
from giantstep.errors import InputError
from giantstep.figures import CurvePicture, Series, SpectrumPicture, TrajectoryPicture, as_mathtext
from giantstep.studies.pictures.judged import judged_curve
from giantstep.studies.pictures.labels import Plot, branch_name, label, panel_title, spelled
from giantstep.studies.results import Results
from giantstep.verdicts import mean_and_error
from giantstep.verdicts.stating import Curve, Value


def spectrum_panel(results: Results, view: views.Spectrum, theory_alone: bool = False) -> Plot | None:
    """The values of all seeds at one point as a histogram, with the density and the spikes that theory puts there.

    Without values there is a panel only if `theory_alone` will do.
    """
    found = results.around(results.claim.replace(**view.at))
    if not found:
        return None
    cell = found[0]
    drawn = [m.spectra[view.spectrum] for m in cell.measurements if view.spectrum in m.spectra]
    samples = [s for s in drawn if np.isfinite(s).any()]
    density = cell.prediction.densities.get(view.spectrum)
    if not samples and not (theory_alone and density):
        return None
    before = [m.spectra[view.before] for m in cell.measurements if view.before in m.spectra]
    spikes = [(s, "predicted spike", "predicted") for s in (density.spikes if density else ())]
    if density and density.edges:
        spikes.append((density.edges[1], "edge of the bulk", "edge"))
    if samples:
        top = float(np.mean([s[np.isfinite(s)].max() for s in samples]))
        if not density or not density.edges or top > density.edges[1]:
            spikes.append((top, "largest, mean over seeds", "measured"))
    return SpectrumPicture(
        view.title or view.spectrum,
        view.x_label,
        np.concatenate(samples) if samples else None,
        density.x if density else None,
        density.y if density else None,
        tuple(spikes),  # type: ignore[arg-type]
        before=np.concatenate(before) if before else None,
        before_label="before" if view.before == "initial" else spelled(view.before),
    )


def time_panel(results: Results, view: views.Time, quantity: str, theory_alone: bool = False) -> Plot | None:
    """A quantity that is a curve itself, in one panel; each branch has a colour of its own.

    A branch that was not measured is shown only if `theory_alone` will do.
    """
    viewed = results.claim.replace(**view.at)
    series: list[Series] = []
    x_name = ""
    for branch in view.branches:
        found = results.around(viewed.replace(**{view.by: branch}) if view.by else viewed)
        seeds = _curves(found[0].values_of(quantity)) if found else []
        name = branch_name(results.claim, view.by, branch)
        lines = judged_curve(found[0], quantity, name, view.log_x, view.log_y) if found else []
        if not seeds and not (theory_alone and lines):
            continue
        series += lines
        if not seeds:
            x_name = _curves([found[0].prediction.values[quantity]])[0].x_name
            continue
        x_name = seeds[0].x_name
        mean, error = _mean_curve(quantity, seeds)
        bars = np.where(np.isfinite(error.y), error.y, 0.0)
        series.append(Series(name or "simulation", mean.x, mean.y, bars, kind="simulation", group=name or None))
    if not series:
        return None
    title = panel_title(viewed, view, (quantity,), view.quantities)
    return CurvePicture(
        title, as_mathtext(x_name), label(viewed, quantity), tuple(series), log_x=view.log_x, log_y=view.log_y
    )


def _curves(values: Sequence[Value]) -> list[Curve]:
    return [value for value in values if isinstance(value, Curve)]


def _mean_curve(quantity: str, seeds: Sequence[Curve]) -> tuple[Curve, Curve]:
    """The mean of curves and its standard error."""
    first = seeds[0]
    if any(one.x.shape != first.x.shape or not np.allclose(one.x, first.x) for one in seeds):
        raise InputError(f"{quantity} was measured at other places by each seed: there is no mean to draw")
    mean, error = mean_and_error(seeds)
    assert isinstance(mean, Curve)
    assert isinstance(error, Curve)
    return mean, error


def trajectory_panel(results: Results, view: views.Trajectory, branch: object) -> Plot | None:
    """The paths of the first seed at one value of the view's parameter."""
    found = results.around(results.claim.replace(**view.at, **({view.by: branch} if view.by else {})))
    if not found or not found[0].measurements:
        return None
    paths = found[0].measurements[0].paths
    series = [Series(name, p.x, p.y, kind="simulation", group=name) for name in view.paths for p in paths.get(name, ())]
    series += [Series(name, p.x, p.y, kind="reference") for name in view.references for p in paths.get(name, ())]
    if not series:
        return None
    title = ", ".join(words for words in (view.title, branch_name(results.claim, view.by, branch)) if words)
    return TrajectoryPicture(title or f"{view.x_label} and {view.y_label}", view.x_label, view.y_label, tuple(series))


def plane_panel(results: Results, view: views.Plane, branch: object) -> Plot | None:
    """The points of the first seed at one value of the view's parameter, with the circle and the mark of theory."""
    found = results.around(results.claim.replace(**view.at, **({view.by: branch} if view.by else {})))
    points = found[0].measurements[0].paths.get(view.points, ()) if found and found[0].measurements else ()
    if not points:
        return None
    series = [Series(view.points, points[0].x, points[0].y, kind="simulation")]
    radius, mark = (found[0].prediction.values.get(name) for name in (view.circle, view.mark))
    if isinstance(radius, float):
        angle = np.linspace(0, 2 * np.pi, 181)
        series.append(Series(spelled(view.circle), radius * np.cos(angle), radius * np.sin(angle), kind="theory"))
    else:
        radius = 0.0
    marks = ((mark, f"predicted {spelled(view.mark)}"),) if isinstance(mark, float) and mark > radius else ()
    title = ", ".join(words for words in (view.title, branch_name(results.claim, view.by, branch)) if words)
    return CurvePicture(
        title or view.points,
        view.x_label,
        view.y_label,
        tuple(series),
        vertical_lines=marks,
        equal_axes=True,
    )
