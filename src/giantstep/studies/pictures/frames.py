"""Pictures that follow a parameter: one for each of its values, from which a film is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from giantstep.claims import Axis, Claim, View, parameter_table
from giantstep.claims import view as views
from giantstep.errors import InputError
from giantstep.figures import CurvePicture, PanelPicture, Picture, Series
from giantstep.studies.default_views import views_of_axes
from giantstep.studies.neighbours import point_at
from giantstep.studies.pictures.curves import curve_panel
from giantstep.studies.pictures.labels import Plot, label, place_of
from giantstep.studies.pictures.panels import spectrum_panel, time_panel
from giantstep.studies.results import Results

FRAMES = 41  # of a film whose parameter has no values of its own
SPAN = 2.0  # bounds that are no farther apart, such as those of an exponent, are a range to show


def moving_values(claim: Claim, name: str) -> list[int] | list[float]:
    """The values through which a film of a `claim` leads the parameter `name`: over the range that its views show."""
    fields = type(claim).model_fields
    if name not in fields:
        raise InputError(f"{claim.name} has no parameter '{name}'; it can be animated along: {_animated(claim)}")
    if name not in claim.path_parameters():
        along = ", ".join(claim.path_parameters())
        there = f"one simulation serves all values of: {along}" if along else f"{claim.name} has nothing to animate"
        raise InputError(f"a film along {name} would be a simulation for each frame; {there}")
    low, high, is_log = _shown_range(claim, name) or _usual_range(claim, name)
    values = (np.geomspace if is_log else np.linspace)(low, high, FRAMES).tolist()
    is_whole = fields[name].annotation is int
    wanted = dict.fromkeys(round(value) if is_whole else float(f"{value:.6g}") for value in values)
    return [value for value in wanted if point_at(claim, name, value) is not None]


def _shown_range(claim: Claim, name: str) -> tuple[float, float, bool] | None:
    """The range of a parameter that a picture of the `claim` has, and whether it is logarithmic."""
    for view in claim.views:
        if isinstance(view, views.Curve) and view.x == name:
            low, high = float(min(view.x_axis.values)), float(max(view.x_axis.values))
            return low, high, view.log_x and low > 0
    return None


def _usual_range(claim: Claim, name: str) -> tuple[float, float, bool]:
    """A range around the value that the `claim` has: between close bounds, else up to its double or a hundredfold."""
    value, told = getattr(claim, name), parameter_table(type(claim))[name]
    low, high = told.get("minimum", -np.inf), told.get("maximum", np.inf)
    if high - low <= SPAN or (not value and np.isfinite(high - low)):
        return low, high, False
    if not value:
        raise InputError(f"a film along {name} goes around its value, which must be above 0 here: give {name} one")
    return (value / 100, 100.0 * value, True) if "above" in told else (max(low, 0.0), 2.0 * value, False)


def frames_of(results: Results, name: str) -> list[tuple[str, Picture]]:
    """For each value of the parameter `name` in some results: what a clock shows, and the picture at this value.

    Spectra are those at the value; of curves against the parameter, marks appear one after the other.
    """
    values = sorted({v for v in (place_of(cell, name) for cell in results.cells) if v is not None})
    if len(values) < 2:
        raise InputError(f"a film along {name} needs two or more values of it: Study(..., {name}=...)")
    moving = _moving_views(results.claim, name, values)
    frames = [(value, _panels_at(results, moving, name, value)) for value in values]
    most = max(len(panels) for _, panels in frames)
    shown = [(value, panels) for value, panels in frames if len(panels) == most]  # at the ends some may have no curve
    if not most:
        there = _animated(results.claim)
        raise InputError(f"no picture of {results.claim.name} changes with {name}; it can be animated: {there}")
    words = label(results.claim, name)
    return [(f"{words} = {_clock(value)}", _side_by_side(panels)) for value, panels in shown]


def _moving_views(claim: Claim, name: str, values: Sequence[float]) -> list[View]:
    """The views of a `claim` in which a parameter moves something; without curves along it, what a sweep would draw.

    Where all quantities are curves over time themselves, these are shown at each value.
    """
    moving = [view for view in claim.views if _moves(view, name)]
    if not any(isinstance(view, views.Curve) for view in moving):
        moving += [view for view in views_of_axes(claim, [Axis(name, tuple(values))]) if _moves(view, name)]
    timed = [one for view in claim.views if isinstance(view, views.Time) for one in view.quantities]
    return moving or ([views.Time(tuple(dict.fromkeys(timed)))] if timed else [])


def _animated(claim: Claim) -> str:
    return ", ".join(claim.path_parameters()) or "nothing"


def _clock(value: float) -> str:
    """Three digits, and those of a large number that say how large it is: 0.25, 1638, 2.5 x 10^-5."""
    if abs(value) >= 1000:
        return f"{value:.0f}"
    lead, _, exponent = f"{value:.3g}".partition("e")
    return rf"${lead} \times 10^{{{int(exponent)}}}$" if exponent else lead


def _moves(view: View, name: str) -> bool:
    if isinstance(view, views.Curve):
        return view.x == name
    return isinstance(view, views.Spectrum) and name not in view.at


def _panels_at(results: Results, moving: Sequence[View], name: str, value: float) -> list[Plot]:
    here = replace(results, claim=results.claim.replace(**{name: value}))
    return [panel for view in moving for panel in _panels(here, view, value)]


def _side_by_side(panels: Sequence[Plot]) -> Picture:
    return panels[0] if len(panels) == 1 else PanelPicture("", tuple(panels))


def _panels(results: Results, view: View, value: float) -> list[Plot]:
    if isinstance(view, views.Spectrum):
        found = spectrum_panel(results, view)
        return [found] if found is not None else []
    if isinstance(view, views.Time):
        return [panel for one in view.quantities if (panel := time_panel(results, view, one)) is not None]
    assert isinstance(view, views.Curve)
    groups = [view.quantities] if view.together else [(quantity,) for quantity in view.quantities]
    drawn = [curve_panel(results, view, names) for names in groups]
    return [_until(panel, value) for panel in drawn if isinstance(panel, CurvePicture)]


def _until(panel: CurvePicture, value: float) -> CurvePicture:
    """The marks up to a value of the axis; what theory says stands there from the beginning."""
    series = [_cut(one, value) if one.kind == "simulation" else one for one in panel.series]
    return replace(panel, series=tuple(series), vertical_lines=(*panel.vertical_lines, (value, "")))


def _cut(series: Series, value: float) -> Series:
    """Later marks are gaps at the same places: the axes stay as they are."""
    x, y = np.asarray(series.x), np.asarray(series.y)
    later = x > value * (1 + 1e-12)
    return replace(series, x=np.where(later, np.nan, x), y=np.where(later, np.nan, y))
