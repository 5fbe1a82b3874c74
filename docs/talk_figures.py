"""Draw the figures of the talks that the gallery does not have: run their commands of the tutorial's table.

    python docs/talk_figures.py [samples width ...]

The pictures are kept in docs/pictures/figures, under the names that the commands give them.
"""

from __future__ import annotations

import shlex
import sys
import tempfile
from pathlib import Path

from making.lessons import FIGURES, own_figures

from giantstep.cli.main import status


def main() -> None:
    FIGURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, command in own_figures().items():
            if sys.argv[1:] and name not in sys.argv[1:]:
                continue
            words = shlex.split(command)[1:]
            words[words.index("--figure") + 1] = str(FIGURES / f"{name}.svg")
            print(command, flush=True)
            if status([*words, "--quiet", "--no-caption", "--store", str(Path(folder) / "store.sqlite")]):
                sys.exit(f"{name} could not be drawn")


if __name__ == "__main__":
    main()
