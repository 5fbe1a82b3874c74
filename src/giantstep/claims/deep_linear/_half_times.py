"""When the modes of a deep linear network are half learned, once for a point's check, prediction and allowances."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

import numpy as np

from giantstep.arrays import Array
from giantstep.theory.dynamics import DeepLinearModes


class Point(Protocol):
    """What is asked of a point: singular values and typical starts of its modes, (rank,) both, and its depth."""

    @property
    def values(self) -> Array: ...
    @property
    def typical_starts(self) -> Array: ...
    @property
    def depth(self) -> int: ...


def half_times(point: Point) -> tuple[float, ...]:
    """The time at which each mode is half learned by gradient flow from its typical start."""
    return _known(tuple(point.values.tolist()), tuple(point.typical_starts.tolist()), point.depth)


@lru_cache(maxsize=256)
def _known(values: tuple[float, ...], starts: tuple[float, ...], depth: int) -> tuple[float, ...]:
    return tuple(DeepLinearModes(np.array(values), np.array(starts), depth).half_times().tolist())
