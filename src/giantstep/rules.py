"""What the parameters of a function may be, read from its annotations when it is first called.

One rule a parameter: it gives the value as it is used (a list of numbers becomes an array) or refuses it. Annotations
are texts, and their names often imported for type checkers alone: such a name is looked up in the file's imports only
when a value is not at once seen to be of that class.
"""

from __future__ import annotations

import ast
import builtins
import collections.abc
import functools
import importlib
import inspect
import math
import operator
import re
import sys
import types
import typing
import warnings
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any

import numpy as np

from giantstep.checks import real_array, shown
from giantstep.errors import InputError

LEAST = {
    **dict.fromkeys(("d", "samples", "neurons", "count", "threads", "nodes", "directions", "rank", "true_rank"), 1),
    **dict.fromkeys(("rows", "depth", "points", "block_rows", "teachers", "starts", "data_sets"), 1),
    **dict.fromkeys(("steps", "degree", "degrees", "noise", "ridge", "order", "k", "measurements", "axes"), 0),
}
"""The least value that a name of the vocabulary may have, wherever it is a parameter."""

MEASURED = "giantstep.verdicts."
"""What was measured is judged and shown as it is: in this room a number may be NaN, and in what a class holds."""

EXAMPLES = {
    "Activation": "Activation('tanh')",
    "InnerProductKernel": "InnerProductKernel('exp')",
    "Problem": "Problem('x1', 5)",
    "Streams": "Streams(0)",
    "Target": "Target('He2(x1)')",
}


class Refused(Exception):
    """A rule does not allow a value; whoever asked knows which, and says so."""


class MisfitError(InputError):
    """A sentence that was made from annotations, not written for the occasion."""


class Rule(typing.NamedTuple):
    """What a parameter may be: `use(value)` is the value as it is used, or raises Refused."""

    use: Callable[[Any], Any]
    allowed: Callable[[], str]


class Rules:
    """The rules of all parameters of one function, and what it answers.

    Args:
        function: whose annotations are read.
        name: what the sentences call it.
        doc: its docstring, or that of the class it makes: what may be given as text, and whether it answers infinity.
    """

    def __init__(self, function: Callable[..., Any], name: str, doc: str) -> None:
        self.function, self.name, self.doc = function, name, doc
        signature = inspect.signature(function)
        names = Names(inspect.unwrap(function))
        self.rules: dict[str, Rule] = {}
        self.positional: list[Callable[[Any], Any]] = []
        self.order: list[str] = []
        for parameter in signature.parameters.values():
            if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                continue
            rule = rule_of(names.meaning(parameter.annotation), names, parameter.name)
            if re.search(rf"^\s*{parameter.name}:.*\b(as|its) text\b", doc, re.MULTILINE):
                rule = either([rule, class_rule((str,), "its text")])
            self.rules[parameter.name] = rule
            if parameter.kind is not parameter.KEYWORD_ONLY:
                self.positional.append(rule.use)
                self.order.append(parameter.name)
        self.by_name = {name: rule.use for name, rule in self.rules.items()}
        self.answers_number = signature.return_annotation == "float" and not names.may_be_nan

    def used(self, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Sequence[Any], dict[str, Any]]:
        """The arguments as they are used; one that is not allowed is refused in a sentence."""
        try:
            used: Sequence[Any] = [use(value) for use, value in zip(self.positional, args)]  # noqa: B905
            if named:
                named = {name: self.by_name.get(name, as_it_is)(value) for name, value in named.items()}
        except Refused:
            self.let_it_refuse(args, named)
            raise MisfitError(self.refusal(args, named)) from None
        return (used if len(used) == len(args) else args), named

    def let_it_refuse(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> None:
        """Raise the function's own sentence about these arguments if it has one: it says more than a rule can."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                self.function(*args, **named)
            except MisfitError:
                return
            except InputError as error:
                raise error from None
            except Exception:
                return

    def refusal(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> str:
        """The sentence about the first argument that its rule refuses."""
        for name, value in (*zip(self.order, args, strict=False), *named.items()):
            try:
                self.by_name.get(name, as_it_is)(value)
            except Refused:
                return f"{name} must be {self.rules[name].allowed()}, not {shown(value)} (in {self.name})"
        return f"{self.name} cannot use these arguments"

    def misfit(self, error: Exception, args: tuple[Any, ...], named: Mapping[str, Any]) -> InputError | None:
        """The sentence about arguments that do not fit together; None if the error is not about them.

        What the caller's own functions and classes raise is the caller's, and so is a wrong number of arguments.
        """
        if any(is_own(value) for value in (*args, *named.values())):
            return None
        if isinstance(error, TypeError):
            try:
                inspect.signature(self.function).bind(*args, **named)
            except TypeError:
                return None
        reason = " ".join(str(error).split()) or type(error).__name__
        return MisfitError(f"{self.name} cannot use {self.told(args, named)} together: {reason}")

    def refuse_answer(self, answer: float, args: tuple[Any, ...], named: Mapping[str, Any]) -> None:
        """Refuse to answer NaN; infinity too, unless the docstring speaks of it or it was given."""
        given = [value for value in (*args, *named.values()) if isinstance(value, float | int)]
        may_be_infinite = "inf" in self.doc.lower() or not all(map(math.isfinite, given))
        if math.isnan(answer) or not may_be_infinite:
            raise MisfitError(f"{self.name} is not a finite number for {self.told(args, named)}")

    def told(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> str:
        """The arguments in words."""
        given = (*zip(self.order, args, strict=False), *named.items())
        return ", ".join(f"{name} = {shown(value)}" for name, value in given if name != "self")


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
    """What the names in the annotations of a function mean."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(MEANINGS)
        self.function = function
        self.may_be_nan = function.__module__.startswith(MEASURED) or function.__name__ == "__init__"

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


def as_it_is(value: Any) -> Any:
    return value


ANYTHING = Rule(as_it_is, lambda: "anything")


def rule_of(annotation: Any, names: Names, name: str = "") -> Rule:
    """The rule that an annotation says, for a parameter called `name`."""
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if isinstance(annotation, str):
        return rule_of(names.meaning(annotation), names, name)
    if isinstance(annotation, typing.ForwardRef):
        return rule_of(names.meaning(annotation.__forward_arg__), names, name)
    if annotation is Any:
        return ANYTHING
    if annotation in (None, type(None)):
        return Rule(nothing, lambda: "None")
    if isinstance(annotation, Later):
        return late_rule(annotation, names, name)
    if isinstance(annotation, Numbers):
        return array_rule(alone=annotation.alone, or_nan=names.may_be_nan)
    if origin in (typing.Union, types.UnionType):
        return either([rule_of(one, names, name) for one in inner])
    if origin is typing.Literal:
        return choice_rule(inner)
    if annotation is float:
        return number_rule(LEAST.get(name, -math.inf), or_nan=names.may_be_nan)
    if annotation is int:
        return whole_rule(LEAST.get(name))
    if annotation is bool:
        return class_rule((bool, np.bool_), "True or False")
    if annotation is str:
        return class_rule((str,), "a text")
    if annotation is np.ndarray or origin is np.ndarray:
        return array_rule(alone=False, or_nan=names.may_be_nan)
    kind = origin or annotation
    if kind is collections.abc.Callable:
        return Rule(function, lambda: "a Python function")
    if kind is tuple:
        return tuple_rule([rule_of(one, names) for one in inner if one is not ...], any_length=... in inner)
    if kind in (collections.abc.Sequence, list):
        return sequence_rule(rule_of(inner[0], names) if inner else ANYTHING)
    if kind in (collections.abc.Iterable, collections.abc.Iterator):
        return Rule(iterable, lambda: "a list")
    if kind in (collections.abc.Mapping, dict):
        return class_rule((collections.abc.Mapping,), "a mapping such as a dict")
    if isinstance(kind, type) and kind is not object:
        if getattr(kind, "_is_protocol", False):
            return protocol_rule(kind)
        if issubclass(kind, Enum):
            return class_rule((kind, str), f"{a_class(kind.__name__)} or its name")
        return class_rule((kind,), a_class(kind.__name__))
    return ANYTHING


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


def whole_rule(least: int | None) -> Rule:
    """A whole number of at least `least`."""

    def use(value: Any) -> Any:
        if type(value) is not int:
            if isinstance(value, bool | np.bool_):
                raise Refused
            try:
                operator.index(value)
            except TypeError:
                raise Refused from None
        if least is not None and value < least:
            raise Refused
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
        flat = value.ravel()
        if not math.isfinite(flat.dot(flat)) and not or_nan and np.isnan(flat).any():
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


def late_rule(later: Later, names: Names, name: str) -> Rule:
    """An instance of a class that is known by name; what else the name may mean is looked up when it must be."""
    seen: set[type] = set()
    meant: list[Rule] = []

    def meaning() -> Rule:
        if not meant:
            meant.append(rule_of(later.meaning, Names(names.function), name))
        return meant[0]

    def use(value: Any) -> Any:
        kind = type(value)
        if kind in seen:
            return value
        if any(one.__name__ == later.name for one in kind.__mro__):
            seen.add(kind)
            return value
        return meaning().use(value)

    return Rule(use, lambda: meaning().allowed())


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


def is_own(value: Any) -> bool:
    """Whether a value is a function, or of a class, that the caller wrote."""
    kind = value if isinstance(value, types.FunctionType | types.MethodType | type) else type(value)
    home = str(getattr(kind, "__module__", "")).partition(".")[0]
    return home not in ("giantstep", "numpy", "builtins", "collections", "types", "fractions", "sympy", "functools")
