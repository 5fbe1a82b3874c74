"""A claim described once, for every face: the terminal, the pages, the report, the web."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, get_args, get_origin

from giantstep.claims import view
from giantstep.claims.axes import Axis
from giantstep.claims.base import Claim, statement
from giantstep.claims.engines import engine_names
from giantstep.claims.fields import bounds, default_of, extra
from giantstep.claims.formulas import formula_of
from giantstep.claims.view import View
from giantstep.verdicts.stating import Curve, Prediction, Quantity, keyed

LIMITS = {"ge": "minimum", "gt": "above", "le": "maximum", "lt": "below"}
KINDS = {int: "integer", float: "number", bool: "boolean"}


def story(cls: type[Claim]) -> str:
    """The whole docstring of `cls` as it was written: statement and mathematics."""
    return cls.info.text


def source(cls: type[Claim]) -> str:
    """The paper, and the place in it."""
    return str(cls.info.source) + (f"; {cls.info.where}" if cls.info.where else "")


def parameter_table(cls: type[Claim]) -> dict[str, dict[str, Any]]:
    """Each parameter of `cls`: default, kind, bounds, choices, what it is, symbol, if a grid over it costs one run."""
    return {
        name: {
            "default": default_of(field),
            "kind": KINDS.get(field.annotation, "string"),  # type: ignore[arg-type]
            **({"choices": list(get_args(field.annotation))} if get_origin(field.annotation) is Literal else {}),
            **{LIMITS[key]: bound for key, bound in bounds(field).items()},
            "help": field.description or "",
            **extra(field),
        }
        for name, field in cls.model_fields.items()
    }


def quantity_table(cls: type[Claim]) -> dict[str, dict[str, Any]]:
    """Each quantity: relation, what it is, why finite size moves it, and how far it may at the claim's own point.

    `here` says whether the claim speaks of it at its own point; some it states for other targets or settings only.
    """
    point = cls()
    predict = cache(point.predict)  # only asked for where an allowance depends on it
    return {
        key: {
            "here": q.speaks_at(point),
            "relation": q.in_words(point),
            "help": q.help,
            "symbol": q.symbol,
            "finite_size": q.reason,
            "allowance": allowance_at(q, point, predict),
        }
        for key, q in keyed(point.stated()).items()
    }


def allowance_at(quantity: Quantity, point: Claim, predict: Any) -> str:
    """What finite size may do, in words and with the number at a point; `predict` is called if the number needs it."""
    if quantity.relation in ("reported", "increasing", "decreasing"):
        return ""
    rule = quantity.allowance
    if not quantity.speaks_at(point):  # nothing is granted here
        return rule.in_words()
    if quantity.exponent:
        return rule.told(point, quantity.exponent(point))
    if not rule.varies or rule.granted(point, None):
        return rule.told(point)
    prediction: Prediction = predict()
    value = prediction.values.get(quantity.name)
    if not isinstance(value, Curve):
        return rule.told(point, value)
    points = quantity.points_along(point, value)
    here = dict.fromkeys(rule.granted(points[end], float(value.y[end])) for end in (0, -1))
    return ": ".join(words for words in (rule.in_words(), f"{' .. '.join(here)} here") if words)


def views_in_words(cls: type[Claim]) -> list[str]:
    """The default study of `cls`, view by view: what `verify` runs besides the claim's own point."""
    return [_view_in_words(one) for one in cls.views]


def _view_in_words(one: View) -> str:
    if isinstance(one, view.Spectrum):
        shown = f"the spectrum of {one.spectrum}"
    elif isinstance(one, view.HeatMap):
        shown = f"{one.quantity} over {one.x} and {one.y}"
    elif isinstance(one, view.Curve):
        shown = f"{', '.join(one.quantities)} against {one.x}"
    elif isinstance(one, view.Time):
        shown = f"{', '.join(one.quantities)} along their curves"
    elif isinstance(one, view.Plane):
        shown = f"{one.points} in the plane"
    else:
        shown = f"paths of {', '.join(getattr(one, 'paths', ()))}"
    at = [f"{name} = {value}" for name, value in one.at.items()]
    at += [f"{axis.name} = {_axis_in_words(axis)}" for axis in one.axes]
    return "; ".join(words for words in (shown, ", ".join(at), f"{one.seeds} seeds" if one.seeds else "") if words)


def _axis_in_words(axis: Axis) -> str:
    return axis.written if ":" in axis.written else " or ".join(map(str, axis.values))


def printed_words(cls: type[Claim], quantity: str) -> str:
    """Everything that the source prints of a quantity and the claim corrects, in one text."""
    *others, last = [one.says for one in cls.printed if one.name == quantity] or [""]
    return ". And: ".join([*(says.removesuffix(".") for says in others), last])


def described(cls: type[Claim]) -> dict[str, Any]:
    """The claim `cls` as plain data, with its numbers at its own point."""
    formula = formula_of(cls)
    return {
        "name": cls.info.name,
        "kind": cls.info.kind,
        "statement": statement(cls),
        "formula": formula.data() if formula else None,
        "source": source(cls),
        "finding": cls.info.finding,
        "hypotheses": [h.words for h in cls.hypotheses],
        "as_printed": {one.name: printed_words(cls, one.name) for one in cls.printed},
        "version": cls.info.version,
        "engine": engine_names(cls.engine),
        "convention": cls.convention,
        "parameters": parameter_table(cls),
        "quantities": quantity_table(cls),
        "views": views_in_words(cls),
        "presets": {name: dict(values) for name, values in cls.presets.items()},
    }
