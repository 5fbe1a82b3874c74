"""Rows dealt into training and test, so that rows with the same inputs stay together."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Rows: TypeAlias = NDArray[np.intp]
Fold: TypeAlias = tuple[Rows, Rows]


def deal(groups: Rows, count: int, generator: np.random.Generator) -> list[Fold]:
    """(training, test) of each of `count` folds; every row is tested once.

    Args:
        groups: rows with one number stay together, shape (n,).
        count: how many folds.
        generator: deals the groups.
    """
    names = np.unique(groups)
    place = np.empty(names.size, dtype=np.intp)
    place[generator.permutation(names.size)] = np.arange(names.size) % count
    fold = place[np.searchsorted(names, groups)]
    return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(count)]
