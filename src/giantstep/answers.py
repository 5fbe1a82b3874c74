"""What an exported function answers: whether a NaN stands in it, wherever it may hide."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

DEPTH = 4  # of answers within answers: a pair of results that hold lists of arrays
PLAIN = ("int", "str", "bool", "None", "float")
"""Answers that hold no array, or have a check of their own (`float`)."""


def may_hold_nan(answer: str, doc: str) -> bool:
    """Whether an answer of this annotation is looked into; not where the docstring speaks of NaN, and so means it."""
    is_plain = answer in PLAIN or answer.startswith(("Iterator", "Callable", "type"))
    return not is_plain and not speaks_of_nan(doc)


def speaks_of_nan(doc: str) -> bool:
    """Whether a docstring says that something may be NaN."""
    return re.search(r"\bnan\b", doc, re.IGNORECASE) is not None


def gaps(answer: Any, depth: int = DEPTH) -> tuple[int, int]:
    """How many numbers of an answer are NaN, and among how many of those that stand with them; (0, 0) if none is.

    Looks into arrays, tuples, lists, mappings and the fields of dataclasses, so deep as results are nested. A class
    whose docstring speaks of NaN is left alone: there it says something.

    >>> gaps((1.0, np.array([np.nan, 2.0])))
    (1, 2)
    """
    kind = type(answer)
    if kind is np.ndarray:
        # The least of all is NaN if one of them is: a pass without a second array.
        if answer.dtype.kind == "f" and answer.size and (least := answer.min()) != least:
            return int(np.count_nonzero(np.isnan(answer))), answer.size
    elif kind is float or kind is np.float64:
        if answer != answer:
            return 1, 1
    elif depth:
        for one in _parts(answer, kind):
            if (found := gaps(one, depth - 1))[0]:
                return found
    return 0, 0


def is_given(value: Any) -> bool:
    """Whether a NaN stands in an argument: whoever gives one gets one back. Lists of numbers count too."""
    if gaps(value)[0]:
        return True
    try:
        return bool(np.isnan(np.asarray(value, dtype=float)).any())
    except (TypeError, ValueError):
        return False


def _parts(answer: Any, kind: type) -> Any:
    """What an answer consists of, as far as it is looked into."""
    if kind is tuple or kind is list:
        return answer
    if isinstance(answer, Mapping):
        return answer.values()
    if isinstance(answer, tuple):  # with names
        return answer
    held = getattr(answer, "__dict__", {})  # not what is computed when it is asked for, as a property may be
    return [held[name] for name in _fields(kind) if name in held]


@cache
def _fields(kind: type) -> tuple[str, ...]:
    """The fields of a dataclass that speaks of no NaN; none of any other class."""
    return () if speaks_of_nan(kind.__doc__ or "") else tuple(getattr(kind, "__dataclass_fields__", ()))
