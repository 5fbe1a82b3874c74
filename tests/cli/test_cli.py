"""The terminal: every command, its JSON, its exit status, and its answers to mistakes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, get_args

import pytest

from giantstep.claims import claim_names, listed_claims
from giantstep.cli.catalogue import Kind
from giantstep.cli.main import status

SMALL = ["--d", "64", "--seeds", "3"]


def out(capsys: pytest.CaptureFixture[str], *tokens: str, code: int = 0) -> str:
    assert status(tokens) == code
    captured = capsys.readouterr()
    assert captured.err == "" or code
    return captured.out


def complaint(capsys: pytest.CaptureFixture[str], *tokens: str) -> str:
    """The one sentence that bad input is answered with."""
    assert status(tokens) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return captured.err


def test_claims(capsys: pytest.CaptureFixture[str]) -> None:
    assert "bes22/weight-spike" in out(capsys, "claims")
    listed = json.loads(out(capsys, "claims", "--json"))
    assert {"name", "kind", "statement", "source", "parameters", "quantities", "presets"} <= set(listed[0])


def test_claims_are_listed_by_paper_and_found_by_words(capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "claims")
    assert "J. Ba, M. A. Erdogdu, T. Suzuki" in text, "the paper is spelled out"
    assert f"{len(claim_names())} claims; verifying all takes about " in text
    found = out(capsys, "claims", "spike", "--kind", "theorem", "--paper", "bes22")
    assert "bes22/weight-spike" in found
    assert "bes22/kernel-spike" not in found, "a conjecture"
    assert "structured" not in found, "another paper"
    assert "dklps23/staircase" in out(capsys, "claims", "--paper", "dandi")
    assert {one.kind for one in listed_claims()} <= set(get_args(get_args(Kind)[0])), "each kind can be asked for"
    listed = json.loads(out(capsys, "claims", "giant", "fresh", "--json"))
    assert [one["name"] for one in listed] == ["dklps23/staircase"]


@pytest.mark.parametrize("verb", ["run", "predict", "sweep", "converge"])
def test_help_without_a_claim_shows_the_commands_own_flags(capsys: pytest.CaptureFixture[str], verb: str) -> None:
    text = out(capsys, verb, "--help")
    assert "--preset" in text
    assert "--json" in text
    assert ("--seeds" in text) == (verb != "predict")


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "show", "bes22/weight-spike")
    for words in ("--samples-per-dim", "spike", "η_c = 3.206", "Source:", "slide-figure", "Convention:"):
        assert words in text
    assert "giantstep show bes22/weight-spike --latex" in text


def test_show_latex(capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "show", "bes22/weight-spike", "--latex")
    first, begin, formula, *_ = text.splitlines()
    assert first.startswith("After one step of constant size, the weights keep")
    assert begin == "\\begin{gather*}"
    assert formula.startswith("s_1 \\to \\sqrt{(1 + \\theta_1^2)")
    facts = json.loads(out(capsys, "show", "bes22/weight-spike", "--json"))
    assert all(line in text for line in facts["formula"]["latex"])
    assert facts["formula"]["where"] in text


@pytest.mark.parametrize("form", ["pdf", "svg", "png"])
def test_a_picture_for_slides(
    form: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    point = ("run", "bes22/weight-spike", "--d", "32", "--seeds", "2", "--quiet")
    out(capsys, *point, "--size", "8x5cm", "--font", "9", "--format", form, "--transparent")
    out(capsys, *point, "--figure", "named", "--format", form)
    panels = {f"bes22-weight-spike{number}.{form}" for number in ("", "-2", "-3", "-4")}
    assert {file.name for file in tmp_path.iterdir()} == {f"named.{form}", *panels}, "so small a page has one panel"
    begins = {"pdf": b"%PDF", "svg": b"<svg", "png": b"\x89PNG"}
    assert all(file.read_bytes().startswith(begins[form]) for file in tmp_path.iterdir())
    assert "contradict" in complaint(capsys, *point, "--figure", "a.gif", "--format", form)


def test_predict(capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(out(capsys, "predict", "bes22/weight-spike", "--step", "8", "--json"))
    assert record["quantities"]["spike"]["predicted"] == pytest.approx(3.4688, abs=1e-4)
    assert record["parameters"]["step"] == 8.0
    assert "spike" in out(capsys, "predict", "bes22/weight-spike", "--preset", "slide")


def test_run_json_has_the_promised_shape(capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(out(capsys, "run", "bes22/weight-spike", *SMALL, "--json", "--seed", "4"))
    parts = {"claim", "parameters", "seeds", "quantities", "verdict", "sharpness", "as_printed", "provenance"}
    assert set(record) == parts
    assert record["seeds"] == [4, 5, 6]
    keys = {"predicted", "measured", "stderr", "relation", "gap", "holds", "resolution"}
    assert all(keys <= set(q) for q in record["quantities"].values())
    assert set(record["verdict"]) == {"status", "sentence"}
    assert {"version", "seed", "engine", "seconds"} <= set(record["provenance"])
    assert record["provenance"]["seed"] == 4


@pytest.mark.slow
def test_run_text_and_figure(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "spike.svg"
    text = out(capsys, "run", "bes22/weight-spike", *SMALL, "--figure", str(file))
    assert "alignment" in text
    assert "\x1b" not in text
    assert "<svg" in file.read_text()


def test_whole_numbers_may_be_written_with_an_exponent(capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(out(capsys, "run", "dklps23/transition", "--d", "1e3", "--seeds", "2", "--json"))
    assert record["parameters"]["d"] == 1000
    assert record["provenance"]["engine"] == "reduced"


def test_dry_run_runs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert "simulations on" in out(capsys, "run", "bes22/weight-spike", "--d", "2000", "--dry-run")
    assert "bes22/weight-spike: " in out(capsys, "verify", "bes22/weight-spike", "--dry-run")


def test_analyze(capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(out(capsys, "analyze", "x1 + He2(x1)*x2", "--json"))
    assert record["norm2"] == 3
    assert record["information_exponent"] == 1
    assert "information exponent" in out(capsys, "analyze", "He2(x1)", "--activation", "tanh")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "--version")
    assert "numpy" in text
    assert "BLAS" in text


@pytest.mark.parametrize(
    "tokens", [["--help"], ["run", "--help"], ["run", "bes22/weight-spike", "--help"], ["verify", "-h"]]
)
def test_help(capsys: pytest.CaptureFixture[str], tokens: list[str]) -> None:
    text = out(capsys, *tokens)
    assert "Usage" in text


def test_help_lists_the_parameters_of_the_claim(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--samples-per-dim" in out(capsys, "run", "bes22/weight-spike", "--help")


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (["run", "bes22/weight-spik"], "did you mean 'bes22/weight-spike'"),
        (["run", "bes22/weight-spike", "--step", "-3"], "step = -3 is not allowed; it must be at least 0"),
        (["run", "bes22/weight-spike", "--d", "2.5"], "d = '2.5' is not allowed; it must be a whole number"),
        (["run", "bes22/weight-spike", "--target", "x1 + y"], "x1 + y"),
        (["run", "bes22/weight-spike", "--activation", "tanhh"], "tanhh"),
        (["run", "bes22/weight-spike", "--preset", "sldie"], "no preset 'sldie'"),
        (["run", "bes22/weight-spike", "--d", "1e7"], "lower 'd'"),
        (["run", "bes22/weight-spike", "--seeds", "0"], "seeds = 0 is not allowed"),
        (["run", "bes22/weight-spike", "--figure", "spike.docx"], ".svg"),
        (["run"], "claim"),
        (["verify"], "--flagship"),
        (["verify", "nothing/*"], "there is no claim 'nothing/*'"),
        (["analyze", "x1 +"], "x1 +"),
        (["run", "bes22/weight-spike", "--seeds", "1.5"], "seeds = '1.5' is not allowed; it must be a whole number"),
        (["run", "bes22/weight-spike", "--stp", "3"], "there is no flag --stp; did you mean --step? 'giantstep run"),
        (["run", "bes22/weight-spike", "--json=maybe"], "--json takes no value"),
        (["run", "bes22/weight-spike", "--figure"], "--figure needs a value"),
        (["show"], "CLAIM is missing after 'show'; 'giantstep show --help' tells more"),
        (["show", "bes22/weight-spike", "more"], "'more' is too much here"),
        (["results", "a", "--format", "xml"], "--format xml is not allowed; it must be one of table, csv"),
        (["shw"], "there is no command 'shw'; did you mean show?"),
        (["verify", "--all", "bes22/weight-spike"], "exclude each other"),
        (
            ["converge", "bes22/weight-spike", "--d", "16"],
            "at least 16 (d = 4, 8, 16, 32 were chosen; --d gives others",
        ),
        (
            ["converge", "bes22/weight-spike", "--d", "16", "--noise", "-1"],
            "noise = -1 is not allowed; it must be at least 0",
        ),
        (["converge", "bes22/weight-spike", "--d", "32,64", "--seeds", "1"], "seeds = 1 is not allowed"),
        (["converge", "bes22/weight-spike", "--d", "64,64"], "two or more different values of d"),
        (["frobnicate"], "frobnicate"),
        (["run", "bes22/weight-spike", "--eta", "3"], "there is no flag --eta; did you mean --step?"),
        (["run", "bes22/weight-spike", "--psi1", "3"], "did you mean --samples-per-dim?"),
        (["run", "bes22/weight-spike", "--n", "3"], "did you mean --samples-per-dim?"),
        (["run", "bes22/weight-spike", "--N", "3"], "did you mean --neurons-per-dim?"),
        (["sweep", "dklps23/transition", "--width", "3"], "did you mean --neurons?"),
        (["analyze", "max(x1, 0)"], "max(x1, 0) is written relu(x1)"),
        (["run", "bes22/weight-spike", "--activation", "leaky_relu"], "is written relu(z) - 0.1*relu(-z)"),
        (["claims", "nothing of this kind"], "no claim is listed under these words"),
        (["claims", "--kind", "axiom"], "--kind axiom is not allowed; it must be one of theorem, proposition, lemma"),
        (["--install-completion", "tcsh"], "tcsh is not allowed; it must be one of bash, zsh"),
    ],
)
def test_bad_input_gets_one_sentence(capsys: pytest.CaptureFixture[str], tokens: list[str], words: str) -> None:
    assert words in complaint(capsys, *tokens)


@pytest.mark.slow
def test_verify_writes_a_report(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from giantstep.cli import verify
    from tests.claims.toy import NoisyLevel

    monkeypatch.setattr(verify, "matching_claims", lambda _: [NoisyLevel])
    text = out(capsys, "verify", "toy/noisy-level", "--report", str(tmp_path / "report"))
    page = (tmp_path / "report" / "index.html").read_text()
    assert "1 claim: 1 holds, 0 undecided, 0 fail, 0 outside" in page
    assert "<svg" in (tmp_path / "report" / "claims" / "toy-noisy-level.html").read_text()
    assert str(tmp_path / "report" / "index.html") in text

    class Biased(NoisyLevel):
        """The same, with a theory that is off."""

        bias: float = 1.0

    monkeypatch.setattr(verify, "matching_claims", lambda _: [Biased])
    assert status(["verify", "toy/noisy-level"]) == 1


def environment() -> dict[str, str]:
    return {**os.environ, "NO_COLOR": "1"}


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to see the workers start")
def test_ctrl_c_reports_what_was_measured() -> None:
    """A real SIGINT in the middle of a run: status 130, and the table of what was there."""
    line = [
        sys.executable,
        "-m",
        "giantstep",
        "run",
        "bes22/weight-spike",
        "--d",
        "256",
        "--seeds",
        "500",
        "--json",
    ]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        for _ in range(600):  # until the worker processes are there, however slow the machine
            time.sleep(0.1)
            if len(children.read_text().split()) >= 2:
                break
        time.sleep(5)
        process.send_signal(signal.SIGINT)
        text, errors = process.communicate(timeout=240)
    assert process.returncode == 130, errors
    record: dict[str, Any] = json.loads(text)
    assert record["provenance"]["interrupted"] is True


@pytest.mark.slow
def test_piping_into_head_is_quiet() -> None:
    line = f"{sys.executable} -m giantstep claims --json | head -c 10"
    done = subprocess.run(line, shell=True, capture_output=True, env=environment(), check=True)
    assert done.stderr == b""


def test_pictures_have_the_look_that_flags_ask_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    place = tmp_path / "spike.svg"
    flags = [
        "--figure",
        str(place),
        "--size",
        "12x8cm",
        "--theme",
        "slide",
        "--panel",
        "a",
        "--no-caption",
        "--title",
        "T",
    ]
    out(capsys, "run", "bes22/weight-spike", *SMALL, *flags)
    assert 'width="340.16pt"' in place.read_text()
    assert status(["run", "bes22/weight-spike", *SMALL, "--figure", str(place), "--size", "12"]) == 2
    assert "12x7cm" in capsys.readouterr().err
