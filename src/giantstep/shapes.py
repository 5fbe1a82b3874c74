"""Shapes that a docstring states, `weights: w_i as rows, (N, d).`, held against the arrays that were given.

The same letter is the same number: labels (n,) beside inputs (n, d) must have as many entries as those have rows. NumPy
would often stretch one of them without a word.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from typing import Any

from giantstep.errors import MisfitError

Shape = tuple[str, ...]

ENTRY = re.compile(r"^ {4}(\w+): (.*(?:\n {8,}.*)*)", re.MULTILINE)
SIZE = r"[A-Za-z_]\w*\*?(?: \w+| ?(?:\+|-|//) ?\w+)?|\d+"
SHAPE = re.compile(rf"(?:,| or)\s+\(((?:{SIZE}),|(?:{SIZE})(?:, (?:{SIZE}))+)\)(?=[\s,;:.]|$)")
"""As docstrings of the house write them, after a comma: (n,), (N, d), (T+1, p, r), (p, r + p, replicas)."""
KEPT = 1000  # combinations of shapes that are known to fit: a loop gives the same ones again and again


def stated_shapes(doc: str) -> dict[str, Shape]:
    """The shape of each parameter for which a docstring states one; several are a choice, and are left out.

    >>> stated_shapes("Fits.\\nArgs:\\n    x: inputs, (n, d).\\n    y: labels, (n,), growing.\\n    z: (n,) or (n, k).")
    {'x': ('n', 'd'), 'y': ('n',)}
    """
    entries = ENTRY.findall(inspect.cleandoc(doc).partition("Args:")[2])
    told = {name: SHAPE.findall(f", {text}") for name, text in entries}
    return {
        name: tuple(size.replace(" ", "") for size in found[0].strip(",").split(", "))
        for name, found in told.items()
        if len(found) == 1
    }


class Shapes:
    """The shapes of a function's arrays, by its docstring.

    Args:
        doc: the docstring.
        arrays: the names of parameters that are arrays.
        order: the names of all parameters that may be given by position.
        place: what the sentences call the function.
    """

    def __init__(self, doc: str, arrays: Sequence[str], order: Sequence[str], place: str) -> None:
        stated = {name: shape for name, shape in stated_shapes(doc).items() if name in arrays}
        self.stated, self.place = stated, place
        self._positions = [(name, order.index(name) if name in order else len(order)) for name in stated]
        self._fitting: set[tuple[Any, ...]] = set()

    def __bool__(self) -> bool:
        return bool(self.stated)

    def refuse_misfits(self, args: Sequence[Any], named: Mapping[str, Any]) -> None:
        """Refuse arrays that do not have the shapes stated. What is no array, as None or a number, is left alone."""
        given = [args[at] if at < len(args) else named.get(name) for name, at in self._positions]
        found = tuple([getattr(value, "shape", ()) for value in given])
        if found in self._fitting:
            return
        self._compare(found)
        if len(self._fitting) < KEPT:
            self._fitting.add(found)

    def _compare(self, found: tuple[Any, ...]) -> None:
        sizes: dict[str, tuple[int, str]] = {}
        composed: list[tuple[str, Any, str, int]] = []
        for (name, shape), given in zip(self.stated.items(), found, strict=True):
            if given == ():
                continue
            if len(given) != len(shape):
                self._refuse(name, given)
            for letter, size in zip(shape, given, strict=True):
                if letter.isidentifier():
                    known, first = sizes.setdefault(letter, (size, name))
                    if size != known:
                        self._refuse(name, given, f"{letter} is {known} in {first}")
                else:
                    composed.append((name, given, letter, size))
        for name, given, text, size in composed:
            right = _value(text, {letter: size for letter, (size, _) in sizes.items()})
            known, first = (right, "") if right is not None else sizes.setdefault(text, (size, name))
            if size != known:
                where = f" in {first}" if first else ""
                self._refuse(name, given, "" if text.isdigit() else f"{text} is {known}{where}")

    def _refuse(self, name: str, found: tuple[int, ...], why: str = "") -> None:
        where = f" where {why}," if why else ""
        stated = _told(self.stated[name])
        raise MisfitError(f"{name} must have the shape {stated},{where} not {_told(found)} (in {self.place})")


def _value(text: str, numbers: Mapping[str, int]) -> int | None:
    """What a size such as `r+1` or `3` is; None where a letter in it is not known.

    >>> _value("r+1", {"r": 2}), _value("functions//2", {"functions": 5}), _value("T+1", {})
    (3, 2, None)
    """
    left, sign, right = re.fullmatch(r"([\w*]+)(\+|-|//|)(\w*)", text).groups()  # type: ignore[union-attr]
    parts = [int(part) if part.isdigit() else numbers.get(part) for part in (left, right or "0")]
    if None in parts:
        return None
    a, b = parts
    return {"+": a + b, "-": a - b, "//": a // max(b, 1), "": a}[sign]  # type: ignore[operator, type-var]


def _told(shape: tuple[Any, ...]) -> str:
    return f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(map(str, shape))})"
