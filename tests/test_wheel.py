"""What users install: a wheel, built from the source distribution, that works where nothing else of the checkout is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("build")
pytest.importorskip("hatchling")

ROOT = Path(__file__).parent.parent
COMMANDS = """
import giantstep
from giantstep.cli.main import status
print(giantstep.__file__, flush=True)
for line in ("claims spike", "predict bes22/weight-spike"):
    assert status(line.split()) == 0, line
"""


def run(*command: object, folder: Path, path: Path | str = "") -> str:
    told = {**os.environ, "PYTHONPATH": str(path)}
    done = subprocess.run(list(map(str, command)), cwd=folder, env=told, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_wheel_works_alone(tmp_path: Path) -> None:
    made, installed, elsewhere = (tmp_path / name for name in ("dist", "installed", "elsewhere"))
    elsewhere.mkdir()
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", made, ROOT, folder=elsewhere)  # sdist, then wheel
    (wheel,) = made.glob("*.whl")
    (source,) = made.glob("*.tar.gz")
    assert source.stat().st_size < 20e6
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile")
    run(*pip, "--target", installed, wheel, folder=elsewhere)
    where, _, told = run(sys.executable, "-c", COMMANDS, folder=elsewhere, path=installed).partition("\n")
    assert Path(where).is_relative_to(installed)
    assert "bes22/weight-spike" in told
    assert "alignment" in told
    command = (sys.executable, installed / "bin" / "giantstep", "notebook", "first-hour")
    assert "first-hour.ipynb" in run(*command, folder=elsewhere, path=installed)
    assert (installed / "giantstep" / "lab" / "static" / "index.html").exists()
