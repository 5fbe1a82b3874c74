"""Series that cover each other, drawn apart: marks side by side, and lines of which the lower ones are wider."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from giantstep.arrays import Array

UNSEEN = 0.012  # a part of the picture's height: what is closer covers each other
MOST = 0.8  # of the places that two series share: where so many cover each other, one of the series is hidden

Points = tuple[Array, Array]  # places and values as the axes show them; NaN is a gap


def sideways(marks: Sequence[Points], height: float) -> list[float]:
    """How far each of some rows of marks stands aside, in widths of a mark: those that hide each other side by side.

    Args:
        marks: of each series (x, y), both of one shape, logarithms where an axis is logarithmic.
        height: of the picture, as `height_of` tells it.
    """
    clusters: list[set[int]] = []
    for one, mark in enumerate(marks):
        hidden = {other for other in range(one) if _marks_hide(mark, marks[other], height)}
        touched = [cluster for cluster in clusters if cluster & hidden]
        clusters = [cluster for cluster in clusters if cluster not in touched] + [{one}.union(*touched)]
    aside = [0.0] * len(marks)
    for cluster in clusters:
        for rank, one in enumerate(sorted(cluster)):
            aside[one] = rank - (len(cluster) - 1) / 2
    return aside


def layers_above(lines: Sequence[Points], height: float) -> list[int]:
    """How many of the later lines run over each line, in a picture of this height."""
    return [sum(_line_hides(later, one, height) for later in lines[number + 1 :]) for number, one in enumerate(lines)]


def height_of(rows: Sequence[Points]) -> float:
    """The height of a picture of all these rows: a bound far away makes what is apart lie closer together."""
    shown = np.concatenate([y[np.isfinite(y)] for _, y in rows]) if rows else np.array([])
    return float(np.ptp(shown)) if shown.size else 0.0


def _marks_hide(one: Points, other: Points, height: float) -> bool:
    (x, y), (other_x, other_y) = (_shown(row) for row in (one, other))
    shared, here, there = np.intersect1d(x, other_x, return_indices=True)
    if not shared.size:
        return False
    return bool(np.mean(np.abs(y[here] - other_y[there]) <= UNSEEN * height) >= MOST)


def _line_hides(upper: Points, lower: Points, height: float) -> bool:
    (x, y), (lower_x, lower_y) = (_shown(row) for row in (upper, lower))
    if x.size < 2 or lower_x.size < 2:
        return False
    inside = (lower_x >= x[0]) & (lower_x <= x[-1])
    if not inside.any():
        return False
    return bool(np.mean(inside & (np.abs(np.interp(lower_x, x, y) - lower_y) <= UNSEEN * height)) >= MOST)


def _shown(row: Points) -> Points:
    x, y = row
    shown = np.isfinite(x) & np.isfinite(y)
    return x[shown], y[shown]
