"""Heat maps: one quantity over two axes, with the boundary that theory draws through it."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.patches import Patch
from matplotlib.patheffects import Normal, Stroke

from giantstep.arrays import Array
from giantstep.figures import style
from giantstep.figures.data import HeatMapPicture
from giantstep.figures.legend import Legend
from giantstep.figures.text import wrap
from giantstep.figures.ticks import set_ticks

_MANY = 2500  # more cells than these are one image, also in SVG and PDF: as shapes they would take longer than all else


def cell_edges(centres: Array, log: bool = False) -> Array:
    """Edges of cells around their centres: half way between neighbours, the outer cells symmetric.

    >>> cell_edges(np.array([1.0, 2.0, 4.0])).tolist(), cell_edges(np.array([3.0])).tolist()
    ([0.5, 1.5, 3.0, 5.0], [2.5, 3.5])
    """
    place = np.log(centres) if log else centres
    if place.size == 1:
        half = np.log(2.0) / 2 if log else 0.5
        edges = np.array([place[0] - half, place[0] + half])
    else:
        middle = (place[1:] + place[:-1]) / 2
        edges = np.concatenate([[2 * place[0] - middle[0]], middle, [2 * place[-1] - middle[-1]]])
    return np.asarray(np.exp(edges) if log else edges, dtype=np.float64)


def paint_heatmap(axes: Axes, picture: HeatMapPicture) -> Legend:
    legend = Legend(inside=False)
    x, y = np.asarray(picture.x), np.asarray(picture.y)
    values = np.ma.masked_invalid(np.asarray(picture.values, dtype=np.float64))
    if picture.log_x:
        axes.set_xscale("log")
    if picture.log_y:
        axes.set_yscale("log")
    low, high = float(values.min()), float(values.max())
    if high - low <= 1e-9 * max(abs(low), abs(high)):  # one value everywhere: the middle of the colours
        half = 0.5 * abs(low) or 0.5
        low, high = low - half, high + half
    colours = LinearSegmentedColormap.from_list("giantstep", style.colours().sequential)
    edges_x, edges_y = cell_edges(x, picture.log_x), cell_edges(y, picture.log_y)
    # Cells are drawn to their own edge in their own colour, or viewers show hairlines between them.
    mesh = axes.pcolormesh(
        edges_x,
        edges_y,
        values,
        cmap=colours,
        norm=Normalize(low, high),
        edgecolors="face",
        linewidth=0.2,
        zorder=1,
        rasterized=values.size > _MANY,
    )
    axes.set_xlim(edges_x[0], edges_x[-1])
    axes.set_ylim(edges_y[0], edges_y[-1])
    axes.grid(visible=False)
    axes.spines[:].set_visible(True)
    set_ticks(axes.xaxis, x, picture.log_x, every_place=True)
    set_ticks(axes.yaxis, y, picture.log_y, every_place=True)
    if picture.boundary is not None:
        bound_x, bound_y = (np.asarray(column) for column in picture.boundary)
        (line,) = axes.plot(bound_x, bound_y, color=style.colours().ink, linewidth=1.7, zorder=3)
        line.set_path_effects([Stroke(linewidth=3.6, foreground=style.colours().paper), Normal()])
        axes.set_xlim(edges_x[0], edges_x[-1])
        axes.set_ylim(edges_y[0], edges_y[-1])
        legend.add(picture.boundary_label, line)
    if np.ma.is_masked(values):
        hatching: dict[str, Any] = {
            "facecolor": style.colours().paper,
            "edgecolor": style.colours().hatch,
            "hatch": "//////",
            "linewidth": 0.0,
        }
        axes.patch.set(**hatching)
        legend.add("not measured", Patch(**hatching))
    # An inset keeps its place beside the axes wherever the page puts them.
    box = axes.get_window_extent()
    beside = axes.inset_axes((1 + 7 / box.width, 0, 9 / box.width, 1))
    bar = axes.figure.colorbar(mesh, cax=beside)
    bar.set_label(wrap(picture.value_label, box.height / 72, style.points(style.LABEL_SIZE)))
    bar.outline.set_linewidth(0.5)
    axes.set_xlabel(picture.x_label)
    axes.set_ylabel(picture.y_label)
    return legend
