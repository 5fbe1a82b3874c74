"""Heat maps: a quantity over the plane of two parameters, with the threshold that theory draws through it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Claim
from giantstep.claims import view as views
from giantstep.figures import HeatMapPicture
from giantstep.studies.pictures.labels import Line, Plot, axis_places, label, place_of, quantity_words
from giantstep.studies.pictures.theory import threshold_of
from giantstep.studies.results import Results
from giantstep.verdicts import Cell
from giantstep.verdicts.stating import Curve, Value

Plane = Mapping[tuple[float, float], Cell]  # by their places (x, y)


def heat_map_panel(results: Results, view: views.HeatMap) -> Plot | None:
    """A quantity over two parameters: what was measured; where it is measured nowhere in the map, what theory says."""
    point = results.claim.replace(**view.at)
    xs, ys = (axis_places(axis) for axis in view.axes)
    plane = _plane(results, point, view)
    measured, predicted = (np.full((len(ys), len(xs)), np.nan) for _ in range(2))
    for i, y in enumerate(ys):
        for j, x in enumerate(xs):
            cell = plane.get((x, y))
            if cell is not None:
                measured[i, j] = _mean(cell.values_of(view.quantity))
                predicted[i, j] = _mean([cell.prediction.values.get(view.quantity, np.nan)])
    is_theory = bool(np.isnan(measured).all())
    table: Array = predicted if is_theory else measured
    if np.isnan(table).all():
        return None
    words = quantity_words(results.claim, view.quantity)
    return HeatMapPicture(
        (view.title or words) + (" (theory)" if is_theory else ""),
        label(results.claim, view.x),
        label(results.claim, view.y),
        xs,
        ys,
        table,
        value_label=f"{words}, predicted" if is_theory else words,
        boundary=_boundary(view, plane, xs, ys),
        boundary_label="predicted threshold",
        log_x=view.log_x,
        log_y=view.log_y,
    )


def _plane(results: Results, point: Claim, view: views.HeatMap) -> Plane:
    """The cells of the map by their places: each is looked at once."""
    found: dict[tuple[float, float], Cell] = {}
    for cell in results.around(point, view.x, view.y):
        x, y = place_of(cell, view.x), place_of(cell, view.y)
        if x is not None and y is not None:
            found[x, y] = cell
    return found


def _mean(values: Sequence[Value]) -> float:
    numbers = [float(value) for value in values if not isinstance(value, Curve)]
    return float(np.mean(numbers)) if numbers else np.nan


def _boundary(view: views.HeatMap, plane: Plane, xs: Sequence[float], ys: Sequence[float]) -> Line | None:
    """Where theory puts the thresholds of one parameter for each value of the other, as far as they lie in the map.

    If both parameters have thresholds, these are two lines with a gap between them.
    """
    rows = {y: plane[x, y] for y in ys for x in xs if (x, y) in plane}  # any cell of a row tells its threshold
    columns = {x: plane[x, y] for x in xs for y in ys if (x, y) in plane}
    found: Line = ([], [])
    for across, lines, inside in ((view.x, rows, xs), (view.y, columns, ys)):
        places = {place: threshold_of(cell.prediction, across) for place, cell in lines.items()}
        line = [(v, t) for v, t in places.items() if t is not None and inside[0] <= t <= inside[-1]]
        if len(line) > 1:
            line.append((np.nan, np.nan))
            found[0].extend(t if across == view.x else v for v, t in line)
            found[1].extend(v if across == view.x else t for v, t in line)
    return (found[0][:-1], found[1][:-1]) if found[0] else None
