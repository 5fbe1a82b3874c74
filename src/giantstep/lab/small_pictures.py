"""Small pictures of theory, one for each claim: the cards of the front page show them without computing anything.

`make docs` draws those that are missing, and those of claims whose version has risen, into `cards/<folder>.json`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "cards"
MOST_PLACES = 120  # along a line: the picture is 240 pixels wide
DIGITS = 4
# What a card shows of each kind of panel; words, captions and error bars stay behind.
KEPT = {
    "curve": ("series", "log_x", "log_y", "vertical_lines"),
    "spectrum": ("density", "spikes"),
    "heat map": ("x", "y", "values", "boundary", "log_x", "log_y"),
    "trajectory": ("paths",),
    "staircase": ("parts",),
}
LINES = ("label", "kind", "color", "x", "y")


@cache
def small_pictures() -> dict[str, Any]:
    """By the name of a claim, what `card_of` made of it."""
    found: dict[str, Any] = {}
    for file in sorted(FOLDER.glob("*.json")):
        found.update(json.loads(file.read_text(encoding="utf-8")))
    return found


def card_of(version: int, corrected: bool, panel: Mapping[str, Any] | None) -> dict[str, Any]:
    """What is kept of a claim.

    Args:
        version: of the claim; a picture of an older one is drawn again.
        corrected: whether the source's statement had to be corrected.
        panel: the first panel of theory at the claim's own point, as plain data; None if theory has none.
    """
    return {"version": version, "corrected": corrected, "panel": None if panel is None else _small(panel)}


def cards_text(cards: Mapping[str, Any]) -> str:
    """The file of some claims: a line for each, so that a change is seen."""
    lines = (f"{json.dumps(name)}: {json.dumps(card, separators=(',', ':'))}" for name, card in sorted(cards.items()))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _small(panel: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: _rounded(panel[key]) for key in KEPT[panel["type"]] if panel.get(key)}
    for lines in ("series", "paths"):
        if lines in kept:
            kept[lines] = [_thinned({key: one[key] for key in LINES if key in one}) for one in kept[lines]]
    if "density" in kept:
        kept["density"] = _thinned(kept["density"])
    return {"type": panel["type"], **kept}


def _thinned(line: dict[str, Any]) -> dict[str, Any]:
    """A line with fewer places where it has many; its last one stays."""
    every = math.ceil(len(line["x"]) / MOST_PLACES)
    return {key: _every(value, every) if key in ("x", "y") else value for key, value in line.items()}


def _every(values: Sequence[Any], every: int) -> list[Any]:
    return [*values[:-1:every], *values[-1:]]


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _rounded(one) for key, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list | tuple) else value
