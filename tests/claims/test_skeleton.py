"""A new claim runs, holds and notices a wrong theory as it is written, outside and inside a checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from giantstep.claims import claim, write_skeleton
from giantstep.errors import InputError

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.slow
def test_outside_a_checkout_it_is_a_claim_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written, address = write_skeleton("mine/top-value", tmp_path)
    assert [path.name for path in written] == ["top_value.py", "test_top_value.py"]
    assert address == "top_value:TopValue"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    assert claim(address).run(workers=1).verdict.status == "holds"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_top_value.py"],
        capture_output=True,
        text=True,
    )
    assert "3 passed" in done.stdout, done.stdout


def test_inside_a_checkout_it_is_one_of_the_claims(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    written, address = write_skeleton("mine/top-value", tmp_path)
    assert address == "mine/top-value"
    relative = {path.relative_to(tmp_path).as_posix() for path in written}
    folder = "src/giantstep/claims/mine"
    assert relative == {f"{folder}/__init__.py", f"{folder}/top_value.py", "tests/agreement/test_mine_top_value.py"}
    done = subprocess.run(
        [sys.executable, "-m", "giantstep", "predict", address, "--samples-per-dim", "1"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "src")},
    )
    assert "largest" in done.stdout, done.stderr
    # It is written as the house writes.
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    checked = subprocess.run(
        [sys.executable, "-m", "ruff", "check", *map(str, written)], cwd=tmp_path, capture_output=True
    )
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("largest", "'largest' is no name for a claim; write folder/name in small letters"),
        ("mine/Largest", "is no name for a claim"),
        ("../../etc/passwd", "is no name for a claim"),
        ("mine/class", "'class' is a word of Python"),
        ("bes22/weight-spike", "there is a claim bes22/weight-spike already"),
        (3, "the claim must be a name such as 'bes22/weight-spike', not 3"),
    ],
)
def test_a_name_that_cannot_be_is_refused(tmp_path: Path, name: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        write_skeleton(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "test_top_value.py").write_text("mine")
    with pytest.raises(InputError, match="is there already; nothing was written"):
        write_skeleton("mine/top-value", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["test_top_value.py"]


def test_a_module_of_python_is_not_hidden(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'random' is a module of Python"):
        write_skeleton("mine/random", tmp_path)
    assert not list(tmp_path.iterdir())


def test_all_is_written_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Path.write_text

    def full(path: Path, text: str, encoding: str) -> int:
        if path.name.startswith("test_"):
            whole(path, text[:9], encoding=encoding)
            raise OSError(28, "No space left on device")
        return whole(path, text, encoding=encoding)

    monkeypatch.setattr(Path, "write_text", full)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match=r"No space left on device: 'test_lowest_value\.py'"):
        write_skeleton("mine/lowest-value", Path())
    assert not list(tmp_path.iterdir())
