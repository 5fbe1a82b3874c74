"""Arrays in, arrays out: what every evaluation of a text does with its input and its result."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from giantstep.checks import shown
from giantstep.errors import InputError
from giantstep.problems.elementary import Array
from giantstep.problems.evaluation import Value


def real_array(what: str, values: Any, axes: int | None = None) -> Array:
    """An array of real numbers; float32 stays float32, everything else becomes float64.

    >>> real_array("the labels", [1, 2])
    array([1., 2.])
    >>> real_array("the labels", ["cat", "dog"])
    Traceback (most recent call last):
    giantstep.errors.InputError: the labels must be an array of real numbers, not ['cat', 'dog']
    """
    try:
        array = np.asarray(values)
        if array.dtype not in (np.float32, np.float64):
            if array.dtype.kind not in "biufO" or values is None:
                raise TypeError
            array = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what} must be an array of real numbers, not {shown(values)}") from None
    if axes is not None and array.ndim != axes:
        raise InputError(f"{what} must have {axes} axes, not the shape {array.shape}")
    return array


def as_array(z: ArrayLike) -> tuple[Array, tuple[int, ...]]:
    """A float array of at least one dimension (float32 stays float32) and the shape that was given.

    Ufuncs turn zero-dimensional arrays into scalars, which cannot be written into.
    """
    array = real_array("the inputs", z)
    return (array if array.ndim else array.reshape(1)), array.shape


def fresh(value: Value, source: Array, shape: tuple[int, ...]) -> NDArray[Any]:
    """The value as an array of its own with the given shape, never the caller's input itself."""
    if isinstance(value, float):
        return np.full(shape, value, dtype=source.dtype)
    if np.may_share_memory(value, source):
        value = value.copy()
    return value.reshape(shape)
