"""The tutorials on the site, which are those that `giantstep notebook` writes."""

from __future__ import annotations

import json
import re
from collections.abc import Collection

from giantstep.cli.notebook import as_notebook, title_of, tutorials
from making.evidence import file_name, preset_key
from making.staging import Stage, contents

# A row of a table of figures: its claim, and its preset if it has one.
FIGURE = re.compile(r"^(\|.*\| `giantstep run (\S+)(?: --preset (\S+))?.*` \|)$", re.MULTILINE)
ORDER = ("first-hour", "lecture", "engines", "figures", "own-table", "conjecture")
OPENING = """# Tutorials

Each runs from top to bottom in seconds, as it stands here and as a notebook: `giantstep notebook NAME` writes it
beside you, and each page has it to download.
"""


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
    """Tables of figures with a third column: our picture of each, where there is `evidence` of it."""
    head = "| figure | command |\n| --- | --- |\n"
    with_column = text.replace(head, "| figure | command | our picture |\n| --- | --- | --- |\n")
    return FIGURE.sub(lambda row: f"{row[1]} {_shown(row[2], row[3], evidence)} |", with_column)


def _shown(name: str, preset: str | None, evidence: Collection[str]) -> str:
    """The small picture of a claim, or of its preset, that leads to the large one or to the numbers."""
    key = f"{name}:{preset}" if preset else name
    if key not in evidence:
        return f"[{name}](../claims/{name}.md)"
    place = preset_key(name, preset) if preset else "theory-against-simulation"
    return f"[![{key}](../pictures/claims/{file_name(key)}-small.svg)](../claims/{name}.md#{place})"
