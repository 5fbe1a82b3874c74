"""A mutation: one formula of giantstep made wrong, while everything that uses it is judged again.

The body of a function is replaced, not the name that leads to it, so that every room which has imported it sees the
wrong one, and what it had remembered is forgotten.
"""

from __future__ import annotations
import __future__

import functools
import gc
import importlib
import inspect
import sys
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any


@dataclass(frozen=True)
class Mutation:
    """A wrong formula.

    Args:
        what: what is wrong, in a few words: the name of its test.
        where: the function or method, `giantstep.theory.spectra.spikes:threshold_step`.
        right: a piece of its source, which occurs there once.
        wrong: what stands in its place.
        notice: the claims whose verdict must be "fails".
        anew: where theory speaks of what each seed drew, stored simulations hold the right theory for their draws: the
            claim is then simulated anew, at its own point with these changes, with the wrong formula in place.
        seeds: of a simulation anew; the claim's own number if 0.
    """

    what: str
    where: str
    right: str
    wrong: str
    notice: tuple[str, ...]
    anew: Mapping[str, Any] | None = field(default=None, kw_only=True)
    seeds: int = field(default=0, kw_only=True)


def function_at(where: str) -> FunctionType:
    """The function that a text such as `package.module:Class.method` names, without its decorators."""
    module, _, path = where.partition(":")
    found: Any = importlib.import_module(module)
    for name in path.split("."):
        found = inspect.getattr_static(found, name)
    while not isinstance(found, FunctionType):
        inner = [getattr(found, name, None) for name in ("fget", "func", "__func__", "__wrapped__")]
        found = next((f for f in inner if f is not None), None)
        assert found is not None, f"{where} is no function"
    return inspect.unwrap(found)  # type: ignore[return-value]


def mutated_code(function: FunctionType, right: str, wrong: str) -> CodeType:
    """The code of a function in whose source one piece was replaced."""
    source = textwrap.dedent(inspect.getsource(function))
    times = source.count(right)
    assert times == 1, f"'{right}' occurs {times} times in {function.__qualname__}:\n{source}"
    flags = __future__.annotations.compiler_flag
    whole = compile(source.replace(right, wrong), inspect.getfile(function), "exec", flags, dont_inherit=True)
    codes = [c for c in whole.co_consts if isinstance(c, CodeType) and c.co_name == function.__name__]
    assert codes, f"the source of {function.__qualname__} does not begin with its definition"
    return codes[0]


@contextmanager
def applied(mutation: Mutation) -> Iterator[None]:
    """Within it the formula is wrong; after it everything is as before."""
    function = function_at(mutation.where)
    right = function.__code__
    function.__code__ = mutated_code(function, mutation.right, mutation.wrong)
    forget()
    try:
        yield
    finally:
        function.__code__ = right
        forget()


def forget() -> None:
    """Empty every cache of giantstep's functions: what was computed before may no longer be so."""
    for cached in _caches(len(sys.modules)):
        cached.cache_clear()


@functools.cache
def _caches(loaded: int) -> list[functools._lru_cache_wrapper[Any]]:
    """The caches of giantstep's functions, looked for anew once more modules are loaded: there are many objects."""
    gc.unfreeze()  # a command that ran in this process has set aside what was loaded by then, out of sight
    return [
        known
        for known in gc.get_objects()
        if isinstance(known, functools._lru_cache_wrapper) and known.__module__.startswith("giantstep")
    ]
