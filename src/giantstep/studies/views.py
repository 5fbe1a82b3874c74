"""Views that were not written into a claim: those of a user's own axes, and those of a single point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from giantstep.claims import Claim, CurveView, HeatMapView, SpectrumView, TimeView, TrajectoryView, View, axis_values

MOST_BRANCHES = 6  # more curves than this in one panel are better a heat map


def views_at(claim: Claim) -> tuple[View, ...]:
    """The claim's views moved to one point: theory along each axis through it, and the point itself on it."""
    found: list[View] = []
    for view in claim.views:
        if isinstance(view, CurveView):
            values = [*axis_values(view.x, view.values), getattr(claim, view.x)]
            found.append(replace(view, values=values, by="", by_values=(), at={}, title=""))
        elif isinstance(view, SpectrumView):
            found.append(replace(view, at={}))
        elif isinstance(view, TimeView | TrajectoryView):
            found.append(replace(view, at={}, by="", by_values=()))
    unique: list[View] = []
    for view in found:
        if not any(_shows_the_same(view, other) for other in unique):
            unique.append(view)
    return tuple(unique)


def _shows_the_same(one: View, other: View) -> bool:
    if isinstance(one, CurveView) and isinstance(other, CurveView):
        return (one.x, one.quantities) == (other.x, other.quantities)
    return one == other


def views_of_axes(claim: Claim, axes: Mapping[str, Any]) -> tuple[View, ...]:
    """A sweep as views: curves along its longest numeric axis, one per value of the other, or a heat map."""
    lists = {name: axis_values(name, axis) for name, axis in axes.items()}
    at = {name: values[0] for name, values in lists.items() if len(values) == 1}
    varied = {name: values for name, values in lists.items() if len(values) > 1}
    numeric = [name for name in varied if isinstance(getattr(claim, name, None), int | float)]
    names = tuple(dict.fromkeys(q.name for q in claim.stated() if q.relation != "reported"))[:3]
    if not numeric or len(varied) > 2 or not names:
        return ()
    x = max(numeric, key=lambda name: len(varied[name]))
    others = [name for name in varied if name != x]
    log = _is_logarithmic(axes[x])
    if not others:
        return (CurveView(x, varied[x], names, at=at, log_x=log),)
    (by,) = others
    if len(varied[by]) <= MOST_BRANCHES:
        return (CurveView(x, varied[x], names, by=by, by_values=varied[by], at=at, log_x=log),)
    if by not in numeric:
        return ()
    return tuple(
        HeatMapView(x, varied[x], by, varied[by], name, at=at, log_x=log, log_y=_is_logarithmic(axes[by]))
        for name in names
    )


def _is_logarithmic(axis: Any) -> bool:
    return isinstance(axis, str) and axis.startswith("log:")
