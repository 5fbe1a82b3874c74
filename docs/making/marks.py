"""Words of docstrings and claims as Markdown: what stands between backticks is code, everything else is as it reads."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from giantstep.figures import as_html

SPECIAL = re.compile(r"([\\*_<>\[\]|$#~])")


def plain(text: str) -> str:
    r"""Words in which no sign has a meaning of its own, but for backticks.

    >>> print(plain("`a*b` of f* and g*"))
    `a*b` of f\* and g\*
    """
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(part if n % 2 else SPECIAL.sub(r"\\\1", part) for n, part in enumerate(parts))


def typeset(text: str) -> str:
    r"""Words with their mathematics set, as HTML that Markdown keeps; what stands between backticks is code.

    >>> print(typeset("`a*b` and n ~ d^2, |f*|"))
    `a*b` and n ∼ d<sup>2</sup>, \|f<sup>∗</sup>\|
    """
    made = re.sub(r"<code>(.*?)</code>", lambda found: f"`{html.unescape(found[1])}`", as_html(text))
    parts = re.split(r"(`[^`]+`|<[^>]+>)", made)
    return "".join(part if n % 2 else SPECIAL.sub(r"\\\1", part) for n, part in enumerate(parts))


def folded(summary: str, lines: Sequence[str]) -> list[str]:
    """Lines that are one click away."""
    return ["<details>", f"<summary>{html.escape(summary)}</summary>", "", *lines, "", "</details>", ""]


def raw(markup: str) -> list[str]:
    """HTML that stands on a page as it is; nothing if there is none."""
    return ["```{raw} html", *markup.splitlines(), "```", ""] if markup else []
