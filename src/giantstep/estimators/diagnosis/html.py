"""A diagnosis in a notebook: the verdict and the two tables that it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from giantstep.estimators.diagnosis.telling import DIRECTIONS_HEAD, direction_rows, learner_rows, learners_head

if TYPE_CHECKING:
    from giantstep.estimators.diagnosis.results import Diagnosis


def html_of(found: Diagnosis) -> str:
    """Plain HTML in the notebook's own style."""
    size = f"{found.table.n} rows, {found.table.d} columns, label {found.table.target}"
    return (
        f"<div><p><b>Diagnosis</b> of {escape(size)}</p><p>{escape(found.verdict)}</p>"
        f"{_table(learners_head(found), learner_rows(found))}{_table(DIRECTIONS_HEAD, direction_rows(found))}</div>"
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
