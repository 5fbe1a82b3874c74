"""What bounds exclude: the side of each that is shaded, among the rows of numbers that a curve picture shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.figures import style


@dataclass(frozen=True)
class Row:
    """A series as this picture shows it: y is NaN where its axes have no place for the point."""

    kind: str
    x: Array
    y: Array
    error: Array | None
    colour: str
    number: int
    forbidden: str | None
    printed: bool = False  # what a source prints: dashes of its own, beside those of a limit
    rank: int = 0  # among the bounds, or limits, of different names, which have dashes of their own
    above: int = 0  # lines that cover this one
    aside: float = 0.0  # widths of a mark: where others stand at the same places

    @property
    def shown(self) -> NDArray[np.bool_]:
        return np.isfinite(self.y)

    @property
    def is_single(self) -> bool:
        return bool(np.count_nonzero(self.shown) == 1)

    @property
    def alone(self) -> NDArray[np.bool_]:
        """The places between two gaps, which no line shows."""
        beside = np.concatenate([[False], self.shown, [False]])
        return np.asarray(self.shown & ~beside[:-2] & ~beside[2:])


def shade_forbidden(axes: Axes, rows: list[Row]) -> None:
    """Shade beyond each bound and what is allowed there, up to the edge of what is shown; the limits themselves stay.

    What is shaded for one kind of marks would seem to exclude others that lie there: then nothing is.
    """
    x_limits, (low, high) = axes.get_xlim(), axes.get_ylim()
    bounded = {row.number for row in rows if row.forbidden is not None}
    marks = [row for row in rows if row.kind == "simulation"]
    if {row.number for row in marks} - bounded:
        return
    for row in (row for row in rows if row.forbidden is not None):
        beyond = 0.0 if row.error is None else row.error
        y = row.y + beyond if row.forbidden == "above" else row.y - beyond
        x, y = (np.array(x_limits), np.full(2, y[row.shown][0])) if row.is_single else (row.x, y)
        if not any(_lies_beyond(x, y, row.forbidden, other) for other in marks if other.number != row.number):
            edge = high if row.forbidden == "above" else low
            axes.fill_between(x, y, edge, color=style.colours().bound, alpha=0.06, linewidth=0, zorder=0.5)
    axes.set_xlim(x_limits)
    axes.set_ylim(low, high)


def _lies_beyond(x: Array, y: Array, side: str | None, marks: Row) -> bool:
    """Whether one of some marks lies on the excluded side of an edge through (x, y)."""
    known = np.isfinite(y)
    there = marks.shown & (marks.x >= x[known].min()) & (marks.x <= x[known].max()) if known.any() else np.array(False)
    if not there.any():
        return False
    edge = np.interp(marks.x[there], x[known], y[known])
    return bool(np.any(marks.y[there] > edge if side == "above" else marks.y[there] < edge))
