"""How large the numbers of a table may be."""

from __future__ import annotations

from typing import Any

import numpy as np

from giantstep.errors import InputError

LARGEST = 1e100
"""Beyond it squares, and sums of them, may be no numbers."""


def check_sizes(values: Any, what: str) -> None:
    """Refuse numbers whose squares are no numbers: their columns would be taken for constant ones.

    >>> check_sizes(np.array([1.0, -1e200]), "the inputs")
    Traceback (most recent call last):
    giantstep.errors.InputError: the inputs hold numbers as large as 1e+200; give them in other units, or as logarithms
    """
    size = float(np.abs(values).max(initial=0.0))
    if size > LARGEST:
        raise InputError(f"{what} hold numbers as large as {size:.3g}; give them in other units, or as logarithms")
