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
NOT_ASKED_FOR = {"matplotlib", "asyncio", "sqlite3"} | {f"giantstep.{part}" for part in ("figures", "studies.running")}


def loaded(*tokens: str) -> set[str]:
    ran = subprocess.run([sys.executable, "-c", LOADED, *tokens], capture_output=True, text=True, check=True)
    return set(ran.stderr.splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("line", [["show"], ["predict"], ["predict", "--help"], ["run", "--help"]])
def test_one_claim_loads_what_it_needs(line: list[str]) -> None:
    modules = loaded(line[0], "bes22/weight-spike", *line[1:])
    assert not modules & (SLOW | NOT_ASKED_FOR)
    claims = {name for name in modules if name.startswith("giantstep.claims.bes22.") and "._" not in name}
    assert claims == {"giantstep.claims.bes22.weight_spike"}
    tables = {name for name in modules if name.endswith("._formulas")}
    assert tables == ({"giantstep.claims.bes22._formulas"} if line == ["show"] else set())
    assert not {name for name in modules if name.startswith(("giantstep.claims.dklps23", "giantstep.claims.sensing"))}


def test_help_loads_no_claim_and_no_numpy() -> None:
    modules = loaded("--help")
    assert "numpy" not in modules
    assert "pydantic" not in modules
    assert "giantstep.claims.base" not in modules
