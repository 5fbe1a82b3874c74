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

    The first, without one, has a row a point; `-curves`, where there are any, a row for each place `x` of the curves of
    a `point`, which both tables number. Of a `risk` there are the columns `risk`, `risk_stderr`, `risk_predicted`,
    `risk_predicted_finite` for the draws, and `risk_allowed` where it is judged; `risk_verdict` if it does not hold
    everywhere. Parameters that are the same everywhere are on the page, and a prediction for the draws is left out
    where it is that of the limit.
    """
    tidy = {name: column.tolist() for name, column in results.means().items()}
    varying = [name for name in _parameters(tidy) if len(set(tidy[name])) > 1]
    points: dict[Place, dict[str, Any]] = {}
    places: dict[Place, dict[str, Any]] = {}
    for number, name in enumerate(tidy.get("quantity", ())):
        x, error = tidy["x"][number], tidy["stderr"][number]
        place = tuple(tidy[one][number] for one in varying)
        head = {one: _short(tidy[one][number]) for one in (*varying, "seeds")}
        point = points.setdefault(place, {"point": len(points) + 1} | head)
        here = {"point": point["point"], "x": _short(x)}
        told = point if math.isnan(x) else places.setdefault((*place, x), here)
        told |= {_column(name, word): _short(tidy[word][number], error) for word in WORDS}
    _add_judgements(results, varying, points, places)
    found = {"": points} | ({"-curves": places} if places else {})
    return {ending: _table(list(some.values())) for ending, some in found.items() if some}


def _table(rows: list[dict[str, Any]]) -> Frame:
    names = dict.fromkeys(name for row in rows for name in row)
    columns = {name: [row.get(name) for row in rows] for name in names}
    kept = {name: column for name, column in columns.items() if _says_something(name, column, columns)}
    return Frame({name: np.array([_nothing(v) for v in column], dtype=object) for name, column in kept.items()})


def _parameters(tidy: dict[str, list[Any]]) -> list[str]:
    return [name for name in tidy if name not in ("seeds", "quantity", "x", *WORDS)]


def _column(quantity: str, word: str) -> str:
    return quantity if word == "measured" else f"{quantity}_{word}"


def _add_judgements(results: Results, varying: list[str], *tables: dict[Place, dict[str, Any]]) -> None:
    """What finite size was granted wherever a quantity was judged; verdicts, of those that do not hold everywhere.

    A curve is judged as a whole: its first row tells what was granted at its worst place.
    """
    judged = [j for j in results.verdict.judgements if j.counts and not j.quantity.is_along_an_axis]
    open_ones = {j.key for j in judged if j.status != "holds"}
    at_point: dict[Place, list[dict[str, Any]]] = {}
    for place, told in [item for rows in tables for item in rows.items()]:
        at_point.setdefault(place[: len(varying)], []).append(told)
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
