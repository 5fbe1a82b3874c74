"""From cells to pictures: a view of a claim, drawn with theory as lines and simulation as marks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from giantstep.claims import View, statement
from giantstep.claims import view as views
from giantstep.errors import InputError
from giantstep.figures import (
    CurvePicture,
    PanelPicture,
    Picture,
    SinglePicture,
    SpectrumPicture,
    TrajectoryPicture,
    as_mathtext,
)
from giantstep.studies.pictures.curves import curve_panel
from giantstep.studies.pictures.heat_maps import heat_map_panel
from giantstep.studies.pictures.labels import Plot
from giantstep.studies.pictures.panels import plane_panel, spectrum_panel, time_panel, trajectory_panel
from giantstep.studies.results import Results

MOST_PANELS = 6  # of a sheet
MARGIN = 0.06  # of what is shown, by which an axis goes on beyond it
NO_AXES = "sweep one or two numeric parameters"  # what is missing where all went well and no view shows anything


def picture_of(results: Results, number: int | None = None) -> Picture:
    """The picture of the view `number` (from 0) of some results, or of all views side by side."""
    claim = results.claim
    drawn = list(shown_panels(results, number))
    caption = f"{reading(drawn)} {caption_of(results)}".strip()
    if len(drawn) == 1:
        return replace(drawn[0], caption=caption)
    return PanelPicture(statement(type(claim)), tuple(drawn), caption=caption)


def sheets_of(results: Results, number: int | None = None) -> list[Picture]:
    """The same in sheets of at most six panels, as equal as can be; the letters of the panels go on."""
    whole = picture_of(results, number)
    if not isinstance(whole, PanelPicture):
        return [whole]
    count = math.ceil(len(whole.panels) / MOST_PANELS)
    ends = [round(len(whole.panels) * k / count) for k in range(count + 1)]
    return [
        replace(whole, panels=whole.panels[first:last], first=first, caption=f"{whole.caption}{_sheet(k, count)}")
        for k, (first, last) in enumerate(pairwise(ends), 1)
    ]


def _sheet(number: int, count: int) -> str:
    return "" if count == 1 else f" Sheet {number} of {count}."


def thumbnail_of(results: Results) -> Picture:
    """The first panel that shows simulations beside something else; if none does, the first that shows anything."""
    first = None
    for panel in shown_panels(results):
        if _compares(panel):
            return panel
        first = first or panel
    assert first is not None, "where nothing is shown a sentence says why"
    return first


def _compares(panel: Plot) -> bool:
    """Whether there is more to see than marks: a curve of a single point may have no line of theory."""
    lines = [one for one in panel.series if one.kind != "simulation"] if isinstance(panel, CurvePicture) else None
    return lines is None or any(np.asarray(one.x).size > 1 for one in lines)


def reading(drawn: Sequence[SinglePicture]) -> str:
    """How to read these panels, for somebody who sees such a picture for the first time."""
    shown = [series for panel in drawn if isinstance(panel, CurvePicture) for series in panel.series]
    kinds = {series.kind for series in shown}
    found = {
        "Lines are theory": "theory" in kinds,
        "a pale band is what the claim allows for finite size": any(
            series.kind != "simulation" and series.error is not None for series in shown
        ),
        "marks are simulations with their standard errors": "simulation" in kinds,
        "the shaded side of an edge is what a bound excludes": "bound" in kinds,
        "dashes are limits, references or what a source prints": "reference" in kinds,
        "histograms are simulated, their curve and marked spikes theory": _has(drawn, SpectrumPicture),
        "paths go from an open circle to a dot": _has(drawn, TrajectoryPicture),
    }
    found[_without_zero(drawn)] = True
    words = "; ".join(words for words, there in found.items() if there and words)
    return f"{words[0].upper()}{words[1:]}." if words else ""


def _without_zero(drawn: Sequence[SinglePicture]) -> str:
    """Which of these panels have a vertical axis that stays away from 0, in words; nothing if none has."""
    letters = [f"({chr(ord('a') + number)})" for number, panel in enumerate(drawn) if _stays_above_zero(panel)]
    if not letters:
        return ""
    if len(letters) == len(drawn) > 1:
        return "no vertical axis begins at 0"
    which = f" in {', '.join(letters)}" if len(drawn) > 1 else ""
    return f"the vertical axis does not begin at 0{which}"


def _stays_above_zero(panel: SinglePicture) -> bool:
    if not isinstance(panel, CurvePicture) or panel.log_y:
        return False
    shown = np.concatenate([np.asarray(one.y, dtype=float) for one in panel.series])
    shown = shown[np.isfinite(shown)]
    return bool(np.ptp(shown) > 0 and shown.min() - MARGIN * np.ptp(shown) > 0)  # a constant is shown from 0 on


def _has(drawn: Sequence[SinglePicture], kind: type[Plot]) -> bool:
    return any(isinstance(panel, kind) for panel in drawn)


def caption_of(results: Results, set_as: Callable[[str], str] = as_mathtext) -> str:
    """All parameters and the convention, so that a picture can be repeated from itself; `set_as` sets mathematics."""
    told, varied = _values_told(results)
    varying = f"unless a panel varies it {', '.join(varied)}" if varied else ""
    values = "; ".join(part for part in (", ".join(told), varying) if part)
    seeds = len(results.base_cell.measurements)
    convention = f" {set_as(results.claim.convention)}." if results.claim.convention else ""
    count = f"{seeds} seed{'' if seeds == 1 else 's'} from {results.provenance['seed']}"
    return f"{results.claim.name}: {values}; {count}.{convention}"


def _values_told(results: Results) -> tuple[list[str], list[str]]:
    """Each parameter with its value, or its range where the study is a grid over it; then those that panels vary."""
    own = results.base_cell.point.parameters()
    points = [cell.point.parameters() for cell in results.cells]
    found = {name: list(dict.fromkeys(point[name] for point in points)) for name in own}
    in_panels = {name for view in results.views for name in (*view.at, *(axis.name for axis in view.axes))}
    is_grid = math.prod(len(values) for values in found.values()) == len(results.cells)
    told: list[str] = []
    varied: list[str] = []
    for name, value in own.items():
        several = found[name]
        if len(several) == 1 or not (is_grid or name in in_panels):
            told.append(f"{name} = {value}")
        elif not is_grid:
            varied.append(f"{name} = {value}")
        elif all(isinstance(v, int | float) for v in several):
            told.append(f"{name} = {min(several):g} to {max(several):g}")
        else:
            told.append(f"{name} = {' or '.join(map(str, several))}")
    return told, varied


def shown_panels(results: Results, number: int | None = None, *, theory_alone: bool = False) -> Iterator[Plot]:
    """The panels of one view or of all; if none shows anything, a sentence says why.

    Args:
        results: what is shown.
        number: of the view, from 0; all of them if None.
        theory_alone: whether a panel may show what theory says where nothing is measured.

    A panel that cannot be drawn (no value is positive, say, and its axis logarithmic) does not cost the others. Where
    no view shows anything, quantities that are curves themselves are shown at the claim's own point.
    """
    views = results.views if number is None else (_view(results, number),)
    refusals: list[str] = []
    found = 0
    for shown in (views, _views_of_curves(results) if number is None else ()):
        for make in (make for view in shown for make in _panels_of(results, view, theory_alone)):
            try:
                panel = make()
            except InputError as refused:
                refusals.append(str(refused))
                continue
            if panel is not None:
                found += 1
                yield panel
        if found:
            return
    raise InputError(_why_nothing(results, refusals))


def _view(results: Results, number: int) -> View:
    views = results.views
    if not 0 <= number < len(views):
        there = f"its views are 0 to {len(views) - 1}" if views else "it has none"
        raise InputError(f"this study of {results.claim.name} has no view {number}; {there}")
    return views[number]


def _views_of_curves(results: Results) -> tuple[View, ...]:
    return tuple(views.Time((name,)) for name in dict.fromkeys(q.name for q in results.claim.stated()))


def _panels_of(results: Results, view: View, theory_alone: bool) -> list[Callable[[], Plot | None]]:
    """What makes the panels of a view, one after the other."""
    if isinstance(view, views.Spectrum):
        return [partial(spectrum_panel, results, view, theory_alone)]
    if isinstance(view, views.HeatMap):
        return [partial(heat_map_panel, results, view)]
    if isinstance(view, views.Time):
        return [partial(time_panel, results, view, name, theory_alone) for name in view.quantities]
    if isinstance(view, views.Trajectory):
        return [partial(trajectory_panel, results, view, branch) for branch in view.branches]
    if isinstance(view, views.Plane):
        return [partial(plane_panel, results, view, branch) for branch in view.branches]
    assert isinstance(view, views.Curve), view
    groups = [view.quantities] if view.together else [(name,) for name in view.quantities]
    return [partial(curve_panel, results, view, names, theory_alone) for names in groups]


def _why_nothing(results: Results, refusals: list[str]) -> str:
    nothing = f"there is no picture of this study of {results.claim.name}"
    if not any(cell.measurements for cell in results.cells):
        why = f"every simulation failed ({results.failures[0]})" if results.failures else "nothing is measured yet"
        return f"{nothing}: {why}"
    return refusals[0] if refusals else f"{nothing}: {NO_AXES}"
