"""Sizes as powers of the dimension: numbers of samples and neurons, and the power with which something grows."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np


def count(ratio: float, d: int, power: float = 1, *, least: int = 1) -> int:
    """ratio d^power, rounded.

    >>> count(1.5, 100), count(0.5, 20, power=2), count(0.01, 16, least=2)
    (150, 200, 2)
    """
    return max(least, round(ratio * math.pow(d, power)))


def local_exponent(value: Callable[[int], float], d: int, ratios: tuple[float, ...] = (1, 2, 4)) -> float:
    """The least-squares slope of log value in log d over these multiples of d, as a study along d would measure it.

    >>> round(local_exponent(lambda d: 3 * d**0.5, 100), 9)
    0.5
    """
    sizes = d * np.array(ratios)
    return float(np.polyfit(np.log(sizes), np.log([value(int(size)) for size in sizes]), 1)[0])


def extrapolated(value: Callable[[int], float], d: int) -> float:
    """The limit for d to infinity of what has corrections 1/d and 1/d^2, from its values at d, 2 d and 4 d.

    >>> round(extrapolated(lambda d: 3 + 2 / d - 5 / d**2, 100), 9)
    3.0
    """
    return (value(d) - 6 * value(2 * d) + 8 * value(4 * d)) / 3
