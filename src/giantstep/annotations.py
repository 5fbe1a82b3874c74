"""What the names in the annotations of a function mean.

Annotations are texts, and their names often imported for type checkers alone: such a name is looked up in the file's
imports only when a value is not at once seen to be of that class.
"""

from __future__ import annotations

import ast
import builtins
import collections.abc
import functools
import importlib
import inspect
import sys
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from giantstep.answers import speaks_of_nan

MEASURED = tuple(f"giantstep.{room}." for room in ("verdicts", "claims", "studies", "figures", "report"))
"""What was measured is judged, kept and shown as it is: in these rooms a number may be NaN. Elsewhere a class that may
hold one says so in its docstring."""

SIMULATED = "giantstep.learners."


class Numbers(typing.NamedTuple):
    """The meaning of `Array`, `Floats` and `ArrayLike`: arrays of real numbers, a number by itself too or not."""

    alone: bool

    def __or__(self, other: Any) -> Any:
        return typing.Union[self, other]  # noqa: UP007

    def __ror__(self, other: Any) -> Any:
        return typing.Union[other, self]  # noqa: UP007

    def __call__(self) -> None:
        """Being callable makes it a type in the eyes of `typing.Union`."""


MEANINGS: dict[str, Any] = {
    "AllowanceRule": Any,  # a number or a function will do, and what will not is refused where they become one
    "Any": Any,
    "Array": Numbers(alone=False),
    "ArrayLike": Numbers(alone=True),
    "Callable": Callable,
    "DTypeLike": Any,
    "Floats": Numbers(alone=False),
    "Iterable": collections.abc.Iterable,
    "Iterator": collections.abc.Iterator,
    "Mapping": Mapping,
    "NDArray": np.ndarray,
    "Sequence": Sequence,
    "np": np,
}


class Later:
    """A name that only type checkers import: a class, mostly, and looked up when it must be."""

    def __init__(self, name: str, module: str) -> None:
        self.name, self.module = name, module

    def __or__(self, other: Any) -> Any:
        return typing.Union[self, other]  # noqa: UP007

    def __ror__(self, other: Any) -> Any:
        return typing.Union[other, self]  # noqa: UP007

    def __getitem__(self, _: Any) -> Later:
        return self

    def __call__(self) -> None:
        """Being callable makes it a type in the eyes of `typing.Union`."""

    @functools.cached_property
    def meaning(self) -> Any:
        """What the name stands for; Any where that cannot be found."""
        home, name = imports_of(self.module).get(self.name, ("", ""))
        try:
            return getattr(importlib.import_module(home), name)
        except (ImportError, AttributeError, ValueError):
            return Any


@functools.cache
def imports_of(module: str) -> dict[str, tuple[str, str]]:
    """The names that a file imports anywhere, for type checkers too, with the module and the name there."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError, KeyError):
        return {}
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return {alias.asname or alias.name: (str(node.module), alias.name) for node in nodes for alias in node.names}


class Names(dict[str, Any]):
    """What the names in the annotations of a function mean; `doc` is its docstring, or that of the class it makes."""

    def __init__(self, function: Callable[..., Any], doc: str) -> None:
        super().__init__(MEANINGS)
        self.function, self.doc = function, doc
        self.simulates = function.__module__.startswith(SIMULATED)
        self.may_be_nan = function.__module__.startswith(MEASURED) or (
            function.__name__ == "__init__" and speaks_of_nan(doc)
        )

    def __missing__(self, name: str) -> Any:
        known = getattr(self.function, "__globals__", {})
        if name in known:
            return known[name]
        if name in vars(builtins):
            raise KeyError(name)
        return Later(name, self.function.__module__)

    def meaning(self, annotation: Any) -> Any:
        """The annotation that a text says; Any if that cannot be read."""
        if not isinstance(annotation, str):
            return Any if annotation is inspect.Parameter.empty else annotation
        try:
            return eval(annotation, {}, self)  # our own source, not what a user gives
        except Exception:
            return Any
