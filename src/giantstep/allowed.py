"""Kinds of rules, each for what a parameter may be: it gives the value as it is used (a list of numbers becomes an
array) or refuses it, and says what is allowed.
"""

from __future__ import annotations

import math
import operator
import types
import typing
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from giantstep.checks import real_array
from giantstep.errors import InputError

EXAMPLES = {
    "Activation": "Activation('tanh')",
    "InnerProductKernel": "InnerProductKernel('exp')",
    "Problem": "Problem('x1', 5)",
    "Streams": "Streams(0)",
    "Target": "Target('He2(x1)')",
}


class Refused(Exception):
    """A rule does not allow a value; whoever asked knows which, and says so."""


class Rule(typing.NamedTuple):
    """What a parameter may be: `use(value)` is the value as it is used, or raises Refused."""

    use: Callable[[Any], Any]
    allowed: Callable[[], str]


def as_it_is(value: Any) -> Any:
    return value


ANYTHING = Rule(as_it_is, lambda: "anything")


def a_class(name: str) -> str:
    """How a sentence asks for an instance of a class.

    >>> a_class("Target"), a_class("OneStep")
    ("a Target, such as Target('He2(x1)')", 'a OneStep')
    """
    article = "an" if name[0] in "AEI" else "a"
    return f"{article} {name}" + (f", such as {EXAMPLES[name]}" if name in EXAMPLES else "")


def number_rule(least: float, *, or_nan: bool) -> Rule:
    """A real number of at least `least`, NaN or not; infinity is judged by what the function answers."""

    def use(value: Any) -> Any:
        if type(value) is not float:
            if isinstance(value, bool | np.bool_ | str | bytes | bytearray) or getattr(value, "ndim", None):
                raise Refused
            try:
                if float(value) >= least or (or_nan and value != value):
                    return value
            except (TypeError, ValueError, OverflowError):
                pass
            raise Refused
        if value >= least or (or_nan and value != value):
            return value
        raise Refused

    return Rule(use, lambda: "a number" if least == -math.inf else f"a number of {least} or more")


def whole_rule(least: int | None, most: float = math.inf) -> Rule:
    """A whole number of at least `least`, and where that is told of `most` at most."""

    def use(value: Any) -> Any:
        if type(value) is not int:
            if isinstance(value, bool | np.bool_):
                raise Refused
            try:
                operator.index(value)
            except TypeError:
                raise Refused from None
        if least is not None and not least <= value <= most:
            raise Refused(*([f"a whole number of {most:.0e} at most"] if value > most else []))
        return value

    return Rule(use, lambda: "a whole number" if least is None else f"a whole number of {least} or more")


def array_rule(*, alone: bool, or_nan: bool) -> Rule:
    """An array of real numbers, NaN among them or not; of another kind than NumPy's it is left as it is."""

    def use(value: Any) -> Any:
        if type(value) is float:
            if alone and (or_nan or value == value):
                return value
            raise Refused
        if type(value) is not np.ndarray or value.dtype.char not in "fd":
            if hasattr(value, "__array_namespace__") and not isinstance(value, np.ndarray):
                return value
            if getattr(getattr(value, "dtype", None), "kind", "") == "c":
                return value
            try:
                value = real_array("", value)
            except InputError:
                raise Refused from None
        if not alone and value.ndim == 0:
            raise Refused
        flat = value.ravel(order="K")  # no copy of a matrix in either order
        with np.errstate(over="ignore", invalid="ignore"):  # squares that overflow are looked at one by one
            may_be_nan = not math.isfinite(flat.dot(flat))
        if may_be_nan and not or_nan and np.isnan(flat).any():
            raise Refused
        return value

    words = "a number or an array of numbers" if alone else "an array of numbers"
    return Rule(use, lambda: words if or_nan else f"{words}, none of them NaN")


def class_rule(kinds: tuple[type, ...], words: str) -> Rule:
    """An instance of one of these classes."""

    def use(value: Any) -> Any:
        if isinstance(value, kinds):
            return value
        raise Refused

    return Rule(use, lambda: words)


def protocol_rule(protocol: type) -> Rule:
    """Anything that has what the protocol asks for."""
    asked = {n for one in protocol.__mro__ if getattr(one, "_is_protocol", False) for n in (*vars(one), *notes(one))}
    asked = {n for n in asked if n == "__call__" or not n.startswith("_")}
    seen: set[type] = set()

    def use(value: Any) -> Any:
        if type(value) not in seen:
            if isinstance(value, type) or not all(hasattr(value, n) for n in asked):
                raise Refused
            if not isinstance(value, types.FunctionType):
                seen.add(type(value))
        return value

    return Rule(use, lambda: a_class(protocol.__name__))


def notes(kind: type) -> Sequence[str]:
    """The names of annotated attributes."""
    return tuple(vars(kind).get("__annotations__", {}))


def choice_rule(choices: tuple[Any, ...]) -> Rule:
    """One of a few values."""

    def use(value: Any) -> Any:
        if isinstance(value, str | int) and value in choices:
            return value
        raise Refused

    return Rule(use, lambda: "one of " + ", ".join(map(repr, choices)))


def tuple_rule(items: list[Rule], *, any_length: bool) -> Rule:
    """A tuple of such values; a list will do."""

    def use(value: Any) -> Any:
        if not isinstance(value, tuple | list):
            raise Refused
        if not items:
            return value
        if not any_length and len(value) != len(items):
            raise Refused
        rules = items * len(value) if any_length else items
        used = [rule.use(one) for rule, one in zip(rules, value, strict=False)]
        return value if isinstance(value, tuple) and all(map(operator.is_, used, value)) else tuple(used)

    def allowed() -> str:
        if any_length and items:
            return f"a tuple, each item {items[0].allowed()}"
        return "a tuple of " + ", ".join(item.allowed() for item in items) if items else "a tuple"

    return Rule(use, allowed)


def sequence_rule(item: Rule) -> Rule:
    """A list, tuple or array of such values; no text."""

    def use(value: Any) -> Any:
        if isinstance(value, str | bytes) or not (isinstance(value, Sequence) or getattr(value, "ndim", None)):
            raise Refused
        if item.use is not as_it_is:
            for one in value:
                item.use(one)
        return value

    words = "" if item.use is as_it_is else f", each item {item.allowed()}"
    return Rule(use, lambda: f"a list{words}")


def either(rules: list[Rule]) -> Rule:
    """What one of these rules allows."""
    if any(rule.use is as_it_is for rule in rules):
        return ANYTHING
    others = [rule for rule in rules if rule.use is not nothing]
    if len(others) == 1:
        return optional(others[0])
    is_optional = len(others) < len(rules)

    def use(value: Any) -> Any:
        if value is None and is_optional:
            return None
        for rule in others:
            try:
                return rule.use(value)
            except Refused:
                continue
        raise Refused

    return Rule(use, lambda: " or ".join(rule.allowed() for rule in (*others, *([NOTHING] * is_optional))))


def optional(rule: Rule) -> Rule:
    """None, or what the rule allows."""
    return Rule(lambda value: None if value is None else rule.use(value), lambda: f"{rule.allowed()} or None")


def nothing(value: Any) -> None:
    if value is not None:
        raise Refused


NOTHING = Rule(nothing, lambda: "None")


def function(value: Any) -> Any:
    """The value if it can be called."""
    if not callable(value):
        raise Refused
    return value


def iterable(value: Any) -> Any:
    """The value if it can be gone through and is no text."""
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
        raise Refused
    return value
