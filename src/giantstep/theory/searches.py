"""Where something is one half: the one search of this room."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import exp, log

import scipy

from giantstep.errors import InputError

HALF = 0.5


def where_half(value: Callable[[float], float], low: float, high: float, *, refusal: str, tol: float) -> float:
    """The place x > 0 with value(x) = 1/2, by Brent's method in ln x.

    Args:
        value: a share between 0 and 1 that rises or falls through one half between the ends.
        low: left end of the search, above 0.
        high: right end of the search.
        refusal: the sentence that is said if both ends lie on one side of one half.
        tol: absolute error of ln x.

    >>> round(where_half(lambda x: x / (1 + x), 0.1, 30.0, refusal="", tol=1e-12), 9)
    1.0
    """

    return _between(value, low, high, refusal, tol)


def first_half(value: Callable[[float], float], low: float, high: float, *, refusal: str, tol: float) -> float:
    """The first place with value(x) = 1/2, looked for upwards from the left end in factors of 4: what is far beyond it
    is not asked for, where equations may have no answer.

    Args:
        value: a share that passes one half between the ends.
        low: left end of the search, above 0.
        high: right end of the search.
        refusal: the sentence that is said if it does not.
        tol: absolute error of ln x.

    >>> round(first_half(lambda x: 1 / (1 + x), 0.1, 30.0, refusal="", tol=1e-12), 9)
    1.0
    """
    known = cache(value)  # each place is asked for twice
    before, place, sign = low, low, known(low) > HALF
    while (known(place) > HALF) == sign:
        if place >= high:
            raise InputError(refusal)
        before, place = place, min(4.0 * place, high)
    return _between(known, before, place, refusal, tol)


def _between(value: Callable[[float], float], low: float, high: float, refusal: str, tol: float) -> float:
    """Brent's method in ln x."""
    at_ends = value(low) - HALF, value(high) - HALF
    if at_ends[0] * at_ends[1] > 0:
        raise InputError(refusal)
    ends = {log(low): at_ends[0], log(high): at_ends[1]}

    def excess(log_x: float) -> float:
        return ends[log_x] if log_x in ends else value(exp(log_x)) - HALF

    return exp(scipy.optimize.brentq(excess, log(low), log(high), xtol=tol))
