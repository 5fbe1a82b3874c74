"""What theory says at a point, as numbers and as the panels of one view."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import Any

from giantstep.claims import Claim, View, view
from giantstep.errors import InputError
from giantstep.figures import picture_data
from giantstep.lab.jobs.budget import cost_of
from giantstep.lab.jobs.listed import Tell
from giantstep.lab.jobs.points import asked_point, python_lines, simulation_command
from giantstep.lab.jobs.tabs import asked_axes, own_titles, spoken_of, tab_at, tabs_that_speak
from giantstep.lab.refusals import Refusal, without_paths
from giantstep.studies import Results, Study, predicted, prediction_dict
from giantstep.studies.pictures import shown_panels
from giantstep.verdicts import Cell
from giantstep.verdicts.stating import Curve, Prediction

MOST_REMEMBERED = 4000  # predictions that a worker keeps: a slider is dragged back and forth


class Remembered(dict[str, "Prediction | None"]):
    """Predictions by the key of their point; when there are too many, it begins anew."""

    def __setitem__(self, key: str, value: Prediction | None) -> None:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        super().__setitem__(key, value)


THEORY = Remembered()
DRAFT_PLACES = 5, 9  # of a line that is drawn while the hand moves; the whole line follows when it rests
DRAFT_SECONDS = 0.025  # that the predictions along such a line may take
NO_LINE = "Theory draws no line in this view, which shows what is measured: press Simulate."
NO_PATH = "The paths in this view are those of a simulation: press Simulate."


def known_prediction(point: Claim) -> Prediction:
    """What theory says at a point, remembered; where it refuses, its sentence."""
    key = point.key()
    found = THEORY.get(key)
    if found is None:
        found = THEORY[key] = predicted(point)
    return found


def predict(given: dict[str, Any], _: Tell) -> dict[str, Any]:
    """Theory at the point that was asked for: its quantities, and the panels of a view."""
    start = time.perf_counter()
    point = asked_point(given)
    before = time.perf_counter()
    prediction, took = known_prediction(point), time.perf_counter() - before
    spoken = spoken_of(point)
    tabs = tabs_that_speak(point, prediction, spoken)
    wanted = given.get("panels", True)
    most = draft_places(took) if given.get("draft") else None
    if (number := given["view"]) is None:
        number = _first_that_draws(point, prediction, spoken, tabs, most) if wanted else (tabs or [0])[0]
    shown = tab_at(point, number, spoken, moved=wanted)
    panels, silence = point_panels(Cell(point, prediction), shown, most) if wanted else ([], "")
    axes, seeds, seed = _axes(point, shown, given.get("scope", "point")), given.get("seeds"), given.get("seed", 0)
    return {
        "claim": point.name,
        "parameters": point.parameters(),
        "changed": point.changed(),
        "view": number,
        "tabs": tabs,
        "titles": own_titles(point, spoken),
        "panels": panels,
        "silence": silence,
        "quantities": list(_quantities(point, prediction)),
        "regime": prediction.regime,
        "notes": list(prediction.notes),
        "thresholds": dict(prediction.thresholds),
        "command": simulation_command(point, axes, seeds, seed),
        "python": python_lines(point, axes, seeds, seed),
        "cost": cost_of(Study(point, seeds=seeds, seed=seed, **axes)),
        "seconds": round(time.perf_counter() - start, 4),
    }


def draft_places(seconds: float) -> int:
    """How many places a draft has where one prediction takes so many seconds.

    >>> draft_places(0.0001), draft_places(0.004), draft_places(1.0)
    (9, 6, 5)
    """
    least, most = DRAFT_PLACES
    return most if seconds * most <= DRAFT_SECONDS else max(least, int(DRAFT_SECONDS / seconds))


def _first_that_draws(
    point: Claim, prediction: Prediction, spoken: list[str], tabs: list[int], most: int | None
) -> int:
    """The tab that a claim opens on: the first with a line of theory, else with a dot, else the first of all."""
    dots: list[int] = []
    for number in tabs:
        panels, _ = theory_panels(point, prediction, tab_at(point, number, spoken), most)
        if not all(map(is_a_dot, panels)):
            return number
        dots += [number] if panels else []
    return (dots or tabs or [0])[0]


def is_a_dot(panel: Mapping[str, Any]) -> bool:
    """Whether a panel has a single place: theory says one number there, which is no picture."""
    return panel["type"] == "curve" and max(len(set(one["x"])) for one in panel["series"]) < 2


def _axes(point: Claim, shown: View, scope: str) -> dict[str, Any]:
    """The grid of which the cost is told; that of the point where none is allowed, which Simulate then says."""
    try:
        return asked_axes(point, shown, scope)
    except Refusal:
        return {}


def theory_panels(
    point: Claim, prediction: Prediction, shown: View, most: int | None = None
) -> tuple[list[dict[str, Any]], str]:
    """The panels of a view with theory alone, at `most` so many places a line; or why there is none, in a sentence."""
    cells = (Cell(point, prediction), *_plane(point, shown))
    results = Results(point, cells, {"seed": 0}, (shown,), theory=THEORY, line_places=most)
    panels, _ = drawn(results, 0, theory_alone=True)
    silence = NO_PATH if isinstance(shown, view.Trajectory | view.Plane) else NO_LINE
    return panels, "" if panels else silence


def point_panels(cell: Cell, shown: View, most: int | None = None) -> tuple[list[dict[str, Any]], str]:
    """The panels of a view at one point with theory alone; in a heat map a mark says where the point is.

    If the point was measured, its mark tells the mean over seeds.
    """
    point = cell.point
    assert isinstance(point, Claim)
    panels, silence = theory_panels(point, cell.prediction, shown, most)
    if isinstance(shown, view.HeatMap):
        values = [float(value) for value in cell.values_of(shown.quantity) if not isinstance(value, Curve)]
        label = f"this point, measured {fmean(values):.4g}" if values else "this point"
        mark = {"x": getattr(point, shown.x), "y": getattr(point, shown.y), "label": label}
        panels = [{**panel, "marks": [mark]} for panel in panels]
    return panels, silence


def drawn(results: Results, view: int | None = None, *, theory_alone: bool) -> tuple[list[dict[str, Any]], str]:
    """The panels of one view, or of all, as plain data; or the sentence that says why there is none."""
    try:
        return [picture_data(panel) for panel in shown_panels(results, view, theory_alone=theory_alone)], ""
    except InputError as nothing:
        return [], without_paths(str(nothing))


def _plane(point: Claim, shown: View) -> Iterator[Cell]:
    """What theory says all over a heat map."""
    if not isinstance(shown, view.HeatMap):
        return
    across, up = shown.axes
    for y in up.values:
        for x in across.values:
            try:
                there = point.replace(**{shown.x: x, shown.y: y})
                yield Cell(there, known_prediction(there))
            except InputError:  # there is no such point, or no theory of it: a hatched place
                continue


def _quantities(point: Claim, prediction: Prediction) -> Iterator[Mapping[str, Any]]:
    stated = {quantity.name: quantity for quantity in reversed(point.stated())}
    violated = [one for one in point.hypotheses if not one.met(point)]
    for name, told in prediction_dict(point, prediction)["quantities"].items():
        said = stated.get(name)
        yield {
            "name": name,
            "help": said.help if said else "",
            "symbol": said.symbol if said else "",
            "predicted": told["predicted"],
            "x": told.get("x"),
            "x_name": told.get("x_name", ""),
            "relation": told["relation"],
            "allowance": told["allowance"],
            "rule": told["allowance_rule"],
            "outside": next((one.words for one in violated if one.concerns(name)), ""),
        }
