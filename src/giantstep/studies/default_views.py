"""Views that were not written into a claim: those of a user's own axes, and those of a single point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from giantstep.claims import Axis, Claim, View
from giantstep.claims import view as views
from giantstep.errors import InputError
from giantstep.studies.neighbours import point_at
from giantstep.studies.predicting import predicted
from giantstep.verdicts.stating import Curve

if TYPE_CHECKING:
    from giantstep.studies.study import Study

MOST_BRANCHES = 6  # more curves than this in one panel are better a heat map


def views_at(claim: Claim, *, maps: bool = False, only: int | None = None, moved: bool = True) -> tuple[View, ...]:
    """The claim's views moved to one point: theory along each axis through it, and the point itself on it.

    A title that tells of other parameters would lie about this point: those of curves, and of views written for another
    place, stay behind.

    Args:
        claim: the claim at this point.
        maps: whether heat maps come along, which show the plane of two parameters through the point.
        only: the number of the one view that is wanted; all of them if None.
        moved: whether the ranges of curves are those allowed here; if not, which takes no time, they are as written.
    """
    kept = _placeless(claim.views, maps)
    found = [view for number, view in enumerate(kept) if only in (None, number)]
    return tuple(_moved(view, claim) if moved else view for view in found)


def _placeless(written: tuple[View, ...], maps: bool) -> tuple[View, ...]:
    """Views without their places, each once; remembered, for a slider asks for those of one claim again and again."""
    key = (id(written), maps)
    if key not in _KNOWN:
        shown = (_without_place(view) for view in written if maps or not isinstance(view, views.HeatMap))
        _KNOWN[key] = (written, _each_once(shown))
    return _KNOWN[key][1]


_KNOWN: dict[tuple[int, bool], tuple[tuple[View, ...], tuple[View, ...]]] = {}
"""By the identity of the written views, which are kept too, so that no others take it."""


def _without_place(view: View) -> View:
    title = "" if view.at or isinstance(view, views.Time | views.Curve) else view.title
    if isinstance(view, views.Curve | views.Time | views.Trajectory | views.Plane):
        return replace(view, by="", by_values=(), at={}, title=title)
    return replace(view, at={}, title=title)


def _moved(view: View, claim: Claim) -> View:
    """A view at a point: what of a curve's range is not allowed there is left out, the point itself is on it."""
    if not isinstance(view, views.Curve):
        return view
    values = [value for value in view.x_axis.values if point_at(claim, view.x, value) is not None]
    return replace(view, values=[*values, getattr(claim, view.x)])


def _each_once(found: Iterable[View]) -> tuple[View, ...]:
    unique: list[View] = []
    for view in found:
        if not any(_shows_the_same(view, other) for other in unique):
            unique.append(view)
    return tuple(unique)


def _shows_the_same(one: View, other: View) -> bool:
    if isinstance(one, views.Curve) and isinstance(other, views.Curve):
        return (one.x, one.quantities) == (other.x, other.quantities)
    return replace(one, title="", seeds=None) == replace(other, title="", seeds=None)


def views_of_axes(claim: Claim, axes: Sequence[Axis]) -> tuple[View, ...]:
    """A sweep as views: curves along its longest numeric axis, one per value of the other, or a heat map.

    Quantities that are curves themselves, which the claim shows so, have one for each of a few values of a single axis.
    """
    at = {axis.name: axis.values[0] for axis in axes if len(axis.values) == 1}
    varied = {axis.name: axis.values for axis in axes if len(axis.values) > 1}
    logarithmic = {axis.name for axis in axes if axis.scale == "log"} | _logarithmic(claim, varied)
    numeric = [name for name in varied if isinstance(getattr(claim, name, None), int | float)]
    timed = [view for view in claim.views if isinstance(view, views.Time)]
    curves = {name for view in timed for name in view.quantities}
    judged = dict.fromkeys(q.name for q in claim.stated() if q.relation != "reported" and q.name not in curves)
    names = tuple(judged)[:3]
    if len(varied) == 1 and not names:
        ((by, values),) = varied.items()
        return _each_once(replace(view, by=by, by_values=_few(values), at=at, title="") for view in timed)
    if not numeric or len(varied) > 2 or not names:
        return ()
    x = max(numeric, key=lambda name: len(varied[name]))
    others = [name for name in varied if name != x]
    log = x in logarithmic
    if not others:
        return _curves_of(claim, views.Curve(x, varied[x], names, at=at, log_x=log))
    (by,) = others
    if len(varied[by]) <= MOST_BRANCHES:
        return _curves_of(claim, views.Curve(x, varied[x], names, by=by, by_values=varied[by], at=at, log_x=log))
    if by not in numeric:
        return ()
    return tuple(
        views.HeatMap(x, varied[x], by, varied[by], name, at=at, log_x=log, log_y=by in logarithmic) for name in names
    )


def _logarithmic(claim: Claim, varied: Mapping[str, Sequence[Any]]) -> set[str]:
    """The parameters that the claim itself shows on a logarithmic axis, as far as their values allow one."""
    shown = {view.x for view in claim.views if isinstance(view, views.Curve | views.HeatMap) and view.log_x}
    shown |= {view.y for view in claim.views if isinstance(view, views.HeatMap) and view.log_y}
    return {name for name in shown & set(varied) if all(float(value) > 0 for value in varied[name])}


def _curves_of(claim: Claim, whole: views.Curve) -> tuple[View, ...]:
    """The curves of a sweep; what the claim shows on a logarithmic scale along this axis is shown on one here too."""
    own = [view for view in claim.views if isinstance(view, views.Curve) and view.x == whole.x and view.log_y]
    logarithmic = {name for view in own for name in view.quantities}
    parts = (
        (tuple(n for n in whole.quantities if (n in logarithmic) == log_y), log_y)
        for log_y in dict.fromkeys(name in logarithmic for name in whole.quantities)
    )
    return tuple(replace(whole, quantities=names, log_y=log_y) for names, log_y in parts)


def as_asked(claim: Claim, shown: Sequence[View], *, heat_maps: bool) -> tuple[View, ...]:
    """The `shown` views with `heat_maps` where there are two numeric axes, or with curves where there were maps."""
    if not heat_maps:
        return tuple(_as_curves(view) if isinstance(view, views.HeatMap) else view for view in shown)
    found = tuple(one for view in shown for one in _as_maps(claim, view))
    if not any(isinstance(view, views.HeatMap) for view in found):
        raise InputError("a heat map needs two numeric axes with values of both, such as --step 0:8:9 --d 64,128")
    return found


def _as_curves(view: views.HeatMap) -> View:
    x, y = view.axes
    at: dict[str, Any] = {"at": view.at, "title": view.title, "seeds": view.seeds, "log_x": view.log_x}
    return views.Curve(view.x, x.values, (view.quantity,), by=view.y, by_values=_few(y.values), **at)


def _as_maps(claim: Claim, view: View) -> Iterable[View]:
    if not isinstance(view, views.Curve) or len(view.branches) < 2 or len(view.x_axis.values) < 2:
        return [view]
    here = getattr(claim, view.by)
    if isinstance(here, bool) or not isinstance(here, int | float):
        return [view]
    log_y = view.by_axis[0].scale == "log"
    at: dict[str, Any] = {"at": view.at, "seeds": view.seeds, "log_x": view.log_x, "log_y": log_y}
    values = [type(here)(value) for value in view.branches]  # on a command line they were words
    return [views.HeatMap(view.x, view.values, view.by, values, name, **at) for name in view.quantities]


def _few(values: Sequence[Any]) -> list[Any]:
    """At most so many values, over the whole range, as a panel can show."""
    step = max(1.0, (len(values) - 1) / (MOST_BRANCHES - 1))
    return [values[round(i * step)] for i in range(min(len(values), MOST_BRANCHES))]


def refuse_what_cannot_be_drawn(study: Study, heat_map: bool | None = None) -> None:
    """Say before a `study` runs that it will have no picture, or none that is a heat map where `heat_map` asks for one.

    There is none where no view of it shows anything, and nothing is a curve.
    """
    claim = study.base
    if heat_map:
        as_asked(claim, study.views, heat_maps=True)
    if study.views and not study.spec.get("axes"):
        return  # they are the claim's own views
    curves = {name for view in claim.views if isinstance(view, views.Time) for name in view.quantities}
    curves |= {name for name, value in predicted(claim).values.items() if isinstance(value, Curve)}
    own_point = any(point.key() == claim.key() for point, _ in study.points)
    if not any(_shows_something(view, curves) for view in study.views) and not (curves and own_point):
        raise InputError(f"there is no picture of this study of {claim.name}; vary one or two of its numbers")


def _shows_something(view: View, curves: set[str]) -> bool:
    """Whether a view has something to show: along an axis, a quantity that is a curve itself has no place."""
    if isinstance(view, views.Curve):
        return any(name not in curves for name in view.quantities)
    return not (isinstance(view, views.HeatMap) and view.quantity in curves)
