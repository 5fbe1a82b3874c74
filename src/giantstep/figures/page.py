"""The page: where plots, titles, legends and caption stand, so that none covers another."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import Collection
from matplotlib.figure import Figure
from matplotlib.legend import Legend as MatplotlibLegend
from matplotlib.lines import Line2D

from giantstep.arrays import Array
from giantstep.errors import NoRoomError
from giantstep.figures import style
from giantstep.figures.curve import paint_curve
from giantstep.figures.data import (
    CurvePicture,
    HeatMapPicture,
    PanelPicture,
    Picture,
    SinglePicture,
    SpectrumPicture,
    StaircasePicture,
    TrajectoryPicture,
)
from giantstep.figures.heatmap import paint_heatmap
from giantstep.figures.legend import Ink, Legend, shared_key
from giantstep.figures.notation import as_mathtext
from giantstep.figures.ranked import RankingPicture
from giantstep.figures.ranking import paint_ranking
from giantstep.figures.spectrum import paint_spectrum
from giantstep.figures.stairs import paint_staircase
from giantstep.figures.text import typeset, wrap
from giantstep.figures.trajectory import paint_trajectory

_MOST_IN_A_ROW = 3
_LEAST_WIDTH, _LEAST_HEIGHT = 0.9, 0.5  # inches of a plot: less shows nothing
_MOST_LINES = 3  # of words beside the plots of a page of given size
_DPI = 72  # while arranging, one pixel is one point


def lay_out(picture: Picture) -> tuple[Figure, tuple[Axes, ...]]:
    """The page of a picture: as high as it needs to be, or as high as its look asks for.

    A page of a given size is laid out until its plots fill it: what stands around them takes what it needs.
    """
    wanted = style.now().size
    if wanted is None:
        return _lay_out(picture)
    fitting: tuple[Figure, tuple[Axes, ...]] | None = None
    height: float | None = None
    for _ in range(4):
        figure, axes = _lay_out(picture, wanted[0], height)
        rows = len({round(one.get_position().y0, 6) for one in axes})
        page, plot = float(figure.get_size_inches()[1]), axes[0].get_position().height
        if page < wanted[1] + 0.01:  # words in more lines may need more at the next height: then this one is kept
            fitting = figure, axes
        height = plot * page + (wanted[1] - page) / rows
        if abs(page - wanted[1]) < 0.01 or height < _LEAST_HEIGHT:
            break
    if fitting is None:
        raise NoRoomError(_no_room(len(axes), f"{_in_cm(wanted[0])} x {_in_cm(wanted[1])}"))
    figure, axes = fitting
    figure.set_size_inches(*wanted)
    return figure, axes


def _lay_out(
    picture: Picture, page_width: float | None = None, height: float | None = None
) -> tuple[Figure, tuple[Axes, ...]]:
    """Paint every panel, measure what stands around it, and build the page from these measures.

    Call it within the look of `draw`. The plots' size is settled before the legends look for their places,
    and stays: the page grows with legends, titles and caption.
    """
    panels = tuple(picture.panels) if isinstance(picture, PanelPicture) else (picture,)
    rows = math.ceil(len(panels) / _MOST_IN_A_ROW)
    grid = _Grid(rows, math.ceil(len(panels) / rows))
    figure = Figure(dpi=_DPI)
    FigureCanvasAgg(figure)
    axes = tuple(figure.add_axes((0.0, 0.0, 1.0, 1.0)) for _ in panels)
    # Widths come first: what the y axes need is measured, the rest of the page's width is the plots'.
    is_given = page_width is not None
    page_width = page_width or style.PAGE_WIDTH[grid.columns]
    height = height or style.PLOT_HEIGHT[grid.columns]
    width = max(page_width / grid.columns - 0.8, 0.5)
    grid.place(figure, axes, width, height, np.full((4, rows, grid.columns), 0.4))
    legends = [_paint(one, panel) for one, panel in zip(axes, panels, strict=True)]
    for one in axes:  # mathematics that cannot be set is shown as it is written
        one.set_xlabel(typeset(one.get_xlabel()))
        one.set_ylabel(typeset(one.get_ylabel()))
    key = shared_key(legends) if len(panels) > 1 else {}
    _scale_lines(figure, style.now().line_scale)
    around = grid.measure(axes)
    width = (page_width - grid.across(around)) / grid.columns
    for one in axes:
        one.set_ylabel(_beside(one.get_ylabel(), height, _MOST_LINES if is_given else None))
    if is_given:  # a label in several lines beside a low plot takes of its width
        around = grid.measure(axes)
        width = (page_width - grid.across(around)) / grid.columns
        if width < _LEAST_WIDTH:
            raise NoRoomError(_no_room(len(panels), f"the width of {_in_cm(page_width)}"))
    grid.place(figure, axes, width, height, around)
    for one, title in zip(axes, _titles(picture, panels), strict=True):
        one.set_title(wrap(title, width, style.points(style.TITLE_SIZE), weight="bold"))
        one.set_xlabel(wrap(one.get_xlabel(), width, style.points(style.LABEL_SIZE)))
    seekers = [one for one, legend in zip(axes, legends, strict=True) if legend.inside and legend.entries]
    ink = Ink(figure, seekers) if seekers else None
    for one, legend in zip(axes, legends, strict=True):
        legend.place(one, ink)
    around = grid.measure(axes)
    page = grid.across(around) + grid.columns * width
    title = as_mathtext(picture.title) if isinstance(picture, PanelPicture) else ""
    head = wrap(title, page - 2 * style.MARGIN, style.points(style.PAGE_TITLE_SIZE), weight="bold")
    foot = wrap(_caption(picture), page - 2 * style.MARGIN, style.points(style.CAPTION_SIZE))
    grid.place(figure, axes, width, height, around, head, foot, key)
    return figure, axes


def _beside(label: str, height: float, most: int | None) -> str:
    """The words of a vertical axis in lines; of more than `most` lines only the symbol at their end is kept."""
    lines, symbol = wrap(label, height, style.points(style.LABEL_SIZE)), re.search(r"\$[^$]+\$$", label)
    return symbol[0] if symbol and most is not None and lines.count("\n") >= most else lines


def _no_room(panels: int, room: str) -> str:
    words, less = (
        ("the panel and its words do", "") if panels == 1 else (f"{panels} panels and their words do", "one panel, ")
    )
    return f"{words} not fit into {room}; take a larger size, smaller letters, {less}or no caption"


def _in_cm(length: float) -> str:
    return f"{2.54 * length:.3g} cm"


def _scale_lines(figure: Figure, factor: float) -> None:
    """Lines and marks as wide as the look asks for."""
    if factor == 1.0:
        return
    for line in figure.findobj(Line2D):
        line.set_linewidth(factor * line.get_linewidth())
        line.set_markersize(factor * line.get_markersize())
    for many in figure.findobj(Collection):
        many.set_linewidth((factor * np.asarray(many.get_linewidth())).tolist())


@dataclass(frozen=True)
class _Grid:
    """Panels in rows and columns; `around` holds the inches left, right, below and above each one's axes."""

    rows: int
    columns: int

    def measure(self, axes: tuple[Axes, ...]) -> Array:
        around = np.zeros((4, self.rows, self.columns))
        for number, one in enumerate(axes):
            inner, outer = one.get_window_extent(), one.get_tightbbox()
            assert outer is not None
            sides = (inner.x0 - outer.x0, outer.x1 - inner.x1, inner.y0 - outer.y0, outer.y1 - inner.y1)
            around[(slice(None), *divmod(number, self.columns))] = np.array(sides) / _DPI
        return around

    def across(self, around: Array) -> float:
        """Inches of a page's width that are not plot: each column needs what its widest panel needs."""
        needed = around[0].max(axis=0).sum() + around[1].max(axis=0).sum()
        return float(needed + 2 * style.MARGIN + (self.columns - 1) * style.GAP)

    def place(
        self,
        figure: Figure,
        axes: tuple[Axes, ...],
        width: float,
        height: float,
        around: Array,
        head: str = "",
        foot: str = "",
        key: Mapping[str, Any] | None = None,
    ) -> None:
        """Set the page's size and every part's place on it; `key` is a legend for all panels, by its words."""
        left, right, below, above = around[0].max(0), around[1].max(0), around[2].max(1), around[3].max(1)
        across = self.across(around) + self.columns * width
        key_row = _key_row(figure, key, across - 2 * style.MARGIN) if key else None
        key_height = 0.0 if key_row is None else key_row.get_window_extent().height / _DPI + 0.5 * style.GAP
        head_height = _height(head, style.points(style.PAGE_TITLE_SIZE)) + (style.GAP if head else 0.0) + key_height
        foot_height = _height(foot, style.points(style.CAPTION_SIZE)) + (0.6 * style.GAP if foot else 0.0)
        plots = (self.rows - 1) * style.GAP + self.rows * height + below.sum() + above.sum()
        page = np.array([across, 2 * style.MARGIN + head_height + plots + foot_height])
        figure.set_size_inches(*page)
        for number, one in enumerate(axes):
            row, column = divmod(number, self.columns)
            x = style.MARGIN + left[: column + 1].sum() + right[:column].sum() + column * (width + style.GAP)
            y = style.MARGIN + head_height + above[: row + 1].sum() + below[:row].sum() + row * (height + style.GAP)
            one.set_position((x / page[0], 1 - (y + height) / page[1], width / page[0], height / page[1]))
        margin_x, margin_y = style.MARGIN / page
        if key_row is not None:
            top = page[1] - style.MARGIN - head_height + key_height + (0.4 * style.GAP if head else 0.0)
            key_row.set_bbox_to_anchor((margin_x, top / page[1]), figure.transFigure)
        if head:
            look: dict[str, Any] = {"va": "top", "fontsize": style.points(style.PAGE_TITLE_SIZE), "fontweight": "bold"}
            figure.text(margin_x, 1 - margin_y, head, linespacing=style.LINE_SPACING, **look)
        if foot:
            look = {"va": "bottom", "fontsize": style.points(style.CAPTION_SIZE), "color": style.colours().frame}
            figure.text(margin_x, margin_y, foot, linespacing=style.LINE_SPACING, **look)


def _key_row(figure: Figure, key: Mapping[str, Any], inches: float) -> MatplotlibLegend:
    """The legend of all panels, in as few rows as the width allows; its place is set later."""
    settings: dict[str, Any] = {"loc": "upper left", "borderaxespad": 0, "borderpad": 0, "columnspacing": 1.6}
    for columns in range(len(key), 0, -1):
        for old in figure.legends:
            old.remove()
        row = figure.legend(list(key.values()), list(key), ncols=columns, **settings)
        if row.get_window_extent().width <= inches * _DPI:
            break
    return row


def _paint(axes: Axes, panel: SinglePicture) -> Legend:
    match panel:
        case CurvePicture():
            return paint_curve(axes, panel)
        case SpectrumPicture():
            return paint_spectrum(axes, panel)
        case HeatMapPicture():
            return paint_heatmap(axes, panel)
        case TrajectoryPicture():
            return paint_trajectory(axes, panel)
        case StaircasePicture():
            return paint_staircase(axes, panel)
        case RankingPicture():
            return paint_ranking(axes, panel)


def _titles(picture: Picture, panels: tuple[SinglePicture, ...]) -> list[str]:
    if isinstance(picture, PanelPicture) and len(panels) + picture.first > 1:
        return [f"({_letter(number)}) {as_mathtext(panel.title)}" for number, panel in enumerate(panels, picture.first)]
    return [as_mathtext(panel.title) for panel in panels]


def _caption(picture: Picture) -> str:
    """The picture's caption, then those of its panels, each said once: `(a, c) ...`."""
    if not isinstance(picture, PanelPicture):
        return picture.caption
    shared: dict[str, list[str]] = {}
    for number, panel in enumerate(picture.panels, picture.first):
        if panel.caption and panel.caption != picture.caption:
            shared.setdefault(panel.caption, []).append(_letter(number))
    parts = [picture.caption] if picture.caption else []
    for caption, letters in shared.items():
        everywhere = len(letters) == len(picture.panels)
        parts.append(caption if everywhere else f"({', '.join(letters)}) {caption}")
    return " ".join(parts)


def _letter(number: int) -> str:
    return chr(ord("a") + number) if number < 26 else str(number + 1)


def _height(text: str, size: float) -> float:
    """Inches that a wrapped text takes, with room for a tall formula in it."""
    return (text.count("\n") + 1) * 1.2 * size * style.LINE_SPACING / 72 if text else 0.0
