"""The tutorials on the site, which are those that `giantstep notebook` writes."""

from __future__ import annotations

import json
import re

from giantstep.cli.notebook import as_notebook, title_of, tutorials
from making.staging import Stage, contents

FIGURE = re.compile(r"^(\|.*\| `giantstep run (\S+)(.*)` \|)$", re.MULTILINE)  # a row of a table of figures
ORDER = ("first-hour", "lecture", "engines", "figures", "own-table", "conjecture")
OPENING = """# Tutorials

Each runs from top to bottom in seconds, as it stands here and as a notebook: `giantstep notebook NAME` writes it
beside you, and each page has it to download.
"""


def write_tutorials(stage: Stage) -> None:
    """A page for each tutorial, and their list."""
    known = tutorials()
    names = sorted(known, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))
    lines = [OPENING]
    for name in names:
        stage.write(f"tutorials/{name}.ipynb", json.dumps(as_notebook(known[name]), indent=1) + "\n")
        end = f"As a notebook: `giantstep notebook {name}`, or {{download}}`download it <{name}.ipynb>`."
        stage.write(f"tutorials/{name}.md", f"{with_pictures(known[name])}\n---\n\n{end}\n")
        lines.append(f"- [{title_of(known[name])}]({name}.md): `giantstep notebook {name}`")
    stage.write("tutorials/index.md", "\n".join(lines) + "\n" + contents(names))


def with_pictures(text: str) -> str:
    """Tables of figures with a third column, which leads to our picture of each."""
    head = "| figure | command |\n| --- | --- |\n"
    return FIGURE.sub(_shown, text.replace(head, "| figure | command | our picture |\n| --- | --- | --- |\n"))


def _shown(row: re.Match[str]) -> str:
    place = "presets" if "--preset" in row[3] else "theory-against-simulation"
    return f"{row[1]} [{row[2]}](../claims/{row[2]}.md#{place}) |"
