"""The pictures of a report: in the page itself, where a click saves them; as files beside it if these are asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from giantstep.errors import InputError
from giantstep.figures import Drawing
from giantstep.report.fragments import escape

Part: TypeAlias = tuple[float, float, float, float]  # points: left, top, width, height
Parts: TypeAlias = tuple[Sequence[Part], Sequence[Part]]  # entries of the key, panels
KINDS = ("svg", "pdf", "png")
UNITS = 10  # of an SVG a point
PNG_DPI = 150  # for slides and messages; PDF and SVG are sharp at any size


@dataclass(frozen=True)
class Pictures:
    """The pictures of one claim: their `sheets` as SVG, none if there is nothing to draw, and a `caption` as HTML;
    of each sheet its `parts`, as a drawing tells them."""

    sheets: list[str]
    caption: str = ""
    parts: Sequence[Parts] = ()


def picture_kinds(asked: str | Sequence[str]) -> tuple[str, ...]:
    """The kinds of files that pictures are wanted as, each once; what is none is refused with a sentence.

    >>> picture_kinds("pdf, png"), picture_kinds(())
    (('pdf', 'png'), ())

    Args:
        asked: `svg`, `pdf` or `png`, or several of them: with commas between them, or as a sequence.
    """
    words = asked.split(",") if isinstance(asked, str) else asked
    found = tuple(dict.fromkeys(word.strip().lower().lstrip(".") for word in words if word.strip()))
    unknown = [word for word in found if word not in KINDS]
    if unknown:
        raise InputError(f"pictures cannot be written as '{unknown[0][:20]}'; kinds are {', '.join(KINDS)}")
    return found


def write_files(drawing: Drawing, folder: Path, name: str, kinds: Sequence[str]) -> None:
    """The picture as files `name.kind` in a folder."""
    for kind in kinds:
        if kind == "png":
            (folder / f"{name}.png").write_bytes(drawing.small_png(PNG_DPI))
        else:
            drawing.save(folder / f"{name}.{kind}")


def figure(
    svg: str,
    name: str,
    words: str,
    files: Sequence[str] = (),
    caption: str = "",
    number: int = 1,
    parts: Parts = ((), ()),
) -> str:
    """A picture in a page, with what saves it.

    Args:
        svg: the picture.
        name: what a saved file is called, without its ending.
        words: what it shows, for those who cannot see it.
        files: places of files that hold it.
        caption: HTML beneath it.
        number: which picture of the page it is; the names within it begin with it.
        parts: entries of its key and its panels, which a narrow screen shows one below the other where it has several.
    """
    (own,) = re.findall(r'^<svg [^>]*?id="(\w+)"', svg)
    shown = svg.replace(own, f"p{number}-").replace("<svg ", f'<svg role="img" aria-label="{escape(words)}" ', 1)
    if len(parts[1]) > 1:
        shown = _with_parts(shown, f"p{number}-", parts)
    links = "".join(f'<a href="{escape(place)}">{place.rpartition(".")[2].upper()}</a> ' for place in files)
    saved = [kind for kind in ("svg", "png") if not any(place.endswith(f".{kind}") for place in files)]
    buttons = " ".join(f'<button value="{kind}" hidden>Save as {kind.upper()}</button>' for kind in saved)
    return (
        f'<figure data-name="{escape(name)}"><div class="picture">{shown}</div>'
        f"<figcaption>{caption}{' ' if caption else ''}{links}{buttons}</figcaption></figure>"
    )


def _with_parts(svg: str, own: str, parts: Parts) -> str:
    """A picture, and its parts again as windows on it, each of its own size; the style sheet shows one of both.

    What the windows show is a group: the picture itself would bring its size with it.
    """
    grouped = svg.replace(f' id="{own}"', "", 1).replace("</style>", f'</style><g id="{own}">', 1)
    key, panels = ("".join(_window(part, own) for part in some) for some in parts)
    windows = f'<div class="parts" aria-hidden="true"><div>{key}</div>{panels}</div>'
    return f"{grouped.removesuffix('</svg>')}</g></svg>{windows}"


def _window(part: Part, own: str) -> str:
    box = " ".join(f"{UNITS * length:.0f}" for length in part)
    return f'<svg viewBox="{box}" width="{part[2]:.0f}pt"><use href="#{own}"/></svg>'
