"""The numbers of a claim's page as a table beside it: what varies, to the digits that mean something."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from giantstep.studies import Frame, Results

TOLD = ("seeds", "quantity", "measured", "stderr", "predicted")
DIGITS = 5


def numbers_of(results: Results) -> Frame:
    """The means of the study of some `results`, with the parameters that vary in it; the page tells the others."""
    columns = {
        name: column for name, column in results.means().items() if name in TOLD or len(set(column.tolist())) > 1
    }
    rounded = {name: [_short(value) for value in column.tolist()] for name, column in columns.items()}
    return Frame({name: np.array(column, dtype=object) for name, column in rounded.items()})


def _short(value: Any) -> Any:
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    short = float(f"{value:.{DIGITS}g}")
    return int(short) if short.is_integer() and abs(short) < 10**DIGITS else short
