"""The doors of the rooms: what a package exports is loaded when first asked for, and checked when it is called.

A function leaves through the door in a wrapper, which reads the annotations of its parameters at the first call
(`giantstep.rules`) and answers every wrong argument with one sentence. The files of a package import each other
without passing its door, so loops inside call the function itself.
"""

from __future__ import annotations

import functools

import lazy_loader  # type: ignore[import-untyped]

from giantstep.errors import FAILURES, InputError

TYPE_CHECKING = False  # not that of `typing`: every start of `giantstep` comes through here
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from giantstep.rules import Rules

_wrappers: dict[Any, Callable[..., Any]] = {}


def attach(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package whose `__init__.pyi` says what it exports.

    Args:
        package: its `__name__`.
        file: its `__file__`.
    """
    find, names, exported = lazy_loader.attach_stub(package, file)

    def find_checked(name: str) -> Any:
        import sys

        found = sys.modules[package].__dict__[name] = checked(find(name), package)
        return found

    return find_checked, names, exported


def checked(thing: Any, package: str) -> Any:
    """A function or class of giantstep so that wrong arguments get a sentence; anything else as it is.

    A class stays the same object: its `__init__` is replaced. A function is found again under the name of the package,
    so that it can be pickled.
    """
    if isinstance(thing, type):
        made = vars(thing).get("__init__")
        plain = not getattr(thing, "_is_protocol", False) and not issubclass(thing, BaseException)
        plain = plain and not hasattr(thing, "get_params")  # scikit-learn's classes check what they got when they fit
        if plain and type(made) is type(checked) and not hasattr(made, "__wrapped__"):
            thing.__init__ = _wrapped(made, thing.__name__, thing.__doc__ or "")  # type: ignore[misc]
        return thing
    is_cached = hasattr(thing, "cache_info")
    if type(thing) is not type(checked) and not is_cached:
        return thing
    if thing in _wrappers:
        return _wrappers[thing]
    call = _wrapped(thing, thing.__name__, thing.__doc__ or "")
    call.__module__ = package
    if is_cached:  # `__wrapped__` is the function itself, beneath its cache too
        call.__wrapped__, call.cache_info, call.cache_clear = thing.__wrapped__, thing.cache_info, thing.cache_clear
    _wrappers[thing] = _wrappers[call] = call
    return call


def _wrapped(function: Callable[..., Any], name: str, doc: str) -> Any:
    """`function`, which the sentences call `name` and `doc` explains, with its arguments and its answer checked."""
    rules: Rules | None = None

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        nonlocal rules
        if rules is None:
            from giantstep.rules import Rules

            rules = Rules(function, name, doc)
        used, by_name = rules.used(args, named)
        try:
            answer = function(*used, **by_name)
        except InputError:
            raise
        except FAILURES as error:
            rules.refuse_misfit(error, args, named)
            raise
        if rules.answers_number:
            if answer - answer != 0:
                rules.refuse_answer(answer, args, named)
        elif rules.answers_more:
            rules.refuse_gaps(answer, args, named)
        return rules.watched(answer, args, named) if rules.answers_in_turn else answer

    return call
