"""Rows that belong together: copies of each other, and those of one person or place."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from giantstep.arrays import Array
from giantstep.estimators.diagnosis.columns import Notes

FEWEST_MEMBERS = 10  # persons or places, for folds that hold out whole ones
LARGEST_MEMBER = 0.25  # of the rows
OFTEN = 0.5  # of the rows that differ: a column with so many different numbers has the same one twice in copies alone


def copies(rows: Array) -> NDArray[np.bool_]:
    """Which of `rows`, shape (n, columns), repeat an earlier one and are no coincidence, shape (n,).

    Among few values rows are alike by chance; a copy shares a number that no third row has, in a column of many.

    >>> copies(np.array([[1.0, 7.5], [0.0, 2.5], [1.0, 7.5], [1.0, 1.5]])).tolist()
    [False, False, True, False]
    """
    _, first, place = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    repeats = np.ones(len(rows), dtype=bool)
    repeats[first] = False
    if not repeats.any():
        return repeats
    alone = np.zeros(len(first), dtype=bool)
    for column in rows[first].T:
        _, value, counts = np.unique(column, return_inverse=True, return_counts=True)
        if len(counts) >= OFTEN * len(first):
            alone |= counts[value.reshape(-1)] == 1
    return np.asarray(repeats & alone[place.reshape(-1)])


def linked(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.intp]:
    """The same number for rows that share `one` or `other`, shape (n,), with each other or through further rows.

    >>> linked(np.array([0, 0, 1, 2, 3]), np.array([5, 6, 6, 7, 8])).tolist()
    [0, 0, 0, 1, 2]
    """
    rows = np.arange(len(one))
    names = [np.unique(values, return_inverse=True)[1].reshape(-1) for values in (one, other)]
    count = len(rows) + int(names[0].max()) + 1
    ends = np.concatenate([len(rows) + names[0], count + names[1]])
    size = count + int(names[1].max()) + 1
    graph = coo_array((np.ones(ends.size), (np.tile(rows, 2), ends)), shape=(size, size))
    found = connected_components(graph, directed=False)[1][: len(rows)]
    return np.asarray(np.unique(found, return_inverse=True)[1], dtype=np.intp).reshape(-1)


def members_of(inputs: Array, notes: Notes) -> NDArray[np.intp] | None:
    """Rows of the same person or place, with one number for all that must stay together, shape (n,); None without ids.

    Args:
        inputs: of the rows, shape (n, d): those with the same inputs stay together as well.
        notes: knows the ids that come again, and is told what was made of them.
    """
    if not notes.ids:
        return None
    groups = np.unique(inputs, axis=0, return_inverse=True)[1].reshape(-1)
    members: NDArray[np.intp] | None = None
    for name, values in notes.ids.items():
        # Among few values rows of all persons have the same inputs: then the id alone says what stays together.
        merged = next((one for one in (linked(groups, values), linked(values, values)) if _can_be_held_out(one)), None)
        if merged is None:
            notes.others.append(
                f"{name} comes again, but folds cannot hold out all rows of one: it has too few values, or one in too "
                "many rows."
            )
            continue
        groups = members = merged
        notes.others.append(
            f"Rows of one {name} are never in training and test at once; permutations take rows one by one and do "
            "not know of it, so that only what learners predict counts as found."
        )
    return members


def _can_be_held_out(numbers: NDArray[np.intp]) -> bool:
    counts = np.bincount(numbers)
    return bool(len(counts) >= FEWEST_MEMBERS and counts.max() <= LARGEST_MEMBER * len(numbers))
