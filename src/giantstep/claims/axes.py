"""Axes of a study, written as text: `0:8:17`, `log:0.01:100:5`, `1,2,4`, or a list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from giantstep.errors import InputError

MAX_AXIS_VALUES = 10_000


def axis_values(name: str, axis: Any) -> list[Any]:
    """The values of one axis, whichever way it was written.

    >>> axis_values("step", "0:8:5")
    [0.0, 2.0, 4.0, 6.0, 8.0]
    >>> axis_values("ridge", "log:0.01:100:5")
    [0.01, 0.1, 1.0, 10.0, 100.0]
    >>> axis_values("activation", "tanh,relu(z + 0.5)")
    ['tanh', 'relu(z + 0.5)']
    >>> axis_values("d", [128, 256])
    [128, 256]
    """
    if isinstance(axis, str):
        values = _from_text(name, axis)
    elif isinstance(axis, Iterable):
        values = [v.item() if isinstance(v, np.generic) else v for v in axis]
    else:
        values = [axis]
    if not values:
        raise InputError(f"the axis '{name}' is empty; give at least one value")
    if len(values) > MAX_AXIS_VALUES:
        raise InputError(f"the axis '{name}' has {len(values)} values; at most {MAX_AXIS_VALUES} are allowed")
    return values


def _from_text(name: str, text: str) -> list[Any]:
    logarithmic = text.startswith("log:")
    parts = text.removeprefix("log:").split(":")
    if len(parts) == 1 and not logarithmic:
        return _split_list(text)
    try:
        start, stop, count = float(parts[0]), float(parts[1]), int(parts[2])
        if len(parts) != 3 or count < 1 or not np.isfinite([start, stop]).all():
            raise ValueError
        if logarithmic and (start <= 0 or stop <= 0):
            raise ValueError
    except (ValueError, IndexError):
        raise InputError(
            f"the axis '{name}' cannot be read from '{text}'; write start:stop:count, log:start:stop:count "
            "(both ends positive) or a list such as 1,2,4"
        ) from None
    if count > MAX_AXIS_VALUES:
        raise InputError(f"the axis '{name}' has {count} values; at most {MAX_AXIS_VALUES} are allowed")
    # Rounding at the 12th digit keeps 0.1 from being stored as 0.09999999999999999.
    grid = np.geomspace(start, stop, count) if logarithmic else np.linspace(start, stop, count)
    return [float(f"{v:.12g}") for v in grid]


def _split_list(text: str) -> list[str]:
    """Split at commas that are not inside parentheses."""
    pieces: list[str] = [""]
    depth = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += character
    return [p.strip() for p in pieces if p.strip()]
