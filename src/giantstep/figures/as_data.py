"""Pictures as plain data, ready for JSON: for those who draw them elsewhere, with the house's own colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from giantstep.figures import style
from giantstep.figures.data import (
    CurvePicture,
    HeatMapPicture,
    SinglePicture,
    SpectrumPicture,
    StaircasePicture,
    TrajectoryPicture,
)
from giantstep.figures.histograms import Histograms
from giantstep.figures.ranked import RankingPicture
from giantstep.figures.series import Series, group_numbers

DIGITS = 7  # significant ones: more than any screen shows
MOST_VALUES = 2000  # of a spectrum that are told one by one; bars tell of more

KINDS: dict[type[SinglePicture], str] = {
    CurvePicture: "curve",
    SpectrumPicture: "spectrum",
    HeatMapPicture: "heat map",
    TrajectoryPicture: "trajectory",
    StaircasePicture: "staircase",
    RankingPicture: "ranking",
}


def picture_data(picture: SinglePicture) -> dict[str, Any]:
    """A picture as numbers, lists and words; what is not finite becomes None.

    Args:
        picture: any single picture. Its fields keep their names, with `type` beside them; series carry the number of
            their colour, and a spectrum its bars.
    """
    found: dict[str, Any] = {
        "type": KINDS[type(picture)],
        "title": picture.title,
        "caption": picture.caption,
        "x_label": picture.x_label,
        "y_label": getattr(picture, "y_label", "density" if isinstance(picture, SpectrumPicture) else ""),
    }
    if isinstance(picture, CurvePicture):
        lines = [{"x": float(x), "label": label} for x, label in picture.vertical_lines]
        equal = {"equal_axes": True} if picture.equal_axes else {}
        return {**found, **_scales(picture), "series": _series(picture.series), "vertical_lines": lines, **equal}
    if isinstance(picture, HeatMapPicture):
        return {**found, **_scales(picture), **_heat_map(picture)}
    if isinstance(picture, SpectrumPicture):
        return {**found, **_spectrum(picture)}
    if isinstance(picture, TrajectoryPicture):
        marks = [{"x": float(x), "y": float(y), "label": label} for x, y, label in picture.marks]
        return {**found, "paths": _series(picture.paths), "marks": marks, "equal_axes": picture.equal_axes}
    if isinstance(picture, RankingPicture):
        names = {"names": list(picture.names), "strong": list(picture.strong), "strong_label": picture.strong_label}
        lines = [{"x": float(x), "label": label} for x, label in picture.lines]
        return {
            **found,
            **names,
            "values": plain_list(picture.values),
            "error": plain_list(picture.error),
            "lines": lines,
        }
    if isinstance(picture, RankingPicture):
        lines = [{"x": float(x), "label": label} for x, label in picture.lines]
        named = {"names": list(picture.names), "strong": list(picture.strong), "strong_label": picture.strong_label}
        return {
            **found,
            **named,
            "values": plain_list(picture.values),
            "error": plain_list(picture.error),
            "lines": lines,
        }
    levels = {"levels": list(picture.levels), "part_labels": list(picture.part_labels), "highlight": picture.highlight}
    return {**found, **levels, "parts": [plain_list(row) for row in np.asarray(picture.parts)]}


def look_data() -> dict[str, Any]:
    """The colours of pictures on light and on dark ground, and the marks, in the order in which groups take them."""
    return {"light": asdict(style.LIGHT), "dark": asdict(style.DARK), "markers": list(style.MARKERS)}


def plain_list(values: Any) -> list[float | None]:
    """Numbers as a list, to the digits that a screen can show."""
    array = np.asarray(values, dtype=np.float64)
    return [float(f"{v:.{DIGITS}g}") if ok else None for v, ok in zip(array, np.isfinite(array), strict=True)]


def _scales(picture: CurvePicture | HeatMapPicture) -> dict[str, bool]:
    return {"log_x": picture.log_x, "log_y": picture.log_y}


def _series(series: Sequence[Series]) -> list[dict[str, Any]]:
    return [
        {
            "label": one.label,
            "kind": one.kind,
            "group": one.group,
            "forbidden": one.forbidden,
            "x": plain_list(one.x),
            "y": plain_list(one.y),
            "error": None if one.error is None else plain_list(one.error),
            "color": number,
        }
        for one, number in zip(series, group_numbers(series), strict=True)
    ]


def _heat_map(picture: HeatMapPicture) -> dict[str, Any]:
    return {
        "x": plain_list(picture.x),
        "y": plain_list(picture.y),
        "values": [plain_list(row) for row in np.asarray(picture.values)],
        "value_label": picture.value_label,
        "boundary": None if picture.boundary is None else _line(*picture.boundary),
        "boundary_label": picture.boundary_label,
    }


def _spectrum(picture: SpectrumPicture) -> dict[str, Any]:
    shown = Histograms.of(picture)
    few = picture.values is not None and np.size(picture.values) <= MOST_VALUES
    density = picture.density_x is not None and picture.density_y is not None
    return {
        "values": plain_list(picture.values) if few else None,
        "bins": _bars(shown.edges, shown.heights),
        "before": _bars(shown.edges, shown.before),
        "outliers": plain_list(shown.outliers[:MOST_VALUES]),
        "density": _line(picture.density_x, picture.density_y) if density else None,
        "spikes": [{"x": float(x), "label": label, "kind": kind} for x, label, kind in picture.spikes],
        "values_label": picture.values_label,
        "before_label": picture.before_label,
        "density_label": picture.density_label,
    }


def _bars(edges: Any, heights: Any) -> dict[str, Any] | None:
    return None if heights is None else {"edges": plain_list(edges), "heights": plain_list(heights)}


def _line(x: Any, y: Any) -> dict[str, Any]:
    return {"x": plain_list(x), "y": plain_list(y)}
