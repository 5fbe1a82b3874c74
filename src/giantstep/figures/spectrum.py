"""Spectra: a histogram with its predicted density, and the spikes that leave the bulk."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator

from giantstep.arrays import Array
from giantstep.figures import style
from giantstep.figures.data import SpectrumPicture
from giantstep.figures.histograms import Bulk, Histograms
from giantstep.figures.legend import Legend

_FAR = 2.5  # bulk widths; an emptier stretch of the axis than this is cut out


def paint_spectrum(axes: Axes, picture: SpectrumPicture) -> Legend:
    legend = Legend()
    shown = Histograms.of(picture)
    bulk, bins, outliers = shown.bulk, shown.edges, shown.outliers
    # With a second sample behind, the first is an outline: two fills would mix their colours.
    fill = 0.3 if shown.before is None else 0
    if shown.heights is not None:
        _histogram(axes, shown.heights, bins, picture.values_label, legend, style.colours().simulation, fill)
    if shown.before is not None:
        _histogram(axes, shown.before, bins, picture.before_label, legend, style.colours().before, 0.45)
    top = max((float(h.max()) for h in (shown.heights, shown.before) if h is not None), default=0.0)
    if picture.density_x is not None and picture.density_y is not None:
        x, y = np.asarray(picture.density_x), np.asarray(picture.density_y)
        y = np.where(np.isfinite(y), y, np.nan)
        (line,) = axes.plot(x, y, color=style.colours().ink, linewidth=1.7, zorder=3)
        legend.add(picture.density_label, line)
        # A density may be singular at an edge: let most of it, not its largest value, set the scale.
        top = max(float(np.nanquantile(y, 0.95)), min(top, 2.5 * float(np.nanquantile(y, 0.95))))
    axes.set_ylim(0, 1.12 * top)
    if shown.heights is not None:
        _name_cut_bars(axes, shown.heights, bins, 1.12 * top)

    _paint_spikes(axes, picture, legend)
    if outliers.size and shown.outliers_are_few:
        ticks = axes.vlines(
            outliers, 0, 0.035 * 1.12 * top, color=style.colours().simulation, linewidth=0.8, alpha=0.7, zorder=2.5
        )
        if not any(kind == "measured" for _, _, kind in picture.spikes):
            legend.add("values beyond the bulk", ticks)
    marks = np.concatenate([outliers, [position for position, _, _ in picture.spikes]])
    _set_axis(axes, bulk, float(bins[0]), float(bins[-1]), marks)
    axes.set_xlabel(picture.x_label)
    axes.set_ylabel("density")
    return legend


def _histogram(axes: Axes, heights: Array, bins: Array, label: str, legend: Legend, colour: str, fill: float) -> None:
    depth = 1.5 if colour == style.colours().before else 2.0
    line = 0.0 if colour == style.colours().before else 1.1
    if fill:
        axes.stairs(heights, bins, fill=True, color=(colour, fill), linewidth=0, zorder=depth)
    if line:
        axes.stairs(heights, bins, color=colour, linewidth=line, zorder=depth + 0.1)
    legend.add(label, Patch(facecolor=(colour, fill), edgecolor=colour, linewidth=line))


def _name_cut_bars(axes: Axes, heights: Array, bins: Array, top: float) -> None:
    """A bar higher than the axis says its height."""
    cut = np.flatnonzero(heights > top)
    if cut.size:
        tallest = cut[np.argmax(heights[cut])]
        middle = (bins[tallest] + bins[tallest + 1]) / 2
        look: dict[str, Any] = {
            "ha": "left",
            "va": "top",
            "fontsize": style.points(8.5),
            "color": style.colours().simulation,
        }
        axes.annotate(f" $\\uparrow$ {heights[tallest]:.3g}", (middle, 1), xycoords=("data", "axes fraction"), **look)


def _paint_spikes(axes: Axes, picture: SpectrumPicture, legend: Legend) -> None:
    for position, label, kind in picture.spikes:
        if kind == "edge":
            look: dict[str, Any] = {"color": style.colours().reference, "linewidth": 1.0, "linestyle": style.DASHES[0]}
            legend.add(label, axes.axvline(position, zorder=1.2, **look))
        elif kind == "predicted":
            cross: dict[str, Any] = {
                "marker": "x",
                "markersize": 8,
                "markeredgewidth": 2,
                "linestyle": "none",
            }
            (mark,) = axes.plot([position], [0], color=style.colours().ink, clip_on=False, zorder=5, **cross)
            legend.add(label, mark)
        else:
            arrow = {
                "arrowstyle": "-|>",
                "color": style.colours().simulation,
                "linewidth": 1.4,
                "shrinkA": 0,
                "shrinkB": 0,
            }
            ends: dict[str, Any] = {"xytext": (position, 0.24), "textcoords": ("data", "axes fraction")}
            place = ("data", "axes fraction")
            axes.annotate("", (position, 0.06), xycoords=place, arrowprops=arrow, zorder=4, **ends)
            shape: dict[str, Any] = {"marker": r"$\downarrow$", "markersize": 9, "linestyle": "none"}
            legend.add(label, Line2D([], [], color=style.colours().simulation, **shape))


def _set_axis(axes: Axes, bulk: Bulk, left: float, right: float, marks: Array) -> None:
    """Show bulk and marks; cut out the widest empty stretch to the right if it is much wider than the bulk.

    The cut is a piecewise linear scale: the bulk keeps its scale, the empty stretch shrinks, and what lies
    beyond shares the rest, so that one axis shows an edge at 2 and a spike at 200.
    """
    low = min(left, float(marks.min(initial=left))) - 0.05 * bulk.width
    beyond = np.unique(np.concatenate([[right], marks[marks > right]]))
    high = float(beyond[-1])
    gaps = np.diff(beyond)
    if gaps.size == 0 or gaps.max() <= _FAR * bulk.width:
        axes.set_xlim(low, high + 0.05 * bulk.width + 0.02 * (high - low))
        return
    widest = int(np.argmax(gaps))
    near = float(beyond[widest]) + 0.12 * bulk.width
    spread = max(high - float(beyond[widest + 1]), 0.2 * bulk.width)
    far, end = float(beyond[widest + 1]) - 0.5 * spread, high + 0.5 * spread
    inner = near - low
    knots = np.array([low - inner, near, far, end, end + (end - far)])
    shown = np.array([low - inner, near, near + 0.1 * inner, near + 0.4 * inner, near + 0.7 * inner])
    scale = (lambda v: np.interp(v, knots, shown), lambda v: np.interp(v, shown, knots))
    axes.set_xscale("function", functions=scale)
    axes.set_xlim(low, end)
    inside = [t for t in MaxNLocator(5).tick_values(low, near) if low <= t <= near]
    outside = [t for t in MaxNLocator(2).tick_values(far, end) if far <= t <= end]
    axes.xaxis.set_major_locator(FixedLocator(inside + outside))
    axes.xaxis.set_minor_locator(NullLocator())
    # Two slanted strokes on the axis line say that something is left out between them.
    start = (near - low) / (shown[3] - low)
    middle = start + 0.05 * inner / (shown[3] - low)
    stroke: dict[str, Any] = {
        "color": axes.spines["bottom"].get_edgecolor(),
        "linewidth": 0.9,
        "clip_on": False,
    }
    axes.plot(
        [middle - 0.012, middle + 0.012],
        [0, 0],
        transform=axes.transAxes,
        **(stroke | {"color": style.colours().paper, "linewidth": 3}),
        zorder=6,
    )
    for shift in (-0.012, 0.012):
        ends = [middle + shift - 0.006, middle + shift + 0.006]
        axes.plot(ends, [-0.022, 0.022], transform=axes.transAxes, zorder=7, **stroke)
