"""The parameters of a claim as fields: written as text or numbers, with bounds, a symbol and what they are."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, TypeAlias

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from giantstep.problems import Activation, InnerProductKernel, Target

BOUNDS = {"ge": "at least", "gt": "greater than", "le": "at most", "lt": "less than"}


def _text_field(kind: type[Any]) -> Any:
    """How a field that is written as text is read, stored and described."""

    known = lru_cache(maxsize=1024)(kind)  # the same few texts are read at every point of a grid

    def read(value: Any) -> Any:
        if isinstance(value, kind):
            return value
        return known(value) if isinstance(value, str) else kind(value)

    return PlainValidator(read), PlainSerializer(str), WithJsonSchema({"type": "string"})


TargetField: TypeAlias = Annotated[Target, *_text_field(Target)]
ActivationField: TypeAlias = Annotated[Activation, *_text_field(Activation)]
KernelField: TypeAlias = Annotated[InnerProductKernel, *_text_field(InnerProductKernel)]


def extra(field_info: Any) -> dict[str, Any]:
    """What `parameters` noted about a field beyond its type."""
    return {"symbol": "", "path": False, **(field_info.json_schema_extra or {})}


def bounds(field_info: Any) -> dict[str, float]:
    """The bounds of a field: `{"ge": 16}`."""
    return {
        key: getattr(rule, key)
        for rule in field_info.metadata
        for key in BOUNDS
        if getattr(rule, key, None) is not None
    }


def default_of(field_info: Any) -> Any:
    """The default of a field as a plain value, without building a point: what `parameters()` of it would give."""
    default = field_info.default
    if default is None or isinstance(default, str | bool):
        return default
    if isinstance(default, int | float):
        return float(default) if field_info.annotation is float else default
    return str(default)
