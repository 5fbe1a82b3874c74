"""What every command prints with: tables, styled words and JSON on stdout, plain text when piped; pictures in files."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from giantstep.errors import InputError

if TYPE_CHECKING:
    from giantstep.figures import Drawing, Film

PIPED_WIDTH = 1000
GAP = 2  # between columns
INDENT = 4  # of what is told below a name


def console() -> Console:
    """Where results go: lines end between words on a screen; no colours when the output is piped or NO_COLOR is set.

    Text is printed as it is: brackets in a note are not markup. What has a style is `styled`.
    """
    seen = sys.stdout.isatty() or "COLUMNS" in os.environ
    width = None if seen else PIPED_WIDTH  # a table in a file or before `grep` keeps its lines whole
    return Console(highlight=False, markup=False, emoji=False, soft_wrap=not seen, width=width)


def styled(*parts: str | tuple[str, str]) -> Text:
    """Words of which some, given with a style, stand out."""
    return Text.assemble(*parts)


def readable(text: str) -> str:
    """Prose with its mathematics set, psi1 as ψ₁; as it was typed where the output cannot show such letters."""
    from giantstep.figures import as_plain

    made = as_plain(text)
    try:
        made.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return text
    return made


def print_json(record: Any) -> None:
    """One JSON document, numbers in full precision."""
    import json

    print(json.dumps(record, indent=2, allow_nan=False, ensure_ascii=False))


def table(*columns: str, title: str = "") -> Table:
    """A table in the one look of all tables."""
    wide = min(len(title), console().width)  # a table is at least as wide as its title, which else would be folded
    made = Table(
        title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold", min_width=wide or None
    )
    for number, column in enumerate(columns):
        made.add_column(column, overflow="fold", no_wrap=number == 0 and len(columns) > 1)  # names stay whole
    return made


def print_columns(columns: Mapping[str, Sequence[str]], spare: Sequence[str], dim: Sequence[bool]) -> None:
    """A table by its columns, its `dim` rows in grey; where a screen is too narrow, without those it can `spare`."""
    out, shown, left_out = console(), dict(columns), []
    for name in spare:
        if sum(_longest_word(head, cells) + GAP for head, cells in shown.items()) - GAP > out.width:
            shown.pop(name, None)
            left_out.append(name)
    rows = table(*shown)
    for cells, grey in zip(zip(*shown.values(), strict=True), dim, strict=True):
        rows.add_row(*cells, style="dim" if grey else None)
    out.print(rows)
    if left_out:
        out.print(f"a wider screen shows more columns: {', '.join(left_out)}")


def print_below(head: Text | str, *told: str) -> None:
    """A line, and below it indented what is told of it, as wide as the screen: prose in no narrow column."""
    out = console()
    out.print(head)
    for words in filter(None, told):
        out.print(Padding(words, (0, 0, 0, INDENT), expand=False))


def _longest_word(head: str, cells: Sequence[str]) -> int:
    return max(len(word) for cell in (head, *cells) for word in cell.split(" "))


def print_story(text: str) -> None:
    """A docstring; on a screen its paragraphs are as wide as that is, and indented lines stay."""
    out = console()
    told = [block if block.startswith("    ") else readable(block) for block in text.split("\n\n")]
    flowing = [block if block.startswith("    ") else " ".join(block.split()) for block in told]
    out.print("\n\n".join(flowing if out.is_terminal else told))


def parameters_line(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in parameters.items())


def heading(name: str, *words: str) -> Text:
    return styled((name, "bold"), *(f"  {w}" for w in words))


def picture_place(figure: Path | None, form: str, name: str) -> Path | None:
    """The file of a picture: `figure` with the suffix of the format `form`; without one, a file called `name`.

    >>> print(picture_place(None, "pdf", "bes22/weight-spike"), picture_place(Path("a.svg"), "", "b"))
    bes22-weight-spike.pdf a.svg
    """
    if not form:
        return figure
    suffix = f".{form.lower().removeprefix('.')}"
    if figure is None:
        return Path(f"{name.replace('/', '-')}{suffix}")
    if figure.suffix.lower() not in ("", suffix):
        raise InputError(f"--format {form} and --figure {figure} contradict each other; give one of them")
    return figure.with_suffix(suffix) if figure.name else figure  # what has no name is refused by whoever writes it


def save_figures(drawings: Sequence[Drawing | Film], place: Path, json: bool = False) -> None:
    """Write the sheets of a picture and say where, unless a JSON document is all that is printed.

    The second sheet of `spike.svg` is `spike-2.svg`; a .gif has the sheets that move.
    """
    if place.suffix.lower() == ".gif":
        drawings = [drawing for drawing in drawings if getattr(drawing, "moves", True)] or drawings[:1]
    for number, drawing in enumerate(drawings, 1):
        here = place if number == 1 else place.with_stem(f"{place.stem}-{number}")
        drawing.save(here)
        if not json:
            print(f"picture: {here}{f' (sheet {number} of {len(drawings)})' if len(drawings) > 1 else ''}")
