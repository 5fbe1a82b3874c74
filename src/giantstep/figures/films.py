"""Films of pictures: frame after frame on one page, with a clock, as GIF, MP4 or WebM."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.errors import InputError
from giantstep.figures.data import Picture
from giantstep.figures.drawing import _cannot_save, _look, check_destination
from giantstep.figures.look import Look

Image = NDArray[np.uint8]
FRAME_SECONDS, LAST_SECONDS = 0.12, 1.5
DPI = 110
COLOURS = 128
TITLES = "left"  # where the style puts them
VIDEOS = {".mp4": ("-c:v", "libx264", "-pix_fmt", "yuv420p"), ".webm": ("-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p")}
SUFFIXES = (".gif", *VIDEOS)


@dataclass(frozen=True, eq=False)
class Film:
    """Pictures that follow each other.

    Args:
        frames: what the clock shows, and the picture, one after the other.
        look: how they are drawn.
    """

    frames: Sequence[tuple[str, Picture]]
    look: Look = Look()  # noqa: RUF009  (a look is frozen)

    def save(self, path: str | Path) -> Path:
        """Write to a file: .gif, or .mp4 or .webm where ffmpeg is installed."""
        place = check_film(path)
        images = self._images()
        content = _gif(images) if place.suffix.lower() == ".gif" else _video(images, place.suffix.lower())
        try:
            place.write_bytes(content)
        except OSError as error:
            raise _cannot_save(path, (error.strerror or str(error)).lower()) from None
        return place

    def __repr__(self) -> str:
        return f"Film({len(self.frames)} frames, {self.frames[0][0]} to {self.frames[-1][0]})"

    def _images(self) -> list[Image]:
        """All frames on pages of one size, with axes that stay where they are."""
        with _look(self.look):
            from giantstep.figures.page import lay_out

            size = self.look.size or lay_out(self.frames[-1][1])[0].get_size_inches()  # the last one shows everything
        with _look(replace(self.look, size=(float(size[0]), float(size[1])), still=True)):
            pages = [lay_out(picture) for _, picture in self.frames]
            _share_limits([axes for _, axes in pages])
            return [_painted(figure, clock) for (figure, _), (clock, _) in zip(pages, self.frames, strict=True)]


def check_film(path: str | Path) -> Path:
    """The place of a film to come, refused now if it cannot be: `path` ends in .gif, .mp4 or .webm."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise _cannot_save(path, f"the name of a film must end in {', '.join(SUFFIXES)}")
    if suffix in VIDEOS and shutil.which("ffmpeg") is None:
        raise _cannot_save(path, f"{suffix} needs ffmpeg, which is not installed; .gif needs nothing")
    check_destination(Path(path).with_suffix(".gif"), moves=True)
    return Path(path).expanduser()


def _share_limits(pages: Sequence[Sequence[Any]]) -> None:
    """Each panel shows the same stretch of its axes in all frames, with the ticks, words and place of the last one.

    Early frames show less, and would choose other ticks, which take another room.
    """
    for panel in zip(*pages, strict=True):
        *before, last = panel
        for x in ("x", "y"):
            limits = np.array([getattr(axes, f"get_{x}lim")() for axes in panel])
            ends = limits[:, 0].min(), limits[:, 1].max()
            getattr(last, f"set_{x}lim")(*ends)
            shown = getattr(last, f"{x}axis")
            places, few = shown.get_majorticklocs(), shown.get_minorticklocs()
            words = shown.get_major_formatter().format_ticks(places)
            for axes in before:
                getattr(axes, f"set_{x}ticks")(few, [""] * len(few), minor=True)
                getattr(axes, f"set_{x}ticks")(places, words)
                getattr(axes, f"set_{x}lim")(*ends)  # after the ticks, which stretch them
                getattr(axes, f"set_{x}label")(getattr(last, f"get_{x}label")())
        for axes in before:
            axes.set_title(last.get_title(loc=TITLES), loc=TITLES)
            axes.set_position(last.get_position())


def _painted(figure: Any, clock: str) -> Image:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from giantstep.figures import style

    figure.text(0.99, 0.99, clock, ha="right", va="top", fontsize=style.points(style.TITLE_SIZE), fontweight="bold")
    figure.set_dpi(DPI)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    page: Image = np.ascontiguousarray(np.asarray(canvas.buffer_rgba())[:, :, :3])
    return page[: page.shape[0] // 2 * 2, : page.shape[1] // 2 * 2]  # videos need even sizes


def _gif(images: Sequence[Image]) -> bytes:
    from PIL import Image as Pillow

    pages = [Pillow.fromarray(image) for image in images]
    # One palette for all frames, taken from the last, which shows everything: colours do not flicker.
    palette = pages[-1].quantize(COLOURS)
    frames = [page.quantize(palette=palette, dither=Pillow.Dither.NONE) for page in pages]
    times = [round(1000 * FRAME_SECONDS)] * (len(frames) - 1) + [round(1000 * LAST_SECONDS)]
    buffer = io.BytesIO()
    frames[0].save(buffer, format="GIF", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return buffer.getvalue()


def _video(images: Sequence[Image], suffix: str) -> bytes:
    from tempfile import TemporaryDirectory

    height, width, _ = images[0].shape
    stay = [images[-1]] * round(LAST_SECONDS / FRAME_SECONDS)
    raw = b"".join(image.tobytes() for image in (*images, *stay))
    with TemporaryDirectory() as folder:
        place = Path(folder) / f"film{suffix}"
        given = ("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", f"{1 / FRAME_SECONDS:.4g}")
        command = ["ffmpeg", "-loglevel", "error", *given, "-i", "-", *VIDEOS[suffix], str(place)]
        done = subprocess.run(command, input=raw, capture_output=True, check=False)
        if done.returncode:
            why = done.stderr.decode(errors="replace").strip().splitlines()
            raise InputError(f"ffmpeg could not write a {suffix}: {why[-1] if why else 'it did not say why'}")
        return place.read_bytes()
