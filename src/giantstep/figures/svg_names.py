"""An SVG as text: styles, fonts and names said once, and only within the picture, so that pages may hold several."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from giantstep.figures.svg_words import SVG

LINK = "{http://www.w3.org/1999/xlink}href"
URL = re.compile(r"url\(#([^)]*)\)")
# Where the letters' own font is not installed, one of the same widths stands in.
FONTS = "STIXGeneral,STIX Two Text,Times New Roman,Times,Liberation Serif,Nimbus Roman,Tinos,FreeSerif,serif"
HEIGHT = 0.45  # of small letters: where none of these is installed, larger letters are made as small as theirs
OTHER_FONTS = "STIX Two Math,Cambria Math,serif"  # of signs that these do not have
FEWEST = 2  # a style that is used so often gets a name


def drop(root: Element, name: str) -> None:
    """Take every element called `name` out of a tree."""
    for parent in list(root.iter()):
        for child in [one for one in parent if one.tag == f"{SVG}{name}"]:
            parent.remove(child)


def as_text(root: Element) -> str:
    """A picture as text, with its styles under names of one letter or two, which hold within it."""
    _name_ids(root)
    drop(root, "style")
    own = root.get("id", "")
    counted = Counter(tidy for one in root.iter() if (tidy := _tidy(one.get("style", ""))))
    often = [style for style, count in counted.most_common() if count >= FEWEST]
    names = {style: _letters(number) for number, style in enumerate(often)}
    for one in root.iter():
        style = _tidy(one.attrib.pop("style", ""))
        if style:
            one.set("class" if style in names else "style", names.get(style, style))
    rules = f"#{own}{{font-family:{FONTS};font-size-adjust:{HEIGHT};stroke-linejoin:round}}"
    rules += "".join(f"#{own} .{name}{{{style}}}" for style, name in names.items())
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


def _name_ids(root: Element) -> None:
    """Short names, which no other picture on the same page has; the root has the one that they begin with."""
    own = "g" + hashlib.sha256(ElementTree.tostring(root)).hexdigest()[:5]
    referred = {name for one in root.iter() for value in one.attrib.values() for name in URL.findall(value)}
    referred |= {link[1:] for one in root.iter() if (link := one.get(LINK, "")).startswith("#")}
    names = {name: f"{own}{number}" for number, name in enumerate(sorted(referred))}
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
    root.set("id", own)


def _tidy(style: str) -> str:
    """A style without spaces, and without the font that all have."""
    rules = []
    for rule in filter(None, (part.strip() for part in style.split(";"))):
        name, _, value = (part.strip() for part in rule.partition(":"))
        if name == "font-family":
            if "STIXGeneral" in value:
                continue
            value = OTHER_FONTS if "STIX" in value else value
        if (name, value) not in (("text-anchor", "start"), ("stroke-dashoffset", "0"), ("stroke-linejoin", "round")):
            rules.append(f"{name}:{value.replace(', ', ',').replace('#ffffff', '#fff')}")
    return ";".join(rules)


def _letters(number: int) -> str:
    """a, b, ..., z, aa, ab, ...

    >>> _letters(0), _letters(25), _letters(26)
    ('a', 'z', 'aa')
    """
    head = _letters(number // 26 - 1) if number >= 26 else ""
    return head + chr(ord("a") + number % 26)
