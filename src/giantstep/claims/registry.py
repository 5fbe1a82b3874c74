"""All claims by name. A claim's name is the path of its file: `bes22/weight-spike` is `bes22/weight_spike.py`."""

from __future__ import annotations

import fnmatch
import importlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

from giantstep.checks import instance
from giantstep.claims.base import Claim
from giantstep.errors import InputError

EXAMPLE = "bes22/weight-spike"


@cache
def claim_names() -> tuple[str, ...]:
    """Names of all claims, without importing any of them."""
    room = Path(__file__).parent
    return tuple(
        f"{folder.name}/{name}".replace("_", "-")
        for folder in sorted(room.iterdir())
        if (folder / "__init__.py").exists()
        for name in sorted(file.removesuffix(".py") for file in os.listdir(folder) if file.endswith(".py"))
        if not name.startswith("_")
    )


def claim_class(name: str) -> type[Claim]:
    """The class of the claim `name`; a claim of your own is named `module:Class`."""
    if ":" in instance("the claim", name, str, f"a name such as '{EXAMPLE}'"):
        return _own_claim(*name.split(":", 1))
    if name not in claim_names():
        file = Path(__file__).parent / f"{name.replace('-', '_')}.py"
        if os.path.exists(file):  # False, too, of what can be no name of a file
            raise InputError(f"the claim '{name}' is not found, for its folder has no __init__.py; write one")
        import difflib

        close = difflib.get_close_matches(name, claim_names(), n=1)
        hint = f"did you mean '{close[0]}'? " if close else ""
        raise InputError(f"there is no claim '{name}'; {hint}'giantstep claims' lists all {len(claim_names())}")
    path = "giantstep.claims." + name.replace("/", ".").replace("-", "_")
    try:
        module = importlib.import_module(path)
    except Exception as error:
        raise InputError(f"the claim '{name}' cannot be loaded: {_told(error, path)}") from error
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, Claim) and "info" in vars(value) and value.info.name == name:
            return value
    raise InputError(f"the file of '{name}' holds no claim of this name; @named(\"{name}\", ...) gives it")


def _own_claim(module: str, name: str) -> type[Claim]:
    """A claim from the user's own module, looked for in the working directory too."""
    if "" not in sys.path:
        sys.path.insert(0, "")
    if module not in sys.modules:
        _announce(module)
    try:
        found = getattr(importlib.import_module(module), name)
    except Exception as error:
        raise InputError(f"the claim '{module}:{name}' cannot be loaded: {_told(error, module)}") from None
    if not (isinstance(found, type) and issubclass(found, Claim) and "info" in vars(found)):
        raise InputError(f"'{module}:{name}' is not a claim; it must be a subclass of Claim decorated with @named")
    return found


def _announce(module: str) -> None:
    """Say which file is about to be run, for its name may come from a store or a study that somebody else has made."""
    import importlib.util
    import logging

    try:
        found = importlib.util.find_spec(module)
    except Exception:  # it is loaded next, which tells what is wrong with it
        return
    if found is not None:
        logging.getLogger("giantstep").warning("giantstep: runs %s to load the claim", found.origin or module)


def _told(error: Exception, module: str) -> str:
    """What went wrong while a user's module was loaded, and at which line of it."""
    if isinstance(error, SyntaxError):
        return f"{error.msg} ({error.filename}, line {error.lineno})"
    import traceback

    own = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).stem == module.rpartition(".")[2]]
    if not own:
        return str(error)
    return f"{type(error).__name__}: {error} ({own[-1].filename}, line {own[-1].lineno})"


def matching_claims(patterns: str | tuple[str, ...]) -> list[type[Claim]]:
    """The claims that fit one of `patterns`, such as `bes22/*`, each once, in order; `bes22` alone means `bes22/*`."""
    found: dict[str, type[Claim]] = {}
    for pattern in (patterns,) if isinstance(patterns, str) else patterns:
        names = fnmatch.filter(claim_names(), f"{pattern.rstrip('/')}/*" if _is_folder(pattern) else pattern)
        for name in names or [pattern]:
            found.setdefault(name, claim_class(name))
    return list(found.values())


def _is_folder(pattern: str) -> bool:
    return any(name.startswith(f"{pattern.rstrip('/')}/") for name in claim_names())


def claim(name: str, *, preset: str = "", **parameters: Any) -> Claim:
    """A claim at a point: `giantstep.claim("bes22/weight-spike", step=6)`.

    Args:
        name: the claim's name, or `module:Class` for one of your own.
        preset: the name of a point that the claim knows.
        parameters: what is to differ from the preset, or else from the defaults.

    >>> claim("dklps23/transition", d=1000).d
    1000
    """
    cls = claim_class(name)
    return cls.preset(preset, **parameters) if preset else cls(**parameters)


def claim_point(claim: Claim | type[Claim] | str) -> Claim:
    """`claim` at a point: given as such, or at its defaults by its class or name.

    >>> claim_point("dklps23/transition").name
    'dklps23/transition'
    """
    if isinstance(claim, Claim):
        return claim
    if isinstance(claim, type) and issubclass(claim, Claim) and hasattr(claim, "info"):
        return claim()
    return claim_class(instance("the claim", claim, str, f"a point, a class or a name such as '{EXAMPLE}'"))()
