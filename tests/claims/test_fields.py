"""One dialect for fields: a name that several claims have is declared through `parameters`, with one meaning."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

import giantstep.claims
from giantstep.claims import extra, parameters
from giantstep.claims.engines import Engine, check_engine
from giantstep.claims.fields import bounds

CLAIMS = Path(giantstep.claims.__file__).parent
FILES = sorted(CLAIMS.glob("*/*.py"))
CALLED = {"d": "dimension"}
"""Fields whose function has a name of its own."""
HOMONYMS = {"batch", "degree", "halving", "overlap", "start", "time", "tolerance"}
"""Names that mean something else in every claim that has them."""


def shared() -> set[str]:
    """The functions of parameters.py."""
    tree = ast.parse((CLAIMS / "parameters.py").read_text())
    made = [n for n in tree.body if isinstance(n, ast.Assign) and isinstance(n.value, ast.Call)]
    return {
        ast.unparse(n.targets[0])
        for n in made
        if isinstance(n.value, ast.Call) and ast.unparse(n.value.func) == "_shared"
    }


def declared(file: Path) -> list[tuple[str, str]]:
    """Each field of the classes of a file, and what declares it: ("step", "parameters.step")."""
    classes = [n for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.ClassDef)]
    lines = [line for cls in classes for line in cls.body if isinstance(line, ast.AnnAssign) and line.value is not None]
    return [
        (ast.unparse(line.target), ast.unparse(line.value.func) if isinstance(line.value, ast.Call) else "")
        for line in lines
        if "ClassVar" not in ast.unparse(line.annotation)
    ]


@pytest.mark.parametrize("file", FILES, ids=lambda f: f"{f.parent.name}/{f.stem}")
def test_a_shared_parameter_is_declared_through_the_shared_file(file: Path) -> None:
    known = shared()
    for field, by in declared(file):
        name = CALLED.get(field, field)
        wanted = f"parameters.{name}" if name in known else "parameters.own"
        assert by == wanted, f"declare {field} through {wanted}(...): one name means one thing in all claims"
    assert "import parameters as" not in file.read_text()


def test_a_name_that_two_files_declare_is_shared_or_means_two_things() -> None:
    own = Counter(
        field for file in FILES for field in {field for field, by in declared(file) if by == "parameters.own"}
    )
    assert {field for field, count in own.items() if count > 1} == HOMONYMS


def test_what_is_shared_is_used_by_several_files() -> None:
    used = Counter(by for file in FILES for by in {by for _, by in declared(file)})
    assert {name for name in shared() if used[f"parameters.{name}"] < 2} == set()


def test_a_bound_replaces_the_usual_one_of_its_side_and_a_text_the_usual_text() -> None:
    usual, own = parameters.scale(1.0), parameters.scale(1.0, help="size", symbol="s", path=True, ge=0)
    assert bounds(usual) == {"gt": 0, "le": 10}
    assert bounds(own) == {"ge": 0, "le": 10}
    assert bounds(parameters.scale(1.0, lt=5)) == {"gt": 0, "lt": 5}
    assert (own.description, extra(own)) == ("size", {"symbol": "s", "path": True})


def test_every_engine_is_explained() -> None:
    text = (Path(__file__).parents[2] / "docs" / "engines.md").read_text()
    for engine in get_args(Engine):
        check_engine("toy", engine)
        assert f"**{engine.capitalize()}.**" in text


@pytest.mark.parametrize("engine", ["fast", ("full", "fast")])
def test_a_claim_that_names_an_unknown_engine_is_refused(engine: str | tuple[str, ...]) -> None:
    with pytest.raises(TypeError, match="toy names an unknown engine; there are: full, reduced"):
        check_engine("toy", engine)  # type: ignore[arg-type]
