"""What was wrong with the parameters of a claim, in sentences a user can act on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from giantstep.claims.fields import bounds_in_words
from giantstep.errors import InputError

if TYPE_CHECKING:
    from pydantic import ValidationError

    from giantstep.claims.base import Claim

OUT_OF_BOUNDS = ("greater_than_equal", "greater_than", "less_than_equal", "less_than")


def sentence(cls: type[Claim], error: ValidationError) -> str:
    """All that was wrong with a set of parameters, as sentences a user can act on."""
    return "; ".join(_one_sentence(cls, dict(item)) for item in error.errors())


def _one_sentence(cls: type[Claim], item: dict[str, Any]) -> str:
    name = str(item["loc"][0]) if item["loc"] else ""
    given = item.get("input")
    if item["type"] == "extra_forbidden":
        return unknown_parameter(cls, name)
    context = item.get("ctx", {})
    if isinstance(context.get("error"), InputError):
        return f"{name}: {context['error']}"
    if item["type"] in OUT_OF_BOUNDS:
        return f"{name} = {given} is not allowed; it must be {bounds_in_words(cls.model_fields[name])}"
    wanted = {
        "int": "a whole number",
        "float": "a number",
        "bool": "true or false",
        "finite": "a finite number",
    }
    for key, words in wanted.items():
        if item["type"].startswith(key):
            return f"{name} = {given!r} is not allowed; it must be {words}"
    if item["type"] == "literal_error":
        return f"{name} = {given!r} is not allowed; it must be {context['expected']}"
    return f"{name} = {given!r} is not allowed: {item['msg']}"


def unknown_parameter(cls: type[Claim], name: str) -> str:
    """The sentence about a parameter `name` that the claim `cls` does not have."""
    import difflib

    close = difflib.get_close_matches(name, cls.model_fields, n=1)
    offer = f"did you mean '{close[0]}'? It" if close else "it"
    return f"{cls.info.name} has no parameter '{name}'; {offer} has: {', '.join(cls.model_fields)}"
