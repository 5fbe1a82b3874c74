"""Arrays in, arrays out: what every evaluation of a text does with its input and its result."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from giantstep.arrays import Floats
from giantstep.checks import real_array
from giantstep.problems.text.evaluation import Value


def as_array(z: ArrayLike) -> tuple[Floats, tuple[int, ...]]:
    """A float array of at least one dimension (float32 stays float32) and the shape that was given.

    Ufuncs turn zero-dimensional arrays into scalars, which cannot be written into.
    """
    array = real_array("the inputs", z)
    return (array if array.ndim else array.reshape(1)), array.shape


def fresh(value: Value, source: Floats, shape: tuple[int, ...]) -> NDArray[Any]:
    """The value as an array of its own with the given shape, never the caller's input itself."""
    if isinstance(value, float):
        return np.full(shape, value, dtype=source.dtype)
    if np.may_share_memory(value, source):
        value = value.copy()
    return value.reshape(shape)
