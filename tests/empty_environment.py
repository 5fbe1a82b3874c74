"""Build the wheel, install it with what it needs into an empty environment, and run three commands there.

    python tests/empty_environment.py

Run by `make python`, for any Python; it asks the network for the packages. tests/test_wheel.py does without.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent


def run(*command: object, folder: Path) -> str:
    """What a command prints, away from the checkout; it ends everything if it fails."""
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    told = subprocess.run(list(map(str, command)), cwd=folder, env=alone, capture_output=True, text=True, check=False)
    if told.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{told.stdout}{told.stderr}")
    return told.stdout


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        run(sys.executable, "-m", "build", "--outdir", folder / "dist", ROOT, folder=folder)  # sdist, then wheel of it
        (wheel,) = (folder / "dist").glob("*.whl")
        venv.create(folder / "empty", with_pip=True)
        home = folder / "empty" / ("Scripts" if os.name == "nt" else "bin")
        run(home / "python", "-m", "pip", "install", "--quiet", f"{wheel}[plot]", folder=folder)
        giantstep = home / "giantstep"
        assert "bes22/weight-spike" in run(giantstep, "claims", "spike", folder=folder)
        told = run(giantstep, "run", "bes22/weight-spike", "--d", "128", "--json", folder=folder)
        assert json.loads(told)["verdict"]["status"] == "holds", told
        run(giantstep, "run", "dklps23/transition", "--d", "1000", "--seeds", "8", "--figure", "t.svg", folder=folder)
        assert "<svg" in (folder / "t.svg").read_text(encoding="utf-8")
        python = run(home / "python", "-VV", folder=folder).split(" (")[0]
    print(f"{wheel.name} works alone with {python}")


if __name__ == "__main__":
    main()
