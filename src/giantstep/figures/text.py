"""Words on a picture: mathematics that never fails to typeset, and lines broken to a width."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from matplotlib.cbook import is_math_text
from matplotlib.font_manager import FontProperties
from matplotlib.mathtext import MathTextParser
from matplotlib.textpath import text_to_path

# A word of a label: mathematics with its spaces is one word, so that a line never breaks inside `$...$`.
_WORD = re.compile(r"(?:\$(?:\\.|[^$\\])*\$|\\.|[^\s$]|\$)+")

# Roots without a bar, √6 and √(d/n): a browser has letters of other widths, and the bar would stand beside its root.
_ROOT = re.compile(r"\\sqrt\{([^{}]*)\}")
_ATOM = re.compile(r"\d+|[A-Za-z]|\\[A-Za-z]+")

ROUNDED = 1.04  # letters are drawn on whole pixels, which makes small ones wider than they are measured


def typeset(text: str) -> str:
    r"""The text itself; if its mathematics cannot be typeset, the same characters with plain dollar signs.

    >>> typeset(r"step $\eta$"), typeset(r"$\nonsense$ paid")
    ('step $\\eta$', '\\$\\nonsense\\$ paid')
    >>> typeset(r"$x/\sqrt{6}$ and $\sqrt{d/n}$")
    '$x/√6$ and $√(d/n)$'
    """
    if "$" in text:
        text = _ROOT.sub(_without_bar, text)
        try:
            MathTextParser("path").parse(text)
        except (ValueError, RuntimeError):
            return text.replace("$", r"\$")
    return text


def _without_bar(root: re.Match[str]) -> str:
    inside = root[1].strip()
    return f"√{inside}" if _ATOM.fullmatch(inside) else f"√({inside})"


def wrap(text: str, inches: float, size: float, weight: str = "normal") -> str:
    """Break a text into lines no wider than `inches`, at spaces and line ends only.

    >>> print(wrap("one two three", inches=0.65, size=10))
    one two
    three
    """
    space = 0.3 * size / 72
    lines: list[str] = []
    for paragraph in typeset(text).splitlines():
        words: list[str] = []
        used = 0.0
        for word in _WORD.findall(paragraph):
            needed = ROUNDED * width(word, size, weight) + space
            if words and used + needed > inches:
                lines.append(" ".join(words))
                words, used = [], 0.0
            words.append(word)
            used += needed
        lines.append(" ".join(words))
    return "\n".join(lines)


@lru_cache(maxsize=4096)
def width(word: str, size: float, weight: str, is_plain: bool = False) -> float:
    """Inches that a `word` of a `size` in points and a `weight` takes in the look's own font.

    One that `is_plain` is drawn already: what stands between its dollars is no mathematics.
    """
    font = FontProperties(size=size, weight=weight)
    measure: Any = text_to_path.get_text_width_height_descent
    return float(measure(word, font, not is_plain and is_math_text(word))[0]) / 72
