"""Draw docs/pictures/badges.svg: what may be said of giantstep in a word, read from where it is decided.

Run by `make docs`; a test compares the picture with what this script would draw, so that no badge can be untrue.
"""

from __future__ import annotations

import html
import re
import tomllib
from pathlib import Path

from giantstep.version import __version__

ROOT = Path(__file__).parent.parent
PICTURE = Path(__file__).parent / "pictures" / "badges.svg"
HEIGHT, LETTER, PAD, GAP = 20, 6.6, 7, 6
STYLE = (
    "text{font:11px sans-serif;fill:#fff} .name{fill:#555b63} .word{fill:#2f6fb0}"
    " @media (prefers-color-scheme: dark){.name{fill:#3a4048}}"
)


def badges() -> list[tuple[str, str]]:
    """Each badge: a name, and the word for it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    versions = [re.search(r":: (3\.\d+)$", one) for one in project["classifiers"]]
    known = [found[1] for found in versions if found]
    return [
        ("version", __version__),
        ("python", f"{known[0]} to {known[-1]}"),
        ("licence", project["license"]),
        ("types", "mypy --strict"),
    ]


def picture() -> str:
    """All of them in a row."""
    parts: list[str] = []
    x = 0.0
    for pair in badges():
        for kind, text in zip(("name", "word"), pair, strict=True):
            width = round(LETTER * len(text) + 2 * PAD, 1)
            parts.append(f'<rect class="{kind}" x="{x:g}" width="{width:g}" height="{HEIGHT}"/>')
            middle = f'x="{x + width / 2:g}" y="14" text-anchor="middle" textLength="{LETTER * len(text):g}"'
            parts.append(f"<text {middle}>{html.escape(text)}</text>")
            x = round(x + width, 1)
        x += GAP
    told = ", ".join(f"{name} {word}" for name, word in badges())
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" width="{x - GAP:g}" height="{HEIGHT}" role="img">'
    return f"{opening}<title>{html.escape(told)}</title><style>{STYLE}</style>{''.join(parts)}</svg>\n"


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
    print(f"badges in {PICTURE}")
