"""Turn a picture into a drawing: axes, legends, title and caption on one page, saved as SVG, PDF or PNG,
or as a GIF that moves if it shows trajectories.

Only matplotlib's objects are used: no pyplot, no current figure, no windows. Its settings are global all the
same, so they are changed and read under one lock: drawing from several threads is safe, one at a time.
"""

from __future__ import annotations

import io
import os
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from giantstep.checks import file_path
from giantstep.errors import InputError
from giantstep.figures.data import PanelPicture, Picture, TrajectoryPicture
from giantstep.figures.look import Look

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

FORMATS = (".svg", ".pdf", ".png")
MOVING = ".gif"
EDGE = 2.0  # points left free around a thumbnail
SPARE = 8.0  # points after the words of a key's entry: a browser's letters may be wider
NEEDS_MATPLOTLIB = "drawing needs matplotlib: pip install 'giantstep[plot]'"
Box: TypeAlias = tuple[float, float, float, float]  # points from the left, points from the top, width and height
_SETTINGS_LOCK = threading.RLock()

# No dates and no versions: the same picture gives the same bytes.
_METADATA: dict[str, dict[str, str | None]] = {
    "svg": {"Date": None, "Creator": "giantstep"},
    "pdf": {"CreationDate": None, "Creator": "giantstep", "Producer": None},
    "png": {"Software": "giantstep"},
}


@contextmanager
def _look(look: Look) -> Iterator[None]:
    """matplotlib's own defaults plus those of a look, whatever the user's matplotlibrc says, restored afterwards."""
    try:
        import matplotlib
    except ImportError:
        raise InputError(NEEDS_MATPLOTLIB) from None
    from giantstep.figures.style import looking, settings

    with _SETTINGS_LOCK, matplotlib.rc_context(), looking(look), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # words of any script may be labels
        matplotlib.rcdefaults()
        current: Any = matplotlib.rcParams
        current.update(settings())
        yield


def check_destination(path: str | Path, *, moves: bool = False) -> Path:
    """The place of a picture to come, refused now rather than after a long computation if it cannot be.

    Args:
        path: the file, its suffix the format: .svg, .pdf or .png.
        moves: whether it shows trajectories, and so may be a .gif.
    """
    if not _can_import("matplotlib"):
        raise InputError(NEEDS_MATPLOTLIB)
    place = file_path("the file of a picture", path, "spike.svg").expanduser()
    if place.suffix.lower() == MOVING and not moves:
        raise _cannot_save(path, f"only trajectories move; the name must end in {', '.join(FORMATS)}")
    if place.suffix.lower() not in (*FORMATS, MOVING):
        raise _cannot_save(path, f"the name must end in {', '.join(FORMATS)}{f' or {MOVING}' if moves else ''}")
    if not place.parent.exists():
        raise _cannot_save(path, f"the folder {str(place.parent)!r} does not exist")
    if not place.parent.is_dir():
        raise _cannot_save(path, f"{str(place.parent)!r} is not a folder")
    if place.is_dir():
        raise _cannot_save(path, "it is a folder")
    if not os.access(place if place.exists() else place.parent, os.W_OK):
        raise _cannot_save(path, "permission denied")
    return place


def _can_import(name: str) -> bool:
    """Whether a module is there, without paying for its import; None in `sys.modules` bars one."""
    return sys.modules[name] is not None if name in sys.modules else find_spec(name) is not None


def _cannot_save(path: str | Path, why: str) -> InputError:
    return InputError(f"cannot save a picture as {str(path)!r}: {why}")


@dataclass(frozen=True, eq=False)
class Drawing:
    """A finished `picture` in a `look`; `figure` is the matplotlib figure, `axes` its plots in order."""

    picture: Picture
    figure: Figure
    axes: tuple[Axes, ...]
    look: Look = Look()  # noqa: RUF009  (a look is frozen)

    def save(self, path: str | Path) -> Path:
        """Write to a file; its suffix (.svg, .pdf, .png, or .gif for trajectories) chooses the format."""
        moving = moving_part(self.picture)
        place = check_destination(path, moves=moving is not None)
        kind = place.suffix.lower()
        content = _animated(moving, self.look) if kind == MOVING and moving is not None else self._render(kind[1:])
        try:
            place.write_bytes(content)
        except OSError as error:
            raise _cannot_save(path, (error.strerror or str(error)).lower()) from None
        return place

    @property
    def moves(self) -> bool:
        """Whether it shows trajectories, and so may be saved as a .gif."""
        return moving_part(self.picture) is not None

    def svg(self) -> str:
        return self._svgs()[0]

    def svg_and_first_panel(self) -> tuple[str, str]:
        """The picture, and its first plot with its title and labels alone, as a thumbnail; written in one go."""
        whole, part = self._svgs(self._box(self.axes[0]))
        return whole, part

    def parts(self) -> tuple[list[Box], list[Box]]:
        """Where each entry of the key of all panels stands, if there is one, and each panel with all its words."""
        return [box for key in self.figure.legends for box in self._entries(key)], [self._box(one) for one in self.axes]

    def _entries(self, key: Legend) -> list[Box]:
        """The entries of a key in one row; of more rows, the key as a whole."""
        left, top, width, height = self._box(key)
        ends = [(x + wide + SPARE, y) for x, y, wide, _ in map(self._box, key.get_texts())]
        if len({round(y) for _, y in ends}) > 1:
            return [(left, top, width, height)]
        begins = [left, *(end for end, _ in ends[:-1])]
        return [(begin, top, end - begin, height) for begin, (end, _) in zip(begins, ends, strict=True)]

    def _box(self, part: Artist) -> Box:
        with _look(self.look):
            box = part.get_tightbbox()
        assert box is not None
        points, high = 72 / self.figure.dpi, 72 * float(self.figure.get_size_inches()[1])
        left, top = points * box.x0 - EDGE, high - points * box.y1 - EDGE
        return left, top, points * box.width + 2 * EDGE, points * box.height + 2 * EDGE

    def _svgs(self, *parts: Box) -> list[str]:
        """The whole drawing, then the first plot within each of some boxes."""
        from giantstep.figures.slim import slim

        buffer = io.BytesIO()
        with _look(self.look):
            self.figure.savefig(buffer, format="svg", metadata=_METADATA["svg"], transparent=self.look.transparent)
            written = buffer.getvalue().decode("utf-8")
            return [slim(written), *(slim(written, part) for part in parts)]

    def png(self, dpi: int | None = None) -> bytes:
        return self._render("png", dpi=dpi)

    def small_png(self, dpi: int) -> bytes:
        """With 256 colours, in a third of the bytes: lines and letters look the same."""
        from PIL import Image  # which comes with matplotlib

        buffer = io.BytesIO()
        with Image.open(io.BytesIO(self.png(dpi))) as image:
            image.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(buffer, "png", optimize=True)
        return buffer.getvalue()

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        width, height = self.figure.get_size_inches()
        return f"Drawing({self.picture.title!r}, {len(self.axes)} plot(s), {width:.1f} x {height:.1f} in)"

    def _render(self, kind: str, dpi: int | None = None) -> bytes:
        if kind == "svg":
            return self.svg().encode("utf-8")
        buffer = io.BytesIO()
        metadata: dict[str, Any] = {**_METADATA[kind]}
        how: dict[str, Any] = {"dpi": dpi or self.look.dpi, "transparent": self.look.transparent}
        with _look(self.look):
            self.figure.savefig(buffer, format=kind, metadata=metadata, **how)
        return buffer.getvalue()


def moving_part(picture: Picture) -> Picture | None:
    """The trajectories of a picture, which a film of it shows; None if it has none."""
    if not isinstance(picture, PanelPicture):
        return picture if isinstance(picture, TrajectoryPicture) else None
    panels = tuple(panel for panel in picture.panels if isinstance(panel, TrajectoryPicture))
    return replace(picture, panels=panels) if panels else None


def _animated(picture: Picture, look: Look) -> bytes:
    with _look(look):
        from giantstep.figures.animation import film
        from giantstep.figures.page import lay_out

        return film(*lay_out(picture))


def draw(picture: Picture, look: Look | None = None) -> Drawing:
    """Draw any `picture`, in a `look` of its own if one is given.

    >>> from giantstep.figures import CurvePicture, Series
    >>> draw(CurvePicture("A line", "x", "y", [Series("theory", [0, 1], [0, 2])]))
    Drawing('A line', 1 plot(s), 5.8 x 4.0 in)
    """
    look = look or Look()
    with _look(look):
        from giantstep.figures.page import lay_out

        figure, axes = lay_out(picture)
    return Drawing(picture, figure, axes, look)
