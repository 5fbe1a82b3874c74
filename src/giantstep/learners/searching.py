"""One search for where something is one half: between two ends, or along growing numbers of samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from math import exp, log

import scipy

from giantstep.errors import InputError

HALF = 0.5


def half_between(
    share: Callable[[float], float], ends: tuple[float, float], refusal: str, *, rising: bool, accuracy: float
) -> float:
    """The place between two positive ends where a monotone share is one half, by Brent's method in its logarithm.

    Args:
        share: a function of the place; costly, so that no place is asked for twice.
        ends: the lowest and the highest place.
        refusal: the sentence for a user where the half does not lie between the ends.
        rising: whether the share grows with the place.
        accuracy: of the logarithm of the place.

    >>> round(half_between(lambda x: x / (x + 3), (0.1, 100.0), "nowhere", rising=True, accuracy=1e-9), 6)
    3.0
    """
    gap = cache(lambda place: share(exp(place)) - HALF)
    low, high = (log(end) for end in ends)
    sign = 1 if rising else -1
    if sign * gap(low) > 0 or sign * gap(high) < 0:
        raise InputError(refusal)
    return exp(scipy.optimize.brentq(gap, low, high, xtol=accuracy))


def half_upwards(
    share: Callable[[float], float], ends: tuple[float, float], refusal: str, *, rising: bool, accuracy: float
) -> float:
    """The first place where a share is one half, going up from the lowest end in factors of 2; then as `half_between`.

    Args:
        share: a function of the place; costly, so that no place is asked for twice.
        ends: the lowest and the highest place.
        refusal: the sentence for a user where no half is passed on the way.
        rising: whether the share grows with the place.
        accuracy: of the logarithm of the place.

    >>> round(half_upwards(lambda x: x / (x + 3), (0.1, 100.0), "nowhere", rising=True, accuracy=1e-9), 6)
    3.0
    """
    known = cache(share)
    low, top = ends
    high = low
    while (known(high) > HALF) != rising:
        if high >= top:
            raise InputError(refusal)
        low, high = high, min(2.0 * high, top)
    return half_between(known, (low, high), refusal, rising=rising, accuracy=accuracy)


def half_along(
    share: Callable[[float], float],
    samples: Iterable[float],
    what: str,
    *,
    rising: bool,
    fewer: str,
    more: str,
    sure: int = 0,
) -> float:
    """The number of samples at which a share passes one half: growing numbers are tried until it has, and their
    logarithm is interpolated.

    Args:
        share: a function of the number of samples, such as a risk over its first value.
        samples: the numbers to try, increasing; no more of them are tried than needed.
        what: the share in words, for the sentence that says that no half was found.
        rising: whether the share grows with the number of samples.
        fewer: what to do if the first number is too large already.
        more: what to do if the last one is too small still.
        sure: how many further numbers must have passed it too: the share of one draw is noisy, and few samples may
            be lucky.

    >>> round(half_along(lambda n: n / 100, (10, 40, 160), "it", rising=True, fewer="", more=""), 1)
    44.9
    """
    before: tuple[float, float] | None = None
    found, kept, first = 0.0, 0, ""
    for number in samples:
        value = share(number)
        if not (value >= HALF if rising else value < HALF):
            before, kept = (number, value), 0
            continue
        if kept == 0 and before is None:
            first = f"{what} is {value:.2f} with {number:.0f} samples already: {fewer}"
        elif kept == 0 and before is not None:
            low, old = before
            found = float(low * (number / low) ** ((HALF - old) / (value - old)))
        kept += 1
        if kept > sure:
            break
    if kept and before is not None:
        return found
    if kept:
        raise InputError(first)
    assert before is not None, "there is a number to try"
    raise InputError(f"{what} is {before[1]:.2f} with {before[0]:.0f} samples still: {more}")
