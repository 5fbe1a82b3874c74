"""`giantstep notebook`: a tutorial as a notebook, beside you."""

from __future__ import annotations

import json as json_text
import re
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from giantstep.cli.options import Json
from giantstep.cli.output import print_json
from giantstep.errors import InputError, UnknownNameError

FOLDER = Path(__file__).parent / "tutorials"
CODE = re.compile(r"^```python\n(.*?)^```\n?", re.MULTILINE | re.DOTALL)

TutorialName = Annotated[str, Parameter(help="name of the tutorial; without one they are listed")]
Force = Annotated[bool, Parameter(help="write over a notebook of this name", negative="")]


@cache
def tutorials() -> dict[str, str]:
    """The tutorials by name: Markdown, in which Python is what a notebook runs."""
    return {file.stem: file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.md"))}


def title_of(text: str) -> str:
    """The heading of a tutorial."""
    return text.partition("\n")[0].lstrip("# ")


def cells_of(text: str) -> list[tuple[str, str]]:
    """Its cells in their order, each `markdown` or `code` with its text.

    >>> cells_of("# One\\n\\nWords.\\n\\n```python\\n1 + 1\\n```\\n")
    [('markdown', '# One\\n\\nWords.'), ('code', '1 + 1')]
    """
    parts = CODE.split(text)  # words and code in turn
    cells = [("code" if number % 2 else "markdown", part.strip()) for number, part in enumerate(parts)]
    return [(kind, part) for kind, part in cells if part]


def as_notebook(text: str) -> dict[str, Any]:
    """A tutorial in the format of notebooks, version 4.5, without outputs."""
    cells = []
    for number, (kind, part) in enumerate(cells_of(text), 1):
        cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": part.splitlines(keepends=True)}
        cells.append({**cell, "execution_count": None, "outputs": []} if kind == "code" else cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def notebook(name: TutorialName = "", /, *, force: Force = False, json: Json = False) -> None:
    """Write a tutorial as a notebook into this directory; without a name, list the tutorials.

    giantstep notebook first-hour
    """
    known = tutorials()
    if not name:
        if json:
            print_json({key: title_of(text) for key, text in known.items()})
            return
        width = max(map(len, known))
        print("\n".join(f"{key:{width}}  {title_of(text)}" for key, text in known.items()))
        return
    if name not in known:
        raise UnknownNameError("tutorial", name, known)
    place = Path(f"{name}.ipynb")
    if place.exists() and not force:
        raise InputError(f"'{place}' is there already; --force writes over it")
    try:
        place.write_text(json_text.dumps(as_notebook(known[name]), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"'{place}' cannot be written: {error.strerror}") from None
    if json:
        print_json({"tutorial": name, "file": str(place)})
        return
    print(f"wrote {place}; open it with 'jupyter lab {place}'")
