"""The numbers of a claim's page as a table beside it: what varies, to the digits that mean something."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from giantstep.studies import Frame, Results

TOLD = ("seeds", "quantity", "measured", "stderr", "predicted")
BY_ERROR = ("measured", "stderr", "predicted", "predicted_finite")
DIGITS = 5
OF_ERROR = 3  # digits of a standard error, which say how many its number has


def numbers_of(results: Results) -> Frame:
    """The means of the study of some `results`, with the parameters that vary in it; the page tells the others."""
    columns = {
        name: column for name, column in results.means().items() if name in TOLD or len(set(column.tolist())) > 1
    }
    errors = columns["stderr"].tolist()
    nothing = [math.nan] * len(errors)
    rounded = {
        name: [
            _short(value, error)
            for value, error in zip(column.tolist(), errors if name in BY_ERROR else nothing, strict=True)
        ]
        for name, column in columns.items()
    }
    return Frame({name: np.array(column, dtype=object) for name, column in rounded.items()})


def _short(value: Any, error: Any) -> Any:
    """A number to the digits that its standard error leaves, at most five; five where there is none."""
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    short = float(f"{value:.{DIGITS}g}")
    if isinstance(error, float) and math.isfinite(error) and error > 0:
        short = round(short, OF_ERROR - 1 - math.floor(math.log10(error)))
    return int(short) if short.is_integer() and abs(short) < 10**DIGITS else short
