"""The same claim at another value of one parameter: places that views, lines and judgements share."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from giantstep.claims import Claim
from giantstep.errors import InputError


@lru_cache(maxsize=4096)
def point_at(point: Claim, name: str, value: Any) -> Claim | None:
    """The claim at another value of one parameter; None where there is no such point.

    Remembered: a picture comes to each of its places for its range, for the line, for what is judged there and for
    what was printed, and some claims compute much before they allow a point.
    """
    try:
        return point.replace(**{name: value})
    except InputError:
        return None
