"""The outlines of an SVG in few characters: each point by its way from the one before, to a tenth of a point."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
    'm57.6 237v-180l2.4-6.7z'

    Args:
        outline: as matplotlib writes it.
        digits: behind the decimal point, of a length in points.
    """
    unit = 10**digits
    here = begun = (0, 0)
    told: list[str] = []
    for command, numbers in pieces(outline):
        if command in "Zz":
            told.append("z")
            here = begun
            continue
        places = [(round(unit * x), round(unit * y)) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        ways = [(a - here[0], b - here[1]) for a, b in places]
        if command == "L" and not (ways[0][0] and ways[0][1]):
            if ways[0] != (0, 0):
                told.append(f"v{_told(ways[0][1], unit)}" if not ways[0][0] else f"h{_told(ways[0][0], unit)}")
        else:
            told.append(command.lower() + _row([part for way in ways for part in way], unit))
        here = places[-1]
        begun = here if command == "M" else begun
    return _joined(told)


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
