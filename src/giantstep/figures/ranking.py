"""Rankings: a mark with its error for each name, the uppermost first."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from giantstep.figures import style
from giantstep.figures.legend import Legend
from giantstep.figures.ranked import RankingPicture
from giantstep.figures.text import wrap

NAME_WIDTH = 0.9
"""Inches of a line of a name: two short lines leave more room for what is measured than a long one."""


def paint_ranking(axes: Axes, picture: RankingPicture) -> Legend:
    legend = Legend()
    values, error = np.asarray(picture.values), np.asarray(picture.error)
    rows = np.arange(len(picture.names))[::-1]
    strong = np.array([name in picture.strong for name in picture.names])
    tones = style.colours()
    look: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": 6, "elinewidth": 1.5, "zorder": 3}
    look |= {"markeredgecolor": tones.paper, "markeredgewidth": 0.45}
    for chosen, colour, label in ((strong, tones.simulation, picture.strong_label), (~strong, tones.reference, "")):
        if chosen.any():
            marks = axes.errorbar(values[chosen], rows[chosen], xerr=error[chosen], color=colour, **look)
            legend.add(label, marks)
    for number, (place, label) in enumerate(picture.lines):
        dashes = style.DASHES[number % len(style.DASHES)]
        line = axes.axvline(place, color=tones.reference, linestyle=dashes, linewidth=1.1, zorder=1.2)
        legend.add(label, line)
    size = style.points(style.TICK_SIZE)
    words = [wrap(name, NAME_WIDTH, size) for name in picture.names]
    axes.set_yticks(rows.tolist(), words, linespacing=0.95, multialignment="right")
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_xlabel(picture.x_label)
    return legend
