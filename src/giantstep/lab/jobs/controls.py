"""A claim's fields as controls: what kind each is, what it may be, and the range over which a slider moves it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from giantstep.claims import Axis, Claim, View, parameter_table, view

TEXTS = {"Target": "target", "Activation": "activation", "InnerProductKernel": "kernel"}
WIDE = 30.0  # from this ratio of its ends on, a range is logarithmic
LARGE = 100  # sizes such as 512 dimensions are compared by their ratios
LIMITS = ("minimum", "maximum", "above", "below")


def controls(cls: type[Claim]) -> list[dict[str, Any]]:
    """One control for each field of the claim `cls`."""
    return [control(name, told, kind_of(cls, name, told), _shown(cls, name)) for name, told in _table(cls).items()]


def _table(cls: type[Claim]) -> dict[str, dict[str, Any]]:
    return parameter_table(cls)


def control(name: str, told: Mapping[str, Any], kind: str, shown: tuple[list[float], bool]) -> dict[str, Any]:
    """One control, from a line of the claim's table of parameters; `shown` are values that pictures show of it."""
    bounds = {limit: told.get(limit) for limit in LIMITS}
    return {
        "name": name,
        "kind": kind,
        "default": told["default"],
        **bounds,
        "choices": list(told.get("choices", ())),
        "help": told["help"],
        "symbol": told["symbol"],
        "path": bool(told["path"]),
        "slider": slider(told["default"], bounds, *shown, whole=kind == "integer")
        if kind in ("number", "integer") and isinstance(told["default"], int | float)
        else None,
    }


def kind_of(cls: type[Claim], name: str, told: Mapping[str, Any]) -> str:
    """number, integer, boolean, choice, target, activation, kernel or text."""
    if "choices" in told:
        return "choice"
    written = TEXTS.get(type(cls.model_fields[name].default).__name__)
    return written or ("text" if told["kind"] == "string" else str(told["kind"]))


def slider(
    default: float, bounds: Mapping[str, float | None], shown: list[float], log: bool, *, whole: bool
) -> dict[str, Any]:
    """The range of a slider: what pictures show and a little more, or else a factor around the default, in its bounds.

    >>> slider(6.0, {"minimum": 0}, [0, 2, 8], False, whole=False)
    {'from': 0.0, 'to': 12.0, 'log': False}
    """
    places = [*shown, default]
    low, high = min(places), max(places)
    if low == high:
        low, high = (low / 4, high * 4) if low > 0 else (-1.0, 1.0) if low == 0 else (low * 4, low / 4)
    elif high < 2 * abs(default):
        high = max(high, 2 * default)
    low, high = _inside(low, high, bounds)
    log = low > 0 and (log or high / low >= WIDE or (whole and default >= LARGE))
    if whole:
        low, high = math.floor(low), math.ceil(high)
    return {"from": low, "to": high, "log": bool(log)}


def _inside(low: float, high: float, bounds: Mapping[str, float | None]) -> tuple[float, float]:
    """The range within the bounds; an end that is not allowed itself is kept away from by a hundredth."""
    least, most, above, below = (bounds.get(limit) for limit in LIMITS)
    low = low if least is None else max(low, least)
    high = high if most is None else min(high, most)
    if above is not None and low <= above:
        low = above + (high - above) / 100
    if below is not None and high >= below:
        high = below - (below - low) / 100
    return float(f"{low:.6g}"), float(f"{high:.6g}")


def _shown(cls: type[Claim], name: str) -> tuple[list[float], bool]:
    """The values of a parameter that views and presets show, and whether one of them does so on a logarithmic axis."""
    found, log = [], False
    for one in cls.views:
        for axis, is_log in _axes(one):
            if axis.name == name:
                found += [v for v in map(_number, axis.values) if v is not None]
                log |= is_log
    found += [v for preset in cls.presets.values() if (v := _number(preset.get(name))) is not None]
    return found, log


def _axes(one: View) -> Iterator[tuple[Axis, bool]]:
    for axis in one.axes:
        vertical = isinstance(one, view.HeatMap) and axis.name == one.y
        across = isinstance(one, view.Curve | view.HeatMap) and axis.name == one.x
        yield axis, (one.log_y and vertical) or (one.log_x and across)


def _number(value: Any) -> float | None:
    try:
        return None if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return None
