"""The house: what its packages export is there, and other rooms come in through the doors."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "giantstep"
PACKAGES = sorted(stub.parent for stub in SOURCE.rglob("__init__.pyi"))
BENEATH = {
    "allowed",
    "annotations",
    "answers",
    "arrays",
    "checks",
    "doors",
    "errors",
    "rules",
    "sources",
    "streams",
    "version",
}


def dotted(path: Path) -> str:
    return ".".join(("giantstep", *path.relative_to(SOURCE).with_suffix("").parts))


@pytest.mark.parametrize("package", PACKAGES, ids=dotted)
def test_what_a_package_exports_is_there(package: Path) -> None:
    found = importlib.import_module(dotted(package))
    for name in found.__all__:
        assert hasattr(found, name), (
            f"{dotted(package)}/__init__.pyi names '{name}', which is not in the file named there"
        )
    assert set(found.__all__) <= set(dir(found))


def test_no_name_means_two_things_in_one_room() -> None:
    """Two packages of a room may export the same object, never two under one name; packages themselves do not count."""
    exported: dict[tuple[str, str], tuple[str, object]] = {}
    for package in PACKAGES:
        found, room = importlib.import_module(dotted(package)), dotted(package).split(".")[1:2]
        for name in found.__all__:
            thing = getattr(found, name)
            if room and not inspect.ismodule(thing):
                where, other = exported.setdefault((room[0], name), (dotted(package), thing))
                assert thing is other, f"{where} and {dotted(package)} export different things as '{name}'; rename one"


@pytest.mark.parametrize("package", PACKAGES, ids=dotted)
def test_no_file_has_the_name_of_something_exported_beside_it(package: Path) -> None:
    """A module that is loaded becomes an attribute of its package, and would hide what is exported under its name."""
    files = {path.stem for path in package.glob("*.py")}
    stub = ast.parse((package / "__init__.pyi").read_text())
    names = {a.name for node in stub.body if isinstance(node, ast.ImportFrom) and node.module for a in node.names}
    assert not files & names, f"rename the file {files & names} of {dotted(package)}"


@pytest.mark.parametrize("path", sorted(SOURCE.glob("*/**/*.py")), ids=dotted)
def test_other_rooms_import_from_packages(path: Path) -> None:
    """`from giantstep.theory.spectra import threshold`: never from a file inside another room."""
    room = path.relative_to(SOURCE).parts[0]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("giantstep."):
            parts = node.module.split(".")[1:]
            if parts[0] == room or parts[0] in BENEATH:
                continue
            place = SOURCE.joinpath(*parts)
            assert place.is_dir(), f"{dotted(path)} imports from the file {node.module}; import from its package"


# Files of claims take all they need from one door in one line, the words of `verdicts.stating` among them.
LARGER = {"giantstep.claims": 50}


@pytest.mark.parametrize("package", PACKAGES, ids=dotted)
def test_a_door_can_be_taken_in_at_one_glance(package: Path) -> None:
    names, most = importlib.import_module(dotted(package)).__all__, LARGER.get(dotted(package), 25)
    assert len(names) <= most, f"{dotted(package)} exports {len(names)} names: part it by topic, {most} are allowed"
