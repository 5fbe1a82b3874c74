"""Theory in a picture: what a study has stored, and a few predictions more where a line needs them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from giantstep.claims import Claim
from giantstep.claims import view as views
from giantstep.errors import InputError
from giantstep.studies.neighbours import point_at
from giantstep.studies.pictures.labels import Line, axis_places, place_of
from giantstep.studies.results import Results
from giantstep.verdicts.stating import Prediction

MANY = 8  # whole numbers between neighbouring places of a line: no eye sees where they were rounded
COUNTED = ("samples", "neurons", "measurements")
SCANNED = 10  # times as many places as a line has are looked at to see where samples are rounded


def theory_lines(results: Results, point: Claim, view: views.Curve, names: Sequence[str]) -> dict[str, Line]:
    """Predicted values of some quantities against the view's parameter, through a point and the cells along it."""
    told: dict[float, Prediction | None] = {}
    for cell in results.around(point, view.x):
        place = place_of(cell, view.x)
        if place is not None:
            told[place] = cell.prediction
    for place in more_places(point, view, told, results.line_places):
        told[place] = _prediction_at(results, point, view.x, place)
    lines = {name: (sorted(told), [_number(told[x], name) for x in sorted(told)]) for name in names}
    return {name: line for name, line in lines.items() if not np.isnan(line[1]).all()}


def more_places(point: Claim, view: views.Curve, known: Iterable[float], limit: int | None = None) -> list[float]:
    """Where a line of theory is computed besides the places at which the study has stored it.

    How many these are follows from the view, the study and the claim's `line_places`, never from how fast the machine
    is: the same study gives the same picture everywhere. A continuous parameter has `line_places` of them, evenly
    over the picture, or as many as the view says; one of whole numbers the view's own values, if those are not more.
    A study which has stored as many predictions as that needs none besides, and a claim with a slow theory asks for
    few. A draft has a `limit`.
    """
    allowed = point.line_places if view.line_places is None else view.line_places
    stored, most = set(known), min(allowed, limit or allowed)
    if len(stored) >= most:
        return []
    shown = axis_places(view.x_axis)
    reached = [*shown, *stored]
    if type(point).model_fields[view.x].annotation is not float:
        wanted = shown if len(shown) <= allowed else []
        wanted = wanted if len(wanted) <= most else [*wanted[:: -(-len(wanted) // most)], wanted[-1]]
    elif reached and min(reached) < max(reached):
        spaced = np.geomspace if view.log_x and min(reached) > 0 else np.linspace
        wanted = _unrounded(
            point, view.x, [float(f"{v:.12g}") for v in spaced(min(reached), max(reached), most)], stored
        )
    else:
        wanted = reached
    return [place for place in wanted if place not in stored]


def _unrounded(point: Claim, name: str, places: Sequence[float], known: Collection[float]) -> list[float]:
    """The places moved to the middle of those that mean the same whole numbers of samples and neurons.

    A line through all of them would go up in steps, one for each sample more. Where a place is known already, it
    stands for its step.
    """
    counted = [n for n in COUNTED if n not in type(point).model_fields and hasattr(point, n)]
    if not counted:
        return list(places)
    there = [_counts(point, name, place, counted) for place in places]
    asked = dict.fromkeys(there)
    if len(asked) == 1 or _far_apart(there):  # another parameter says how many there are, or there are very many
        return list(places)
    between = np.interp(np.arange(SCANNED * (len(places) - 1) + 1) / SCANNED, np.arange(len(places)), places)
    steps: dict[tuple[float, ...] | None, list[float]] = {}
    values = dict(point)
    for place in map(float, between):
        # Only counts are asked here, of very many places: whether there is such a point, its neighbours have told.
        unchecked = type(point).model_construct(**{**values, name: place})
        steps.setdefault(_counted(unchecked, counted), []).append(place)
    stood_for = {_counts(point, name, place, counted) for place in known}
    return [(min(steps[c]) + max(steps[c])) / 2 for c in asked if c not in stood_for and c in steps and c is not None]


def _far_apart(counts: Sequence[tuple[float, ...] | None]) -> bool:
    """Whether neighbours differ by so many samples and neurons that rounding to a whole one is not seen."""
    if None in counts:
        return False
    steps = np.abs(np.diff(np.array(counts, dtype=float), axis=0))
    return bool((steps.max(axis=1) >= MANY).all() and ((steps == 0) | (steps >= MANY)).all())


def _counts(point: Claim, name: str, value: float, counted: Sequence[str]) -> tuple[float, ...] | None:
    """The whole numbers that a value of a parameter means; None where there is no such point."""
    there = point_at(point, name, value)
    return None if there is None else _counted(there, counted)


def _counted(point: Claim, counted: Sequence[str]) -> tuple[float, ...] | None:
    try:
        return tuple(float(getattr(point, n)) for n in counted)
    except (InputError, TypeError, ValueError, OverflowError):
        return None


def threshold_of(prediction: Prediction | None, name: str) -> float | None:
    """Where theory puts the threshold of a parameter, if it has one; it is the same all along that parameter."""
    found = prediction.thresholds.get(name) if prediction else None
    return None if found is None or not np.isfinite(found) else float(found)


def _prediction_at(results: Results, point: Claim, name: str, value: float) -> Prediction | None:
    """What theory says at another value of a parameter; None, a gap in a line, where there is no such point."""
    there = point_at(point, name, value)
    return None if there is None else results.theory_at(there)


def _number(prediction: Prediction | None, name: str) -> float:
    value = prediction.values.get(name) if prediction else None
    return float(value) if isinstance(value, float | int) else np.nan  # a gap where theory is silent
