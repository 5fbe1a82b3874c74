"""The words of an SVG as words: whole runs of letters in place of letters one by one.

matplotlib writes every letter of a label with mathematics as an element of its own, with its place and its font. Here
letters that follow each other become one run, which can be searched and read aloud. A run says how wide it was laid
out: where the font is missing, another one is squeezed into the same place instead of covering what follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from xml.etree.ElementTree import Element

from giantstep.figures.text import width

SVG = "{http://www.w3.org/2000/svg}"
_TOUCHING = 0.05  # of the letters' size: a gap that no word has inside
_SPACE = (0.15, 0.45)  # of the letters' size: the gap of one space
_MOVED = re.compile(r"translate\(([-\d.]+) ([-\d.]+)\)(?: rotate\(-?0\))?")
_LONG = 11  # letters of a label that stands by itself
_SHORT = 3  # letters, which no other font makes much wider


@dataclass
class _Run:
    """Letters of one look on one line, with the spaces between them: where they begin and end."""

    x: float
    y: float
    style: str
    letters: str
    end: float


def say_words(text: Element, group: Element) -> None:
    """Write the words of a `text` element as few runs, each as wide as it was laid out.

    Where its `group` does nothing but move it, the runs say where they stand.
    """
    letters = list(text)
    if not letters:
        style = text.get("style", "")
        _fit(text, text.text or "", 72 * width(text.text or "", *size_and_weight(style), is_plain=True))
        return
    runs: list[_Run] = []
    for one in sorted(letters, key=lambda one: _number(one, "x")):  # in the order of reading
        style, letter = one.get("style", ""), one.text or ""
        x, y, (size, weight) = _number(one, "x"), _number(one, "y"), size_and_weight(style)
        end = x + 72 * width(letter, size, weight, is_plain=True)
        if not letter.strip():
            continue
        before = runs[-1] if runs else None
        if before is None or (before.y, before.style) != (y, style) or not _follows(before.end, x, size):
            runs.append(_Run(x, y, style, letter, end))
        else:
            before.letters += letter if x - before.end < _TOUCHING * size else f" {letter}"
            before.end = end
    for one in letters:
        text.remove(one)
    found = _MOVED.fullmatch(group.get("transform", ""))
    if found and len(group) == 1:
        del group.attrib["transform"]
        group.attrib.pop("style", None)  # a colour, which the runs say too
        for run in runs:
            run.x, run.y, run.end = run.x + float(found[1]), run.y + float(found[2]), run.end + float(found[1])
        if len(runs) == 1:
            text.attrib |= {"x": f"{runs[0].x:.2f}", "y": f"{runs[0].y:.2f}", "style": runs[0].style}
            text.text = runs[0].letters
            _fit(text, runs[0].letters, runs[0].end - runs[0].x)
            return
    if len(group) == 1:
        group.attrib.pop("style", None)
    _write_runs(text, runs)


def _write_runs(text: Element, runs: Sequence[_Run]) -> None:
    """Write runs into a `text`: what the first one says of its place and look holds until another says otherwise."""
    own, line = runs[0].style if runs else "", ""
    text.set("style", own)
    for run in runs:
        if run is runs[0] and len(run.letters) <= _SHORT:
            text.attrib |= {"x": f"{run.x:.2f}", "y": f"{run.y:.2f}"}
            text.text, line = f"{run.letters} ", text.get("y", "")
            continue
        added = Element(f"{SVG}tspan", {"x": f"{run.x:.2f}", "y": f"{run.y:.2f}", "style": run.style})
        if run.style == own:
            del added.attrib["style"]
        if added.get("y") == line:  # where the letters before it stand already
            del added.attrib["y"]
        line = added.get("y", line)
        added.text = run.letters
        added.tail = (
            None if run is runs[-1] else " "
        )  # which stands nowhere, and parts the words for those who hear them
        _fit(added, run.letters, run.end - run.x)
        text.append(added)


def _follows(end: float, begin: float, size: float) -> bool:
    gap = (begin - end) / size
    return abs(gap) < _TOUCHING or _SPACE[0] < gap < _SPACE[1]


def _number(letter: Element, name: str) -> float:
    return float(letter.get(name) or 0)


def _fit(element: Element, letters: str, points: float) -> None:
    """A run beside others must not be wider than it was laid out, nor a long label than its plot."""
    if len(letters) > (_SHORT if element.tag == f"{SVG}tspan" else _LONG):
        element.set("textLength", f"{points:.1f}")


def in_rows(parts: Sequence[Element]) -> list[Element]:
    """The parts of an axis, whose labels of one look that stand on one line, or one below the other, are a group.

    Args:
        parts: in their order; what is no label stays as it is.
    """
    found: list[Element] = []
    for style, run in groupby(parts, _look_of_label):
        labels = list(run)
        shared = [name for name in "xy" if style and len({one.get(name) for one in labels}) == 1]
        if len(labels) < 3 or len(shared) != 1:
            found += labels
            continue
        place = labels[0].get(shared[0], "")
        moved = f"translate({place})" if shared == ["x"] else f"translate(0 {place})"
        row = Element(f"{SVG}g", {"transform": moved, "style": style})
        for one in labels:
            del one.attrib[shared[0]], one.attrib["style"]
            row.append(one)
        found.append(row)
    return found


def _look_of_label(part: Element) -> str:
    """The style of a label that says no more than its place and its look; empty for anything else."""
    is_plain = part.tag == f"{SVG}text" and not len(part) and set(part.attrib) == {"x", "y", "style"}
    return part.get("style", "") if is_plain else ""  # runs of a label say where they stand themselves


def size_and_weight(style: str) -> tuple[float, str]:
    """The size in points and the weight of the letters of a `style`."""
    size, weight = re.search(r"font-size: ([\d.]+)px", style), re.search(r"font-weight: (\w+)", style)
    return (float(size[1]) if size else 10.0), {"700": "bold"}.get(weight[1], weight[1]) if weight else "normal"
