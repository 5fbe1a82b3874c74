"""`giantstep analyze`: the page, the JSON, fractions and the picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from giantstep.cli.main import status

EXAMPLE = "x1 + He2(x1) + x2 - He2(x2)"


def out(capsys: pytest.CaptureFixture[str], *tokens: str) -> str:
    assert status(["analyze", *tokens]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def record(capsys: pytest.CaptureFixture[str], *tokens: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out(capsys, *tokens, "--json"))
    return found


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(capsys, EXAMPLE)
    assert [step["directions"] for step in found["staircase"]] == [[], [[1, 1]], [[1, 1], [1, -1]]]
    assert [step["conditional_variance"] for step in found["staircase"]] == [6, 4, 0]
    assert found["staircase"][1]["tail_energies"] == [2, 4]
    assert found["one_step"]["1"]["directions"] == [[1, 1]]
    assert found["hessian"]["rank"] == 2
    assert found["regimes"][0] | {"samples": "d", "neurons": "1", "bound": 4.0} == found["regimes"][0]


def test_fractions(capsys: pytest.CaptureFixture[str]) -> None:
    assert record(capsys, "x1 + x1**2/3", "--exact")["norm2"] == "4/3"
    assert record(capsys, "x1 + x1**2/3")["norm2"] == pytest.approx(4 / 3)
    assert "norm2  E f^2          4/3" in out(capsys, "x1 + x1**2/3", "--exact")
    assert "norm2  E f^2          1.333333333" in out(capsys, "x1 + x1**2/3")


def test_the_page_says_what_an_activation_misses(capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, EXAMPLE, "--activation", "tanh")
    assert "it misses             x1 - x2, because mu2 = 0" in text
    assert "\x1b" not in text


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_figure(capsys: pytest.CaptureFixture[str], tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"staircase{suffix}"
    assert f"picture: {file}" in out(capsys, EXAMPLE, "--figure", str(file))
    assert file.stat().st_size > 1000
    assert "staircase" in record(capsys, EXAMPLE, "--figure", str(file))


def test_a_figure_that_cannot_be_saved_is_refused_at_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert status(["analyze", EXAMPLE, "--figure", str(tmp_path / "staircase.docx")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert ".svg" in captured.err
