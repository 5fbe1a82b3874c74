"""All claims by name. A claim's name is the path of its file: `bes22/weight-spike` is `bes22/weight_spike.py`."""

from __future__ import annotations

import difflib
import fnmatch
import importlib
import pkgutil
import sys
from functools import cache
from pathlib import Path
from typing import Any

from giantstep.claims.base import Claim
from giantstep.errors import InputError


@cache
def claim_names() -> tuple[str, ...]:
    """Names of all claims, without importing any of them."""
    room = Path(__file__).parent
    return tuple(
        f"{folder.name}/{module.name}".replace("_", "-")
        for folder in sorted(room.iterdir())
        if (folder / "__init__.py").exists()
        for module in sorted(pkgutil.iter_modules([str(folder)]), key=lambda m: m.name)
        if not module.name.startswith("_")
    )


def claim_class(name: str) -> type[Claim]:
    """The claim of this name; a claim of your own is named `module:Class`."""
    if ":" in name:
        return _own_claim(*name.split(":", 1))
    if name not in claim_names():
        close = difflib.get_close_matches(name, claim_names(), n=1)
        hint = f"did you mean '{close[0]}'? " if close else ""
        raise InputError(f"there is no claim '{name}'; {hint}'giantstep claims' lists all {len(claim_names())}")
    module = importlib.import_module("giantstep.claims." + name.replace("/", ".").replace("-", "_"))
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, Claim) and "info" in vars(value) and value.info.name == name:
            return value
    raise TypeError(f"the file of {name} holds no claim of this name")


def _own_claim(module: str, name: str) -> type[Claim]:
    """A claim from the user's own module, looked for in the working directory too."""
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(f"the claim '{module}:{name}' cannot be loaded: {error}") from None
    if not (isinstance(found, type) and issubclass(found, Claim) and "info" in vars(found)):
        raise InputError(f"'{module}:{name}' is not a claim; it must be a subclass of Claim decorated with @claim")
    return found


def matching_claims(patterns: tuple[str, ...]) -> list[type[Claim]]:
    """The claims that fit patterns such as `bes22/*`, each once, in order."""
    found: dict[str, type[Claim]] = {}
    for pattern in patterns:
        names = fnmatch.filter(claim_names(), pattern)
        for name in names or [pattern]:
            found.setdefault(name, claim_class(name))
    return list(found.values())


def make_claim(name: str, *, preset: str = "", **parameters: Any) -> Claim:
    """A claim at a point: `make_claim("bes22/weight-spike", step=6)`."""
    cls = claim_class(name)
    return cls.preset(preset, **parameters) if preset else cls(**parameters)
