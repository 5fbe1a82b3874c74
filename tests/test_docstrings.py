"""Docstrings that serve in a notebook: every parameter of what a package exports is named, with its meaning."""

from __future__ import annotations

import dataclasses
import enum
import importlib
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "giantstep"
PACKAGES = sorted(".".join(("giantstep", *p.parent.relative_to(SOURCE).parts)) for p in SOURCE.rglob("__init__.pyi"))


def parameters_of(thing: Any) -> list[str]:
    """Names that a caller may give: arguments of a function, fields of a dataclass, arguments of a constructor."""
    if dataclasses.is_dataclass(thing):
        return [field.name for field in dataclasses.fields(thing) if field.init]
    return [name for name in inspect.signature(thing).parameters if name not in ("self", "cls")]


def is_named(name: str, text: str) -> bool:
    """Whether the text speaks of `name` in backticks, or explains it on a line of its own, `name: what it is`."""
    return bool(re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`|^\s*\*{{0,2}}(\w+, )*{name}(, \w+)*:", text, re.MULTILINE))


@pytest.mark.parametrize("package", PACKAGES)
def test_every_parameter_is_explained(package: str) -> None:
    found = importlib.import_module(package)
    missing = {}
    for name in found.__all__:
        thing = getattr(found, name)
        is_code = inspect.isfunction(inspect.unwrap(thing)) or inspect.isclass(thing)
        if not is_code or (inspect.isclass(thing) and issubclass(thing, enum.Enum | Exception)):
            continue
        if getattr(thing, "_is_protocol", False) or hasattr(thing, "model_fields"):
            continue
        text = inspect.getdoc(thing) or ""
        unnamed = [p for p in parameters_of(thing) if not is_named(p, text)]
        if unnamed:
            missing[name] = unnamed
    assert not missing, f"say in the docstring what these are, with shape and unit: {missing}"
