"""What all panels need: places on an axis, and the words on axes and branches."""

from __future__ import annotations

from typing import TypeAlias

from giantstep.claims import Axis, Claim, extra
from giantstep.figures import CurvePicture, HeatMapPicture, SpectrumPicture, TrajectoryPicture
from giantstep.verdicts import Cell

Plot: TypeAlias = CurvePicture | SpectrumPicture | HeatMapPicture | TrajectoryPicture  # what stands in one panel
Line: TypeAlias = tuple[list[float], list[float]]  # places and values


def place_of(cell: Cell, name: str) -> float | None:
    """Where a cell stands on the axis of a parameter; None where that is no number."""
    value = getattr(cell.point, name)
    return float(value) if isinstance(value, int | float) else None


def axis_places(axis: Axis) -> list[float]:
    """The places on an axis in rising order, each once; none if they are no numbers, as those of an activation."""
    try:
        return sorted({float(value) for value in axis.values})
    except (TypeError, ValueError):
        return []


def label(claim: Claim, name: str) -> str:
    """A parameter's or quantity's name with its symbol, for an axis."""
    fields = type(claim).model_fields
    if name in fields:
        symbol = extra(fields[name])["symbol"]
    else:
        symbol = next((q.symbol for q in claim.stated() if q.name == name), "")
    words = name.replace("_", " ")
    if symbol == words:
        return f"${symbol}$"
    return f"{words} ${symbol}$" if symbol else words


def branch_name(by: str, value: object) -> str:
    """What a branch is called: `d = 100`."""
    power = len(str(value)) - 1
    if isinstance(value, int) and power > 4 and value == 10**power:
        value = f"$10^{{{power}}}$"  # nobody counts zeros
    return f"{by.replace('_', ' ')} = {value}" if by else ""
