"""`sweep`, `studies`, `results`, `figure`, `forget` and `converge` as a user types them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from giantstep.claims import claim, claim_class
from giantstep.cli.main import status
from giantstep.studies import Study
from tests.claims.toy import NoisyLevel

Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Typed:
    """Type a line; the store is a file of the test's own."""

    def run(*words: str, store: bool = True) -> tuple[int, str, str]:
        code = status([*words, *(["--store", str(tmp_path / "s.sqlite")] if store else [])])
        out, err = capfd.readouterr()
        return code, out, err

    return run


SWEEP = ("sweep", "bes22/weight-spike", "--d", "32", "--step", "2,6", "--seeds", "2", "--workers", "1")


def test_the_whole_life_of_a_study(typed: Typed, tmp_path: Path) -> None:
    code, out, _ = typed(*SWEEP, "--name", "spikes")
    assert code == 0
    assert "spikes" in out
    code, out, _ = typed("studies", "--json")
    (entry,) = json.loads(out)
    assert (entry["name"], entry["done"], entry["records"], entry["state"]) == ("spikes", 4, 4, "finished")
    code, out, _ = typed("results", "spikes", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert {row["step"] for row in rows} == {"2.0", "6.0"}
    assert {row["claim_version"] for row in rows} == {str(claim_class("bes22/weight-spike").info.version)}
    code, out, _ = typed("results", "spikes", "--format", "json")
    assert len(json.loads(out)) == len(rows)
    assert typed("results", "spikes", "--json")[1] == out
    code, _, _ = typed("results", "spikes", "--format", "parquet", "--output", str(tmp_path / "t.parquet"))
    assert (tmp_path / "t.parquet").stat().st_size > 100
    code, out, _ = typed("figure", "spikes", str(tmp_path / "f.svg"))
    assert "<svg" in (tmp_path / "f.svg").read_text()
    code, out, _ = typed("forget", "spikes")
    assert "4 records removed" in out
    code, out, _ = typed("studies")
    assert "no studies" in out


def test_a_study_file_says_the_same_as_the_line(typed: Typed, tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    assert typed(*SWEEP, "--name", "a", "--save-config", str(file))[0] == 0
    assert "there is no store at" in typed("studies")[2]  # it was only written down
    out = typed("sweep", str(file), "--dry-run", "--json")[1]
    assert json.loads(out)["records"] == 4
    assert typed("sweep", str(file))[0] == 0
    assert typed("studies")[1].count("4 of 4") == 1


def test_converge_gives_exponents(typed: Typed, tmp_path: Path) -> None:
    line = ("converge", "bes22/weight-spike", "--d", "32,64", "--seeds", "6", "--workers", "1")
    code, out, _ = typed(*line, "--json")
    assert code == 0
    found = json.loads(out)
    assert found["size"] == "d"
    assert {q["quantity"] for q in found["quantities"]} >= {"spike", "alignment"}
    code, out, _ = typed(*line, "--figure", str(tmp_path / "c.svg"))
    assert "the gap shrinks like d^(" in out  # that of the bulk's edge is far beyond chance
    assert (tmp_path / "c.svg").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("sweep", "bes22/weight-spike", "--step", "1:2"), "cannot be read from '1:2'"),
        (("sweep", "bes22/weight-spike", "--step", "-1,2"), "step = -1 is not allowed"),
        (("sweep", "bes22/weight-spike", "--stepp", "1"), "--stepp"),
        (("sweep", "nowhere.toml"), "cannot be read: No such file"),
        (("studies",), "there is no store at"),
        (("results", "nothing"), "there is no store at"),
        (("figure", "nothing", "x.svg"), "there is no store at"),
        (("forget", "nothing"), "there is no store at"),
        (("results", "nothing", "--json", "--format", "csv"), "--json and --format csv contradict each other"),
        (("results", "nothing", "--output", "x.csv"), "a table goes to the terminal"),
        (("studies", "--watch", "--json"), "exclude each other"),
        (("sweep", "bes22/weight-spike", "--d", "32", "--step", "1,2", "--figure", "x.gif"), "only trajectories move"),
        (("sweep", "tests.claims.toy:Bare", "--figure", "x.svg"), "there is no picture of this study of toy/bare"),
        (("sweep", "bes22/weight-spike", "--workers", "2", "--slurm"), "--workers is for this machine"),
        (("converge", "bes22/weight-spike", "--d", "32,64", "--step", "1,2"), "exactly one numeric parameter"),
    ],
)
def test_mistakes_get_one_sentence(typed: Typed, tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    code, _, err = typed(*words)
    assert code == 2
    assert sentence in err
    assert len(err.strip().splitlines()) == 1
    assert not (tmp_path / "s.sqlite").exists()  # nothing was begun


@pytest.mark.parametrize("words", [("results", "b"), ("figure", "b", "x.svg"), ("forget", "b")])
def test_unknown_studies(typed: Typed, words: tuple[str, ...]) -> None:
    typed(*SWEEP, "--name", "a")
    code, out, err = typed(*words)
    assert (code, out) == (2, "")
    assert "there is no study 'b'" in err


def test_watching_ends_with_ctrl_c(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    def press(_: float) -> None:
        raise KeyboardInterrupt

    typed(*SWEEP, "--name", "a")
    monkeypatch.setattr("giantstep.cli.studies.time.sleep", press)
    code, out, err = typed("studies", "--watch")
    assert (code, err) == (0, "")
    assert "4 of 4" in out


def test_a_name_belongs_to_one_claim(typed: Typed) -> None:
    assert typed(*SWEEP, "--name", "mine")[0] == 0
    code, _, err = typed("sweep", "dklps23/transition", "--d", "32,64", "--seeds", "2", "--name", "mine")
    assert code == 2
    assert "belongs to a study of bes22/weight-spike" in err


def test_sweeps_that_differ_in_what_is_fixed_have_names_of_their_own() -> None:
    def name(*, level: float = 2.0, bias: float = 0.0) -> str:
        return Study(NoisyLevel(level=level, bias=bias), size=[1, 2]).own_name()

    assert name() == "toy-noisy-level-size"
    assert name(bias=0.5) == "toy-noisy-level-size-bias0.5"
    targets = {
        Study(claim("bes22/weight-spike", target=t), step=[1, 2]).own_name() for t in ("x1 + x1**2", "x1 - x1**2")
    }
    assert len(targets) == 2
    assert all(Study(NoisyLevel, name=one) for one in targets), "they are names that a store takes"
    assert Study(NoisyLevel, size=[1, 2], seeds=3).own_name() == name(), "more seeds go on under the same name"
