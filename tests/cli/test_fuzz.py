"""Command lines that nobody would type: a sentence of at most 400 characters, or an answer made of numbers."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from giantstep.claims import claim_class, claim_names
from giantstep.cli import progress
from giantstep.cli.diagnose import _progress
from giantstep.cli.main import status
from giantstep.errors import LONGEST

NO_NUMBER = re.compile(r"(?<![\w'])(nan|inf|NaN|Infinity)(?![\w'])")
LONG = "x1*" * 1500 + "x1"
TEXTS = ["", " ", "nan", "inf", "-1", "1e400", "0x10", "a" * 4000, LONG, "--", "1,2", "1:2:3", "1:2:1e9", "True", "[1]"]
NUMBERS = ["1e308", "1e-308", "2e99", "6e300", "1e12", "1e-12", "0", "1", "2", "0.5", "1e5", "17"]
WORDS = ["x1", "He3(x1)", "1e300*x1", "tanh", "tanh(1e6*z)", "exp(z)", "z", "yes", "infinite"]


def answered(capsys: pytest.CaptureFixture[str], *line: str) -> int:
    """The status of a line; whatever else it must not do is checked."""
    code = status(line)  # warnings are errors here, and a traceback fails the test
    out, err = capsys.readouterr()
    assert code in (0, 1, 2), err
    assert not NO_NUMBER.search(out), out
    assert "Warning" not in err
    if code == 2:
        assert err.startswith("giantstep: ")
        assert len(err) <= len("giantstep: ") + LONGEST + 1
    return code


@pytest.mark.parametrize(
    "line",
    [
        "converge bes22/weight-spike --d TEXT",
        "run bes22/large-step --neurons-per-dim 2e300",
        "run bes22/large-step --d 1e300",
        "predict bes22/weight-spike --step 6e300",
        "predict bes22/weight-spike --step 1e308 --noise 2e99",
        "predict bes22/gaussian-equivalence --noise 6e300",
        "predict bes22/one-step-risk --ridge 1e308",
        "predict bes22/weight-spike --activation tanh(1e6*z)",
        "predict bes22/large-step --activation relu",
        "predict spectral/threshold --noise 1e8",
        "predict cui24/giant-step-limit --noise 1e6",
        "run bes22/rank-one-gradient --d 16 --samples-per-dim 1e99 --seeds 2",
        "sweep meanfield/parity --neurons 1e308 --dry-run",
        f"run bes22/weight-spike --target {LONG}",
        f"run {'a' * 5000}",
        f"studies --store {'a' * 5000}",
        f"results {'a' * 5000}",
        f"frobnicate{'a' * 5000}",
        f"run bes22/weight-spike --{'a' * 5000}",
        f"analyze {'y' * 5000}",
        f"lab --host {'a' * 5000}",
        "lab --host a..b",
    ],
    ids=lambda line: line[:50],
)
def test_lines_that_once_gave_a_traceback_get_a_sentence(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    answered(capsys, *line.split())


def test_a_name_with_a_zero_in_it_gets_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert answered(capsys, "studies", "--store", "a\0b") == 2


@pytest.mark.parametrize(
    "line",
    [
        ["analyze", "x1", "--figure", "./", "--format", "png"],
        ["forget", "one\n"],
        ["studies", "--store", "a\nb"],
        ["predict", "bes22/weight-spike", "--target", "z + x1", "--d", "x", "--activation", "x1"],
    ],
    ids=lambda line: line[0],
)
def test_a_sentence_is_one_line_above_what_it_quotes(
    line: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert status(line) == 2
    assert re.fullmatch(r"giantstep: [^\n]+\n(  [^\n]*\n *\^\n)?", capsys.readouterr().err)


def test_what_a_simulation_cannot_count_is_a_failure_and_no_nan(capsys: pytest.CaptureFixture[str]) -> None:
    line = ("run", "bes22/weight-spike", "--d", "16", "--seeds", "2", "--step", "1e150", "--workers", "1")
    answered(capsys, *line)


def test_one_seed_has_no_standard_error(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert status(["run", "bes22/weight-spike", "--d", "16", "--seeds", "1"]) == 0
    out = capsys.readouterr().out
    assert "needs 2 seeds" in out
    assert not NO_NUMBER.search(out)


def typed(draw: random.Random, kind: Any) -> str:
    if draw.random() < 0.25:
        return draw.choice(TEXTS)
    return draw.choice(NUMBERS if kind in (int, float) else WORDS)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_random_lines_are_answered(seed: int, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Forty lines each, of all claims; nothing is simulated."""
    draw = random.Random(seed)
    for _ in range(40):
        name = draw.choice(claim_names())
        fields = claim_class(name).model_fields
        chosen = draw.sample(sorted(fields), min(len(fields), draw.choice([1, 1, 2, 3])))
        flags = [word for f in chosen for word in (f"--{f.replace('_', '-')}", typed(draw, fields[f].annotation))]
        command = draw.choice([["predict"], ["run", "--dry-run"], ["sweep", "--dry-run"], ["converge", "--dry-run"]])
        answered(capsys, command[0], name, *flags, *command[1:])


def test_silence_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A simulation that says nothing for long does not look like one that hangs."""
    said = Event()
    monkeypatch.setattr(progress, "SILENT_SECONDS", 0.001)
    monkeypatch.setattr(progress.ProgressBar, "_say", lambda self, now: said.set())
    with progress.progress("slow"):
        assert said.wait(60)


def test_long_theory_says_that_it_is_at_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "SILENT_SECONDS", 0.001)
    told = ""
    with progress.patience("the theory") as tell:
        while not told:
            told = capsys.readouterr().err
        assert told.startswith("the theory: for 0 s")
        tell("the picture")
        while "the picture: for 0 s" not in told:
            told += capsys.readouterr().err
    with progress.patience("nobody wants to know", shown=False):
        time.sleep(0.05)
    assert "nobody" not in capsys.readouterr().err


def test_long_diagnoses_say_what_they_are_at(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also while one and the same step takes long, where no terminal is."""
    monkeypatch.setattr(progress, "SILENT_SECONDS", 0.001)
    told = ""
    with _progress(True) as tell:
        tell("comparing learners")
        while not told.count("diagnose: comparing learners: for 0 s") > 1:
            told += capsys.readouterr().err
    with _progress(False) as tell:
        tell("in silence")
        time.sleep(0.05)
    assert "silence" not in capsys.readouterr().err


def test_a_claim_of_ones_own_says_which_file_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "somebodys.py").write_text("raise RuntimeError('it was run')")
    monkeypatch.syspath_prepend(tmp_path)
    assert status(["predict", "somebodys:Claim"]) == 2
    assert f"runs {tmp_path / 'somebodys.py'} to load the claim" in caplog.text
