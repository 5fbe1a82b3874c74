"""The views of a claim at a point, as tabs: what each shows, and over which grid it can be simulated."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from giantstep.claims import Claim, View, view
from giantstep.errors import InputError
from giantstep.lab.refusals import Refusal
from giantstep.studies import views_at
from giantstep.studies.pictures import spelled
from giantstep.verdicts.stating import Curve, Prediction

KINDS: dict[type[View], str] = {
    view.Curve: "curve",
    view.Spectrum: "spectrum",
    view.HeatMap: "heat map",
    view.Time: "time",
    view.Trajectory: "trajectory",
    view.Plane: "trajectory",
}


def spoken_of(point: Claim) -> list[str]:
    """The quantities of which the claim speaks at a point; some claims compute much of their theory to know that."""
    return [quantity.name for quantity in point.stated() if quantity.speaks_at(point)]


def tab_at(point: Claim, number: int, spoken: list[str] | None = None, *, moved: bool = True) -> View:
    """The view `number`, from 0, at a point; not `moved` there, which takes no time, if nobody draws it."""
    spoken = spoken_of(point) if spoken is None else spoken
    found = [_own(spoken, one) for one in views_at(point, maps=True, only=number, moved=moved)]
    if not found:
        last = len(views_at(point, maps=True, moved=False)) - 1
        raise Refusal(f"{point.name} has no view {number}; its views are 0 to {last}", "not found", "view")
    return found[0]


def tabs_of(point: Claim, prediction: Prediction) -> list[dict[str, Any]]:
    """All tabs, in words; `prediction` is what theory says at the point."""
    shown = views_at(point, maps=True)
    titles = [one.title or _words(one) for one in shown]
    whole = [
        _words(one, whole=True) if titles.count(title) > 1 else title for one, title in zip(shown, titles, strict=True)
    ]
    return [_told(number, one, whole[number], prediction) for number, one in enumerate(shown)]


def tabs_that_speak(point: Claim, prediction: Prediction, spoken: list[str]) -> list[int]:
    """The numbers of the tabs that have something to show at this point, each thing once."""
    known = {*spoken, *prediction.values}
    shown = [_seen(_own(spoken, one)) for one in views_at(point, maps=True, moved=False)]
    return [
        number
        for number, one in enumerate(shown)
        if (not _quantities(one) or known & set(_quantities(one))) and one not in shown[:number]
    ]


def nothing_seen(point: Claim, shown: View) -> str:
    """Why a simulation of a point shows nothing in a view that the claim draws elsewhere, and where that is."""
    said = "nothing in this view is measured at this point"
    for written in point.views:
        there = {name: value for name, value in written.at.items() if getattr(point, name) != value}
        if there and _subject(written) == _subject(shown):
            presets = (name for name, values in point.presets.items() if there.items() <= dict(values).items())
            preset = next(presets, "")
            place = f"preset {preset}" if preset else ", ".join(f"{name} = {value}" for name, value in there.items())
            return f"{said}; the claim draws it at {place}"
    return said


def _subject(one: View) -> tuple[Any, ...]:
    """What a view is about, wherever it is drawn."""
    return type(one), getattr(one, "x", ""), _quantities(one), tuple(getattr(one, "paths", ()))


def _seen(one: View) -> View:
    """A view without what nobody sees in it; curves over time differ by their quantities alone."""
    return replace(one, seeds=None, title="" if isinstance(one, view.Time) else one.title)


def own_titles(point: Claim, spoken: list[str]) -> dict[int, str]:
    """By their numbers, the titles of the tabs that show other quantities at this point than the claim's own."""
    written = views_at(point, maps=True, moved=False)
    return {n: _words(own) for n, one in enumerate(written) if (own := _own(spoken, one)) is not one}


def _own(known: list[str], one: View) -> View:
    """A view over time of a target's directions, at a point whose target has others, the `known` ones: it shows those.

    Quantities of one kind have names that begin with the same word: `energy_x1+x2`, `energy_x3`.
    """
    if not isinstance(one, view.Time):
        return one
    kinds = {name.split("_")[0] for name in one.quantities}
    own = tuple(dict.fromkeys(name for name in known if "_" in name and name.split("_")[0] in kinds))
    if not own or set(one.quantities) <= set(known):
        return one
    return replace(one, quantities=own, title="")


def _told(number: int, one: View, title: str, prediction: Prediction) -> dict[str, Any]:
    return {
        "number": number,
        "title": title,
        "kind": KINDS[type(one)],
        "x": getattr(one, "x", ""),
        "y": getattr(one, "y", ""),
        "quantities": list(_quantities(one)),
        "theory": _has_theory(one, prediction),
        "simulable": ["point", "view"] if one.axes else ["point"],
    }


def _quantities(one: View) -> tuple[str, ...]:
    return (one.quantity,) if isinstance(one, view.HeatMap) else tuple(getattr(one, "quantities", ()))


def _words(one: View, *, whole: bool = False) -> str:
    """What a view shows; many quantities of one kind each by its `whole` name, or by the word that they share."""
    shown = ", ".join(map(spelled, _quantities(one))) if whole else _named(_quantities(one))
    if isinstance(one, view.Curve):
        return f"{shown} against {spelled(one.x)}"
    if isinstance(one, view.HeatMap):
        return f"{shown} over {spelled(one.x)} and {spelled(one.y)}"
    if isinstance(one, view.Spectrum):
        return one.x_label
    if isinstance(one, view.Plane):
        return spelled(one.points)
    if isinstance(one, view.Trajectory):
        return f"paths: {', '.join(map(spelled, one.paths))}"
    return f"{shown}, log scale" if getattr(one, "log_y", False) else shown


def _named(quantities: tuple[str, ...]) -> str:
    """Quantities in words; many of one kind, `risk_ck`, `risk_ntk` and so on, by the word that they begin with."""
    kinds = {name.split("_")[0] for name in quantities}
    return spelled(kinds.pop()) if len(quantities) > 2 and len(kinds) == 1 else ", ".join(map(spelled, quantities))


def _has_theory(one: View, prediction: Prediction) -> bool:
    if isinstance(one, view.Spectrum):
        return one.spectrum in prediction.densities
    if isinstance(one, view.Trajectory | view.Plane):
        return False
    curved = isinstance(one, view.Time)
    known = [prediction.values[name] for name in _quantities(one) if name in prediction.values]
    return any(isinstance(value, Curve) == curved for value in known)


def asked_axes(point: Claim, one: View, scope: str) -> dict[str, Any]:
    """The grid over which a view is simulated, as the axes of a study; none for the scope of a point.

    Values are those allowed at this point, each once and in rising order if numbers.
    """
    found: dict[str, list[Any]] = {}
    for axis in one.axes if scope == "view" else ():
        kept: list[Any] = []
        for value in axis.values:
            with suppress(InputError):
                kept.append(getattr(point.replace(**{axis.name: value}), axis.name))
        if all(isinstance(value, int | float) for value in kept):
            kept = sorted(set(kept))
        found[axis.name] = kept
    if not all(found.values()):
        raise Refusal("nothing along this view is allowed at this point; simulate the point alone", field="scope")
    return found
