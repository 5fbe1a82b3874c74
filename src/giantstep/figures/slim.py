"""SVG as small as it can be said: words as words, styles and fonts once, lines of a kind as one, no unseen digit.

matplotlib writes a style wherever it is used, every grid line, tick and error bar as an element in groups of its own,
and letters one by one. The same picture takes a fifth of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from giantstep.figures.svg_marks import marks_along_lines
from giantstep.figures.svg_names import LINK, URL, as_text, drop
from giantstep.figures.svg_paths import UNITS, box, pieces, tight
from giantstep.figures.svg_words import SVG, in_rows, say_words

# Script and hollow capitals stand at private places of a font that few machines have; Unicode has its own for them.
_SCRIPT = {0xE22D + number: letter for number, letter in enumerate("𝒜ℬ𝒞𝒟ℰℱ𝒢ℋℐ𝒥𝒦ℒℳ𝒩𝒪𝒫𝒬ℛ𝒮𝒯𝒰𝒱𝒲𝒳𝒴𝒵")}
_HOLLOW = {0xE154 + number: letter for number, letter in enumerate("𝔸𝔹𝔼𝔽𝔾𝕀𝕁𝕂𝕃𝕄𝕆𝕊𝕋𝕌𝕍𝕎𝕏𝕐")}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_DECIMAL = re.compile(r"\d+\.\d+")
_LENGTHS = ("x", "y", "width", "height", "r", "textLength")
_MOVE = re.compile(r"(\w+)\(([^)]*)\)")
_TURNS = {"rotate": 1, "scale": 2, "matrix": 4}  # numbers of a transform that come before its lengths
_NO_TURN = re.compile(r"\s*rotate\(-?0(?: [^)]*)?\)")
_Box = tuple[float, float, float, float]
_NEAR = 8.0  # points around a mark that belong to it


def slim(svg: str, panel: _Box | None = None) -> str:
    """The same drawing in fewer characters.

    Args:
        svg: as matplotlib writes it.
        panel: left, top, width and height of the part around the first plot that is wanted alone; all of it if None.
    """
    root = ElementTree.fromstring(svg.translate(_SCRIPT | _HOLLOW))
    if panel is not None:
        _cut(root, panel)
    drop(root, "metadata")
    clips = {one.get("id", ""): _rectangle(one) for one in root.iter(f"{SVG}clipPath")}
    for parent in list(root.iter(f"{SVG}g")):
        for text in [one for one in parent if one.tag == f"{SVG}text"]:
            say_words(text, parent)
    _unclip(root, clips)
    for one in root.iter():
        if turned := one.attrib.pop("transform", ""):
            one.attrib |= {"transform": moved} if (moved := _NO_TURN.sub("", turned).strip()) else {}
    _simplify(root, {one.get("id", ""): one for one in root.iter(f"{SVG}path") if one.get("id")})
    _write_outlines(root)
    marks_along_lines(root)
    return as_text(root, alone=panel is not None)


def _cut(root: Element, panel: _Box) -> None:
    """Leave the first plot alone, and the page around it."""
    whole = next(one for one in root.iter(f"{SVG}g") if one.get("id") == "figure_1")
    for part in list(whole)[1:]:  # the first one is the ground
        if part.get("id") != "axes_1":
            whole.remove(part)
    left, top, width, height = (f"{number:.1f}" for number in panel)
    root.set("viewBox", f"{left} {top} {width} {height}")
    root.set("width", f"{width}pt")
    root.set("height", f"{height}pt")


def _rectangle(clip: Element) -> _Box | None:
    """Least and largest x and y of what a clip leaves; None if that is no rectangle."""
    part = clip[0] if len(clip) else None
    if part is None or part.tag != f"{SVG}rect":
        return None
    x, y, width, height = (float(part.get(name) or 0) for name in ("x", "y", "width", "height"))
    return x, x + width, y, y + height


def _unclip(root: Element, clips: dict[str, _Box | None]) -> None:
    """No clip around what lies inside of it; then no clip that nothing needs."""
    for one in root.iter():
        inside = clips.get(_reference(one.get("clip-path", "")))
        if inside is None:
            continue
        around = _extent(one)
        if around and _within(around, inside):
            del one.attrib["clip-path"]
    used = {_reference(one.get("clip-path", "")) for one in root.iter()}
    for parent in list(root.iter()):
        for child in [one for one in parent if one.tag == f"{SVG}clipPath" and one.get("id") not in used]:
            parent.remove(child)


def _within(part: _Box, whole: _Box) -> bool:
    """Whether a box lies in another, up to half a point, the width of a line."""
    beyond = (whole[0] - part[0], part[1] - whole[1], whole[2] - part[2], part[3] - whole[3])
    return max(beyond) <= 0.5


def _reference(words: str) -> str:
    found = URL.fullmatch(words)
    return found[1] if found else ""


def _extent(one: Element) -> _Box | None:
    """Least and largest x and y of an outline, or of marks with some room around them; None for anything else."""
    if one.tag == f"{SVG}path" and "transform" not in one.attrib:
        return box(one.get("d", ""))
    if one.tag == f"{SVG}g" and len(one) and all(part.tag == f"{SVG}use" for part in one):
        xs, ys = ([float(part.get(name) or 0) for part in one] for name in "xy")
        return min(xs) - _NEAR, max(xs) + _NEAR, min(ys) - _NEAR, max(ys) + _NEAR
    return None


def _simplify(element: Element, shapes: Mapping[str, Element]) -> None:
    """No group that says nothing; what all its parts say is said by the group; ticks and lines of a kind are one.

    Ticks are drawn at their places from their `shapes`, which the first axis of all defines.
    """
    is_axis = element.get("id", "").startswith("matplotlib.axis")
    kept: list[Element] = []
    for child in list(element):
        _simplify(child, shapes)
        if child.tag == f"{SVG}g":
            child.attrib.pop("id", None)
            _hoist(child)
            if not child.attrib:
                kept += list(child)
                continue
            if len(child) == 1 and _folds(child, child[0]):
                child[0].attrib = {**child.attrib, **child[0].attrib}
                kept.append(child[0])
                continue
        if child.tag in (f"{SVG}g", f"{SVG}defs") and not len(child):
            continue
        kept.append(child)
    for child in list(element):
        element.remove(child)
    element.extend(_merged(in_rows(_ticks_drawn(kept, shapes)) if is_axis else kept))


def _folds(group: Element, child: Element) -> bool:
    """Whether a group may be left out and its only child say what it says."""
    if child.tag == f"{SVG}text":
        return set(group.attrib) <= {"style", "transform"} and not set(child.attrib) & {*group.attrib, "transform"}
    return not set(group.attrib) & {*child.attrib, "transform"} and child.tag != f"{SVG}use"


def _hoist(group: Element) -> None:
    """A style that all marks of a group have becomes that of the group."""
    styles = {part.get("style", "") for part in group}
    if len(group) > 1 and len(styles) == 1 and "style" not in group.attrib and all(p.tag == f"{SVG}use" for p in group):
        group.set("style", styles.pop())
        for part in group:
            part.attrib.pop("style", None)


def _ticks_drawn(parts: Sequence[Element], shapes: Mapping[str, Element]) -> list[Element]:
    """The parts of an axis with ticks as lines: grid first, then ticks, then words, which do not cover each other."""
    found: list[Element] = []
    for part in parts:
        shape = shapes.get(part.get(LINK, "")[1:])
        drawn = None if shape is None else _moved(shape.get("d", ""), *(float(part.get(name) or 0) for name in "xy"))
        if part.tag == f"{SVG}use" and drawn:
            style = re.sub(r"fill: [^;]*", "fill: none", part.get("style", ""))
            found.append(Element(f"{SVG}path", {"d": drawn, "style": style}))
        else:
            found.append(part)
    lines = sorted((one for one in found if one.tag == f"{SVG}path"), key=lambda one: one.get("style", ""))
    return [*lines, *(one for one in found if one.tag != f"{SVG}path")]


def _moved(outline: str, x: float, y: float) -> str:
    """A straight line, such as a tick, at its place; empty for any other outline."""
    found = list(pieces(outline))
    if [command for command, _ in found] != ["M", "L"]:
        return ""
    return " ".join(f"{command} {a + x:.2f} {b + y:.2f}" for command, (a, b) in found)


def _merged(parts: Sequence[Element]) -> Iterator[Element]:
    """Lines of one style that follow each other as one outline; what can be seen through stays apart."""
    before: Element | None = None
    for part in parts:
        style = part.get("style", "")
        plain = part.tag == f"{SVG}path" and set(part.attrib) <= {"d", "style", "clip-path"} and "fill: none" in style
        if not plain or "opacity" in style:
            before = None
            yield part
        elif before is not None and (before.get("style"), before.get("clip-path")) == (style, part.get("clip-path")):
            before.set("d", f"{before.get('d')} {part.get('d')}")
        else:
            before = part
            yield part


def _write_outlines(root: Element) -> None:
    """Every length in units of the picture, to a tenth of a point where it stands, to a hundredth in a mark."""
    for shape in root.iter(f"{SVG}path"):
        in_place = "id" not in shape.attrib and "transform" not in shape.attrib
        shape.set("d", tight(shape.get("d", ""), 1 if in_place else 2))
    root.set("viewBox", _NUMBER.sub(lambda found: _short(found[0]), root.get("viewBox", "")))
    for name in {"width", "height"} & root.attrib.keys():  # of the page: these stay points
        root.set(name, _DECIMAL.sub(lambda found: _short(found[0], 1), root.get(name, "")))
    for one in root.iter():
        for name in [name for name in _LENGTHS if name in one.attrib and one is not root]:
            one.set(name, _NUMBER.sub(lambda found: _short(found[0]), one.get(name, "")))
        if "transform" in one.attrib:
            one.set("transform", _MOVE.sub(_moved_in_units, one.get("transform", "")))


def _moved_in_units(found: re.Match[str]) -> str:
    turns = _TURNS.get(found[1], 0)
    numbers = [_short(number, 1 if place < turns else UNITS) for place, number in enumerate(_NUMBER.findall(found[2]))]
    return f"{found[1]}({' '.join(numbers)})"


def _short(number: str, units: int = UNITS) -> str:
    """A number of points in units: a whole one; or to hundredths, where it is in points or no length."""
    shown = f"{units * float(number):.{0 if units == UNITS else 2}f}"
    shown = shown.rstrip("0").rstrip(".") if "." in shown else shown
    return "0" if shown in ("-0", "") else shown
