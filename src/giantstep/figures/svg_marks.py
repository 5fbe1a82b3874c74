"""The marks of an SVG in few characters: a series of one mark is an unseen line with the mark at each of its points."""

from __future__ import annotations

import math
import re
from xml.etree.ElementTree import Element

from giantstep.figures.svg_names import LINK
from giantstep.figures.svg_paths import UNITS, through
from giantstep.figures.svg_words import SVG

FEWEST = 4  # marks, below which a line takes no fewer characters
_PLACE = {LINK, "x", "y"}
# A circle as matplotlib writes it, from its lowest point: eight arcs, each by what bends it and where it ends.
_ROUND = re.compile(r"m0 ([\d.]+)c[^a-z]*z")
_ARCS = 8


def marks_along_lines(root: Element) -> None:
    """Draw groups of one mark as lines that have it at each point.

    A mark takes its colours from where it is defined, not from the line: each colour has a mark of its own.
    """
    shapes = {one.get("id", ""): one for one in root.iter(f"{SVG}path") if one.get("id")}
    for shape in shapes.values():
        if radius := _radius(shape.get("d", "")):
            shape.tag = f"{SVG}circle"
            del shape.attrib["d"]
            shape.set("r", radius)
    made: dict[tuple[str, str], Element] = {}
    for parent in list(root.iter()):
        for place, group in enumerate(list(parent)):
            name = _only_mark(group)
            if name not in shapes:
                continue
            style = _joined(group.get("style", ""), shapes[name].get("style", ""))
            mark = made.setdefault((name, style), _mark(f"mark-{len(made)}", shapes[name], style))
            points = [(float(one.get("x") or 0), float(one.get("y") or 0)) for one in group]
            line = {"d": through(points), "style": f"fill: none; marker: url(#{mark.get('id')})"}
            parent[place] = Element(f"{SVG}path", line | {k: v for k, v in group.attrib.items() if k != "style"})
    if made:
        defined = Element(f"{SVG}defs")
        defined.extend(made.values())
        root.insert(0, defined)


def _only_mark(group: Element) -> str:
    """The name of the mark that a group has at several places and nothing else; empty for anything else."""
    plain = group.tag == f"{SVG}g" and len(group) >= FEWEST and set(group.attrib) <= {"style", "clip-path"}
    if not plain or any(one.tag != f"{SVG}use" or set(one.attrib) - _PLACE for one in group):
        return ""
    links = {one.get(LINK, "") for one in group}
    return links.pop()[1:] if len(links) == 1 else ""


def _mark(name: str, shape: Element, style: str) -> Element:
    """A mark in points, whatever the width of the line, and not cut at its edges."""
    mark = Element(f"{SVG}marker", {"id": name, "markerUnits": "userSpaceOnUse", "overflow": "visible"})
    told = {key: value for key, value in shape.attrib.items() if key != "id"}
    mark.append(Element(shape.tag, told | ({"style": style} if style else {})))
    return mark


def _radius(outline: str) -> str:
    """The radius of an outline around (0, 0) that is a circle; empty for any other."""
    found = _ROUND.fullmatch(outline)
    ways = [float(number) for number in re.findall(r"-?(?:\d*\.)?\d+", outline)][2:] if found else []
    if found is None or len(ways) != 6 * _ARCS:
        return ""
    x, y, far = 0.0, float(found[1]), []
    for arc in range(_ARCS):
        x, y = x + ways[6 * arc + 4], y + ways[6 * arc + 5]
        far.append(math.hypot(x, y))
    return found[1] if max(far) - min(far) < 0.02 * UNITS else ""


def _joined(*styles: str) -> str:
    """Several styles as one; of what is said twice the last holds."""
    rules: dict[str, str] = {}
    for rule in filter(str.strip, ";".join(styles).split(";")):
        name, _, value = rule.partition(":")
        rules[name.strip()] = value.strip()
    return "; ".join(f"{name}: {value}" for name, value in rules.items())
