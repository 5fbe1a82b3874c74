"""The tutorials on the site, which are those that `giantstep notebook` writes."""

from __future__ import annotations

import json
import re
from collections.abc import Collection

from giantstep.cli.notebook import as_notebook, title_of, tutorials
from making.evidence import file_name, preset_key
from making.staging import DOCS, Stage, contents

FIGURES = DOCS / "pictures" / "figures"  # those that the gallery does not have; `docs/talk_figures.py` draws them
OWN = ("equivalence", "samples", "width", "large", "risk", "alignment", "transition")
# A row of the table of figures: what it shows, and the command with its claim, its preset and the name of its file.
ROW = re.compile(
    r"^\| (?P<words>.*) \| `(?P<command>giantstep (?P<verb>run|sweep) (?P<claim>\S+)(?: --preset (?P<preset>\S+))?"
    r".* --figure (?P<name>[\w-]+)\.svg)` \|$",
    re.MULTILINE,
)
ORDER = ("first-hour", "lecture", "engines", "figures", "own-table", "conjecture")
OPENING = """# Tutorials

Each runs from top to bottom, as it stands here and as a notebook: `giantstep notebook NAME` writes it beside you, and
each page has it to download. They take seconds, but for the diagnosis in *Your own table*: a minute or two.
"""


def own_figures() -> dict[str, str]:
    """The commands of the table whose pictures the gallery does not have, by the name of their file."""
    rows = {row["name"]: row["command"] for row in ROW.finditer(tutorials()["figures"])}
    return {name: rows[name] for name in OWN}


def write_tutorials(stage: Stage, evidence: Collection[str]) -> None:
    """A page for each tutorial, and their list."""
    known = tutorials()
    names = sorted(known, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))
    lines = [OPENING]
    for name in names:
        stage.write(f"tutorials/{name}.ipynb", json.dumps(as_notebook(known[name]), indent=1) + "\n")
        end = f"As a notebook: `giantstep notebook {name}`, or {{download}}`download it <{name}.ipynb>`."
        stage.write(f"tutorials/{name}.md", f"{with_pictures(known[name], evidence)}\n---\n\n{end}\n")
        lines.append(f"- [{title_of(known[name])}]({name}.md): `giantstep notebook {name}`")
    stage.write("tutorials/index.md", "\n".join(lines) + "\n" + contents(names))


def with_pictures(text: str, evidence: Collection[str]) -> str:
    """The table of figures with a third column: our picture of each, which leads to its claim."""
    head = "| figure | command |\n| --- | --- |\n"
    with_column = text.replace(head, "| figure | command | our picture |\n| --- | --- | --- |\n")
    return ROW.sub(lambda row: f"{row[0]} {_shown(row, evidence)} |", with_column)


def _shown(row: re.Match[str], evidence: Collection[str]) -> str:
    """A picture of its own, or the small one of the gallery: of the point that is run, or of the claim's first view."""
    claim, preset = row["claim"], row["preset"] if row["verb"] == "run" else None
    key = f"{claim}:{preset}" if preset else claim
    own = f"figures/{row['name']}.svg"
    small = f"claims/{file_name(key)}-small.svg" if key in evidence else ""
    picture = own if (FIGURES.parent / own).exists() else small
    place = f"#{preset_key(claim, preset)}" if preset and key in evidence else ""
    page = f"../claims/{claim}.md{place}"
    return f"[![{row['words'].replace('*', '')}](../pictures/{picture})]({page})" if picture else f"[{claim}]({page})"
