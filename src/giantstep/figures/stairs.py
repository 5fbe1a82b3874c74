"""Staircases: levels that go down, shaded by what is still to be learned on each."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Patch

from giantstep.figures import style
from giantstep.figures.data import StaircasePicture
from giantstep.figures.legend import Legend
from giantstep.figures.text import wrap
from giantstep.figures.ticks import plain


def paint_staircase(axes: Axes, picture: StaircasePicture) -> Legend:
    legend = Legend()
    parts = np.asarray(picture.parts)
    count = len(parts)
    edges = np.arange(count + 1) - 0.5
    heights = parts.sum(axis=1)
    plain_parts = [label for label in picture.part_labels if label != picture.highlight]
    shades = LinearSegmentedColormap.from_list("giantstep", style.colours().sequential)(
        np.linspace(0.12, 0.55, len(plain_parts))
    )
    palette: dict[str, Any] = {
        picture.highlight: style.colours().groups[1],
        **dict(zip(plain_parts, shades, strict=True)),
    }
    floor = np.zeros(count)
    for k, label in enumerate(picture.part_labels):
        roof = floor + parts[:, k]
        axes.stairs(roof, edges, baseline=floor, fill=True, color=palette[label], linewidth=0, zorder=1.5)
        legend.add(label, Patch(facecolor=palette[label]))
        floor = roof
    axes.stairs(heights, edges, baseline=None, color=style.colours().ink, linewidth=1.7, zorder=3)
    top = float(heights.max()) or 1.0
    for t, height in enumerate(heights):
        look: dict[str, Any] = {"textcoords": "offset points", "ha": "center", "va": "bottom", "zorder": 4}
        axes.annotate(plain(float(height)), (t, height), (0, 3), **look)
    axes.set_xlim(edges[0], edges[-1])
    axes.set_ylim(0, 1.14 * top)
    width = axes.get_window_extent().width / 72 / count
    axes.set_xticks(range(count), [_name(t, words, width) for t, words in enumerate(picture.levels)])
    axes.tick_params(axis="x", length=0, grid_linewidth=0)
    axes.set_xlabel(picture.x_label)
    axes.set_ylabel(picture.y_label)
    return legend


def _name(step: int, words: str, width: float) -> str:
    """U_t and what is new on it, in lines as wide as the level."""
    return f"$U_{{{step}}}$\n{wrap(words, width, style.points(style.LABEL_SIZE))}"
