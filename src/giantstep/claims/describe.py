"""A claim described once, for every face: the terminal, the pages, the report, the web."""

from __future__ import annotations

import inspect
from typing import Any

from giantstep.claims.base import Claim
from giantstep.claims.engines import engine_names
from giantstep.claims.fields import bounds, extra
from giantstep.verdicts import Curve, Value, keyed

LIMITS = {"ge": "minimum", "gt": "above", "le": "maximum", "lt": "below"}


def statement(cls: type[Claim]) -> str:
    """The first sentence of a claim's docstring."""
    return inspect.cleandoc(cls.__doc__ or cls.info.name).split("\n\n")[0].replace("\n", " ")


def story(cls: type[Claim]) -> str:
    """The whole docstring: statement and mathematics."""
    return inspect.cleandoc(cls.__doc__ or "")


def source(cls: type[Claim]) -> str:
    """The paper, and the place in it."""
    return str(cls.info.source) + (f"; {cls.info.where}" if cls.info.where else "")


def parameter_table(cls: type[Claim]) -> dict[str, dict[str, Any]]:
    """Each parameter: default, kind, bounds, choices, what it is, its symbol, whether a grid over it costs one run."""
    defaults = cls().parameters()
    schema = cls.model_json_schema(mode="serialization")["properties"]
    return {
        name: {
            "default": defaults[name],
            "kind": schema[name].get("type", "string"),
            **({"choices": schema[name]["enum"]} if "enum" in schema[name] else {}),
            **{LIMITS[key]: bound for key, bound in bounds(field).items()},
            "help": field.description or "",
            **extra(field),
        }
        for name, field in cls.model_fields.items()
    }


def quantity_table(cls: type[Claim]) -> dict[str, dict[str, Any]]:
    """Each quantity: its relation, what it is, and what finite size may do to it."""
    point = cls()
    return {
        key: {"relation": q.in_words(point), "help": q.help, "symbol": q.symbol, "finite_size": q.reason}
        for key, q in keyed(point.stated()).items()
    }


def described(cls: type[Claim]) -> dict[str, Any]:
    """A claim as plain data."""
    return {
        "name": cls.info.name,
        "kind": cls.info.kind,
        "statement": statement(cls),
        "source": source(cls),
        "finding": cls.info.finding,
        "version": cls.info.version,
        "engine": engine_names(cls.engine),
        "convention": cls.convention,
        "parameters": parameter_table(cls),
        "quantities": quantity_table(cls),
        "presets": {name: dict(values) for name, values in cls.presets.items()},
    }


def number(value: Value | None) -> str:
    """A value as a reader wants it."""
    if value is None:
        return ""
    return f"{value.y[0]:.4g} .. {value.y[-1]:.4g}" if isinstance(value, Curve) else f"{value:.5g}"
