"""The README's promises: its Python runs as written, its commands exist, its picture and links are there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from giantstep.claims import listed_claims
from giantstep.cli.commands import COMMANDS
from giantstep.cli.main import status
from giantstep.version import __version__

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


@pytest.mark.slow
def test_the_ten_lines_run_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(block, "README.md", "exec"), {})
    assert "<svg" in (tmp_path / "spike.svg").read_text()


@pytest.mark.slow
def test_the_terminal_lines_run_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))  # a store of the test's own
    lines = re.findall(r"^\.venv/bin/giantstep (.*)$", README, re.MULTILINE)
    assert len(lines) == 8
    assert lines.pop(0) == "lab"  # which runs until it is interrupted: tests/lab sees to it
    diagnosed = [line for line in lines if line.startswith("diagnose ")]  # of the reader's own table: see test_docs
    assert len(diagnosed) == 1
    for line in (line for line in lines if line not in diagnosed):
        assert status(shlex.split(line)) == 0, line
    told = capsys.readouterr().out
    assert "holds" in told
    assert "undecided:" not in told, "examples use enough seeds"


def test_the_number_of_claims_is_true() -> None:
    assert re.findall(r"\b(\d+) claims\b", README) == [str(len(listed_claims()))]


def test_the_citation_is_of_this_version() -> None:
    assert re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)[1] == __version__  # type: ignore[index]


def test_named_commands_and_files_exist() -> None:
    assert set(re.findall(r"`giantstep (\w+)", README)) <= set(COMMANDS)
    for link in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / link).exists(), link
