"""The numbers of a claim's page as a table beside it: a row a point, what varies, to the digits that mean something."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from giantstep.studies import Frame, Results

WORDS = ("measured", "stderr", "predicted", "predicted_finite")  # what a tidy table says of a quantity
DIGITS = 5
OF_ERROR = 2  # digits of a standard error, which say how many its number has: as many as on the page

Place = tuple[Any, ...]


def numbers_of(results: Results) -> dict[str, Frame]:
    """The means of the study of some `results`, as tables by the endings of their names.

    The first, without one, has a row a point; `-curves`, where there are any, a row for each place `x` of a point's.
    Of a `risk` there are the columns `risk`, `risk_stderr`, `risk_predicted`, `risk_predicted_finite` for the draws,
    and `risk_allowed` where it is judged; `risk_verdict` if it does not hold everywhere. Parameters that are the same
    everywhere are on the page, and a prediction for the draws is left out where it is that of the limit.
    """
    tidy = {name: column.tolist() for name, column in results.means().items()}
    varying = [name for name, column in tidy.items() if name in _parameters(tidy) and len(set(column)) > 1]
    rows: dict[Place, dict[str, Any]] = {}
    for number, name in enumerate(tidy.get("quantity", ())):
        x = tidy["x"][number]
        place = (*(tidy[one][number] for one in varying), None if math.isnan(x) else x)
        told = rows.setdefault(place, {"seeds": tidy["seeds"][number]})
        error = tidy["stderr"][number]
        told |= {_column(name, word): _short(tidy[word][number], error) for word in WORDS}
    _add_judgements(results, varying, rows)
    of_curves = {place: told for place, told in rows.items() if place[-1] is not None}
    of_points = {place: told for place, told in rows.items() if place not in of_curves}
    found = {ending: some for ending, some in (("", of_points), ("-curves", of_curves)) if some}
    return {ending: _table([*varying, "x"], some) for ending, some in found.items()}


def _table(heads: list[str], rows: dict[Place, dict[str, Any]]) -> Frame:
    table = [dict(zip(heads, (_short(value) for value in place), strict=True)) | told for place, told in rows.items()]
    names = [*heads, *dict.fromkeys(name for told in rows.values() for name in told)]
    columns = {name: [row.get(name) for row in table] for name in names}
    kept = {name: column for name, column in columns.items() if _says_something(name, column, columns)}
    return Frame({name: np.array([_nothing(v) for v in column], dtype=object) for name, column in kept.items()})


def _parameters(tidy: dict[str, list[Any]]) -> list[str]:
    return [name for name in tidy if name not in ("seeds", "quantity", "x", *WORDS)]


def _column(quantity: str, word: str) -> str:
    return quantity if word == "measured" else f"{quantity}_{word}"


def _add_judgements(results: Results, varying: list[str], rows: dict[Place, dict[str, Any]]) -> None:
    """What finite size was granted wherever a quantity was judged; verdicts, of those that do not hold everywhere.

    A curve is judged as a whole: its first row tells what was granted at its worst place.
    """
    judged = [j for j in results.verdict.judgements if j.counts and not j.quantity.is_along_an_axis]
    open_ones = {j.key for j in judged if j.status != "holds"}
    at_point: dict[Place, list[dict[str, Any]]] = {}
    for place, told in rows.items():
        at_point.setdefault(place[:-1], []).append(told)
    for j in judged:
        here = at_point.get(tuple(j.point[name] for name in varying), ())
        for told in [one for one in here if j.quantity.name in one][:1]:  # a curve is judged once
            told[f"{j.key}_allowed"] = _short(float(f"{j.allowance:.3g}"))
            told |= {f"{j.key}_verdict": j.status} if j.key in open_ones else {}


def _says_something(name: str, column: list[Any], columns: dict[str, list[Any]]) -> bool:
    """Whether a column has a number, and not that of the limit once more."""
    if all(_nothing(value) == "" for value in column):
        return False
    limit = columns.get(name.removesuffix("_finite")) if name.endswith("_predicted_finite") else None
    return limit is None or any(_nothing(a) != _nothing(b) for a, b in zip(column, limit, strict=True))


def _nothing(value: Any) -> Any:
    """Nothing where there is no number."""
    return "" if value is None or (isinstance(value, float) and not math.isfinite(value)) else value


def _short(value: Any, error: Any = math.nan) -> Any:
    """A number to the digits that its standard error leaves, at most five; five where there is none."""
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    short = float(f"{value:.{DIGITS}g}")
    if isinstance(error, float) and math.isfinite(error) and error > 0:
        short = round(short, OF_ERROR - 1 - math.floor(math.log10(error)))
    return int(short) if short.is_integer() and abs(short) < 10**DIGITS else short
