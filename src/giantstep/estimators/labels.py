"""Labels as the methods need them: standardised columns, classes as indicators, slices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.estimators.sizes import check_sizes


@dataclass(frozen=True, eq=False)
class Labels:
    """n labels with q outputs.

    Args:
        columns: (n, q), each with mean 0 and variance 1 under the weights (0 if it is constant); of classes one
            indicator each, of two classes one in all.
        codes: what is sliced, (n, outputs): numbers as they are, or the number of the class.
    """

    columns: Array
    codes: Array

    @classmethod
    def of(cls, y: Any, weight: Array) -> Labels:
        """Labels `y`, (n,) or (n, q), with shares `weight` (n,): numbers are numbers, anything else is a class."""
        y = np.asarray(y)
        if y.dtype.kind == "O" and _are_numbers(y):
            y = y.astype(np.float64)
        if y.dtype.kind in "iuf":
            codes = np.asarray(y, dtype=np.float64).reshape(len(y), -1)
            check_sizes(codes, "the labels")
            return cls(standardised(codes, weight), codes)
        if y.ndim > 1 and y.shape[1] > 1:
            raise InputError("labels with several outputs must be numbers; classes have one column")
        classes, number = np.unique(y.ravel().astype(str), return_inverse=True)
        indicators = (number[:, None] == np.arange(len(classes))).astype(np.float64)
        if len(classes) == 2:
            indicators = indicators[:, 1:]
        return cls(standardised(indicators, weight), number[:, None].astype(np.float64))

    def __getitem__(self, rows: NDArray[np.integer[Any]]) -> Labels:
        return Labels(self.columns[rows], self.codes[rows])

    def slices(self, count: int, weight: Array) -> list[NDArray[np.intp]]:
        """For each output the number of the slice of every sample, (n,)."""
        return [slice_numbers(column, count, weight) for column in self.codes.T]


def _are_numbers(y: Any) -> bool:
    try:
        y.astype(np.float64)
    except (TypeError, ValueError):
        return False
    return not any(isinstance(value, str) for value in y.ravel()[:1])


def standardised(columns: Array, weight: Array) -> Array:
    """`columns` (n, q) with mean 0 and variance 1 under the shares `weight`; a constant column becomes 0."""
    centred = columns - weight @ columns
    spread = np.sqrt(weight @ centred**2)
    flat = spread <= 1e-12 * np.abs(columns).max(axis=0)
    return np.asarray(np.where(flat, 0.0, centred / np.where(flat, 1.0, spread)))


def slice_numbers(values: Array, count: int, weight: Array) -> NDArray[np.intp]:
    """Slices of nearly equal weight along `values` (n,), numbered from 0 without gaps; equal values stay together.

    >>> slice_numbers(np.array([5.0, 1.0, 2.0, 2.0, 9.0, 7.0]), 3, np.full(6, 1 / 6)).tolist()
    [1, 0, 1, 1, 2, 2]
    """
    seen, place = np.unique(values, return_inverse=True)
    if len(seen) > count:
        place = np.minimum((shares_below(values, weight) * count).astype(np.intp), count - 1)
    return np.asarray(np.unique(place, return_inverse=True)[1], dtype=np.intp)


def shares_below(values: Array, weight: Array) -> Array:
    """For each of `values` (n,) the share of the weight below it and half of that at it: ranks from 0 to 1."""
    _, place = np.unique(values, return_inverse=True)
    share = np.bincount(place, weights=weight)
    return np.asarray((np.cumsum(share) - share / 2)[place])
