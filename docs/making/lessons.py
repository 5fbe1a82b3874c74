"""The tutorials on the site, which are those that `giantstep notebook` writes."""

from __future__ import annotations

from giantstep.cli.notebook import title_of, tutorials
from making.staging import Stage, contents

ORDER = ("first-hour", "lecture", "engines", "figures", "own-table", "conjecture")
OPENING = """# Tutorials

Each runs from top to bottom in seconds, as it stands here and as a notebook: `giantstep notebook NAME` writes it
beside you.
"""


def write_tutorials(stage: Stage) -> None:
    """A page for each tutorial, and their list."""
    known = tutorials()
    names = sorted(known, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))
    lines = [OPENING]
    for name in names:
        stage.write(f"tutorials/{name}.md", f"{known[name]}\n---\n\nAs a notebook: `giantstep notebook {name}`\n")
        lines.append(f"- [{title_of(known[name])}]({name}.md): `giantstep notebook {name}`")
    stage.write("tutorials/index.md", "\n".join(lines) + "\n" + contents(names))
