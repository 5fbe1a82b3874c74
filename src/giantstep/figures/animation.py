"""Films: the paths of a finished page drawn again and again, each time a little further, as a GIF."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from giantstep.figures.trajectory import END, PATH

FRAMES = 40
FRAME_MILLISECONDS, LAST_MILLISECONDS = 70, 1500
DPI, REDUCED = 200, 2  # drawn large and then reduced: small letters of a coarse page would be too wide
COLOURS = 128


def film(figure: Figure, axes: tuple[Axes, ...]) -> bytes:
    """Let all paths of a page grow together from their starts to their ends; everything else stands still.

    Paths of different length share the film's time: each is at the same fraction of its points.
    """
    from PIL import Image  # matplotlib brings it along

    lines: list[Any] = [line for one in axes for line in one.get_lines()]
    moving = [(line, *_data(line)) for line in lines if line.get_label() == PATH]
    ends = [line for line in lines if line.get_label() == END]
    for one in axes:
        one.autoscale(False)  # the page keeps the size of the whole paths
    figure.set_dpi(DPI)
    canvas: Any = FigureCanvasAgg(figure)
    for line in (*(line for line, _, _ in moving), *ends):
        line.set_visible(False)
    canvas.draw()
    background = canvas.copy_from_bbox(figure.bbox)  # what stands still is drawn once
    for line in (*(line for line, _, _ in moving), *ends):
        line.set_visible(True)
    images = []
    for fraction in np.linspace(0.0, 1.0, FRAMES):
        canvas.restore_region(background)
        for line, x, y in moving:
            head_x, head_y, past = _head(x, y, fraction)
            line.set_data(np.append(x[:past], head_x), np.append(y[:past], head_y))
            line.axes.draw_artist(line)
        for (_, x, y), end in zip(moving, ends, strict=True):
            head_x, head_y, _ = _head(x, y, fraction)
            end.set_data([head_x], [head_y])
            end.axes.draw_artist(end)
        page = np.asarray(canvas.buffer_rgba())[:, :, :3]
        images.append(Image.fromarray(np.ascontiguousarray(page)).reduce(REDUCED))
    # One palette for all frames, taken from the last, which shows everything: colours do not flicker.
    palette = images[-1].quantize(COLOURS)
    frames = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    times = [FRAME_MILLISECONDS] * (FRAMES - 1) + [LAST_MILLISECONDS]
    buffer = io.BytesIO()
    frames[0].save(
        buffer, format="GIF", save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=False
    )
    return buffer.getvalue()


def _data(line: Any) -> tuple[Any, Any]:
    x, y = (np.asarray(values) for values in line.get_data())
    shown = np.isfinite(x) & np.isfinite(y)
    return x[shown], y[shown]


def _head(x: Any, y: Any, fraction: float) -> tuple[float, float, int]:
    """Where a path is after a fraction of its points, and how many of them it has passed."""
    place = fraction * (len(x) - 1)
    at_x, at_y = (float(np.interp(place, np.arange(len(x)), values)) for values in (x, y))
    return at_x, at_y, int(place) + 1
