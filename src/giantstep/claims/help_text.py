"""What `help(claim)` says of the parameters: a signature of plain types, and a list that tells what each of them is."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter, Signature
from types import UnionType
from typing import Any, Literal, get_args, get_origin

from giantstep.claims.fields import bounds_in_words, default_of, extra


def plain_signature(fields: Mapping[str, Any]) -> Signature:
    """How a claim with these `fields` is called: by keywords, each with the type that a user writes."""
    return Signature([_keyword(name, field) for name, field in fields.items()])


def _keyword(name: str, field: Any) -> Parameter:
    """Numbers are written as numbers; choices, targets, activations and kernels as text."""
    number = field.annotation in (int, float, bool) or isinstance(field.annotation, UnionType)
    kind = field.annotation if number else str
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default_of(field), annotation=kind)


def arguments_list(fields: Mapping[str, Any]) -> str:
    """The list `Args:` of a docstring: what each of the `fields` is, its symbol, its bounds or choices."""
    return "\n".join(("Args:", *(f"    {name}: {_told(field)}" for name, field in fields.items())))


def _told(field: Any) -> str:
    choices = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
    meaning = ", ".join(words for words in (field.description, extra(field)["symbol"]) if words)
    allowed = f"one of {', '.join(choices)}" if choices else bounds_in_words(field)
    return "; ".join(words for words in (meaning, allowed) if words)
