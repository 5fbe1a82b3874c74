"""An SVG as text: styles, fonts and names said once, and only within the picture, so that pages may hold several."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from giantstep.figures.svg_paths import UNITS
from giantstep.figures.svg_words import SVG

LINK = "{http://www.w3.org/1999/xlink}href"
URL = re.compile(r"url\(#([^)]*)\)")
# Where the letters' own font is not installed, one of the same widths stands in.
FONTS = "STIXGeneral,STIX Two Text,Times New Roman,Times,Liberation Serif,Nimbus Roman,Tinos,FreeSerif,serif"
HEIGHT = 0.45  # of small letters: where none of these is installed, larger letters are made as small as theirs
OTHER_FONTS = "STIX Two Math,Cambria Math,serif"  # of signs that these do not have
USUAL = (("text-anchor", "start"), ("stroke-dashoffset", "0"), ("stroke-linejoin", "round"))
_LENGTH = re.compile(r"\d+(?:\.\d+)?")
_INK = re.compile(r"font-size.*fill: (#\w+)")
FEWEST = 2  # a style that is used so often gets a name


def drop(root: Element, name: str) -> None:
    """Take every element called `name` out of a tree."""
    for parent in list(root.iter()):
        for child in [one for one in parent if one.tag == f"{SVG}{name}"]:
            parent.remove(child)


def as_text(root: Element, alone: bool = False) -> str:
    """A picture as text, with its styles under names of one letter or two, which hold within it.

    Args:
        root: of the picture.
        alone: whether it is a file of its own, in which names need no care for those of others.
    """
    own = _name_ids(root, "" if alone else "g" + hashlib.sha256(ElementTree.tostring(root)).hexdigest()[:5])
    drop(root, "style")
    within = f"#{own} " if own else ""
    ink = _commonest_ink(root)
    for one in root.iter():
        one.set("style", _tidy(one.get("style", ""), ink))
    counted = Counter(style for one in root.iter() if (style := one.get("style")))
    often = [style for style, count in counted.most_common() if count >= FEWEST]
    names = {style: _letters(number) for number, style in enumerate(often)}
    for one in root.iter():
        style = one.attrib.pop("style", "")
        if style:
            one.set("class" if style in names else "style", names.get(style, style))
    rules = f"{within.strip() or 'svg'}{{font-family:{FONTS};font-size-adjust:{HEIGHT};stroke-linejoin:round;"
    rules += f"stroke-width:{UNITS}}}{within}text{{fill:{ink}}}" if ink else f"stroke-width:{UNITS}}}"
    rules += "".join(f"{within}.{name}{{{style}}}" for style, name in names.items())
    added = Element(f"{SVG}style")
    added.text = rules
    root.insert(0, added)
    root.attrib.pop("version", None)
    for one in root.iter():
        one.tail = one.tail if one.tag == f"{SVG}tspan" else None
        if one.text is not None and not one.text.strip():
            one.text = None
        one.tag = one.tag.removeprefix(SVG)
    root.set("xmlns", SVG[1:-1])
    return ElementTree.tostring(root, encoding="unicode").replace(" />", "/>")


def _name_ids(root: Element, own: str) -> str:
    """Short names that begin with the picture's `own`, which no other on the same page has and which the root gets."""
    referred = {name for one in root.iter() for value in one.attrib.values() for name in URL.findall(value)}
    referred |= {link[1:] for one in root.iter() if (link := one.get(LINK, "")).startswith("#")}
    names = {name: f"{own or 'g'}{number}" for number, name in enumerate(sorted(referred))}
    for defined in root.iter(f"{SVG}defs"):
        for part in [part for part in defined if part.get("id") not in names]:
            defined.remove(part)
    for parent in list(root.iter()):
        for empty in [part for part in parent if part.tag == f"{SVG}defs" and not len(part)]:
            parent.remove(empty)
    for one in root.iter():
        name = one.attrib.pop("id", "")
        if name in names:
            one.set("id", names[name])
        for key, value in one.attrib.items():
            one.set(key, URL.sub(lambda found: f"url(#{names[found[1]]})", value))
        link = one.attrib.pop(LINK, "")
        if link:
            one.set("href", f"#{names[link[1:]]}" if link.startswith("#") else link)
    if own:
        root.set("id", own)
    return own


def _commonest_ink(root: Element) -> str:
    """The colour that most words have, which is said once for all."""
    found = Counter(ink[1] for one in root.iter() if (ink := _INK.search(one.get("style", ""))))
    return found.most_common(1)[0][0] if found else ""


def _tidy(style: str, ink: str = "") -> str:
    """A style without spaces, lengths in units, without the font and the `ink` that all words have."""
    rules = []
    for rule in filter(None, (part.strip() for part in style.split(";"))):
        name, _, value = (part.strip() for part in rule.partition(":"))
        if name == "font-family":
            if "STIXGeneral" in value:
                continue
            value = OTHER_FONTS if "STIX" in value else value
        if name in ("font-size", "stroke-width", "stroke-dasharray"):
            value = _LENGTH.sub(lambda found: f"{UNITS * float(found[0]):g}", value)
        is_word = "font-size" in style
        if (name, value) not in (*USUAL, *([("fill", ink)] if is_word else [])):
            rules.append(f"{name}:{value.replace(', ', ',').replace('#ffffff', '#fff')}")
    return ";".join(rules)


def _letters(number: int) -> str:
    """a, b, ..., z, aa, ab, ...

    >>> _letters(0), _letters(25), _letters(26)
    ('a', 'z', 'aa')
    """
    head = _letters(number // 26 - 1) if number >= 26 else ""
    return head + chr(ord("a") + number % 26)
