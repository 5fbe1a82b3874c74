"""`verify`: claims as one queue, told one by one and listed in their order."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from giantstep.cli import progress
from giantstep.cli.main import status
from tests.claims.toy import Bare, NoisyLevel
from tests.cli.odd import Odd

Verify = Callable[..., tuple[int, str, str]]


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Verify:
    """Verify three toys, the last of which has the longest simulations."""
    monkeypatch.setattr("giantstep.cli.verify.matching_claims", lambda _: [Bare, Odd, NoisyLevel])

    def verified(*flags: str) -> tuple[int, str, str]:
        code = status(["verify", "toys", *flags])
        return code, *capsys.readouterr()

    return verified


def test_json_lists_claims_in_their_order_whichever_is_first(verify: Verify) -> None:
    code, out, err = verify("--json")
    told = json.loads(out)
    assert [found["claim"] for found in told["claims"]] == ["toy/bare", "toy/odd", "toy/noisy-level"]
    assert (code, err) == (1, ""), "the bare one states nothing"
    assert [found["verdict"]["status"] for found in told["claims"]] == ["undecided", "holds", "holds"]


def test_a_claim_whose_theory_breaks_down_stops_no_other(verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Odd) -> None:
        raise ZeroDivisionError("far away")

    monkeypatch.setattr(Odd, "predict", broken)
    code, out, err = verify()
    assert code == 2
    assert err == "giantstep: the theory of toy/odd breaks down at level = 1.0: ZeroDivisionError: far away\n"
    assert "toy/bare" in out
    assert "toy/noisy-level" in out
    assert "1 holds, 1 undecided, 0 fail, 0 outside, 1 not verified" in out
    code, out, _ = verify("--json")
    assert code == 2
    assert json.loads(out)["holds"] is False


def test_progress_is_plain_lines_where_there_is_no_terminal(verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    assert verify()[2] == "", "no line for what takes no time"
    monkeypatch.setattr(progress, "PLAIN_SECONDS", 0.0)
    lines = verify()[2].splitlines()
    assert lines[0].startswith("verify: 0 of 3 claims done, 1 running; 0 of ")
    first_round = [line for line in lines if "times the seeds" not in line]
    assert "; about 1 s to go" in first_round[-2]
    assert first_round[-1].startswith("verify: 3 of 3 claims done, 0 running; ")
    assert all(line.startswith("verify: undecided, with ") for line in lines[len(first_round) :])
    assert verify("--quiet")[2] == ""


def test_progress_of_one_study_tells_its_speed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PLAIN_SECONDS", 0.0)
    assert status(["run", "tests.cli.odd:Odd"]) == 0
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("toy/odd: 3 of 3 simulations; ")
    assert "a second" in last
    assert "claims" not in last


def test_without_a_claim_the_choices_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert status(["verify"]) == 2
    err = capsys.readouterr().err
    assert all(choice in err for choice in ("'bes22/*'", "--flagship", "--all"))


def test_sharpness_is_told_with_each_verdict_and_as_a_table(verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    _, plain, _ = verify()
    assert "sharpness: median 4.3 %, bluntest wave 6.6 %; power (slope in size) 0.1" in plain
    _, out, _ = verify("--sharpness")
    head, *rows = out[out.index("claim  ") :].splitlines()
    assert head.split() == ["claim", "quantities", "median", "bluntest", *["what", "has", "no", "relative", "error"]]
    assert [row.split()[0] for row in rows] == ["toy/bare", "toy/odd", "toy/noisy-level"]
    assert rows[2].split()[1:6] == ["5", "4.3", "%", "wave", "6.6"]
    _, out, _ = verify("--sharpness", "--json")
    bare, _, toy = json.loads(out)["claims"]
    assert bare["sharpness"] == {"judged": 0, "median": None, "bluntest": None, "resolutions": {}}
    assert toy["sharpness"]["resolutions"]["wave"]["kind"] == "relative"


def test_what_is_printed_is_judged_beside_its_correction(
    verify: Verify, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    _, out, _ = verify("--as-printed")
    row = next(line for line in out.splitlines() if "twice as [much]" in line)
    assert row.split()[0] == "level"
    assert "fails" in row
    assert "holds" in row
    assert out.splitlines()[-1] == "1 statements of 1 claims fail as printed"
    assert status(["run", "tests.cli.odd:Odd", "--as-printed"]) == 0
    assert "twice as [much]" in capsys.readouterr().out
    assert status(["run", "tests.claims.toy:Bare", "--as-printed"]) == 2
    assert "toy/bare" in capsys.readouterr().err


def test_a_point_beyond_the_hypotheses_is_outside(capsys: pytest.CaptureFixture[str]) -> None:
    assert status(["run", "tests.cli.odd:Odd", "--level", "7"]) == 0
    out = capsys.readouterr().out
    assert "outside: level" in out
    assert "theory supposes that the level is at most [5]" in " ".join(out.split())
    assert status(["run", "tests.cli.odd:Odd", "--level", "7", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"]["status"] == "outside"


def test_verdicts_are_numbered_and_counted(verify: Verify) -> None:
    _, out, _ = verify()
    assert [f"{i} of 3" in out for i in range(5)] == [False, True, True, True, False]
    assert out.splitlines()[-1] == "2 hold, 1 undecided, 0 fail, 0 outside"


def test_a_dry_run_numbers_claims_and_tells_the_time_of_all(verify: Verify) -> None:
    _, out, _ = verify("--dry-run")
    lines = out.splitlines()
    assert [line.split("  ")[0] for line in lines[:3]] == ["1 of 3", "2 of 3", "3 of 3"]
    assert lines[3].startswith("all 3 claims: about ")
    assert json.loads(verify("--dry-run", "--json")[1])["seconds"] > 0


def test_a_run_that_fails_has_status_1_and_one_that_is_undecided_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert status(["run", "tests.claims.toy:NoisyLevel", "--bias", "1"]) == 1
    assert status(["run", "tests.claims.toy:NoisyLevel", "--spread", "0.2"]) == 0
    assert "seeds are too few, about " in capsys.readouterr().out


def test_limit_and_prediction_for_the_draws_have_columns_of_their_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    assert status(["run", "bes22/weight-spike", "--d", "32", "--seeds", "2"]) in (0, 1)
    head, *rows = capsys.readouterr().out.splitlines()[1:]
    assert head.split()[:6] == ["quantity", "predicted", "for", "the", "draws", "measured"]
    edge = next(row for row in rows if row.startswith("bulk_edge"))
    assert not edge[head.index("for the draws") : head.index("measured")].strip(), "judged against the limit alone"
