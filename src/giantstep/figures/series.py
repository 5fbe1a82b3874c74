"""One row of numbers in a picture, and the checks that all descriptions of pictures share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from giantstep.arrays import Array
from giantstep.errors import InputError

SeriesKind = Literal["theory", "simulation", "reference", "bound"]
Side = Literal["above", "below"]


def numbers(values: ArrayLike, name: str, dimensions: int = 1) -> Array:
    """A read-only float64 copy of what was given, or one sentence that says why it cannot be drawn."""
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be real numbers in an array of {dimensions} dimension(s)") from None
    if array.ndim != dimensions:
        raise InputError(f"{name} must be an array of {dimensions} dimension(s), not {array.ndim}")
    if array.size == 0:
        raise InputError(f"{name} is empty: give at least one number")
    array.flags.writeable = False
    return array


def paired(x: ArrayLike, y: ArrayLike, what: str, names: tuple[str, str] = ("x", "y")) -> tuple[Array, Array]:
    first, second = numbers(x, f"{names[0]} of {what}"), numbers(y, f"{names[1]} of {what}")
    if first.shape != second.shape:
        raise InputError(
            f"{what} has {first.size} values of {names[0]} and {second.size} of {names[1]}: give equally many"
        )
    return first, second


def one_of(value: object, allowed: object, name: str) -> None:
    choices = get_args(allowed)
    if value not in choices:
        raise InputError(f"{name} is {value!r}; allowed are {', '.join(choices)}")


@dataclass(frozen=True, eq=False)
class Series:
    """One row of numbers in a curve picture.

    Args:
        label: its entry in the legend; series with one label share it, an empty label has none.
        x, y: places and values, both of one shape (K,), in the units of the picture's labels; NaN is a gap.
        error: standard errors, shape (K,); they turn a line into a line with a band. Of a theory or a bound it is what
            is allowed, around the line or on the forbidden side.
        kind: `theory` is a line, `simulation` marks with standard-error bars, `reference` a thin dashed line, `bound`
            a red dashed limit.
        group: series of one group share a colour; without groups the k-th theory and the k-th simulation share one.
        forbidden: the side of a bound that is shaded, `above` or `below`.
    """

    label: str
    x: ArrayLike
    y: ArrayLike
    error: ArrayLike | None = None
    kind: SeriesKind = "theory"
    group: str | None = None
    forbidden: Side | None = None

    def __post_init__(self) -> None:
        one_of(self.kind, SeriesKind, "the kind of a series")
        if self.forbidden is not None:
            one_of(self.forbidden, Side, "the forbidden side of a bound")
        x, y = paired(self.x, self.y, f"series {self.label!r}")
        object.__setattr__(self, "x", x)
        object.__setattr__(self, "y", y)
        if self.error is not None:
            _, error = paired(y, self.error, f"series {self.label!r}", ("y", "error"))
            if np.any(error < 0):
                raise InputError(f"series {self.label!r} has a negative error: standard errors are zero or more")
            object.__setattr__(self, "error", error)

    def columns(self, log_x: bool = False, log_y: bool = False) -> tuple[Array, Array, Array | None]:
        """(x, y, error) with NaN wherever the axes cannot show the point."""
        x = np.asarray(self.x, dtype=np.float64)
        y = np.asarray(self.y, dtype=np.float64)
        shown = np.isfinite(x) & np.isfinite(y)
        if log_x:
            shown &= x > 0
        if log_y:
            shown &= y > 0
        error = None if self.error is None else np.nan_to_num(np.asarray(self.error, dtype=np.float64), posinf=0.0)
        return x, np.where(shown, y, np.nan), error

    def on_paper(self, log_x: bool = False, log_y: bool = False) -> tuple[Array, Array]:
        """(x, y) as axes show them, logarithms where these are logarithmic; NaN where they have no place for it."""
        x, y, _ = self.columns(log_x, log_y)
        x = np.where(np.isfinite(y), x, np.nan)
        return (np.log(x) if log_x else x), (np.log(y) if log_y else y)


def group_numbers(series: Sequence[Series]) -> list[int | None]:
    """For each of several series the number of its colour among the groups; None where its kind has its own colour.

    A group has a number if a theory or a simulation belongs to it; where there is one group alone, none has.
    """
    counts: dict[str, int] = {}
    keys: list[str] = []
    for one in series:
        rank = counts[one.kind] = counts.get(one.kind, -1) + 1
        keys.append(one.group if one.group is not None else f"\0{rank}")
    coloured = [key for key, one in zip(keys, series, strict=True) if one.kind in ("theory", "simulation")]
    order = {key: number for number, key in enumerate(dict.fromkeys(coloured))}
    return [order.get(key) if len(order) > 1 else None for key in keys]
