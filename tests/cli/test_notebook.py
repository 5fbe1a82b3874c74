"""Tutorials: each runs as it is written, and is a notebook that other programs can read."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from giantstep.claims import claim_class
from giantstep.cli.main import status
from giantstep.cli.notebook import as_notebook, cells_of, tutorials

NAMES = sorted(tutorials())


def test_the_six_tutorials_are_there() -> None:
    assert {"first-hour", "lecture", "conjecture", "figures", "own-table", "engines"} <= set(NAMES)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_tutorial_runs_from_top_to_bottom(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = ModuleType("tutorial")
    monkeypatch.setitem(sys.modules, "tutorial", module)
    cells = [text for kind, text in cells_of(tutorials()[name]) if kind == "code"]
    assert cells
    for number, text in enumerate(cells, 1):
        code = compile(text, f"{name}, cell {number}", "exec")
        if "gs.diagnose(" not in text:  # takes a minute, and has tests of its own
            exec(code, module.__dict__)


@pytest.mark.parametrize("name", NAMES)
def test_commands_of_tutorials_name_claims_and_presets_that_are_there(name: str) -> None:
    for called, preset in re.findall(r"giantstep run (\S+/\S+)(?: --preset (\S+))?", tutorials()[name]):
        assert not preset or preset in claim_class(called).presets, (called, preset)


def test_a_notebook_is_written_beside_you_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status(["notebook", "first-hour"]) == 0
    written = json.loads((tmp_path / "first-hour.ipynb").read_text())
    assert written == as_notebook(tutorials()["first-hour"])
    assert written["nbformat"] == 4
    assert {cell["cell_type"] for cell in written["cells"]} == {"markdown", "code"}
    assert status(["notebook", "first-hour"]) != 0
    assert "--force" in capsys.readouterr().err
    assert status(["notebook", "first-hour", "--force"]) == 0


def test_without_a_name_tutorials_are_listed_and_a_wrong_one_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert status(["notebook"]) == 0
    assert "first-hour" in capsys.readouterr().out
    assert status(["notebook", "first-our"]) != 0
    assert "first-hour" in capsys.readouterr().err


def test_a_paper_is_told_as_bibtex(capsys: pytest.CaptureFixture[str]) -> None:
    assert status(["show", "bes22/weight-spike", "--bibtex"]) == 0
    assert capsys.readouterr().out.startswith("@misc{bes22,")
