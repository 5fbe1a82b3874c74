"""A command loads what it needs: `benchmarks/startup.py` measures the time, here stands what must stay away."""

from __future__ import annotations

import subprocess
import sys

import pytest

LOADED = """
import sys
from giantstep.cli.main import status
code = status(sys.argv[1:])
print("\\n".join(sorted(sys.modules)), file=sys.stderr)
sys.exit(code)
"""
SLOW = {"scipy", "numpy.ma"}
NOT_ASKED_FOR = {"matplotlib", "asyncio", "sqlite3", "giantstep.studies.running"}
LETTERS = {"giantstep.figures", "giantstep.figures.notation", "giantstep.figures.plain"}  # of mathematics in prose
OF_SIMULATIONS = {"giantstep.verdicts.judging", "giantstep.verdicts.cells", "giantstep.cli.outcomes"}
ALL_CLAIMS = """
import sys
from giantstep.claims import claim_class, claim_names
for name in claim_names():
    claim_class(name)
print(*sorted(sys.modules))
"""


def loaded(*tokens: str) -> set[str]:
    ran = subprocess.run([sys.executable, "-c", LOADED, *tokens], capture_output=True, text=True, check=True)
    return set(ran.stderr.splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("line", [["show"], ["predict"], ["predict", "--help"], ["run", "--help"]])
def test_one_claim_loads_what_it_needs(line: list[str]) -> None:
    modules = loaded(line[0], "bes22/weight-spike", *line[1:])
    assert not modules & (SLOW | NOT_ASKED_FOR | (OF_SIMULATIONS if line[0] != "run" else set()))
    drawing = {name for name in modules if name.startswith("giantstep.figures")}
    assert drawing == LETTERS
    claims = {name for name in modules if name.startswith("giantstep.claims.bes22.") and "._" not in name}
    assert claims == {"giantstep.claims.bes22.weight_spike"}
    tables = {name for name in modules if name.endswith("._formulas")}
    assert tables == ({"giantstep.claims.bes22._formulas"} if line == ["show"] else set())
    assert not {name for name in modules if name.startswith(("giantstep.claims.dklps23", "giantstep.claims.sensing"))}


@pytest.mark.slow
def test_a_claim_loads_no_part_of_scipy_before_it_computes() -> None:
    ran = subprocess.run([sys.executable, "-c", ALL_CLAIMS], capture_output=True, text=True, check=True)
    parts = {name.split(".")[1] for name in ran.stdout.split() if name.startswith("scipy.")}
    assert not {part for part in parts if not part.startswith("_")} - {"version"}
    assert not {"matplotlib", "sklearn"} & set(ran.stdout.split())


def test_ctrl_c_is_heard_before_anything_is_loaded() -> None:
    """`giantstep.cli` sets the hook; until then the command passes through `giantstep/__init__.py` and nothing else."""
    listed = "import sys; before = set(sys.modules); import giantstep.cli; print(*sorted(set(sys.modules) - before))"
    ran = subprocess.run([sys.executable, "-c", listed], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["giantstep", "giantstep.cli"]


def test_help_loads_no_claim_and_no_numpy() -> None:
    modules = loaded("--help")
    assert "numpy" not in modules
    assert "pydantic" not in modules
    assert "giantstep.claims.base" not in modules
