"""Inputs that are not on the scale that theory and learners suppose: coordinates of mean 0 and variance 1."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

FACTOR = 10.0
"""The mean square of a coordinate is 1 in theory; data beyond this factor of it are on another scale."""
SHARE = 0.5
"""The means of coordinates are 0 in theory; data of whose mean square they make this share are not centred."""

REMEDY = "standardise them: (x - x.mean(axis=0)) / x.std(axis=0), without columns that are constant"


def warn_of_scale(inputs: NDArray[Any], *, centred: bool = True) -> None:
    """Warn of `inputs` (n, d) that are far from mean 0 and variance 1, and say what to do.

    With `centred`, means count too: a kernel of x'x/d has no need of them.
    """
    square = float(np.mean(np.square(inputs, dtype=np.float64)))
    told = []
    if not 1 / FACTOR <= square <= FACTOR:
        told.append(f"mean square {square:.3g} a coordinate, where about 1 is supposed")
    means = float(np.mean(np.mean(inputs, axis=0, dtype=np.float64) ** 2))
    if centred and means > SHARE * square:
        told.append("means that outweigh their variances, where 0 is supposed")
    if told:
        warnings.warn(f"the inputs have {' and '.join(told)}; {REMEDY}", stacklevel=3)
