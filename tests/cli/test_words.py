"""What the terminal says: words as they are, help in full, and what to do after Ctrl-C."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path

import pytest

from giantstep.cli.commands import COMMANDS
from giantstep.cli.main import status
from giantstep.cli.output import print_columns
from giantstep.studies import InProcess, processes
from giantstep.studies.tasks import Outcome, Task

ODD = "tests.cli.odd:Odd"
BARE = "tests.claims.toy:Bare"


def said(capsys: pytest.CaptureFixture[str], *tokens: str, code: int = 0) -> tuple[str, str]:
    assert status(tokens) == code
    return capsys.readouterr()


def docstring(home: str) -> str:
    module, name = home.split(":")
    return str(getattr(import_module(module), name).__doc__)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["predict", ODD], ["regime: [regime]", "note: note [dklps23] here", "note: [/b] :smile:", "level in [units]"]),
        (["run", ODD], ["note: note [dklps23] here", "note: [/b] :smile:"]),
        (["run", ODD, "--help"], ["A story with [brackets].", "[red]sits[/red]"]),
        (["show", ODD], ["The interval [bold] is closed [0, 1].", "where it [red]sits[/red]", "noise [reason]"]),
        (["show", ODD], ["[slide] 7", "labels in [0, 1]", "see [dklps23] :warning:"]),
    ],
)
def test_brackets_are_not_markup(capsys: pytest.CaptureFixture[str], line: list[str], words: list[str]) -> None:
    text = said(capsys, *line)[0]
    assert [w for w in words if w not in text] == []


def test_the_overview_has_the_first_line_of_each_docstring(capsys: pytest.CaptureFixture[str]) -> None:
    overview = " ".join(said(capsys, "--help")[0].replace("│", " ").split())
    for name, home in COMMANDS.items():
        assert f"{name} {docstring(home).splitlines()[0]}" in overview


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_the_whole_docstring(capsys: pytest.CaptureFixture[str], name: str) -> None:
    text = " ".join(said(capsys, name, "--help")[0].split())
    assert " ".join(docstring(COMMANDS[name]).split()) in text
    assert "--no-json" not in text
    assert "[default: False]" not in text


def test_no_flag_has_a_negative(capsys: pytest.CaptureFixture[str]) -> None:
    for line in (["claims"], ["show", ODD], ["run", ODD]):
        assert "--no-json" in said(capsys, *line, "--no-json", code=2)[1]


def test_dry_runs_tell_the_same_in_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for line in (["run", ODD], ["sweep", ODD, "--level", "1,2"], ["converge", ODD, "--level", "1,2"]):
        found = json.loads(said(capsys, *line, "--dry-run", "--json")[0])
        assert found["records"] == 3 * found["points"] == found["estimate"]["tasks"]
    found = json.loads(said(capsys, "verify", ODD, "--dry-run", "--json")[0])
    assert found["claims"][0]["records"] == 6


def test_theory_that_breaks_down_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("predict", "run"):
        out, err = said(capsys, verb, ODD, "--level", "11", code=2)
        assert out == ""
        assert "the theory of toy/odd breaks down at level = 11.0: ZeroDivisionError: far away" in err


def test_prediction_and_run_have_records_of_one_shape(capsys: pytest.CaptureFixture[str]) -> None:
    theory = json.loads(said(capsys, "predict", ODD, "--json")[0])["quantities"]["level"]
    whole = json.loads(said(capsys, "run", ODD, "--json", "--quiet")[0])["quantities"]["level"]
    assert theory["predicted"] == whole["predicted"] == 1.0
    assert set(theory) == set(whole)
    assert theory["allowance"] == whole["allowance"]
    assert theory["allowance_rule"] == whole["allowance_rule"]
    assert {theory[word] for word in ("measured", "stderr", "gap", "holds", "resolution")} == {None}


@pytest.mark.slow
def test_pictures_that_move(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    store, film = str(tmp_path / "s.sqlite"), tmp_path / "walk.gif"
    said(capsys, "verify", ODD, "--store", store)
    assert f"picture: {film}" in said(capsys, "figure", "verify-toy-odd", str(film), "--store", store)[0]
    assert film.read_bytes().startswith(b"GIF")
    film.unlink()
    said(capsys, "sweep", ODD, "--name", "one", "--store", store, "--figure", str(film))
    assert film.exists()


def test_a_claim_without_a_picture_is_refused_before_it_runs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, nobody_works: None
) -> None:
    for line in (["run", BARE], ["sweep", BARE, "--store", str(tmp_path / "s.sqlite")]):
        err = said(capsys, *line, "--figure", str(tmp_path / "x.svg"), code=2)[1]
        assert "there is no picture of this study of toy/bare" in err


@pytest.fixture
def nobody_works(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a simulation was begun")

    monkeypatch.setattr(InProcess, "perform_all", refuse)
    monkeypatch.setattr(processes.LocalProcesses, "perform_all", refuse)


@pytest.fixture
def after_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C is pressed when two simulations of a study are done."""
    perform_all = InProcess.perform_all

    def interrupted(
        self: InProcess, tasks: Sequence[Task], progress: Callable[[float], None]
    ) -> Iterator[tuple[int, Outcome]]:
        for number, outcome in perform_all(self, tasks, progress):
            if number == 2:
                raise KeyboardInterrupt
            yield number, outcome

    monkeypatch.setattr(InProcess, "perform_all", interrupted)


@pytest.mark.parametrize(
    ("line", "next_time"),
    [
        (["run", ODD], "'giantstep sweep' takes the same flags, keeps each one and goes on"),
        (["verify", ODD], "the same command with --store FILE keeps what is done and goes on there"),
        (["verify", ODD, "--store", "STORE"], "the same command goes on where it was"),
        (["sweep", ODD, "--store", "STORE"], "2 of 3 records done; the same command goes on where it was"),
        (["converge", ODD, "--level", "1,2", "--store", "STORE"], "the same command goes on where it was"),
    ],
)
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_ctrl_c_says_what_to_do_next(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    after_two: None,
    line: list[str],
    next_time: str,
    form: list[str],
) -> None:
    typed = [word.replace("STORE", str(tmp_path / "s.sqlite")) for word in line]
    err = said(capsys, *typed, *form, code=130)[1]
    assert next_time in err
    assert len(err.splitlines()) == 1
    if "--store" in line:
        monkeypatch.undo()
        assert said(capsys, *typed, *form)[1] == ""
        with_store = ["studies", "--json", "--store", str(tmp_path / "s.sqlite")]
        (entry,) = json.loads(said(capsys, *with_store)[0])
        assert entry["done"] == entry["records"]


def test_verify_tells_what_was_found_before_ctrl_c(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.claims.toy import Bare
    from tests.cli.odd import Odd

    def stop(_: Odd) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("giantstep.cli.verify.matching_claims", lambda _: [Bare, Odd])
    monkeypatch.setattr(Odd, "predict", stop)
    out, err = said(capsys, "verify", "both", "--json", code=130)
    assert [found["claim"] for found in json.loads(out)["claims"]] == ["toy/bare"]
    assert "1 of 2 claims done" in err


def test_a_report_that_cannot_be_written_is_refused_before_it_runs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, nobody_works: None
) -> None:
    (tmp_path / "file").write_text("")
    err = said(capsys, "verify", ODD, "--report", str(tmp_path / "file"), code=2)[1]
    assert "the report cannot be written to" in err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise RuntimeError('boom')", "RuntimeError: boom ("),
        ("def (", "invalid syntax ("),
        ("x = 1", "module '{}' has no attribute 'Mine'"),
    ],
)
def test_a_module_of_ones_own_that_cannot_be_loaded(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, words: str
) -> None:
    name = f"mine_{abs(hash(text))}"
    (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    err = said(capsys, "run", f"{name}:Mine", code=2)[1]
    assert f"the claim '{name}:Mine' cannot be loaded: {words.format(name)}" in err
    assert len(err.splitlines()) == 1


def test_converge_tells_the_sizes_that_it_chose(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    line = ["converge", "dls22/csq-bound", "--d", "64", "--seeds", "2", "--store", str(tmp_path / "s.sqlite")]
    assert "giantstep: d = 16, 32, 64, 128 with 2 seeds each, about " in said(capsys, *line)[1]
    line[3] = "64,128"
    assert said(capsys, *line)[1] == ""


def test_show_tells_the_default_study(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "show", "tests.claims.toy:NoisyLevel")[0]
    words = " ".join(text.split())  # lines end where the screen does
    assert "Default study: what 'giantstep verify tests.claims.toy:NoisyLevel' runs, 8 seeds each" in words
    assert "power against size; size = 5 or 10 or 20" in text


def test_on_a_narrow_screen_lines_end_between_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    whole, _ = said(capsys, "show", ODD)
    monkeypatch.setenv("COLUMNS", "60")
    narrow, _ = said(capsys, "show", ODD)
    assert max(map(len, whole.splitlines())) > 60 >= max(map(len, narrow.splitlines()))
    assert set(narrow.split()) <= {*whole.split(), "allowed:"}
    listed, _ = said(capsys, "claims")
    lines = [line.strip() for line in listed.splitlines() if line.startswith(" ")]
    assert lines, "statements stand below their claims"
    assert max(map(len, lines)) > 40, "as wide as the screen, in no narrow column"


def test_a_table_too_wide_for_the_screen_spares_columns_and_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = {"quantity": ["right_alignment"], "measured": ["0.65427"], "gap": ["-0.020547"]}
    for width, shown in (("36", True), ("35", False)):
        monkeypatch.setenv("COLUMNS", width)
        print_columns(columns, ["gap"], [False])
        out = capsys.readouterr().out
        assert ("-0.020547" in out) == shown
        assert ("a wider screen shows more columns: gap" in " ".join(out.split())) != shown
        assert "right_alignment" in out


def test_a_mistake_is_told_in_lines_that_end_between_words_on_a_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    assert status(["analyze", "max(x1, 0)"]) == 2
    told = capsys.readouterr().err
    assert told.splitlines()[-2:] == ["  max(x1, 0)", "  ^"]
    assert max(map(len, told.splitlines())) <= 40
    assert "giantstep: max(x1, 0) is written relu(x1)," in " ".join(told.split())


def test_mathematics_of_help_and_prediction_is_set(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "predict", "bes22/weight-spike", "--help")[0]
    assert "[ψ₁ = n/d]" in told
    assert "[σ_ε]" in told
    assert "psi" not in told
    assert "r*² (d₁ + d₂)" in said(capsys, "predict", "sensing/sample-size")[0]
