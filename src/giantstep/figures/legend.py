"""Legends that keep off the data: inside the axes where nothing is drawn, else beneath them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.transforms import BboxBase, ScaledTranslation

from giantstep.figures import style
from giantstep.figures.text import wrap

_SEEN = 30  # a pixel that differs so much (of 255) from the ground in any colour is covered; light shading is not
_INSIDE = ("upper right", "upper left", "lower right", "lower left", "center right", "center left")
_CLEARANCE = 3  # points kept free around a legend
_HANDLE = 0.45  # inches that an entry's line or mark takes beside its words


class Ink:
    """Which pixels of a page are covered, so that a legend can be put elsewhere."""

    def __init__(self, figure: Figure, gridded: Iterable[Axes]) -> None:
        plots = list(gridded)
        for axes in plots:
            axes.grid(visible=False)
        canvas: Any = FigureCanvasAgg(figure)
        canvas.draw()
        for axes in plots:
            axes.grid(visible=True)
        ground = np.array([round(255 * part) for part in to_rgb(style.colours().paper)])
        pixels = np.asarray(canvas.buffer_rgba())[::-1, :, :3].astype(int)
        self.dark = np.abs(pixels - ground).max(axis=2) > _SEEN

    def touches(self, box: BboxBase) -> bool:
        rows = slice(max(0, int(box.y0) - _CLEARANCE), int(np.ceil(box.y1)) + _CLEARANCE)
        columns = slice(max(0, int(box.x0) - _CLEARANCE), int(np.ceil(box.x1)) + _CLEARANCE)
        return bool(self.dark[rows, columns].any())


# What means the same in every panel of a page: said once, above them all.
SHARED = ("theory", "simulation", "limit", "at most", "at least", "as printed", "threshold")


def shared_key(legends: Sequence[Legend]) -> dict[str, Any]:
    """Entries that mean the same in all panels, taken from these legends if several have one of them."""
    if sum(bool(set(SHARED) & set(legend.entries)) for legend in legends) < 2:
        return {}
    found = {label for legend in legends for label in legend.entries if label in SHARED}
    grouped = any(set(legend.entries) - set(SHARED) for legend in legends)
    tones = style.colours()
    lines: dict[str, tuple[str, float, Any]] = {
        "theory": (tones.ink, 1.7, "-"),
        "limit": (tones.reference, 1.0, (0, (4, 2.5))),
    }
    lines |= dict.fromkeys(("at most", "at least"), (tones.bound, 1.2, (0, (5, 2.5))))
    key: dict[str, Any] = {}
    for label in (label for label in SHARED if label in found):
        own = next(legend.entries[label][0] for legend in legends if label in legend.entries)
        if label in lines:
            colour, width, dashes = lines[label]
            key[label] = Line2D([], [], color=colour, linewidth=width, linestyle=dashes)
        elif label == "simulation" and grouped:
            look: dict[str, Any] = {"marker": "o", "markersize": 5.4, "markeredgecolor": tones.paper}
            key[label] = Line2D([], [], color=tones.ink, linestyle="none", markeredgewidth=0.45, **look)
        else:
            key[label] = own
        for legend in legends:
            legend.entries.pop(label, None)
    return key


@dataclass
class Legend:
    """Entries in the order of painting; artists with the same label share one entry."""

    inside: bool = True
    entries: dict[str, list[Any]] = field(default_factory=dict)

    def add(self, label: str, artist: Any) -> None:
        if label:
            self.entries.setdefault(label, []).append(artist)

    def place(self, axes: Axes, ink: Ink | None) -> None:
        """Put the legend where it covers nothing; the axes' size must be final, and a pixel a point."""
        if not self.entries:
            return
        room = axes.get_window_extent()
        handles = [tuple(artists) if len(artists) > 1 else artists[0] for artists in self.entries.values()]
        words = [wrap(label, room.width / 72 - _HANDLE, style.points(style.LEGEND_SIZE)) for label in self.entries]
        settings: dict[str, Any] = {"handles": handles, "labels": words}
        if self.inside and ink is not None and not style.now().still:
            for corner in _INSIDE:
                box = axes.legend(**(settings | {"loc": corner})).get_window_extent()
                if box.width < 0.7 * room.width and box.height < 0.7 * room.height and not ink.touches(box):
                    return
            legend = axes.get_legend()
            assert legend is not None
            legend.remove()
        outer = axes.get_tightbbox()
        assert outer is not None
        left, below = room.x0 - outer.x0, room.y0 - outer.y0 + 4
        settings |= {"loc": "upper left", "bbox_to_anchor": (0, 0), "borderaxespad": 0, "borderpad": 0}
        for columns in range(min(len(handles), 4), 0, -1):
            width = axes.legend(ncols=columns, **settings).get_window_extent().width
            if width <= room.width + left:
                break
        # Flush with the axes, or, if it is wider than they are, under the labels of the y axis too.
        aside = float(np.clip(width - room.width, 0, left))
        shift = ScaledTranslation(-aside / 72, -below / 72, axes.figure.dpi_scale_trans)
        settings["bbox_transform"] = axes.transAxes + shift
        axes.legend(ncols=columns, **settings)
