"""Pictures that follow a parameter: one for each of its values, from which a film is made."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from giantstep.claims import Claim, View
from giantstep.claims import view as views
from giantstep.errors import InputError
from giantstep.figures import CurvePicture, PanelPicture, Picture, Series
from giantstep.studies.pictures.curves import curve_panel
from giantstep.studies.pictures.labels import Plot, label, place_of
from giantstep.studies.pictures.panels import spectrum_panel
from giantstep.studies.results import Results

FRAMES = 41  # of a film whose parameter has no values of its own


def moving_values(claim: Claim, name: str) -> list[int] | list[float]:
    """The values through which a film of a `claim` leads the parameter `name`: over the range that its views show."""
    fields = type(claim).model_fields
    if name not in fields:
        raise InputError(f"{claim.name} has no parameter '{name}'; it can be animated along: {_animated(claim)}")
    if name not in claim.path_parameters():
        along = ", ".join(film_parameters(claim))
        there = f"one simulation serves all values of: {along}" if along else f"{claim.name} has nothing to animate"
        raise InputError(f"a film along {name} would be a simulation for each frame; {there}")
    if name not in film_parameters(claim):
        raise InputError(f"no picture of {claim.name} shows a range of {name}; it can be animated: {_animated(claim)}")
    shown = next(view for view in claim.views if isinstance(view, views.Curve) and view.x == name)
    low, high = float(min(shown.x_axis.values)), float(max(shown.x_axis.values))
    spaced = np.geomspace if shown.log_x and low > 0 else np.linspace
    values = spaced(low, high, FRAMES)
    if fields[name].annotation is int:
        return list(dict.fromkeys(round(value) for value in values.tolist()))
    return [float(f"{value:.6g}") for value in values]


def film_parameters(claim: Claim | type[Claim]) -> tuple[str, ...]:
    """Where a `claim` can be animated: one simulation serves all values of the parameter, a picture shows its range."""
    shown = {view.x for view in claim.views if isinstance(view, views.Curve)}
    return tuple(name for name in claim.path_parameters() if name in shown)


def frames_of(results: Results, name: str) -> list[tuple[str, Picture]]:
    """For each value of the parameter `name` in some results: what a clock shows, and the picture at this value.

    Spectra are those at the value; of curves against the parameter, marks appear one after the other.
    """
    values = sorted({v for v in (place_of(cell, name) for cell in results.cells) if v is not None})
    if len(values) < 2:
        raise InputError(f"a film along {name} needs two or more values of it: Study(..., {name}=...)")
    moving = [view for view in results.claim.views if _moves(view, name)]
    if not moving:
        there = _animated(results.claim)
        raise InputError(f"no picture of {results.claim.name} changes with {name}; it can be animated: {there}")
    words = label(results.claim, name)
    return [(f"{words} = {_clock(value)}", _frame(results, moving, name, value)) for value in values]


def _animated(claim: Claim) -> str:
    return ", ".join(film_parameters(claim)) or "nothing"


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


def _frame(results: Results, moving: list[View], name: str, value: float) -> Picture:
    here = replace(results, claim=results.claim.replace(**{name: value}))
    panels = [panel for view in moving for panel in _panels(here, view, value)]
    if not panels:
        raise InputError(f"nothing was measured at {name} = {value:g}: there is no film")
    return panels[0] if len(panels) == 1 else PanelPicture("", tuple(panels))


def _panels(results: Results, view: View, value: float) -> list[Plot]:
    if isinstance(view, views.Spectrum):
        found = spectrum_panel(results, view)
        return [found] if found is not None else []
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
