"""Benchmarks speak today's names: each is imported here, and mypy has `benchmarks` among its files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "benchmarks"
OTHERS = ("sklearn", "distributed")  # what benchmarks compare with, which need not be installed

IMPORT_ALL = f"""
import importlib
for name in {sorted(file.stem for file in FOLDER.glob("*.py"))}:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in {OTHERS}:
            print(f"{{name}}.py: {{error}}")
    except Exception as error:
        print(f"{{name}}.py: {{error}}")
"""


def test_every_benchmark_can_be_imported() -> None:
    """In a process of its own: some benchmarks choose the number of BLAS threads before anything is imported."""
    found = subprocess.run([sys.executable, "-c", IMPORT_ALL], cwd=FOLDER, capture_output=True, text=True, check=True)
    assert not found.stdout, f"a name that moved? {found.stdout}"
