"""The outlines of an SVG in few characters: each point by its way from the one before, to a tenth of a point.

A picture has ten units a point, so that tenths are whole numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

UNITS = 10  # of a picture a point
UNSEEN = 0.1  # points between a line and the chord that replaces it
_COMMAND = re.compile(r"([MLQCHVZz])([^A-Za-z]*)")

Piece = tuple[str, list[float]]  # a command and its absolute coordinates


def pieces(outline: str) -> Iterator[Piece]:
    """The commands of an `outline` as matplotlib writes it: absolute, one after the other."""
    for command, numbers in _COMMAND.findall(outline):
        yield command, [float(number) for number in numbers.split()]


def box(outline: str) -> tuple[float, float, float, float] | None:
    """The least and largest x and y of an `outline`, those of the points that bend it included; None if it has none."""
    numbers = [number for _, coordinates in pieces(outline) for number in coordinates]
    if not numbers:
        return None
    return min(numbers[::2]), max(numbers[::2]), min(numbers[1::2]), max(numbers[1::2])


def tight(outline: str, digits: int = 1) -> str:
    """The same outline with each point told by its way from the one before.

    Every place is rounded and ways are taken between rounded places, so that errors do not add up.

    >>> tight("M 57.601 237.04 L 57.601 57.04 L 60 50.26 z")
    'm576 2370v-1800l24-67z'

    Args:
        outline: as matplotlib writes it, in points.
        digits: behind the decimal point, of a length in points.
    """
    fine = 10**digits
    unit = fine // UNITS
    drawn = thinned(list(pieces(outline)))
    here = begun = (0, 0)
    told: list[str] = []
    for command, numbers in drawn:
        if command in "Zz":
            told.append("z")
            here = begun
            continue
        places = [(round(fine * x), round(fine * y)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        ways = [(a - here[0], b - here[1]) for a, b in places]
        if command == "L" and not (ways[0][0] and ways[0][1]):
            if ways[0] != (0, 0):
                told.append(f"v{_told(ways[0][1], unit)}" if not ways[0][0] else f"h{_told(ways[0][0], unit)}")
        else:
            told.append(command.lower() + _row([part for way in ways for part in way], unit))
        here = places[-1]
        begun = here if command == "M" else begun
    return _joined(told)


def through(places: Sequence[tuple[float, float]]) -> str:
    """A line through all `places`, of which none is left out, to a unit.

    >>> through([(10, 20), (15.2, 10), (100, 10)])
    'm10 20 5-10 85 0'
    """
    rounded = [(round(x), round(y)) for x, y in places]
    ways = [rounded[0], *((b[0] - a[0], b[1] - a[1]) for a, b in pairwise(rounded))]
    return "m" + _row([part for way in ways for part in way], 1)


def thinned(drawn: list[Piece]) -> list[Piece]:
    """The same outline without the points that lie on the way from one to another, to less than an eye sees."""
    kept: list[Piece] = []
    run: list[Piece] = []
    for piece in [*drawn, ("", [])]:
        if piece[0] == "L" or (piece[0] == "M" and not run):
            run.append(piece)
            continue
        kept += _needed(run)
        run = [piece] if piece[0] == "M" else []
        kept += [piece] if piece[0] not in ("", "M") else []
    return kept


def _needed(run: list[Piece]) -> list[Piece]:
    """Of straight pieces those that no chord replaces: the farthest point from one stays, and so on in both halves."""
    if len(run) < 3:
        return run
    x, y = (np.array([piece[1][i] for piece in run]) for i in (0, 1))
    stays = np.zeros(len(run), dtype=bool)
    stays[[0, -1]] = True
    todo = [(0, len(run) - 1)]
    while todo:
        first, last = todo.pop()
        if last - first < 2:
            continue
        dx, dy = x[last] - x[first], y[last] - y[first]
        away = (x[first + 1 : last] - x[first], y[first + 1 : last] - y[first])
        length = float(np.hypot(dx, dy))
        along = np.clip((away[0] * dx + away[1] * dy) / length**2, 0, 1) if length else 0.0
        distance = np.hypot(away[0] - along * dx, away[1] - along * dy)
        farthest = int(np.argmax(distance))
        if distance[farthest] > UNSEEN:
            middle = first + 1 + farthest
            stays[middle] = True
            todo += [(first, middle), (middle, last)]
    return [piece for piece, stay in zip(run, stays, strict=True) if stay]


def _told(number: int, unit: int) -> str:
    """A whole number of units as a decimal without what goes without saying.

    >>> _told(-5, 10), _told(120, 10), _told(123, 10)
    ('-.5', '12', '12.3')
    """
    shown = f"{number / unit:.6f}".rstrip("0").rstrip(".")
    return shown.replace("0.", ".", 1) if shown.startswith(("0.", "-0.")) else shown


def _row(numbers: list[int], unit: int) -> str:
    told = ""
    for number in numbers:
        word = _told(number, unit)
        told += word if not told or word.startswith("-") else f" {word}"
    return told


def _joined(told: list[str]) -> str:
    """The commands without letters that repeat the one before."""
    parts: list[str] = []
    before = ""
    for one in told:
        repeats = one[0] == before and before in "lqc"
        parts.append((one[1:] if one[1] == "-" else f" {one[1:]}") if repeats else one)
        before = one[0]
    return "".join(parts)
