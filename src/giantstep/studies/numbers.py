"""Numbers or a sentence: where values are beyond double precision, nobody is shown a warning of NumPy, nor a NaN."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np

from giantstep.verdicts.stating import Curve, Value

TOO_FAR = "what is given is too large, too small or too steep for numbers of double precision"


@contextmanager
def unwarned() -> Iterator[None]:
    """Overflows and their like pass in silence here: what comes of them is looked at afterwards."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


def not_numbers(values: Mapping[str, Value]) -> str:
    """The names of `values` that are infinite or no number at all, somewhere; empty if there is none."""
    return ", ".join(
        name for name, value in values.items() if not np.isfinite(value.y if isinstance(value, Curve) else value).all()
    )
