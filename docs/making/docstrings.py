"""Docstrings as Markdown: paragraphs, formulas, examples, and the arguments as a list."""

from __future__ import annotations

import re
import textwrap

from making.marks import plain, typeset

SECTIONS = {"Args:": "", "Returns:": "Returns", "Raises:": "Raises"}
ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*):\s+(.*)$", re.DOTALL)


def marked_down(text: str) -> list[str]:
    """A docstring, cleaned of its indentation, as lines of Markdown."""
    lines: list[str] = []
    for block in _blocks(text):
        first, _, rest = block.partition("\n")
        if first in SECTIONS:
            lines += [*([f"*{SECTIONS[first]}*", ""] if SECTIONS[first] else []), *_entries(textwrap.dedent(rest))]
        elif block.startswith(">>>"):
            lines += ["```pycon", *block.splitlines(), "```"]
        elif all(line.startswith("    ") for line in block.splitlines()):
            lines += ["```text", *textwrap.dedent(block).splitlines(), "```"]
        else:
            lines += _paragraph(block)
        lines.append("")
    return lines


def summary(text: str) -> str:
    """The first paragraph of a docstring, as one line of Markdown."""
    return " ".join(_paragraph(_blocks(text)[0])) if text else ""


def _blocks(text: str) -> list[str]:
    """Its paragraphs; indented formulas and examples that follow each other stay together."""
    blocks: list[str] = []
    for part in re.split(r"\n\s*\n", text.strip("\n")):
        part = part.rstrip()
        together = blocks and (
            (part.startswith("    ") and (blocks[-1].startswith("    ") or blocks[-1].startswith("Args:")))
            or (part.startswith(">>>") and blocks[-1].startswith(">>>"))
        )
        if together:
            blocks[-1] += "\n" + ("" if blocks[-1].startswith("Args:") else "\n") + part
        else:
            blocks += _without_what_follows_examples(part)
    return blocks


def _without_what_follows_examples(part: str) -> list[str]:
    """A paragraph in which an example begins is two; so is one in which a displayed formula begins."""
    lines = part.splitlines()
    for number, line in enumerate(lines[1:], 1):
        example = line.startswith(">>>") and not lines[0].startswith(">>>")
        display = line.startswith("    ") != lines[0].startswith("    ") and lines[0] not in SECTIONS
        if example or (display and not lines[0].startswith((">>>", "- "))):
            return ["\n".join(lines[:number]), *_without_what_follows_examples("\n".join(lines[number:]))]
    return [part]


def _paragraph(block: str) -> list[str]:
    """Lines that flow; a list stays one."""
    items: list[str] = []
    for line in block.splitlines():
        if line.startswith("- ") or not items:
            items.append(line.strip())
        else:
            items[-1] += " " + line.strip()
    return [typeset(item) for item in items]


def _entries(text: str) -> list[str]:
    """`name: what it is`, with lines that go on, as a list."""
    entries: list[str] = []
    for line in text.splitlines():
        if not line.startswith(" ") or not entries:
            entries.append(line)
        else:
            entries[-1] += " " + line.strip()
    lines = []
    for entry in entries:
        found = ENTRY.match(entry)
        lines.append(f"- **{plain(found[1])}**: {typeset(found[2])}" if found else f"- {typeset(entry)}")
    return lines
