"""Heat maps: every cell at its place, thresholds from what is stored, and no theory asked again."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims import view as views
from giantstep.errors import InputError
from giantstep.figures import CurvePicture, HeatMapPicture
from giantstep.studies.pictures.whole import picture_of
from tests.studies.pictures.picture_claims import CALLS, RELU, TANH, Plane, results_of

VIEW = views.HeatMap("width", [4, 1, 2], "height", "3,10", "area")
POINTS = [Plane(width=w, height=h) for w in (1, 2, 4) for h in (3, 10)]


def test_every_cell_stands_at_its_place() -> None:
    picture = picture_of(results_of(POINTS, VIEW, errors=(-1.0, 3.0)))
    assert isinstance(picture, HeatMapPicture)
    assert (list(picture.x), list(picture.y)) == ([1, 2, 4], [3, 10])
    assert np.asarray(picture.values).tolist() == [[4, 7, 13], [11, 21, 41]]
    assert (picture.title, picture.value_label) == ("area", "area")
    assert (picture.x_label, picture.y_label) == ("width $w$", "height $h$")


def test_cells_off_the_plane_and_off_the_map_are_left_out() -> None:
    others = [Plane(width=2, height=3, size=99), Plane(width=3, height=3)]
    picture = picture_of(results_of([*others, *POINTS], VIEW))
    assert np.asarray(picture.values).tolist() == [[3, 6, 12], [10, 20, 40]]


def test_at_moves_the_plane() -> None:
    moved = [Plane(width=w, height=h, size=99) for w in (1, 2, 4) for h in (3, 10)]
    view = views.HeatMap("width", [1, 2, 4], "height", [3, 10], "area", at={"size": 99})
    assert picture_of(results_of(moved, view)).values[1, 2] == 40
    with pytest.raises(InputError, match="no picture"):
        picture_of(results_of(POINTS, view), 0)


def test_failed_and_missing_cells_are_gaps() -> None:
    table = picture_of(results_of(POINTS[1:], VIEW, fails=lambda p: (p.width, p.height) == (4, 10))).values
    assert np.isnan(table[0, 0])
    assert np.isnan(table[1, 2])
    assert np.isfinite(table).sum() == 4


def test_one_cell_is_a_map() -> None:
    picture = picture_of(results_of([Plane()], views.HeatMap("width", [2], "height", [3], "area")))
    assert np.asarray(picture.values).tolist() == [[6]]
    assert picture.boundary is None


def test_the_threshold_is_drawn_from_stored_predictions() -> None:
    points = [Plane(width=w, height=h) for w in (1, 5) for h in (2, 3, 4, 9)]
    picture = picture_of(results_of(points, views.HeatMap("width", [1, 5], "height", [2, 3, 4, 9], "area")))
    across, along = picture.boundary
    assert (list(across), list(along)) == ([2, 3, 4], [2, 3, 4]), "the width's threshold is the height, inside the map"
    assert picture.boundary_label == "predicted threshold"
    assert CALLS == []


def test_a_threshold_outside_the_map_is_not_drawn() -> None:
    assert picture_of(results_of(POINTS, views.HeatMap("width", [1, 2], "height", [3, 10], "area"))).boundary is None


def test_where_nothing_was_measured_theory_is_shown() -> None:
    picture = picture_of(results_of(POINTS, views.HeatMap("width", [1, 2, 4], "height", [3, 10], "told")))
    assert picture.title == "told (theory)"
    assert picture.value_label == "told, predicted"
    assert np.asarray(picture.values).tolist() == [[1, 2, 4], [1, 2, 4]]


@pytest.mark.parametrize("quantity", ["wave", "power_of_nothing"])
def test_curves_and_unknown_quantities_have_no_map(quantity: str) -> None:
    view = views.HeatMap("width", [1, 2, 4], "height", [3, 10], quantity)
    with pytest.raises(InputError, match="no picture"):
        picture_of(results_of(POINTS, view), 0)


def test_an_axis_of_texts_is_no_axis() -> None:
    points = [Plane(width=w, activation=a) for w in (1, 2) for a in (TANH, RELU)]
    with pytest.raises(InputError, match="sweep one or two numeric parameters"):
        picture_of(results_of(points, views.HeatMap("width", [1, 2], "activation", ["tanh", "relu"], "area")), 0)


def test_a_logarithmic_axis_with_zero_is_refused_in_a_sentence() -> None:
    points = [Plane(width=w, height=h) for w in (0, 1) for h in (3, 10)]
    with pytest.raises(InputError, match="positive on a logarithmic axis"):
        picture_of(results_of(points, views.HeatMap("width", [0, 1], "height", [3, 10], "area", log_x=True)))


def test_work_grows_with_the_number_of_cells_and_not_with_its_square(monkeypatch) -> None:
    """How often cells are asked who they are: once for each way to group them."""
    asked = 0
    own = Plane.key

    def counted(self, without=()):
        nonlocal asked
        asked += 1
        return own(self, without)

    side = [0.1 * k for k in range(20)]
    results = results_of(
        [Plane(width=w, height=h) for w in side for h in side], views.HeatMap("width", side, "height", side, "area")
    )
    monkeypatch.setattr(Plane, "key", counted)
    picture_of(results)
    assert asked < 3 * len(results.cells)


def test_two_axes_are_a_map_or_curves_as_asked() -> None:
    as_map = results_of(POINTS, VIEW)
    curves = as_map.figure(heat_map=False).picture
    assert isinstance(curves, CurvePicture)
    marks = [one for one in curves.series if one.kind == "simulation"]
    assert [np.asarray(one.y).tolist() for one in marks] == [[3, 6, 12], [10, 20, 40]], "one curve for each height"
    written = views.Curve("width", [1, 2, 4], ("area",), by="height", by_values=["3", "10"])  # as a command line has it
    again = results_of(POINTS, written).figure(heat_map=True).picture
    assert isinstance(again, HeatMapPicture)
    assert np.asarray(again.values).tolist() == [[3, 6, 12], [10, 20, 40]]
    assert again.y_label == "height $h$"


def test_one_axis_is_no_map() -> None:
    line = results_of([Plane(width=w) for w in (1, 2)], views.Curve("width", [1, 2], ("area",)))
    with pytest.raises(InputError, match="a heat map needs two numeric axes"):
        line.figure(heat_map=True)
    with pytest.raises(InputError, match="heat_map is for pictures"):
        line.film("width", heat_map=False)
