"""Curves: theory as lines, simulation as marks with standard errors, bounds as red limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.figures import style
from giantstep.figures.apart import Points, height_of, layers_above, sideways
from giantstep.figures.data import CurvePicture
from giantstep.figures.forbidden import Row, shade_forbidden
from giantstep.figures.legend import Legend
from giantstep.figures.series import Series, group_numbers
from giantstep.figures.ticks import open_limits, set_ticks, widen_short_scale

_CROWDED = 60  # from so many marks on, error bars become a band
FAR = 1e-3  # of the smallest mark: a bound is not followed further down
NEGLIGIBLE = 1e-8  # of the smallest mark: such a bound is 0, up to rounding
_MARK, _MARK_EDGE = 5.4, 0.45
BOUND_DASHES = ((5, 2.5), (1.5, 1.5), (7, 2, 1.5, 2))  # of bounds with different names in one picture
LIMIT_DASHES = ((4, 2.5), (1.5, 1.5), (8, 2.5))  # of limits with different names
_LINE, _WIDER = 1.7, 1.5  # points: a line, and how much of one is seen beneath another that covers it


def colours(series: tuple[Series, ...]) -> list[tuple[str, int]]:
    """(colour, group number) of each series; one group alone keeps the roles' own colours."""
    numbers = group_numbers(series)
    palette = style.group_colours(1 + max((n for n in numbers if n is not None), default=0))
    roles = {
        "theory": style.colours().ink,
        "simulation": style.colours().simulation,
        "reference": style.colours().reference,
        "bound": style.colours().bound,
    }
    return [
        (roles[one.kind], 0) if number is None else (palette[number], number)
        for number, one in zip(numbers, series, strict=True)
    ]


def paint_curve(axes: Axes, picture: CurvePicture) -> Legend:
    legend = Legend()
    series = tuple(picture.series)
    axes.set_xlabel(picture.x_label)
    axes.set_ylabel(picture.y_label)
    if picture.log_x:
        axes.set_xscale("log")
    if picture.log_y:
        axes.set_yscale("log")
    rows = []
    marks = [one.columns(picture.log_x, picture.log_y) for one in series if one.kind == "simulation"]
    measured_at = np.unique(np.concatenate([x[np.isfinite(y)] for x, y, _ in marks])) if marks else np.array([])
    ranks = {kind: list(dict.fromkeys(s.label for s in series if s.kind == kind)) for kind in ("bound", "reference")}
    above, aside = _covered(series, picture)
    for k, (one, (colour, number)) in enumerate(zip(series, colours(series), strict=True)):
        x, y, error = one.columns(picture.log_x, picture.log_y)
        rank = ranks[one.kind].index(one.label) if one.kind in ranks and one.group is None else 0
        printed = one.label.endswith("as printed")
        row = Row(
            one.kind, x, y, error, colour, number, one.forbidden, printed, rank, above.get(k, 0), aside.get(k, 0.0)
        )
        if _is_far_below(row, series, picture):
            continue
        if row.kind != "simulation" and row.is_single:
            row = _short_edge(row, measured_at, picture.log_x)
            legend.inside &= not row.is_single  # beside marks, a ring of the legend would seem to be one of them
        rows.append(row)
        painter = {"simulation": _marks, "bound": _bound}.get(one.kind, _line)
        legend.add(one.label, painter(axes, row))
        if one.kind == "simulation":
            _say_missing(axes, row, np.isfinite(np.asarray(one.y, dtype=np.float64)), legend, picture.log_x)
    for number, (place, label) in enumerate(picture.vertical_lines):
        dashes = style.DASHES[number % len(style.DASHES)] if label else "-"  # where a film is has no name
        look: dict[str, Any] = {"linestyle": dashes, "linewidth": 1.1}
        legend.add(label, axes.axvline(place, color=style.colours().reference, zorder=1.2, **look))
    _explain_shared_entries(legend, series)

    shown_x = np.concatenate([row.x[row.shown] for row in rows])
    shown_y = np.concatenate([row.y[row.shown] for row in rows])
    lines = np.array([place for place, _ in picture.vertical_lines], dtype=np.float64)
    open_limits(axes, "x", np.concatenate([shown_x, lines]), picture.log_x)
    if not picture.equal_axes and not any(row.error is not None and np.any(row.error > 0) for row in rows):
        open_limits(axes, "y", shown_y, picture.log_y)
    measured = [row.x[row.shown] for row in rows if row.kind == "simulation"]
    set_ticks(axes.xaxis, np.concatenate(measured) if measured else shown_x, picture.log_x)
    if picture.log_y:
        _keep_in_sight(axes, rows)
        widen_short_scale(axes)
    whole = not picture.log_y and np.array_equal(shown_y, np.round(shown_y))
    set_ticks(axes.yaxis, shown_y if whole else np.array([]), picture.log_y)
    shade_forbidden(axes, rows)
    if picture.equal_axes:
        axes.set_aspect("equal", adjustable="datalim")
    return legend


def _short_edge(row: Row, measured_at: Array, log_x: bool) -> Row:
    """What is said at one of several places: a short line there, silent on the others."""
    across, back = (np.log, np.exp) if log_x else (np.asarray, np.asarray)
    place = float(across(row.x[row.shown])[0])
    apart = np.abs(across(measured_at) - place)
    if not (apart > 1e-12).any():
        return row
    half = 0.3 * float(apart[apart > 1e-12].min())
    ends = np.asarray(back(np.array([place - half, place + half])), dtype=float)
    if measured_at.min() >= 0:
        ends = np.maximum(ends, 0.0)  # sizes and temperatures have no negative values to speak of
    error = None if row.error is None else np.full(2, row.error[row.shown][0])
    return replace(row, x=ends, y=np.full(2, row.y[row.shown][0]), error=error)


def _keep_in_sight(axes: Axes, rows: list[Row]) -> None:
    """A bound that falls by many decades leaves the picture where it is far below all else."""
    core = [row.y[row.shown] for row in rows if row.kind in ("simulation", "theory") and row.shown.any()]
    low, high = axes.get_ylim()
    if core and low < (least := FAR * float(min(y.min() for y in core))):
        axes.set_ylim(least, high)


def _is_far_below(row: Row, series: tuple[Series, ...], picture: CurvePicture) -> bool:
    """Whether a bound is 0 up to rounding: on a logarithmic axis it would press all else to the upper edge."""
    if not picture.log_y or row.kind not in ("bound", "reference"):
        return False
    marks = [one.columns(picture.log_x, True)[1] for one in series if one.kind == "simulation"]
    seen = np.concatenate([y[np.isfinite(y)] for y in marks]) if marks else np.array([])
    return bool(seen.size and row.shown.any() and row.y[row.shown].max() < NEGLIGIBLE * seen.min())


def _line(axes: Axes, row: Row) -> Any:
    dashed = row.kind == "reference"
    look: dict[str, Any] = {"linewidth": _LINE + _WIDER * min(row.above, 3)}
    if dashed:
        dashes = (6, 2, 1.2, 2) if row.printed else LIMIT_DASHES[row.rank % len(LIMIT_DASHES)]
        look = {"linewidth": 1.0, "linestyle": (0, dashes)}
    # A line through one point cannot be seen: a ring around what was measured there.
    ring: dict[str, Any] = {"marker": "o", "markersize": 11, "fillstyle": "none", "linestyle": "none"}
    ring |= {"markeredgewidth": 1.2 if dashed else 1.5, "color": row.colour, "zorder": 1.8 if dashed else 2.2}
    _band(axes, row, 0.09)
    if row.is_single:
        return axes.plot(row.x, row.y, **ring)[0]
    if row.alone.any():
        axes.plot(row.x[row.alone], row.y[row.alone], **ring)
    (line,) = axes.plot(row.x, row.y, color=row.colour, zorder=1.8 if dashed else 2.2, **look)
    return line


def _bound(axes: Axes, row: Row) -> Any:
    dashes = BOUND_DASHES[row.rank % len(BOUND_DASHES)]
    look: dict[str, Any] = {"color": row.colour, "linewidth": 1.2, "linestyle": (0, dashes)}
    look["zorder"] = 2.3 if row.above else 1.9  # a line that runs along an edge would hide its dashes
    _band(axes, row, 0.09)
    if row.is_single:
        return axes.axhline(float(row.y[row.shown][0]), **look)
    (line,) = axes.plot(row.x, row.y, **look)
    return line


def _marks(axes: Axes, row: Row) -> Any:
    crowded = np.count_nonzero(row.shown) > _CROWDED
    look: dict[str, Any] = {
        "color": row.colour,
        "linestyle": "none",
        "marker": style.MARKERS[row.number % len(style.MARKERS)],
        "markersize": 3.0 if crowded else _MARK,
        "markeredgecolor": style.colours().paper,
        "markeredgewidth": 0.3 if crowded else _MARK_EDGE,
        "zorder": 3,
    }
    x, y = row.x[row.shown], row.y[row.shown]
    if row.error is not None and not crowded:
        bars = axes.errorbar(x, y, yerr=row.error[row.shown], elinewidth=1.3, capsize=0, **look)
        _stand_aside(axes, row, bars.get_children())
        return bars
    _band(axes, row, 0.2)
    (marks,) = axes.plot(x, y, **look)
    if not crowded:
        _stand_aside(axes, row, [marks])
    return marks


def _stand_aside(axes: Axes, row: Row, artists: Sequence[Artist]) -> None:
    """Shift marks that others would cover by some points; the axes' limits take them for where they are."""
    if row.aside:
        shift = ScaledTranslation(row.aside * _MARK / 72, 0, axes.figure.dpi_scale_trans)
        for artist in artists:
            artist.set_transform(axes.transData + shift)


def _covered(series: tuple[Series, ...], picture: CurvePicture) -> tuple[dict[int, int], dict[int, float]]:
    """For each line or edge by its number how many lines cover it, for each row of marks how far it stands aside."""

    def seen(kind: str) -> dict[int, Points]:
        return {k: one.on_paper(picture.log_x, picture.log_y) for k, one in enumerate(series) if one.kind == kind}

    lines, marks = seen("theory"), seen("simulation")
    # On a logarithmic axis a bound may fall by many decades, and leaves the picture.
    tall = series if not picture.log_y else [one for one in series if one.kind in ("theory", "simulation")]
    height = height_of([one.on_paper(picture.log_x, picture.log_y) for one in tall])
    above = dict(zip(lines, layers_above(list(lines.values()), height), strict=True))
    above |= {k: layers_above([edge, *lines.values()], height)[0] for k, edge in seen("bound").items()}
    return above, dict(zip(marks, sideways(list(marks.values()), height), strict=True))


def _band(axes: Axes, row: Row, alpha: float) -> None:
    if row.error is not None and len(np.unique(row.x)) > 1:  # at one place a band has no width
        low = row.y if row.forbidden == "above" else row.y - row.error
        high = row.y if row.forbidden == "below" else row.y + row.error
        if axes.get_yscale() == "log":
            low = np.maximum(low, FAR * row.y)
        reached = axes.dataLim.frozen()
        axes.fill_between(row.x, low, high, color=row.colour, alpha=alpha, linewidth=0, zorder=1.5)
        if row.kind != "simulation":  # what is allowed may be wide: lines and marks say how high the picture is
            axes.dataLim.set(reached)


def _say_missing(axes: Axes, row: Row, measured: NDArray[np.bool_], legend: Legend, log_x: bool) -> None:
    """What has no height on the axes is said by a small cross at their foot, not by silence.

    A logarithmic axis has no foot below 0 either: the start of a path of steps is left out of it.
    """
    look: dict[str, Any] = {"linestyle": "none", "marker": "x", "markersize": 4, "markeredgewidth": 0.9}
    look |= {"color": row.colour, "transform": axes.get_xaxis_transform(), "clip_on": False, "zorder": 3}
    absent = ~row.shown & np.isfinite(row.x) & ((row.x > 0) | (not log_x))
    for which, label in ((absent & ~measured, "not measured"), (absent & measured, "not positive")):
        if which.any():
            (marks,) = axes.plot(row.x[which], np.zeros(np.count_nonzero(which)), **look)
            legend.add(label, marks)


def _explain_shared_entries(legend: Legend, series: tuple[Series, ...]) -> None:
    """Where a line and marks share one entry, say once which is which."""
    kinds: dict[str, set[str]] = {}
    for one in series:
        kinds.setdefault(one.label, set()).add(one.kind)
    if any(label and {"theory", "simulation"} <= kind for label, kind in kinds.items()):
        legend.add("theory", Line2D([], [], color=style.colours().ink, linewidth=1.7))
        look: dict[str, Any] = {
            "markersize": _MARK,
            "markeredgecolor": style.colours().paper,
            "markeredgewidth": _MARK_EDGE,
        }
        legend.add("simulation", Line2D([], [], color=style.colours().ink, linestyle="none", marker="o", **look))
