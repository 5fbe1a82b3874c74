"""Write docs/claims: one page per claim, made from the claim itself, so that pages cannot drift from the code.

Run `make docs` after changing a claim; a test compares the pages with what this script would write.
"""

from __future__ import annotations

import inspect
from pathlib import Path

from giantstep.claims import Claim, claim_class, claim_names
from giantstep.claims.base import extra
from giantstep.claims.sources import SOURCES

FOLDER = Path(__file__).parent / "claims"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def page(cls: type[Claim]) -> str:
    """One claim as a Markdown page."""
    info = cls.info
    defaults = cls().parameters()
    lines = [f"# {info.name}", "", f"*{info.kind}; {cls.engine} engine; version {info.version}*", ""]
    lines += [inspect.cleandoc(cls.__doc__ or ""), ""]
    lines += [f"**Source.** {SOURCES[info.cite]}{'; ' + info.where if info.where else ''}.", ""]
    if cls.convention:
        lines += [f"**Convention.** {cls.convention}.", ""]
    lines += [f"**Theory holds for** {cls().predict().regime}.", ""]
    if info.finding:
        lines += [f"**Finding.** {info.finding}", ""]
    lines += [
        "## Run it",
        "",
        "```",
        f"giantstep run {info.name}",
        f"giantstep verify {info.name}",
        "```",
        "",
    ]
    lines += ["## Parameters", "", "| parameter | default | what it is |", "| --- | --- | --- |"]
    for name, field in cls.model_fields.items():
        symbol = extra(field)["symbol"]
        path = " A grid over it costs one run." if extra(field)["path"] else ""
        words = f"{field.description}{f' (${symbol}$)' if symbol else ''}.{path}"
        lines.append(f"| `{name}` | `{_cell(str(defaults[name]))}` | {_cell(words)} |")
    lines += [
        "",
        "## Quantities",
        "",
        "| quantity | relation | what it is | finite size |",
        "| --- | --- | --- | --- |",
    ]
    for q in cls.quantities:
        lines.append(f"| `{q.name}` | {q.in_words(cls())} | {_cell(q.help)} | {_cell(q.reason)} |")
    if cls.presets:
        lines += ["", "## Presets", "", "| preset | parameters |", "| --- | --- |"]
        for name, values in cls.presets.items():
            lines.append(f"| `{name}` | {_cell(', '.join(f'`{k} = {v}`' for k, v in values.items()))} |")
    return "\n".join(lines) + "\n"


def index(classes: list[type[Claim]]) -> str:
    """The list of all claims."""
    lines = ["# Claims", "", "Each is one theorem, conjecture, example or figure, made executable.", ""]
    lines += ["| claim | kind | statement |", "| --- | --- | --- |"]
    for cls in classes:
        first = inspect.cleandoc(cls.__doc__ or "").split("\n\n")[0].replace("\n", " ")
        lines.append(f"| [{cls.info.name}]({cls.info.name}.md) | {cls.info.kind} | {_cell(first)} |")
    return "\n".join(lines) + "\n"


def pages() -> dict[Path, str]:
    """All pages by their place."""
    classes = [claim_class(name) for name in claim_names()]
    made = {FOLDER / f"{cls.info.name}.md": page(cls) for cls in classes}
    return {FOLDER / "index.md": index(classes), **made}


def main() -> None:
    wanted = pages()
    for old in FOLDER.rglob("*.md"):
        if old not in wanted:
            old.unlink()
    for place, text in wanted.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    print(f"{len(wanted)} pages in {FOLDER}")


if __name__ == "__main__":
    main()
