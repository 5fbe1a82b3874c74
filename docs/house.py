"""Draw docs/pictures/house.svg: rooms and layers, read from the contracts in pyproject.toml and from the folders.

Run by `make docs`; a test compares the picture with what this script would draw, so that it cannot drift from the code.
"""

from __future__ import annotations

import html
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "giantstep"
PICTURE = Path(__file__).parent / "pictures" / "house.svg"
WIDTH, MARGIN, GAP, LINE = 880, 16, 10, 17
WORDS = {
    "cli": "the terminal",
    "lab": "the page in a browser",
    "report": "pages",
    "studies": "grids, seeds, the store",
    "claims": "one file a theorem",
    "estimators": "tables of your own",
    "verdicts": "quantities and the judge",
    "learners": "what learns",
    "theory": "what mathematics predicts",
    "figures": "one look",
    "problems": "what is to be learned",
    "gaussian": "calculus under N(0, 1)",
}
STYLE = """
.room { fill: #eef3f8; stroke: #33638d; } .beneath { fill: #f4f4f2; stroke: #999; }
text { font: 13px system-ui, sans-serif; fill: #222; } .name { font-weight: 600; }
.part { font-size: 11.5px; fill: #555; }
@media (prefers-color-scheme: dark) {
  .room { fill: #1c2733; stroke: #7fb2dd; } .beneath { fill: #222; stroke: #777; }
  text { fill: #eee; } .part { fill: #b5b5b5; }
}
"""


def layers() -> list[list[str]]:
    """Rows of rooms, the highest first, as the contract about the whole house states them."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    rows = next(c["layers"] for c in contracts if c["name"] == "Imports point downwards only")
    named = [[name.strip(" ()").removeprefix("giantstep.") for name in row.split(":")] for row in rows]
    there = [[name for name in row if (SOURCE / name).is_dir() or (SOURCE / f"{name}.py").is_file()] for row in named]
    return [row for row in there if row]


def packages(room: str) -> list[str]:
    """The folders inside a room."""
    return sorted(p.parent.name for p in (SOURCE / room).glob("*/__init__.py"))


def wrapped(words: list[str], width: float) -> list[str]:
    """Words in lines of at most this many pixels."""
    lines: list[str] = []
    for word in words:
        if lines and 6.2 * len(f"{lines[-1]}, {word}") <= width:
            lines[-1] += f", {word}"
        else:
            lines.append(word)
    return lines


def box(x: float, y: float, width: float, height: float, name: str, lines: list[str], kind: str) -> str:
    """One room: its name, what it is, its packages."""
    head = f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6"/>'
    text = f'<text class="name" x="{x + 12:g}" y="{y + 20:g}">{html.escape(name)}</text>'
    rest = "".join(
        f'<text class="part" x="{x + 12:g}" y="{y + 20 + LINE * i:g}">{html.escape(line)}</text>'
        for i, line in enumerate(lines, 1)
    )
    return head + text + rest


def house() -> str:
    """The picture."""
    rooms = [row for row in layers() if (SOURCE / row[0]).is_dir()]
    beneath = [name for row in layers() for name in row if not (SOURCE / name).is_dir()]
    parts, y = [], float(MARGIN)
    for row in rooms:
        width = (WIDTH - 2 * MARGIN - GAP * (len(row) - 1)) / len(row)
        told = {room: [WORDS[room], *wrapped(packages(room), width - 24)] for room in row}
        height = 30 + LINE * max(len(lines) for lines in told.values())
        for i, (room, lines) in enumerate(told.items()):
            parts.append(box(MARGIN + i * (width + GAP), y, width, height, room, lines, "room"))
        y += height + GAP
    parts.append(box(MARGIN, y, WIDTH - 2 * MARGIN, 50, "beneath all rooms", [", ".join(sorted(beneath))], "beneath"))
    height = y + 50 + MARGIN
    size = f'width="{WIDTH}" height="{height:g}" viewBox="0 0 {WIDTH} {height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{STYLE}</style>\n' + "\n".join(parts) + "\n</svg>\n"


if __name__ == "__main__":
    PICTURE.write_text(house())
    print(f"wrote {PICTURE.relative_to(ROOT)}")
