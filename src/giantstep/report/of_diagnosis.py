"""The report of a diagnosis: one page in the look of all reports, with its pictures, and its numbers beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from giantstep.errors import InputError
from giantstep.estimators.diagnosis import Diagnosis, parts
from giantstep.figures import draw
from giantstep.report.fragments import badge, escape, page, table
from giantstep.report.pictures import figure
from giantstep.report.script import SAVE
from giantstep.report.style import STYLE
from giantstep.version import __version__


def write_diagnosis(found: Diagnosis, folder: Path, again: str = "") -> Path:
    """Write the page of a diagnosis with its pictures and numbers, and give the path of the page.

    Args:
        found: the diagnosis.
        folder: where the page goes; made if it is not there.
        again: the command line that makes it again, if there is one.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        told = json.dumps(found.to_dict(), indent=2, allow_nan=False, ensure_ascii=False)
        (folder / "diagnosis.json").write_text(told + "\n", encoding="utf-8")
        (folder / "style.css").write_text(STYLE, encoding="utf-8")
        (folder / "index.html").write_text(_page(found, again), encoding="utf-8")
    except OSError as error:
        raise InputError(f"the report cannot be written to '{folder}': {error.strerror}") from None
    return folder / "index.html"


def _page(found: Diagnosis, again: str) -> str:
    drawn = {name: draw(picture).svg() for name, picture in parts.pictures_of(found)}
    along = [name for name in drawn if name.startswith("direction")]
    sections = (
        ("Size and shape", _sentences(parts.shape_lines(found))),
        ("The linear part, and the rest", _sentences(parts.linear_lines(found))),
        ("Directions", _directions(found) + _pictures(found, [*along, "spectrum"], drawn)),
        ("Are the rows enough?", _rows(found) + _pictures(found, ["rows"], drawn)),
        ("Learners", _learners(found) + _pictures(found, ["learners", "curves"], drawn)),
    )
    told = "".join(f"<h2>{number}. {escape(head)}</h2>{body}" for number, (head, body) in enumerate(sections, 1))
    status, word = ("holds", "found") if found.found else ("undecided", "nothing found")
    size = f"{found.table.n} rows, {found.table.d} columns"
    return page(
        f"{found.table.target}: diagnosis",
        f'<p class="soft">Diagnosis of a table: {escape(size)} {badge(status, word)}</p>'
        f"<h1>{escape(parts.headline(found))}</h1>"
        f'<div class="finding">{_sentences(found.verdict_sentences)}</div>{told}{_go_on(found)}'
        f"{_again(found, again)}",
        "",
        {"index": "Diagnosis"},
        SAVE,
    )


def _sentences(lines: Sequence[str]) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def _cells(head: Sequence[str], rows: Sequence[Sequence[str]], below: Sequence[str] = ()) -> str:
    return table(tuple(head), [tuple(escape(cell) for cell in row) for row in rows], [escape(words) for words in below])


def _directions(found: Diagnosis) -> str:
    sees = [f"Sees {one.method.sees}; blind to {one.method.blind}." for one in found.methods]
    methods = _cells(parts.DIRECTIONS_HEAD, parts.direction_rows(found), sees)
    if found.chosen is None:
        return methods + _sentences(parts.loading_lines(found))
    head = ("column", *(f"direction {number + 1}" for number in range(found.n_directions)))
    loadings = _cells(head, parts.loading_rows(found))
    intro = (
        f"<p>Counted are the directions by {escape(found.chosen.method.name)}. Loadings on standardised columns:</p>"
    )
    return f"{methods}{intro}{loadings}"


def _rows(found: Diagnosis) -> str:
    laws = _cells(parts.LAWS_HEAD, parts.law_rows(found)) if parts.law_rows(found) else ""
    return laws + _sentences(parts.measured_lines(found))


def _learners(found: Diagnosis) -> str:
    rows = parts.learner_rows(found)
    words = {learner.name: learner.what for learner in parts.LEARNERS}
    ranked = _cells(parts.learners_head(found), rows, [words[row[0]] for row in rows])
    return ranked + _sentences([parts.learners_foot(found)])


def _pictures(found: Diagnosis, wanted: Sequence[str], drawn: Mapping[str, str]) -> str:
    """Pictures side by side where there is room, each with its caption."""
    shown = []
    for name in wanted:
        if name in drawn:
            caption = next(words(found) for key, words in parts.CAPTIONS.items() if name.startswith(key))
            shown.append(
                figure(drawn[name], name, caption, caption=escape(caption), number=list(drawn).index(name) + 1)
            )
    return f'<div class="pair">{"".join(shown)}</div>' if shown else ""


def _go_on(found: Diagnosis) -> str:
    if not found.refit:
        return ""
    return f"<h2>6. To go on with {escape(found.recommended or '')}</h2><pre>{escape(found.refit)}</pre>"


def _again(found: Diagnosis, again: str) -> str:
    made = datetime.now(UTC).strftime("%d %B %Y").lstrip("0")
    command = f"<h2>Again</h2><pre>{escape(again)}</pre>" if again else ""
    return (
        f'{command}<p class="soft">giantstep {__version__}, seed {found.seed}, {made}. All numbers: '
        '<a href="diagnosis.json">diagnosis.json</a>.</p>'
    )
