"""What the parameters of a function may be, read from its annotations when it is first called: one rule a parameter."""

from __future__ import annotations

import collections.abc
import inspect
import math
import re
import types
import typing
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

import numpy as np

from giantstep.allowed import (
    ANYTHING,
    Refused,
    Rule,
    a_class,
    array_rule,
    as_it_is,
    choice_rule,
    class_rule,
    either,
    function,
    iterable,
    nothing,
    number_rule,
    protocol_rule,
    sequence_rule,
    tuple_rule,
    whole_rule,
)
from giantstep.annotations import Later, Names, Numbers
from giantstep.answers import gaps, is_given, may_hold_nan
from giantstep.checks import shown
from giantstep.errors import FAILURES, InputError, MisfitError
from giantstep.shapes import Shapes

LEAST = {
    **dict.fromkeys(("d", "samples", "neurons", "count", "threads", "nodes", "directions", "rank", "true_rank"), 1),
    **dict.fromkeys(("rows", "depth", "points", "block_rows", "teachers", "starts", "data_sets"), 1),
    **dict.fromkeys(("steps", "degree", "degrees", "noise", "ridge", "order", "k", "measurements", "axes"), 0),
}
"""The least value that a name of the vocabulary may have, wherever it is a parameter."""
MOST = 10**18  # and the most of it that can be simulated; theory may speak of more
ARRAYS = re.compile(r"Array|Floats|NDArray")
"""How the annotation of a parameter begins that is an array, or one among other things."""
WRITTEN = re.compile(r"^\s*(\w+):.*\b(?:as|its) text\b", re.MULTILINE)
"""The parameters that a docstring says may be given as text."""


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
        names = Names(inspect.unwrap(function), doc)
        written = WRITTEN.findall(doc)
        self.rules: dict[str, Rule] = {}
        self.positional: list[Callable[[Any], Any]] = []
        self.order: list[str] = []
        for parameter in signature.parameters.values():
            if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                continue
            rule = rule_of(names.meaning(parameter.annotation), names, parameter.name)
            if parameter.name in written:
                rule = either([rule, class_rule((str,), "its text")])
            self.rules[parameter.name] = rule
            if parameter.kind is not parameter.KEYWORD_ONLY:
                self.positional.append(rule.use)
                self.order.append(parameter.name)
        self.by_name = {name: rule.use for name, rule in self.rules.items()}
        arrays = [p.name for p in signature.parameters.values() if ARRAYS.match(str(p.annotation))]
        self.shapes = Shapes(doc, arrays, self.order, name)
        answer = str(signature.return_annotation)
        self.answers_number = answer == "float" and not names.may_be_nan
        is_context = inspect.isgeneratorfunction(inspect.unwrap(function)) and not inspect.isgeneratorfunction(function)
        self.answers_in_turn = answer.startswith("Iterator[") and not is_context
        self.answers_more = may_hold_nan(answer, doc) and not names.may_be_nan

    def used(self, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Sequence[Any], dict[str, Any]]:
        """The arguments as they are used; one that is not allowed is refused in a sentence."""
        try:
            used: Sequence[Any] = [use(value) for use, value in zip(self.positional, args)]  # noqa: B905
            if named:
                named = {name: self.by_name.get(name, as_it_is)(value) for name, value in named.items()}
            if self.shapes:
                self.shapes.refuse_misfits(used, named)
        except Refused:
            self.let_it_refuse(args, named)
            raise MisfitError(self.refusal(args, named)) from None
        except MisfitError:
            self.let_it_refuse(args, named)
            raise
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
            except Refused as refused:
                allowed = refused.args[0] if refused.args else self.rules[name].allowed()
                return f"{name} must be {allowed}, not {shown(value)} (in {self.name})"
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

    def refuse_misfit(self, error: Exception, args: tuple[Any, ...], named: Mapping[str, Any]) -> None:
        """Refuse arguments that do not fit together, if that is what the error is about."""
        if misfit := self.misfit(error, args, named):
            raise misfit from error

    def watched(self, answer: Iterator[Any], args: tuple[Any, ...], named: Mapping[str, Any]) -> Iterator[Any]:
        """What is answered one after the other, each checked as an answer is: a generator begins when it is asked."""
        try:
            for one in answer:
                self.refuse_gaps(one, args, named)
                yield one
        except InputError:
            raise
        except FAILURES as error:
            self.refuse_misfit(error, args, named)
            raise

    def refuse_answer(self, answer: float, args: tuple[Any, ...], named: Mapping[str, Any]) -> None:
        """Refuse to answer NaN; infinity too, unless the docstring speaks of it or it was given."""
        given = [value for value in (*args, *named.values()) if isinstance(value, float | int)]
        may_be_infinite = re.search(r"\binf(\b|init)", self.doc, re.IGNORECASE) or not all(map(math.isfinite, given))
        if math.isnan(answer) or not may_be_infinite:
            raise MisfitError(f"{self.name} is not a finite number for {self.told(args, named)}")

    def refuse_gaps(self, answer: Any, args: tuple[Any, ...], named: Mapping[str, Any]) -> None:
        """Refuse to answer what holds a NaN, unless one was given; infinity in an array is left as it is."""
        count, size = gaps(answer)
        given = (*args, *named.values())
        if count and not any(map(is_given, given)):
            places = f"at {count} of {size} places for " if size > 1 else "for "
            raise MisfitError(f"{self.name} is not a number {places}{self.told(args, named)}")

    def told(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> str:
        """The arguments in words."""
        given = (*zip(self.order, args, strict=False), *named.items())
        return ", ".join(f"{name} = {shown(value)}" for name, value in given if name != "self")


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
        return whole_rule(LEAST.get(name), MOST if names.simulates else math.inf)
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


def late_rule(later: Later, names: Names, name: str) -> Rule:
    """An instance of a class that is known by name; what else the name may mean is looked up when it must be."""
    seen: set[type] = set()
    meant: list[Rule] = []

    def meaning() -> Rule:
        if not meant:
            meant.append(rule_of(later.meaning, Names(names.function, names.doc), name))
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


def is_own(value: Any) -> bool:
    """Whether a value is a function, or of a class, that the caller wrote."""
    kind = value if isinstance(value, types.FunctionType | types.MethodType | type) else type(value)
    home = str(getattr(kind, "__module__", "")).partition(".")[0]
    return home not in ("giantstep", "numpy", "builtins", "collections", "types", "fractions", "sympy", "functools")
