"""The parameters of a claim as fields: written as text or numbers, with bounds, a symbol and what they are."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, TypeAlias

from pydantic_core import CoreSchema, core_schema

from giantstep.problems import Activation, Target

BOUNDS = {"ge": "at least", "gt": "greater than", "le": "at most", "lt": "less than"}


class WrittenAsText:
    """How a field that is written as text is read, stored and described; nobody looks inside what it is made into."""

    def __init__(self, kind: type[Any]) -> None:
        self._kind = kind
        self._known = lru_cache(maxsize=1024)(kind)  # the same few texts are read at every point of a grid

    def __repr__(self) -> str:
        return "written as text"

    def _read(self, value: Any) -> Any:
        if isinstance(value, self._kind):
            return value
        return self._known(value) if isinstance(value, str) else self._kind(value)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        stored = core_schema.plain_serializer_function_ser_schema(str)
        return core_schema.no_info_plain_validator_function(self._read, serialization=stored)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: Any) -> dict[str, Any]:
        return {"type": "string"}


TargetField: TypeAlias = Annotated[Target, WrittenAsText(Target)]
ActivationField: TypeAlias = Annotated[Activation, WrittenAsText(Activation)]


def extra(field_info: Any) -> dict[str, Any]:
    """What `parameters` noted about a field, `field_info`, beyond its type: its symbol, and if it is a path."""
    return {"symbol": "", "path": False, **(field_info.json_schema_extra or {})}


def bounds(field_info: Any) -> dict[str, float]:
    """The bounds of a field: `{"ge": 16}`."""
    return {
        key: getattr(rule, key)
        for rule in field_info.metadata
        for key in BOUNDS
        if getattr(rule, key, None) is not None
    }


def bounds_in_words(field_info: Any) -> str:
    """The bounds of a field, `field_info`, as a sentence needs them: "at least 16 and at most 1024"."""
    return " and ".join(f"{BOUNDS[key]} {bound:g}" for key, bound in bounds(field_info).items())


def default_of(field_info: Any) -> Any:
    """The default of a field, `field_info`, as a plain value, without building a point."""
    default = field_info.default
    if default is None or isinstance(default, str | bool):
        return default
    if isinstance(default, int | float):
        return float(default) if field_info.annotation is float else default
    return str(default)
