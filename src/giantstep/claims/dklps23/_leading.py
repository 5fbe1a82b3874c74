"""The slides' overlap after one step, read off the target alone: measurements need no theory for it."""

from __future__ import annotations

from math import factorial

import numpy as np

from giantstep.arrays import Array
from giantstep.problems import Target


def leading_derivative(target: Target, exponent: int, m: Array) -> Array:
    """C_l(m^{l-1}), (K, r), from the target alone: the gradient at m of l! times its terms of degree l, over l."""
    found = np.zeros(m.shape)
    for powers, value in target.hermite(exponent).items():
        if sum(powers) != exponent:
            continue
        for k, power in enumerate(powers):
            lowered = np.array(powers, dtype=float) - (np.arange(len(powers)) == k)
            if power:
                found[:, k] += float(value) * power * np.prod(m**lowered, axis=1)
    return found * factorial(exponent - 1)


def slope_on(x: Array, y: Array) -> float:
    """The least-squares slope of y on x, through the origin."""
    return float((y * x).sum() / (x**2).sum())
