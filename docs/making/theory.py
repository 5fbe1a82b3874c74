"""The pages of theory: written by hand, with the formulas of the claims that rest on each room, and their functions."""

from __future__ import annotations

import inspect
import re
from functools import cache
from pathlib import Path

from giantstep.claims import claim_class, claim_names, described, formula_of, statement
from giantstep.report.words import GLOSSARY
from making.marks import typeset
from making.reference import exports, packages
from making.staging import DOCS, Stage, contents, places, turned

FOLDER = DOCS / "theory"


def write_theory(stage: Stage) -> None:
    """All pages of docs/theory, with what is made for them."""
    known = places()
    for file in sorted(FOLDER.glob("*.md")):
        text = turned(file.read_text(encoding="utf-8"), file, known)
        room = f"giantstep.theory.{file.stem}"
        if file.stem == "index":
            text += contents(re.findall(r"^- \[[^\]]*\]\((\w+)\.md\)", text, re.MULTILINE))
        elif file.stem == "symbols":
            text += "\n".join([*_words(), *_parameters()])
        elif file.stem == "conventions":
            text += "\n".join(_conventions())
        elif room in packages():
            text += "\n".join(["", *_functions(room), *_formulas(room)])
        stage.write(f"theory/{file.name}", text)


def _words() -> list[str]:
    return [f"- **{word}**: {typeset(meaning)}" for word, meaning in GLOSSARY.items()]


def _parameters() -> list[str]:
    """Every parameter of every claim with its symbol; what differs between claims has a line of its own."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for name in claim_names():
        for parameter, about in described(claim_class(name))["parameters"].items():
            found.setdefault((parameter, about["symbol"], about["help"]), []).append(name)
    lines = [
        "",
        "",
        "## Parameters of the claims",
        "",
        "| parameter | symbol | what it is | in |",
        "| --- | --- | --- | --- |",
    ]
    for (parameter, symbol, words), names in sorted(found.items()):
        set_symbol = f"${symbol}$".replace("|", r"\vert ") if symbol else ""
        where = _claim_link(names[0]) if len(names) == 1 else f"{_claim_link(names[0])} and {len(names) - 1} more"
        lines.append(f"| `{parameter}` | {set_symbol} | {typeset(words)} | {where} |")
    return [*lines, ""]


def _conventions() -> list[str]:
    """What each claim says of its convention; claims that say the same share a line."""
    found: dict[str, list[str]] = {}
    for name in claim_names():
        if words := described(claim_class(name))["convention"]:
            found.setdefault(words, []).append(name)
    lines = ["", "", "## Claim by claim", "", "| claims | convention |", "| --- | --- |"]
    return [
        *lines,
        *(f"| {', '.join(map(_claim_link, names))} | {typeset(words)} |" for words, names in found.items()),
        "",
    ]


def _claim_link(name: str) -> str:
    return f"[{name}](../claims/{name}.md)"


def _functions(room: str) -> list[str]:
    lines = ["## Functions", ""]
    for package in packages():
        if package == room or package.startswith(f"{room}."):
            names = [name for file, name in exports(package) if file]
            lines.append(f"- [`{package}`](../reference/{package}.md): {', '.join(f'`{name}`' for name in names)}")
    return [*lines, ""]


def _formulas(room: str) -> list[str]:
    """The formulas of the claims whose prediction comes from this room."""
    lines = ["## The formulas of its claims", ""]
    for name in claim_names():
        cls = claim_class(name)
        formula = formula_of(cls)
        if formula is not None and _rests_on(cls, room):
            lines += [f"**[{name}](../claims/{name}.md).** {typeset(statement(cls))}", "", formula.marked_down(), ""]
    return lines if len(lines) > 2 else []


def _rests_on(cls: type, room: str) -> bool:
    """Whether the file of a claim, or one that it shares with claims of its folder, imports from the room."""
    file = Path(inspect.getfile(cls))
    text = _text(file)
    shared = re.findall(r"^from giantstep\.claims\.\w+\.(_\w+) import", text, re.MULTILINE)
    texts = [text, *(_text(file.with_name(f"{name}.py")) for name in shared)]
    return any(re.search(rf"^from {re.escape(room)}(\.\w+)* import", one, re.MULTILINE) for one in texts)


@cache
def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""
