"""What is diagnosed: inputs as numbers with the names of their columns, a label, and what was done to get there."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.estimators.diagnosis.columns import (
    Notes,
    as_numbers,
    as_words,
    is_gap,
    numeric_columns,
    words_as_numbers,
)
from giantstep.estimators.diagnosis.names import different, printable
from giantstep.estimators.diagnosis.same_rows import copies, members_of
from giantstep.estimators.sizes import LARGEST

LEAST_ROWS, MOST_COLUMNS, MOST_CLASSES = 50, 20_000, 20
FEWEST_OF_A_CLASS = 10  # rows: with fewer a class is not in every fold
SMALLEST = 1e-100  # squares of what varies by less are nought
LEAK = 1.0 - 1e-9  # a correlation from which on a column is the label itself, in other units


@dataclass(frozen=True, eq=False)
class Table:
    """Inputs and a label, ready to be diagnosed.

    Args:
        inputs: numbers without gaps, (n, d), in the units of the columns.
        label: one number a row, (n,); of classes the number of the class.
        columns: the names of the d columns.
        target: the name of the label.
        classes: the names of the classes; empty if the label is a number.
        notes: sentences about what was left out, filled, encoded or found odd.
        suspects: columns that order the rows exactly as the label does: they may be known only once it is.
        members: rows of the same person or place, and as a rule those with the same inputs, have one number, (n,), if
            an id says so; None if none does.
    """

    inputs: Array
    label: Array
    columns: tuple[str, ...]
    target: str
    classes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    suspects: tuple[str, ...] = ()
    members: NDArray[np.intp] | None = None

    @property
    def n(self) -> int:
        return int(self.inputs.shape[0])

    @property
    def d(self) -> int:
        return int(self.inputs.shape[1])

    @cached_property
    def standardised(self) -> Array:
        """Inputs with mean 0 and variance 1 in every column."""
        return np.asarray((self.inputs - self.inputs.mean(axis=0)) / self.inputs.std(axis=0))

    @cached_property
    def labels(self) -> Array:
        """What is predicted, shape (n, q): the number, or one column of 0 and 1 a class (one alone for two classes)."""
        if len(self.classes) > 2:
            return np.asarray(self.label[:, None] == np.arange(len(self.classes)), dtype=np.float64)
        return self.label[:, None]

    @cached_property
    def groups(self) -> NDArray[np.intp]:
        """The same number for rows with the same inputs, shape (n,)."""
        return np.asarray(np.unique(self.inputs, axis=0, return_inverse=True)[1]).reshape(-1)

    @cached_property
    def together(self) -> NDArray[np.intp]:
        """The same number for rows that must not be in training and test at once, shape (n,)."""
        return self.groups if self.members is None else self.members

    def rows(self, chosen: NDArray[Any]) -> Table:
        """Some rows alone."""
        inputs = self.inputs[chosen]
        varied = np.flatnonzero(np.ptp(inputs, axis=0) > 0)
        names = tuple(self.columns[j] for j in varied)
        suspects = tuple(name for name in self.suspects if name in names)
        members = None if self.members is None else self.members[chosen]
        label = self.label[chosen]
        return Table(inputs[:, varied], label, names, self.target, self.classes, self.notes, suspects, members)

    def __repr__(self) -> str:
        kind = f"{len(self.classes)} classes" if self.classes else "a number"
        return f"Table(n={self.n}, d={self.d}, {self.target}: {kind})"


def table_of(columns: Mapping[str, NDArray[Any]], target: str) -> Table:
    """The table of named columns, of which `target` is the label.

    Args:
        columns: by name, each of shape (n,): numbers, words, dates, truth values; None and NaN are gaps.
        target: the name of the column to be predicted.
    """
    shown = dict(zip(columns, different(columns), strict=True))
    if target in columns:
        columns, target = {shown[name]: column for name, column in columns.items()}, shown[target]
    else:
        columns = dict.fromkeys(shown.values(), np.empty(0))
        close = difflib.get_close_matches(target, list(columns), n=1, cutoff=0.5)
        folded = [name for name in columns if name.casefold() == target.casefold()]
        hint = f"did you mean '{(folded or close)[0]}'?" if folded or close else f"there are: {', '.join(columns)}"
        raise InputError(f"there is no column '{target}'; {hint}")
    notes = Notes()
    label, classes, known = _label(np.asarray(columns[target]), target)
    if not label.size and len(columns[target]):
        raise InputError(f"'{target}' has no value in any row; a label must be there to be predicted")
    label, classes, known, rare = _without_rare_classes(label, classes, known)
    if rare:
        notes.others.append(
            f"Rows of classes with fewer than {FEWEST_OF_A_CLASS} rows were left out: "
            + ", ".join(f"{name} ({count})" for name, count in rare.items())
            + "."
        )
    gaps = int((~known).sum()) - sum(rare.values())
    if gaps:
        notes.others.append(
            f"{gaps} row{'s' if gaps > 1 else ''} without a label {'were' if gaps > 1 else 'was'} left out."
        )
    others = {name: np.asarray(column)[known] for name, column in columns.items() if name != target}
    _check_rows(label.size)
    with np.errstate(over="ignore"):  # numbers as large as that are refused below
        inputs, names = numeric_columns(others, notes)
    _check_sizes(inputs, names, label, target)
    inputs, label = _without_copies(inputs, label, notes)
    inputs, names = _without_leaks(inputs, names, label, classes, target, notes)
    return checked_table(inputs, label, names, target, classes, notes)


def checked_table(
    inputs: Array, label: Array, names: tuple[str, ...], target: str, classes: tuple[str, ...], notes: Notes
) -> Table:
    """The table of these numbers, if it can be diagnosed at all; otherwise the sentence that says why not."""
    _check_rows(label.size)
    if not names:
        raise InputError(f"no column is left to predict '{target}' from; at least one must vary and be no date or id")
    if len(names) > MOST_COLUMNS:
        raise InputError(
            f"{len(names)} columns are too many; a diagnosis takes at most {MOST_COLUMNS}: choose among them, or take "
            "principal components first"
        )
    if np.ptp(label) == 0:
        word = classes[int(label[0])] if classes else f"{label[0]:g}"
        raise InputError(f"'{target}' is {word} in every row; a label must vary to be predicted")
    rows = np.unique(np.column_stack([inputs, label]), axis=0).shape[0]
    if rows < label.size:
        many = label.size - rows
        notes.others.append(
            f"{many} row{'s repeat' if many > 1 else ' repeats'} another in every column; rows with the same inputs "
            "are never in training and test at once."
        )
    members = members_of(inputs, notes)
    suspects = tuple(name for name in notes.suspects if name in names)
    return Table(inputs, label, names, target, classes, tuple(notes.sentences()), suspects, members)


def refuse_unfit(table: Table) -> None:
    """Refuse a table made by hand that cannot be diagnosed; those that are read have been looked at."""
    _check_rows(table.n)
    if not len(table.columns) == table.d > 0:
        raise InputError(f"the table has {table.d} columns and {len(table.columns)} names; each needs one")
    _check_sizes(table.inputs, table.columns, table.label, table.target)
    constant = [name for name, span in zip(table.columns, np.ptp(table.inputs, axis=0), strict=True) if span == 0]
    if constant or np.ptp(table.label) == 0:
        raise InputError(f"'{(*constant, table.target)[0]}' is the same in every row of the table; it must vary")


def _without_copies(inputs: Array, label: Array, notes: Notes) -> tuple[Array, Array]:
    """Without rows that were copied: permutations would take that a copy has its row's label for knowledge."""
    copied = copies(np.column_stack([inputs, label]))
    if not copied.any():
        return inputs, label
    many = int(copied.sum())
    left = label.size - many
    if left < LEAST_ROWS:
        raise InputError(
            f"{left} row{' is' if left == 1 else 's are'} too few, and the {many} others are copies of them; a "
            f"diagnosis needs at least {LEAST_ROWS}"
        )
    notes.others.append(
        f"{many} row{'s were' if many > 1 else ' was'} left out as cop{'ies' if many > 1 else 'y'} of another, in "
        "numbers that no third row has."
    )
    notes.ids = {name: values[~copied] for name, values in notes.ids.items()}
    return inputs[~copied], label[~copied]


def _check_rows(n: int) -> None:
    if n < LEAST_ROWS:
        raise InputError(
            f"{n} row{' is' if n == 1 else 's are'} too few; a diagnosis needs at least {LEAST_ROWS} rows with a label"
        )


def _check_sizes(inputs: Array, names: tuple[str, ...], label: Array, target: str) -> None:
    for name, column in zip((*names, target), (*inputs.T, label), strict=True):
        size = float(np.abs(column).max())
        if size > LARGEST:
            raise InputError(f"'{name}' holds numbers as large as {size:.3g}; give it in other units, or its logarithm")
        if 0 < (spread := float(np.ptp(column))) < SMALLEST:
            raise InputError(f"'{name}' varies by {spread:.3g} alone; give it in other units")


def _without_rare_classes(
    label: Array, classes: tuple[str, ...], known: NDArray[np.bool_]
) -> tuple[Array, tuple[str, ...], NDArray[np.bool_], dict[str, int]]:
    """The label without rows of classes that cannot be in every fold; unless no two classes would be left."""
    counts = np.bincount(label.astype(int), minlength=len(classes)) if classes else np.zeros(0)
    often = np.flatnonzero(counts >= FEWEST_OF_A_CLASS)
    if not classes or len(often) == len(classes):
        return label, classes, known, {}
    if len(often) < 2:
        sizes = ", ".join(f"{name} ({count})" for name, count in zip(classes, counts, strict=True))
        if label.size < LEAST_ROWS or len(classes) < 2:  # which has a sentence of its own
            return label, classes, known, {}
        raise InputError(f"two classes need at least {FEWEST_OF_A_CLASS} rows each; there are {sizes[:200]}")
    kept = np.isin(label, often)
    left = known.copy()
    left[known] = kept
    rare = {classes[k]: int(counts[k]) for k in range(len(classes)) if k not in often}
    return np.searchsorted(often, label[kept]).astype(np.float64), tuple(classes[k] for k in often), left, rare


def _label(column: NDArray[Any], target: str) -> tuple[Array, tuple[str, ...], NDArray[np.bool_]]:
    """The label of the rows that have one, the names of its classes, and which rows these are."""
    if column.dtype.kind in "mM":
        raise InputError(
            f"'{target}' holds dates; a label must be a number or a class: take a difference of dates in days"
        )
    numbers = column.astype(np.float64) if column.dtype.kind in "biuf" else as_numbers(column)
    if numbers is not None:
        known = np.isfinite(numbers)
        return numbers[known], (), known
    known = np.array([not is_gap(value) for value in column])
    words, codes = np.unique(as_words(column[known]), return_inverse=True)
    if words.size > MOST_CLASSES and (numbers := words_as_numbers(column)) is not None:
        known = np.isfinite(numbers)
        return numbers[known], (), known
    if words.size > MOST_CLASSES:
        raise InputError(
            f"'{target}' has {words.size} different words, such as '{printable(words[0])}'; a label must be a number, "
            f"or one of at most {MOST_CLASSES} classes"
        )
    return codes.astype(np.float64), tuple(different(words)), known


def _without_leaks(
    inputs: Array, names: tuple[str, ...], label: Array, classes: tuple[str, ...], target: str, notes: Notes
) -> tuple[Array, tuple[str, ...]]:
    """Without columns that are the label in other units; those that only order the rows as it does are named."""
    if not names or np.ptp(label) == 0:
        return inputs, names
    centred = inputs - inputs.mean(axis=0)
    sizes = np.sqrt((centred**2).sum(axis=0))
    y = label[:, None] if len(classes) < 3 else label[:, None] == np.arange(len(classes))
    y = y - y.mean(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        correlations = (np.abs(centred.T @ y) / (sizes[:, None] * np.sqrt((y**2).sum(axis=0)))).max(axis=1)
    leaks = np.flatnonzero(correlations > LEAK)
    for j in leaks:
        what = f"a class of {target}" if len(classes) > 2 else f"{target} itself"
        notes.left_out[names[j]] = f"a leak: it is {what}, in other units"
    for j in np.flatnonzero((correlations > 0.5) & (correlations <= LEAK)):
        if not classes and _same_order(inputs[:, j], label):
            notes.suspects.append(names[j])
            notes.others.append(
                f"Look at {names[j]}: it orders the rows exactly as {target} does. If it is known only once {target} "
                "is, leave it out."
            )
    kept = np.setdiff1d(np.arange(len(names)), leaks)
    return inputs[:, kept], tuple(names[j] for j in kept)


def _same_order(column: Array, label: Array) -> bool:
    """Whether sorting by the column sorts the label too, up or down, with as many different values."""
    if np.unique(label).size < 10 or np.unique(column).size != np.unique(label).size:
        return False
    steps = np.diff(label[np.argsort(column, kind="stable")])
    return bool(np.all(steps >= 0) or np.all(steps <= 0))
