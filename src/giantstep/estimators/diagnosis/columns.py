"""Columns of a table as numbers: categories one-hot, gaps filled and counted, what is no use named and left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array

MOST_LEVELS = 30  # of a category; a column of words with more is a text or a name
RARE = 5  # a level in fewer rows is counted with the other rare ones
ID_NAME = re.compile(r"(^|[^a-z])(id|uuid|guid|index|rownames?|row|key)$|^unnamed|^$|^column_1$", re.IGNORECASE)
MISSING = "missing"
OTHER = "other"


@dataclass
class Notes:
    """What was done to a table before anything was computed, by kind, each in few words.

    Args:
        left_out: columns that are not used, and why.
        filled: columns with gaps, and how many were filled.
        encoded: categories, and how many columns stand for each.
        others: sentences about rows and the label.
    """

    left_out: dict[str, str] = field(default_factory=dict)
    filled: dict[str, int] = field(default_factory=dict)
    encoded: dict[str, int] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)

    def sentences(self) -> list[str]:
        """All of them, one sentence a kind."""
        told = list(self.others)
        if self.left_out:
            told.append("Left out: " + _listed([f"{name} ({why})" for name, why in self.left_out.items()]) + ".")
        if self.filled:
            gaps = sum(self.filled.values())
            names = _listed([f"{name} ({count})" for name, count in self.filled.items()])
            told.append(f"{gaps} missing value{'s were' if gaps > 1 else ' was'} filled with the median: {names}.")
        if self.encoded:
            names = _listed([f"{name} ({count})" for name, count in self.encoded.items()])
            told.append(f"Categories as columns of 0 and 1, against the most frequent level: {names}.")
        return told


def _listed(parts: list[str], most: int = 12) -> str:
    return ", ".join(parts[:most]) + (f" and {len(parts) - most} more" if len(parts) > most else "")


def numeric_columns(columns: Mapping[str, NDArray[Any]], notes: Notes) -> tuple[Array, tuple[str, ...]]:
    """All usable columns as numbers, shape (n, d), and their names; `notes` is told about the rest.

    Args:
        columns: by name, each of shape (n,): numbers, words, dates or truth values; None and NaN are gaps.
        notes: is told what is left out, filled and encoded.
    """
    found: dict[str, Array] = {}
    for name, column in columns.items():
        found |= _encoded(name, column, notes)
    kept = _distinct(found, notes)
    if not kept:
        return np.empty((len(next(iter(columns.values()), ())), 0)), ()
    return np.column_stack(list(kept.values())), tuple(kept)


def _encoded(name: str, column: NDArray[Any], notes: Notes) -> dict[str, Array]:
    """One column as none, one or several columns of numbers."""
    kind = column.dtype.kind
    if kind in "mM":
        notes.left_out[name] = "date"
        return {}
    if kind in "biuf":
        return _numbers(name, column, notes)
    if kind == "O" and (numbers := as_numbers(column)) is not None:
        return _numbers(name, numbers, notes)
    return _levels(name, column, notes)


def as_numbers(column: NDArray[Any]) -> Array | None:
    """A column of Python objects as floats, gaps as NaN; None if a word is among them.

    >>> as_numbers(np.array([1, None, True], dtype=object)), as_numbers(np.array(["a", 1], dtype=object))
    (array([ 1., nan,  1.]), None)
    """
    if any(isinstance(value, str | bytes) for value in column):
        return None
    try:
        return np.array([np.nan if value is None else float(value) for value in column])
    except (TypeError, ValueError):
        return None


def _numbers(name: str, column: NDArray[Any], notes: Notes) -> dict[str, Array]:
    values = column.astype(np.float64)
    known = np.isfinite(values)
    distinct = np.unique(values[known])
    if distinct.size < 2:
        notes.left_out[name] = "always the same" if distinct.size else "empty"
        return {}
    if known.all() and _is_id(name, values, distinct.size):
        notes.left_out[name] = "a number of the row"
        return {}
    if not known.all():
        notes.filled[name] = int((~known).sum())
        values = np.where(known, values, np.median(values[known]))
    return {name: values}


def _is_id(name: str, values: Array, distinct: int) -> bool:
    """Whether whole numbers only say which row this is: all different, and called so or counting upwards."""
    if distinct < values.size or not np.all(values == np.floor(values)):
        return False
    steps = np.diff(values)
    return bool(ID_NAME.search(name)) or bool(np.all(steps == 1.0)) or bool(np.all(steps == -1.0))


def _levels(name: str, column: NDArray[Any], notes: Notes) -> dict[str, Array]:
    """A category as one column of 0 and 1 a level, without one for the most frequent."""
    words = np.array([MISSING if _is_gap(value) else str(value) for value in column])
    levels, counts = np.unique(words, return_counts=True)
    if levels.size < 2:
        notes.left_out[name] = "always the same"
        return {}
    if levels.size > min(MOST_LEVELS, words.size // 3):
        alike = "text, different in every row" if levels.size == words.size else f"text, {levels.size} different"
        notes.left_out[name] = alike
        return {}
    rare = levels[counts < RARE]
    if rare.size > 1:
        words = np.where(np.isin(words, rare), OTHER, words)
        levels, counts = np.unique(words, return_counts=True)
    order = [level for level in levels if level != levels[np.argmax(counts)]]
    if not order:
        notes.left_out[name] = "nearly always the same"
        return {}
    notes.encoded[name] = len(order)
    return {f"{name}={level}": (words == level).astype(np.float64) for level in order}


def _is_gap(value: Any) -> bool:
    return value is None or value is np.ma.masked or (isinstance(value, float) and not np.isfinite(value))


def _distinct(columns: dict[str, Array], notes: Notes) -> dict[str, Array]:
    """Without columns that repeat another."""
    kept: dict[str, Array] = {}
    seen: dict[bytes, str] = {}
    for name, values in columns.items():
        key = (values + 0.0).tobytes()  # -0.0 is 0.0
        if key in seen:
            notes.left_out[name] = f"the same as {seen[key]}"
        else:
            seen[key], kept[name] = name, values
    return kept
