"""Columns of a table as numbers: categories one-hot, gaps filled and counted, what is no use named and left out."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.estimators.diagnosis.names import printable

MOST_LEVELS = 30  # of a category; a column of words with more is a text or a name
RARE = 5  # a level in fewer rows is counted with the other rare ones
ID_NAME = re.compile(r"(^|[^a-z])(id|uuid|guid|index|rownames?|row|key)$|^unnamed|^$|^column_1$", re.IGNORECASE)
NAMED_ID = re.compile(r"(^|[^a-z])(id|uuid|guid)$", re.IGNORECASE)  # of a person or a place, which may come again
MISSING = "missing"
SIGNS = re.compile(r"^[\s$€£]+|[\s%$€£]+$")
GROUPED = re.compile(r"^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$")  # 1,234,567.8
COMMA = re.compile(r"^[+-]?(\d{1,3}(\.\d{3})+|\d*),\d*$")  # 0,5 and 1.234,5
MOSTLY = 0.8  # a column of words is one of numbers if so many of them are
MOST_ODD = 3  # and the others are so few different words, such as "unknown"
OTHER = "other"
SAME = 1.0 - 1e-9  # a correlation from which on a column is another one in other units
NEAR = 3e-4  # such columns lie so close on any line, in standard deviations


@dataclass
class Notes:
    """What was done to a table before anything was computed, by kind, each in few words.

    Args:
        left_out: columns that are not used, and why.
        read: columns of words that were read as numbers.
        filled: columns with gaps, and how many were filled.
        encoded: categories, and how many columns stand for each, with what they make of gaps.
        others: sentences about rows and the label.
        suspects: columns that may be known only once the label is.
        ids: columns that say which person or place a row is of, where these come again.
    """

    left_out: dict[str, str] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)
    filled: dict[str, int] = field(default_factory=dict)
    encoded: dict[str, str] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    suspects: list[str] = field(default_factory=list)
    ids: dict[str, NDArray[Any]] = field(default_factory=dict)

    def sentences(self) -> list[str]:
        """All of them, one sentence a kind."""
        told = list(self.others)
        if self.left_out:
            told.append("Left out: " + _listed([f"{name} ({why})" for name, why in self.left_out.items()]) + ".")
        if self.read:
            told.append(f"Words read as numbers: {_listed(self.read)}.")
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
    if kind == "O" and _are_dates(column):
        notes.left_out[name] = "date"
        return {}
    if (numbers := words_as_numbers(column)) is not None:
        notes.read.append(name)
        return _numbers(name, numbers, notes)
    return _levels(name, column, notes)


def _are_dates(column: NDArray[Any]) -> bool:
    return all(is_gap(value) or isinstance(value, date | time | timedelta | np.datetime64) for value in column)


def words_as_numbers(column: NDArray[Any]) -> Array | None:
    """A column of words that write numbers, with %, currencies, 1,234.5 or 1.234,5; None if too few of them do.

    >>> words_as_numbers(np.array(["12 %", "7,5", "$1", "8", "9", "unknown"], dtype=object))
    array([12. ,  7.5,  1. ,  8. ,  9. ,  nan])
    """
    words = [None if is_gap(value) else SIGNS.sub("", str(value)) for value in column]
    commas = [word for word in words if word is not None and "," in word]
    is_grouped = all(GROUPED.match(word) for word in commas)  # 1,234 alone is ambiguous: taken for 1234
    numbers = np.array([np.nan if word is None else _number(word, is_grouped) for word in words])
    odd = {word for word, number in zip(words, numbers, strict=True) if word is not None and np.isnan(number)}
    known = sum(word is not None for word in words)
    if not known or len(odd) > MOST_ODD or np.isfinite(numbers).sum() < MOSTLY * known:
        return None
    return numbers


def _number(word: str, is_grouped: bool) -> float:
    if is_grouped:
        word = word.replace(",", "")
    elif COMMA.match(word):
        word = word.replace(".", "").replace(",", ".")
    try:
        return float(word) if "_" not in word else np.nan
    except ValueError:
        return np.nan


def as_numbers(column: NDArray[Any]) -> Array | None:
    """A column of Python objects as floats, gaps as NaN; None if a word is among them.

    >>> as_numbers(np.array([1, None, True], dtype=object)), as_numbers(np.array(["a", 1], dtype=object))
    (array([ 1., nan,  1.]), None)
    """
    if any(isinstance(value, str | bytes) for value in column):
        return None
    try:
        return np.array([np.nan if is_gap(value) else float(value) for value in column])
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
        if distinct.size == values.size:
            notes.left_out[name] = "a number of the row"
        else:
            notes.left_out[name], notes.ids[name] = "an id", values
        return {}
    if not known.all():
        notes.filled[name] = int((~known).sum())
        values = np.where(known, values, np.median(values[known]))
    return {name: values}


def _is_id(name: str, values: Array, distinct: int) -> bool:
    """Whether whole numbers only say which row, person or place this is: they are called so, or count the rows."""
    if not np.all(values == np.floor(values)):
        return False
    if (ID_NAME.search(name) and distinct > values.size / 2) or (NAMED_ID.search(name) and distinct > MOST_LEVELS):
        return True
    steps = np.diff(values)
    return bool(np.all(steps == 1.0)) or bool(np.all(steps == -1.0))


def _levels(name: str, column: NDArray[Any], notes: Notes) -> dict[str, Array]:
    """A category as one column of 0 and 1 a level, without one for the most frequent."""
    words = as_words(column)
    levels, counts = np.unique(words, return_counts=True)
    if levels.size < 2:
        notes.left_out[name] = "always the same"
        return {}
    if levels.size > min(MOST_LEVELS, words.size // 3):
        alike = "text, different in every row" if levels.size == words.size else f"text, {levels.size} different"
        notes.left_out[name] = alike
        if NAMED_ID.search(name) and levels.size < words.size:
            notes.left_out[name], notes.ids[name] = "an id", words
        return {}
    rare = levels[counts < RARE]
    if rare.size > 1:
        words = np.where(np.isin(words, rare), OTHER, words)
        levels, counts = np.unique(words, return_counts=True)
    order = [level for level in levels if level != levels[np.argmax(counts)]]
    if not order:
        notes.left_out[name] = "nearly always the same"
        return {}
    gaps = sum(is_gap(value) for value in column)
    notes.encoded[name] = f"{len(order)}, {gaps} missing as a level" if gaps else f"{len(order)}"
    return {f"{name}={printable(level)}": (words == level).astype(np.float64) for level in order}


def as_words(column: NDArray[Any]) -> NDArray[np.object_]:
    """The values as words, gaps as a word too; as objects, for one long text must not make all rows as long."""
    return np.array([MISSING if is_gap(value) else str(value) for value in column], dtype=object)


def is_gap(value: Any) -> bool:
    """Whether a value is none: None, NaN, infinity, or what pandas calls NA and NaT."""
    if value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and not np.isfinite(value)


def _distinct(columns: dict[str, Array], notes: Notes) -> dict[str, Array]:
    """Without columns that repeat another, in its units or in others.

    Each column, brought to length 1, is projected on one random line: only those that fall close together are compared.
    """
    kept: dict[str, Array] = {}
    places: list[tuple[float, str]] = []  # in order
    line = np.random.default_rng(0).standard_normal(len(next(iter(columns.values()), ())))
    for name, values in columns.items():
        unit = _unit(values)
        place = abs(float(unit @ line))
        close = places[bisect_left(places, (place - NEAR, "")) : bisect_left(places, (place + NEAR, ""))]
        twin = next((other for _, other in close if abs(float(unit @ _unit(kept[other]))) > SAME), None)
        if twin is None:
            kept[name] = values
            insort(places, (place, name))
        else:
            units = "" if np.array_equal(values, kept[twin]) else ", in other units"
            notes.left_out[name] = f"the same as {twin}{units}"
    return kept


def _unit(values: Array) -> Array:
    """A column without its mean, of length 1; by its largest number first, whose square may be beyond all numbers."""
    scaled = values / np.abs(values).max()
    scaled -= scaled.mean()
    return np.asarray(scaled / (np.linalg.norm(scaled) or 1.0))
