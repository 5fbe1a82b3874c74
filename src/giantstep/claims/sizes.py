"""Whole numbers of samples and neurons from their ratio to a power of the dimension."""

from __future__ import annotations

import math


def count(ratio: float, d: int, power: float = 1, *, least: int = 1) -> int:
    """ratio d^power, rounded.

    >>> count(1.5, 100), count(0.5, 20, power=2), count(0.01, 16, least=2)
    (150, 200, 2)
    """
    return max(least, round(ratio * math.pow(d, power)))
