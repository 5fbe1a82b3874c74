"""How results and studies show themselves in a notebook: a verdict, a small table, a small picture."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING

from giantstep.claims import statement_html
from giantstep.errors import InputError
from giantstep.verdicts import Cell, html_table, mean_and_error, shown
from giantstep.verdicts.stating import Curve

if TYPE_CHECKING:
    from giantstep.studies.results import Results
    from giantstep.studies.study import Study

MOST_POINTS = 10  # rows of a table of points
MOST_QUANTITIES = 4  # and its columns
MOST_CELLS = 2500  # of a study that is drawn unasked: the picture of more takes longer than a second


def results_html(results: Results) -> str:
    """The verdict with its numbers, the first points with what was measured, and the first panel of the picture."""
    parts = [statement_html(type(results.claim))]
    parts.append(results.verdict._repr_html_())
    parts.append(html_table((), (), below=(results.sharpness().in_words(),)))
    if len(results.cells) > 1:
        parts.append(_points_html(results))
    parts.append(_picture_html(results))
    return "".join(parts)


def _points_html(results: Results) -> str:
    """The first points of a study: parameters that vary, and each number as measured, with theory in brackets."""
    parameters = [cell.point.parameters() for cell in results.cells]
    varied = [name for name in parameters[0] if len({str(one.get(name)) for one in parameters}) > 1]
    names = _told_quantities(results)
    rows = [
        [*(one[name] for name in varied), *(_measured(cell, name) for name in names)]
        for one, cell in zip(parameters[:MOST_POINTS], results.cells, strict=False)
    ]
    more = len(results.cells) - len(rows)
    return html_table([*varied, *names], rows, below=(f"and {more} points more",) if more else ())


def _told_quantities(results: Results) -> list[str]:
    """The first of the claim's quantities that are numbers and were measured."""
    stated = dict.fromkeys(quantity.name for quantity in results.claim.stated())
    return [name for name in stated if any(_numbers(cell, name) for cell in results.cells)][:MOST_QUANTITIES]


def _numbers(cell: Cell, name: str) -> list[float]:
    return [value for value in cell.values_of(name) if not isinstance(value, Curve)]


def _measured(cell: Cell, name: str) -> str:
    values = _numbers(cell, name)
    predicted = cell.prediction.values.get(name)
    theory = f" ({predicted:.4g})" if predicted is not None and not isinstance(predicted, Curve) else ""
    return (shown(*mean_and_error(values)) if values else "not measured") + theory


def _picture_html(results: Results) -> str:
    """The first panel as an image of its own, so that several in one notebook do not disturb each other."""
    if len(results.cells) > MOST_CELLS:
        return ""
    try:
        picture = results.thumbnail().svg()
    except InputError:  # there is nothing to draw, or nothing to draw with
        return ""
    data = base64.b64encode(picture.encode()).decode()
    return f"<img alt='the first picture of {results.claim.name}' src='data:image/svg+xml;base64,{data}'>"


def study_html(study: Study) -> str:
    """What a study is over, and how large it is."""
    axes: dict[str, object] = study.spec.get("axes", {})
    rows: list[Sequence[object]] = [(name, _axis(values)) for name, values in axes.items()]
    rows += [("points", len(study.points)), ("records", study.record_count), ("first seed", study.seed)]
    if study.name:
        rows.append(("kept as", study.name))
    over = "" if axes else "its views" if study.spec.get("views") else "its point"
    above = f"A study of {study.base.name}" + (f" over {over}" if over else "")
    return html_table(("", ""), rows, above=above, below=("run it with .run()",))


def _axis(values: object) -> str:
    text = ", ".join(map(str, values)) if isinstance(values, list) else str(values)
    return text if len(text) <= 60 else text[:50] + "..."
