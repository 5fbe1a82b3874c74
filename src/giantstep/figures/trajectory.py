"""Trajectories: paths in a plane, from an open circle to a dot."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from giantstep.figures import style
from giantstep.figures.curve import colours
from giantstep.figures.data import TrajectoryPicture
from giantstep.figures.legend import Legend

MANY = 12  # from so many paths on, each is drawn lighter
PATH, END = "_path", "_end"  # labels by which an animation finds what moves; matplotlib shows none of them


def paint_trajectory(axes: Axes, picture: TrajectoryPicture) -> Legend:
    legend = Legend()
    paths = tuple(picture.paths)
    many = len(paths) >= MANY
    for path, (colour, number) in zip(paths, colours(paths), strict=True):
        x, y, _ = path.columns()
        shown = np.flatnonzero(np.isfinite(y))
        if shown.size == 0:
            continue
        measured = path.kind == "simulation"
        marker: dict[str, Any] = {}
        if measured and not many:
            # At most some thirty marks a path, or they hide the line.
            every = max(1, shown.size // 30)
            marker = {
                "marker": style.MARKERS[number % len(style.MARKERS)],
                "markersize": 3,
                "markevery": every,
            }
        dashes = "-" if path.kind in ("theory", "simulation") else (0, (4, 2.5))
        width = 1.0 if measured or path.kind == "reference" else 1.7
        width, size = (0.7, 3.6) if many and measured else (width, 6.0)
        moving = PATH if path.kind in ("theory", "simulation") else "_still"
        (line,) = axes.plot(x, y, color=colour, linewidth=width, linestyle=dashes, zorder=2.5, label=moving, **marker)
        if path.label not in legend.entries:
            legend.add(path.label, line)
        if path.kind == "reference":
            continue
        ends: dict[str, Any] = {"marker": "o", "markeredgecolor": colour, "linestyle": "none", "zorder": 3}
        first, last = shown[0], shown[-1]
        axes.plot(
            x[first],
            y[first],
            markerfacecolor=style.colours().paper,
            markersize=size,
            markeredgewidth=0.22 * size,
            **ends,
        )
        axes.plot(x[last], y[last], markerfacecolor=colour, markersize=size, label=END, **ends)
    star: dict[str, Any] = {
        "marker": "*",
        "markersize": 11,
        "linestyle": "none",
        "markeredgecolor": style.colours().paper,
        "zorder": 4,
    }
    for x_mark, y_mark, label in picture.marks:
        (mark,) = axes.plot([x_mark], [y_mark], color=style.colours().bound, **star)
        legend.add(label, mark)
    if picture.equal_axes:
        axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel(picture.x_label)
    axes.set_ylabel(picture.y_label)
    return legend
