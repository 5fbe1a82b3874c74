"""What all panels need: which cells belong to a point, and the words on axes and branches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from giantstep.claims import Claim, extra
from giantstep.figures import CurvePicture, HeatMapPicture, SpectrumPicture, TrajectoryPicture
from giantstep.verdicts import Cell

Plot: TypeAlias = CurvePicture | SpectrumPicture | HeatMapPicture | TrajectoryPicture  # what stands in one panel
Line: TypeAlias = tuple[list[float], list[float]]  # places and values


def is_at(cell: Cell, point: Claim, free: Sequence[str]) -> bool:
    return cell.point.key(without=free) == point.key(without=free)


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
    power = len(str(value)) - 1
    if isinstance(value, int) and power > 4 and value == 10**power:
        value = f"$10^{{{power}}}$"  # nobody counts zeros
    return f"{by.replace('_', ' ')} = {value}" if by else ""
