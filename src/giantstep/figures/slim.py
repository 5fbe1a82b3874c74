"""SVG as small as it can be said: words as words, styles said once, no digit that nobody sees.

matplotlib writes every letter of a label with mathematics as an element of its own, with its place and its fonts, and
every style where it is used. A picture takes a third of that, and its words can be searched. Words say how wide they
were laid out: where the font is missing, another one is squeezed into the same place instead of covering what follows.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections import Counter
from dataclasses import dataclass

from giantstep.figures.text import width

_COMMENT = re.compile(r"<!--.*?-->\s*", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>\s*", re.DOTALL)
_LETTER = re.compile(r'<tspan x="([^" ]+)" y="([^"]+)" style="([^"]*)">([^<]*)</tspan>\s*')
_LETTERS = re.compile(rf"(?:{_LETTER.pattern.replace('(', '(?:')})+")
_TAG = re.compile(r"<[^>]*>")
_PLAIN = re.compile(r'<text style="([^"]*)"([^>]*)>([^<]{4,})</text>')
_DECIMAL = re.compile(r"-?\d+\.\d{3,}")
_STYLE = re.compile(r' style="([^"]*)"')
_NO_TURN = re.compile(r' transform="rotate\(-?0 [^"]*\)"')
_UNUSED_ID = re.compile(r'(<g) id="(?:line2d|text|patch|xtick|ytick|LineCollection|matplotlib\.axis|axes|figure|legend|'
                        r'FillBetweenPolyCollection|PolyCollection|PathCollection|QuadMesh)_\d+"')  # fmt: skip
_SQUEEZED = ' lengthAdjust="spacingAndGlyphs"'
# Script capitals stand at private places of a font that few machines have; Unicode has places of its own for them.
_SCRIPT = {0xE22D + number: letter for number, letter in enumerate("𝒜ℬ𝒞𝒟ℰℱ𝒢ℋℐ𝒥𝒦ℒℳ𝒩𝒪𝒫𝒬ℛ𝒮𝒯𝒰𝒱𝒲𝒳𝒴𝒵")}
_TOUCHING = 0.05  # of the letters' size: a gap that no word has inside
_FEWEST = 3  # a style that is used so often gets a name


def slim(svg: str) -> str:
    """The same drawing in fewer characters.

    Args:
        svg: as matplotlib writes it.
    """
    head, tag, body = svg.partition("<svg")
    body = body.translate(_SCRIPT)
    body = _METADATA.sub("", _COMMENT.sub("", body))
    body = _LETTERS.sub(lambda found: _words(found[0]), body)
    body = _PLAIN.sub(_as_wide, body)
    body = _NO_TURN.sub("", _UNUSED_ID.sub(r"\1", body))
    body = _TAG.sub(lambda tag: _DECIMAL.sub(lambda found: _short(found[0]), tag[0]), body)
    body = re.sub(r"\s*\n\s*", "\n", body).replace(" \n", "\n").replace("\nL ", "L").replace('\n"', '"')
    body = re.sub(r">\n<", "><", body)
    return head + tag + _with_classes(body)


def _words(letters: str) -> str:
    """Letters of one style on one line, word by word, each as wide as it was laid out, whatever font is there."""
    words: list[_Word] = []
    for x, y, style, letter in _LETTER.findall(letters):
        begin, size, weight = float(x), *_size_and_weight(style)
        end = begin + 72 * width(letter, size, weight, is_plain=True)
        before = words[-1] if words else None
        if not letter.strip():
            continue
        if before and (before.y, before.style) == (y, style) and abs(before.end - begin) < _TOUCHING * size:
            before.letters, before.end = before.letters + letter, end
        else:
            words.append(_Word(x, y, style, letter, end))
    return "".join(map(str, words))


@dataclass
class _Word:
    """Letters that touch each other: where they begin and end, and how they look."""

    x: str
    y: str
    style: str
    letters: str
    end: float

    def __str__(self) -> str:
        wide = f' textLength="{self.end - float(self.x):.2f}"{_SQUEEZED}' if len(self.letters) > 1 else ""
        return f'<tspan x="{self.x}" y="{self.y}"{wide} style="{self.style}">{self.letters}</tspan>'


def _size_and_weight(style: str) -> tuple[float, str]:
    size, weight = re.search(r"font-size: ([\d.]+)px", style), re.search(r"font-weight: (\w+)", style)
    return (float(size[1]) if size else 10.0), {"700": "bold"}.get(weight[1], weight[1]) if weight else "normal"


def _as_wide(found: re.Match[str]) -> str:
    """A label as wide as it was laid out."""
    inches = width(html.unescape(found[3]), *_size_and_weight(found[1]), is_plain=True)
    return f'<text style="{found[1]}"{found[2]} textLength="{72 * inches:.2f}"{_SQUEEZED}>{found[3]}</text>'


def _short(number: str) -> str:
    """A length in points to a hundredth."""
    shown = f"{float(number):.2f}".rstrip("0").rstrip(".")
    return "0" if shown in ("-0", "") else shown


def _with_classes(body: str) -> str:
    """Styles that are used again and again under a name, which no other picture of the same page has."""
    prefix = "g" + hashlib.sha256(body.encode()).hexdigest()[:6]
    often = [style for style, count in Counter(_STYLE.findall(body)).most_common() if count >= _FEWEST]
    names = {style: f"{prefix}{number}" for number, style in enumerate(often)}
    rules = "".join(f".{name}{{{style.replace('; ', ';').replace(': ', ':')}}}" for style, name in names.items())
    named = _STYLE.sub(lambda f: f' class="{names[f[1]]}"' if f[1] in names else f[0], body)
    before, end, after = named.partition(">")  # of the opening tag
    return f"{before}{end}<style>{rules}</style>{after}" if rules else named
