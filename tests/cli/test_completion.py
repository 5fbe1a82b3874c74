"""The key Tab: what may stand at a place of the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from giantstep.claims import claim_names
from giantstep.cli.commands import COMMANDS
from giantstep.cli.completion import SCRIPTS, candidates
from giantstep.cli.main import status


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (["conv"], ["converge"]),
        (["nothing", ""], []),
        (["show", "dklps23/st"], ["dklps23/staircase"]),
        (["verify", "bes22/weight-spike", "dklps23/st"], ["dklps23/staircase"]),
        (["run", "bes22/weight-spike", "--ste"], ["--step"]),
        (["run", "bes22/weight-spike", "--preset", "slide-"], ["slide-figure"]),
        (["verify", "--shar"], ["--sharpness"]),
        (["claims", "--paper", "dkl"], ["dklps23"]),
        (["run", "bes22/weight-spike", "--no-c"], ["--no-caption"]),
        (["sweep", "bes22/weight-spike", "--no-r"], ["--no-retry-failed"]),
        (["run", "bes22/weight-spike", "--theme", "s"], ["slide"]),
        (["run", "bes22/weight-spike", "--animate", ""], ["step"]),
        (["claims", "--kind", "le"], ["lemma"]),
        (["run", "bes22/weight-spike", ""], []),
    ],
)
def test_candidates(line: list[str], found: list[str]) -> None:
    assert candidates(line) == found


def test_everything_is_offered_at_an_empty_place() -> None:
    assert set(candidates([""])) == {*COMMANDS, "--help", "--version"}
    assert candidates(["run", ""]) == list(claim_names())
    assert candidates(["run", "tests.cli.odd:Odd", "--q"]) == ["--quiet"], "of a claim that is not in the list"


def test_a_shell_asks_by_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert status(["--complete", "an"]) == 0
    assert capsys.readouterr().out == "analyze\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_the_script_is_written_where_the_shell_looks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, shell: str
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert status(["--install-completion", shell]) == 0
    told = capsys.readouterr().out
    written = [file.read_text() for file in tmp_path.rglob("*") if file.is_file()]
    assert [SCRIPTS[shell]] == written or SCRIPTS[shell] in told
    assert "giantstep --complete" in SCRIPTS[shell]
