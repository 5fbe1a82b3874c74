"""Small tables for notebooks: what `_repr_html_` of predictions, verdicts and claims gives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

COLOURS = {"holds": "#187a45", "fails": "#c0322b", "undecided": "#8f5f00", "outside": "#62686e"}


def html_table(
    head: Sequence[str], rows: Iterable[Sequence[object]], *, above: str = "", below: Sequence[str] = ()
) -> str:
    """A table for a notebook: everything in it is escaped.

    Args:
        head: the names of its columns.
        rows: its cells, of any kind that has a text.
        above: a line in bold over it.
        below: lines under it.
    """
    from html import escape

    top = f"<p><b>{escape(above)}</b></p>" if above else ""
    names = "".join(f"<th style='text-align:left'>{escape(name)}</th>" for name in head)
    cells = "".join(
        "<tr>" + "".join(f"<td style='text-align:left'>{_cell(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    table = f"<table><thead><tr>{names}</tr></thead><tbody>{cells}</tbody></table>" if cells else ""
    return top + table + "".join(f"<p>{escape(line)}</p>" for line in below)


def _cell(cell: object) -> str:
    from html import escape

    text = escape(str(cell))
    return f"<span style='color:{COLOURS[text]}'>{text}</span>" if text in COLOURS else text
