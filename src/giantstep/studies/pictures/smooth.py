"""Lines without kinks: what a few computed places say between them.

Theory is often known at the places that were measured alone, for what was drawn there. Straight pieces from one to the
next would draw corners that no theory has. Where the limit is known everywhere, the line has its shape, moved by what
the draws differ from it; elsewhere it is the monotone cubic through the places, which adds no bump of its own. From one
level to another, where theory jumps, a line stays straight.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from giantstep.arrays import Array
from giantstep.studies.pictures.labels import Line

ENOUGH = 40  # places of a line whose straight pieces are not seen
KNOWN = 20  # places of a line whose shape is known
UNSEEN = 0.003  # a part of a line's height: what bends less is straight
PLACES = 61  # of a line that had fewer
NEAR = np.log(2)  # a line within this factor of its shape is the shape times what they differ by


def smooth(
    line: Line, shape: Line | None = None, *, log_x: bool = False, log_y: bool = False, enough: int = ENOUGH
) -> Line:
    """The line at its own places and at many between them; gaps stay gaps.

    Args:
        line: places and values.
        shape: a line through more places, whose shape it has; None if none is known.
        log_x: whether places are compared by their ratios.
        log_y: the same for values.
        enough: places, of which the straight pieces between them are not seen.
    """
    x, y = (np.asarray(part, dtype=float) for part in line)
    shown = np.isfinite(x) & np.isfinite(y) & ((x > 0) | (not log_x)) & ((y > 0) | (not log_y))
    y = np.where(shown, y, np.nan)
    if not 2 <= np.count_nonzero(shown) < enough:
        return line
    parts: list[tuple[Array, Array]] = []
    for run in np.split(np.arange(x.size), np.flatnonzero(np.diff(shown)) + 1):
        few = shown[run[0]] and run.size > 1
        parts.append(_between(x[run], y[run], shape, log_x, log_y) if few else (x[run], y[run]))
    places, values = (np.concatenate(part) for part in zip(*parts, strict=True))
    across, up = (np.log if log_x else np.asarray), (np.log if log_y else np.asarray)
    inside = np.isfinite(values)
    straight = np.interp(across(places[inside]), across(x[shown]), up(y[shown]))
    bent = np.abs(up(values[inside]) - straight).max()
    if bent <= UNSEEN * np.ptp(straight):
        return line
    return places.tolist(), values.tolist()


def _between(x: Array, y: Array, shape: Line | None, log_x: bool, log_y: bool) -> tuple[Array, Array]:
    """One piece without gaps at more places."""
    spaced = np.geomspace if log_x else np.linspace
    places = np.unique(np.concatenate([x, spaced(x[0], x[-1], max(PLACES, 5 * x.size))[1:-1]]))
    across, up = (np.log if log_x else np.asarray), (np.log if log_y else np.asarray)
    known = None if shape is None else _known(shape, across(places), log_x, log_y)
    if known is None:
        if x.size == 2:  # a straight line
            return x, y
        values = _without_corners(across(x), up(y))(across(places))
    else:
        values = _moved(known, np.searchsorted(places, x), up(y), across(x), across(places), log_y)
    values = np.exp(values) if log_y else values
    values[np.searchsorted(places, x)] = y  # to the last digit
    return places, values


def _without_corners(x: Array, y: Array) -> Callable[[Array], Array]:
    """The monotone cubic through points, or the straight line through two."""
    if x.size == 2:
        return lambda places: np.asarray(np.interp(places, x, y))
    from scipy.interpolate import PchipInterpolator

    curved: Callable[[Array], Array] = PchipInterpolator(x, y)
    jumps = _jumps(y)
    if not jumps.any():
        return curved

    def through(places: Array) -> Array:
        piece = np.clip(np.searchsorted(x, places, side="right") - 1, 0, jumps.size - 1)
        return np.where(jumps[piece], np.interp(places, x, y), curved(places))

    return through


def _jumps(y: Array) -> NDArray[np.bool_]:
    """Which pieces join two levels: theory jumps there, and a curve from one to the other would be invented."""
    flat = np.isclose(y[1:], y[:-1], rtol=1e-9, atol=0)
    beside = np.concatenate([[False], flat, [False]])
    return np.asarray(~flat & beside[:-2] & beside[2:])


def _moved(shape: Array, own: NDArray[np.intp], y: Array, x: Array, places: Array, log_y: bool) -> Array:
    """The shape, moved to the values at its `own` places: by factors where these are near 1, else by differences.

    Factors keep the sign and round every bottom; a difference may have to be cut off there, which leaves a corner.
    """
    if log_y and np.abs(y - shape[own]).max() <= NEAR:  # logarithms: differences are factors
        return shape + _without_corners(x, y - shape[own])(places)
    if not log_y and min(shape.min(), y.min()) > 0 and np.abs(np.log(y / shape[own])).max() <= NEAR:
        return np.asarray(shape * np.exp(_without_corners(x, np.log(y / shape[own]))(places)))
    return _kept_between(shape + _without_corners(x, y - shape[own])(places), shape, own, y)


def _kept_between(values: Array, shape: Array, own: NDArray[np.intp], y: Array) -> Array:
    """No piece leaves what its ends and the shape between them span: an alignment of 0 does not become negative."""
    kept = values.copy()
    for (first, last), ends in zip(pairwise(own), pairwise(y), strict=True):
        piece = slice(first, last + 1)
        low, high = min(*ends, shape[piece].min()), max(*ends, shape[piece].max())
        kept[piece] = np.clip(values[piece], low, high)
    return kept


def is_counted(values: ArrayLike) -> bool:
    """Whether a line is one of whole numbers: it goes up in steps, a shape that the mean over draws does not have."""
    y = np.asarray(values, dtype=float)
    y = y[np.isfinite(y)]
    return bool(y.size and np.array_equal(y, np.round(y)) and np.abs(y).max() > 1)


def _known(shape: Line, places: Array, log_x: bool, log_y: bool) -> Array | None:
    """The values of a finer line at some places, both as the axes show them; None if it does not reach all of them."""
    x, y = (np.asarray(part, dtype=float) for part in shape)
    if is_counted(y):
        return None
    shown = np.isfinite(y) & ((y > 0) | (not log_y)) & ((x > 0) | (not log_x))
    x, y = (np.log(x[shown]) if log_x else x[shown]), (np.log(y[shown]) if log_y else y[shown])
    if x.size < KNOWN or x[0] > places[0] + 1e-9 or x[-1] < places[-1] - 1e-9:
        return None
    return np.asarray(np.interp(places, x, y))
