"""From cells to pictures: a view of a claim, drawn with theory as lines and simulation as marks."""

from __future__ import annotations

from dataclasses import replace

from giantstep.claims import HeatMapView, SpectrumView, TimeView, TrajectoryView, View, statement
from giantstep.errors import InputError
from giantstep.figures import PanelPicture, Picture
from giantstep.studies.pictures.curves import curve_panel
from giantstep.studies.pictures.labels import Plot
from giantstep.studies.pictures.panels import heat_map_panel, spectrum_panel, time_panel, trajectory_panel
from giantstep.studies.results import Results


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
        return [p for p in [spectrum_panel(results, view)] if p]
    if isinstance(view, HeatMapView):
        return [p for p in [heat_map_panel(results, view)] if p]
    if isinstance(view, TimeView):
        return [p for q in view.quantities for p in [time_panel(results, view, q)] if p]
    if isinstance(view, TrajectoryView):
        return [p for branch in view.branches for p in [trajectory_panel(results, view, branch)] if p]
    panels = [view.quantities] if view.together else [(q,) for q in view.quantities]
    return [p for names in panels for p in [curve_panel(results, view, names)] if p]


def _curves_of_values(results: Results) -> list[Plot]:
    """Quantities that are curves themselves, at the claim's own point."""
    names = [q.name for q in results.claim.stated()]
    return [p for name in names for p in [time_panel(results, TimeView((name,)), name)] if p]
