"""What all panels need: places on an axis, and the words on axes and branches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from giantstep.claims import Axis, Claim, View, extra
from giantstep.figures import CurvePicture, HeatMapPicture, SpectrumPicture, TrajectoryPicture, as_mathtext
from giantstep.verdicts import Cell

Plot: TypeAlias = CurvePicture | SpectrumPicture | HeatMapPicture | TrajectoryPicture  # what stands in one panel
Line: TypeAlias = tuple[list[float], list[float]]  # places and values

_BREAKS_OFF = re.compile(r"\b(?:a|and|as|at|by|for|from|in|of|or|the|to|with)$")  # what followed was a formula
LONGEST = 48  # letters of the words in a legend
ABBREVIATIONS = {
    "ck": "conjugate kernel",
    "clt": "central limit",
    "cos": "cosine",
    "gd": "gradient descent",
    "nn": "network",
    "ntk": "tangent kernel",
    "pca": "principal component",
    "rf": "random features",
    "sv": "singular vector",
    "t": "time",
}


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


def spelled(name: str) -> str:
    """The `name` of a quantity or parameter as words: `risk_ntk` is "risk tangent kernel"."""
    return " ".join(ABBREVIATIONS.get(part, part) for part in name.split("_"))


def quantity_words(claim: Claim, name: str) -> str:
    """What a quantity is, in the first few words that the claim has for it; its name spelled out, where it has none."""
    told = next((q.help for q in claim.stated() if q.name == name and q.help), "")
    words = re.split(r"[;:,]| \(", told)[0].strip()
    is_plain = not re.search(r"[_^<>|*=()]", words) and not words.startswith("the same")
    is_whole = 0 < len(words) <= LONGEST and not _BREAKS_OFF.search(words)
    return words if is_plain and is_whole else spelled(name)


def label(claim: Claim, name: str) -> str:
    """A parameter's or quantity's name in words with its symbol, for an axis."""
    fields = type(claim).model_fields
    if name in fields:
        symbol, words = extra(fields[name])["symbol"], spelled(name)
    else:
        symbol = next((q.symbol for q in claim.stated() if q.name == name and q.symbol), "")
        words = as_mathtext(quantity_words(claim, name))
    if symbol == words:
        return f"${symbol}$"
    return f"{words} ${symbol}$" if symbol else words


def panel_title(claim: Claim, view: View, names: Sequence[str], every: Sequence[str]) -> str:
    """The title of a panel with some of a view's quantities: it names them where other panels show the others."""
    kinds = {name.split("_")[0] for name in names}
    if not view.title and len(names) > 2 and len(kinds) == 1:  # the legend names each
        return spelled(kinds.pop())
    words = ", ".join(quantity_words(claim, name) for name in names)
    if not view.title:
        return words
    return view.title if len(names) == len(every) else f"{view.title}: {words}"


def shared_label(claim: Claim, names: Sequence[str]) -> str:
    """The label of an axis that several quantities share: the word that their names begin with, or all of them."""
    if len(names) == 1:
        return label(claim, names[0])
    first = {name.split("_")[0] for name in names}
    return spelled(first.pop()) if len(first) == 1 else ", ".join(spelled(name) for name in names)


def branch_name(by: str, value: object) -> str:
    """What a branch is called: `d = 100`."""
    power = len(str(value)) - 1
    if isinstance(value, int) and power > 4 and value == 10**power:
        value = f"$10^{{{power}}}$"  # nobody counts zeros
    return f"{by.replace('_', ' ')} = {value}" if by else ""
