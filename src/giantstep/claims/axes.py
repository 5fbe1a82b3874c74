"""Axes of a study, written as text: `0:8:17`, `log:0.01:100:5`, `1,2,4`, or a list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, Self, TypeAlias

import numpy as np

from giantstep.errors import InputError

MAX_AXIS_VALUES = 10_000

Scale: TypeAlias = Literal["linear", "log", "list"]


@dataclass(frozen=True, repr=False)
class Axis:
    """One axis of a study.

    Args:
        name: the parameter.
        values: its values in order.
        scale: `linear` or `log` for a range written as one, `list` for values written one by one.
        written: the text it was given as, empty for a list.

    >>> Axis.read("ridge", "log:0.01:100:5")
    Axis(ridge=log:0.01:100:5: 5 values)
    """

    name: str
    values: tuple[Any, ...]
    scale: Scale = "list"
    written: str = ""

    @classmethod
    def read(cls, name: str, axis: Any) -> Self:
        """The axis of a parameter `name`, whichever way it was written: text, a list or a single value.

        >>> Axis.read("step", "0:8:5").values
        (0.0, 2.0, 4.0, 6.0, 8.0)
        >>> Axis.read("activation", "tanh,relu(z + 0.5)").values
        ('tanh', 'relu(z + 0.5)')
        >>> Axis.read("d", [128, 256]).values
        (128, 256)
        """
        scale: Scale = "list"
        if isinstance(axis, cls):
            return axis
        if isinstance(axis, str) and ":" in axis:
            scale = "log" if axis.startswith("log:") else "linear"
            values: tuple[Any, ...] = _range(name, axis, scale)
        elif isinstance(axis, str):
            values = _split_list(axis)
        elif isinstance(axis, Iterable):
            values = tuple(v.item() if isinstance(v, np.generic) else v for v in axis)
        else:
            values = (axis,)
        if not values:
            raise InputError(f"the axis '{name}' is empty; give at least one value")
        _refuse_many(name, len(values))
        return cls(name, values, scale, axis if isinstance(axis, str) else "")

    def whole(self) -> Self:
        """The axis of a parameter of whole numbers: a range, of which the user names the ends only, is rounded to them.

        >>> Axis.read("d", "log:100:1000:4").whole().values
        (100, 215, 464, 1000)
        """
        if self.scale == "list":
            return self
        return replace(self, values=tuple(dict.fromkeys(round(value) for value in self.values)))

    def kept(self) -> str | list[Any]:
        """The axis as a study writes it down: the text that was given, or plain values."""
        return self.written or [v if isinstance(v, int | float | str | bool) else str(v) for v in self.values]

    def __repr__(self) -> str:
        text = self.written or ",".join(str(v) for v in self.values)
        return f"Axis({self.name}={text}: {len(self.values)} value{'s' if len(self.values) > 1 else ''})"


def _range(name: str, text: str, scale: Scale) -> tuple[float, ...]:
    parts = text.removeprefix("log:").split(":")
    try:
        start, stop, count = float(parts[0]), float(parts[1]), int(parts[2])
        if len(parts) != 3 or count < 1 or not np.isfinite([start, stop]).all():
            raise ValueError
        if scale == "log" and (start <= 0 or stop <= 0):
            raise ValueError
    except (ValueError, IndexError):
        raise InputError(
            f"the axis '{name}' cannot be read from '{text}'; write start:stop:count, log:start:stop:count "
            "(both ends positive) or a list such as 1,2,4"
        ) from None
    _refuse_many(name, count)
    # Rounding at the 12th digit keeps 0.1 from being stored as 0.09999999999999999.
    grid = np.geomspace(start, stop, count) if scale == "log" else np.linspace(start, stop, count)
    return tuple(float(f"{v:.12g}") for v in grid)


def _split_list(text: str) -> tuple[str, ...]:
    """Split at commas that are not inside parentheses."""
    pieces: list[str] = [""]
    depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += character
    return tuple(p.strip() for p in pieces if p.strip())


def _refuse_many(name: str, count: int) -> None:
    if count > MAX_AXIS_VALUES:
        raise InputError(f"the axis '{name}' has {count} values; at most {MAX_AXIS_VALUES} are allowed")
