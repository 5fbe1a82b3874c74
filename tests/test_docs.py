"""The generated pages say what the claims say."""

from __future__ import annotations

import importlib.util
import re
import shlex
from pathlib import Path
from types import ModuleType

import pytest

from giantstep.claims import claim
from giantstep.cli.main import status

ROOT = Path(__file__).parent.parent
CONJECTURE = ROOT / "src" / "giantstep" / "cli" / "tutorials" / "conjecture.md"


def script(name: str) -> ModuleType:
    """One of the scripts that write what is generated."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_drawing_of_the_house_is_up_to_date() -> None:
    house = script("house")
    assert house.PICTURE.read_text() == house.house(), "run 'make docs'"


def test_the_badges_are_true() -> None:
    badges = script("badges")
    assert badges.PICTURE.read_text() == badges.picture(), "run 'make docs'"


@pytest.mark.slow
def test_claim_pages_are_up_to_date() -> None:
    made = script("generate")
    wanted = made.pages()
    assert set(wanted) - {made.LISTING} == set((ROOT / "docs" / "claims").rglob("*.md")), "run 'make docs'"
    for place, text in wanted.items():
        assert place.read_text() == text, f"{place.name} is out of date: run 'make docs'"


@pytest.mark.slow
def test_the_python_of_the_pages_runs_as_written() -> None:
    found = 0
    for page in (*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "theory").glob("*.md")):
        for block in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL):
            exec(compile(block, page.name, "exec"), {})
            found += 1
    assert found >= 1


def test_the_example_of_a_claim_of_ones_own_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "own-claims.md").read_text(), re.DOTALL)
    (tmp_path / "mine.py").write_text(block)
    monkeypatch.chdir(tmp_path)
    assert claim("mine:LargestCoordinate", d=5000).run(workers=1).verdict.status == "holds"
    assert claim("mine:LargestCoordinate", factor=1.5).run(workers=1).verdict.status == "fails"


def printed_commands() -> list[str]:
    """The commands of all pages and tutorials that name what they are about."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "theory").glob("*.md")]
    text = "\n".join(page.read_text() for page in (*pages, *CONJECTURE.parent.glob("*.md")))
    verbs = "run|verify|sweep|converge|analyze|show"
    found = re.findall(rf"(?:^(?:\.venv/bin/)?|`)giantstep ((?:{verbs}) [^`\n#]+)", text, re.MULTILINE)
    left_out = ("CLAIM", ".toml", "--all")  # a name to fill in, a file of the reader's own, all claims
    return sorted({line.strip() for line in found if not any(word in line for word in left_out)})


@pytest.mark.slow
def test_the_commands_of_the_pages_are_understood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(re.findall(r"```python\n(.*?)```", CONJECTURE.read_text(), re.DOTALL)[0])
    lines = printed_commands()
    assert len(lines) > 40
    assert sum("--figure" in line for line in lines) >= 29, "those of the figures of the talks too"
    for line in lines:
        words = shlex.split(line)
        words += ["--dry-run"] if words[0] in ("run", "verify", "sweep", "converge") and "--help" not in words else []
        assert status(words) == 0, line


def test_links_lead_somewhere() -> None:
    for page in [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
