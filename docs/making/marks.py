"""Words of docstrings and claims as Markdown: what stands between backticks is code, everything else is as it reads."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

SPECIAL = re.compile(r"([\\*_<>\[\]|$#~])")


def plain(text: str, cell: bool = False) -> str:
    r"""Words in which no sign has a meaning of its own, but for backticks; in a `cell` of a table bars are escaped.

    >>> print(plain("`a*b` of f* and g*"))
    `a*b` of f\* and g\*
    """
    parts = re.split(r"(`[^`]+`)", text)
    words = [part if n % 2 else SPECIAL.sub(r"\\\1", part) for n, part in enumerate(parts)]
    return "".join(part.replace("|", r"\|") if cell and n % 2 else part for n, part in enumerate(words))


def folded(summary: str, lines: Sequence[str]) -> list[str]:
    """Lines that are one click away."""
    return ["<details>", f"<summary>{html.escape(summary)}</summary>", "", *lines, "", "</details>", ""]


def raw(markup: str) -> list[str]:
    """HTML that stands on a page as it is."""
    return ["```{raw} html", *markup.splitlines(), "```", ""]
