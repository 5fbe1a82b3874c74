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

_GREEK = re.compile(r"\b(alpha|delta|eps|eta|gamma|kappa|lambda|mu|omega|psi|rho|sigma|tau|theta)([0-9]?)\b")
_POWER = re.compile(r"\b([A-Za-z]+)\^(\([^()$]*\)|[A-Za-z0-9.]*[A-Za-z0-9](?:/[0-9]+)?)")
ROUNDED = 1.04  # letters are drawn on whole pixels, which makes small ones wider than they are measured


def mathematics(text: str) -> str:
    r"""Powers and Greek letters of a plain text as mathematics; what is mathematics already stays.

    >>> print(mathematics("theta >> d^(1 - 1/k), N = d^eps and $d^2$"))
    $\theta$ >> $d^{1 - 1/k}$, N = $d^{\varepsilon}$ and $d^2$
    """
    parts = re.split(r"(\$[^$]*\$)", text)
    return "".join(part if number % 2 else _plain_mathematics(part) for number, part in enumerate(parts))


def _plain_mathematics(text: str) -> str:
    def power(found: re.Match[str]) -> str:
        raised = found[2][1:-1] if found[2].startswith("(") else found[2]
        return f"${_greek(found[1])}^{{{_greek(raised)}}}$"

    done = re.split(r"(\$[^$]*\$)", _POWER.sub(power, text))
    return "".join(p if number % 2 else _GREEK.sub(lambda m: f"${_letter(m)}$", p) for number, p in enumerate(done))


def _greek(text: str) -> str:
    return _GREEK.sub(_letter, text)


def _letter(found: re.Match[str]) -> str:
    name = {"eps": "varepsilon"}.get(found[1], found[1])
    return rf"\{name}" + (f"_{found[2]}" if found[2] else "")


def typeset(text: str) -> str:
    r"""The text itself; if its mathematics cannot be typeset, the same characters with plain dollar signs.

    >>> typeset(r"step $\eta$"), typeset(r"$\nonsense$ paid")
    ('step $\\eta$', '\\$\\nonsense\\$ paid')
    """
    if "$" in text:
        try:
            MathTextParser("path").parse(text)
        except (ValueError, RuntimeError):
            return text.replace("$", r"\$")
    return text


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
            needed = ROUNDED * _width(word, size, weight) + space
            if words and used + needed > inches:
                lines.append(" ".join(words))
                words, used = [], 0.0
            words.append(word)
            used += needed
        lines.append(" ".join(words))
    return "\n".join(lines)


@lru_cache(maxsize=4096)
def _width(word: str, size: float, weight: str) -> float:
    """Inches that a word takes in the look's own font."""
    font = FontProperties(size=size, weight=weight)
    measure: Any = text_to_path.get_text_width_height_descent
    return float(measure(word, font, is_math_text(word))[0]) / 72
