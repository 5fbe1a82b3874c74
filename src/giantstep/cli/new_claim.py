"""`giantstep new-claim`: a claim to begin with."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from giantstep.claims import write_skeleton
from giantstep.cli.options import Json
from giantstep.cli.output import print_json
from giantstep.errors import InputError

NewName = Annotated[str, Parameter(help="folder and name of the new claim, such as mine/largest-eigenvalue")]


def new_claim(name: NewName, /, *, json: Json = False) -> None:
    """Write a claim of your own to begin with, and its test.

    The file runs and holds as it is: replace its parameters, quantities, prediction and simulation by yours, one at a
    time. In a checkout of giantstep it goes where claims are; elsewhere into the working directory.
    """
    try:
        written, address = write_skeleton(name, Path())
    except OSError as error:
        raise InputError(f"the claim cannot be written here: {error.strerror}: {error.filename}") from None
    if json:
        print_json({"claim": address, "files": [str(path) for path in written]})
        return
    print("\n".join(f"wrote {path}" for path in written))
    inside = ":" not in address
    test = next(str(path) for path in written if path.name.startswith("test_"))
    print(f"\nTry it:        giantstep run {address}")
    print(f"Test it:       {_python() if inside else 'python'} -m pytest {test}")
    print(f"Verify it:     giantstep verify {address} --report report")
    if inside:
        print("Then:          make docs   (its page), CHANGELOG.md, make test")


def _python() -> str:
    """The Python of a checkout, where `make` puts it."""
    return r".venv\Scripts\python" if sys.platform == "win32" else ".venv/bin/python"
