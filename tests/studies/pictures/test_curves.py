"""Curves: marks at means, lines through what is stored, and as many places more as the claim allows."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims import Hypothesis, Printed, claim_class, named
from giantstep.claims import view as views
from giantstep.errors import InputError
from giantstep.figures import CurvePicture, PanelPicture, Series
from giantstep.problems import Target
from giantstep.studies.pictures.curves import _printed_once
from giantstep.studies.pictures.judged import judged_series
from giantstep.studies.pictures.labels import branch_name, why_unjudged
from giantstep.studies.pictures.theory import more_places
from giantstep.studies.pictures.whole import picture_of
from giantstep.verdicts import Cell
from giantstep.verdicts.stating import Allowance, Measurement, Prediction, quantity
from tests.studies.pictures.picture_claims import CALLS, RELU, TANH, Plane, results_of

VIEW = views.Curve("width", "1:3:3", ("area",))
WIDTHS = [Plane(width=w) for w in (1, 2, 3)]


def of_kind(picture: object, kind: str) -> list[Series]:
    assert isinstance(picture, CurvePicture)
    return [one for one in picture.series if one.kind == kind]


def points_of(series: Series) -> dict[float, float]:
    return dict(zip(np.asarray(series.x).tolist(), np.asarray(series.y).tolist(), strict=True))


def test_marks_are_means_with_their_standard_errors() -> None:
    (marks,) = of_kind(picture_of(results_of(WIDTHS, VIEW, errors=(-1.0, 2.0))), "simulation")
    assert points_of(marks) == {1.0: 3.5, 2.0: 6.5, 3.0: 9.5}
    assert marks.error == pytest.approx([1.5, 1.5, 1.5])


def test_one_seed_has_no_error_bar() -> None:
    (marks,) = of_kind(picture_of(results_of(WIDTHS, VIEW, errors=(0.0,))), "simulation")
    assert list(marks.error) == [0, 0, 0]


def test_words_and_threshold() -> None:
    picture = picture_of(results_of(WIDTHS, VIEW))
    assert (picture.title, picture.x_label, picture.y_label) == ("area against width", "width $w$", "area $A$")
    assert picture.vertical_lines == ((3.0, "threshold"),)
    point = "activation = tanh(z), width = 1 to 3, height = 3.0, size = 10"
    reading = (
        "Lines are theory; marks are simulations with their standard errors; the vertical axis does not begin at 0."
    )
    assert picture.caption == f"{reading} toy/plane: {point}; 2 seeds from 0."
    outside = views.Curve("width", "1:2:3", ("area",))
    assert picture_of(results_of(WIDTHS[:2], outside)).vertical_lines == ()


def test_theory_is_computed_only_where_it_is_not_stored() -> None:
    (line,) = of_kind(picture_of(results_of(WIDTHS, VIEW)), "theory")
    assert points_of(line) == {1.0: 3.0, 1.5: 4.5, 2.0: 6.0, 2.5: 7.5, 3.0: 9.0}
    assert [point.width for point in CALLS] == [1.5, 2.5]


def test_panels_share_what_they_ask_of_theory() -> None:
    picture_of(results_of(WIDTHS, views.Curve("width", "1:3:3", ("area", "double")), VIEW))
    assert [point.width for point in CALLS] == [1.5, 2.5]


def test_a_study_of_many_places_needs_no_others() -> None:
    many = [Plane(width=w) for w in (1, 1.2, 1.4, 2, 3)]
    (line,) = of_kind(picture_of(results_of(many, views.Curve("width", [1, 1.2, 1.4, 2, 3], ("area",)))), "theory")
    assert list(line.x) == [1, 1.2, 1.4, 2, 3]
    assert CALLS == []


def test_stored_predictions_are_what_is_drawn() -> None:
    results = results_of(WIDTHS, VIEW)
    object.__setattr__(results.cells[1].prediction, "values", {"area": 77.0})
    (line,) = of_kind(picture_of(results), "theory")
    assert points_of(line)[2.0] == 77.0


@pytest.mark.parametrize(
    ("view", "stored", "places"),
    [
        (VIEW, [], [1, 1.5, 2, 2.5, 3]),
        (VIEW, [2.0, 4.0], [1, 1.75, 2.5, 3.25]),
        (VIEW, [1, 1.1, 1.2, 1.3, 1.4], []),
        (views.Curve("width", "log:1:16:3", ("area",), log_x=True), [], [1, 2, 4, 8, 16]),
        (views.Curve("width", "0:4:3", ("area",), log_x=True), [], [0, 1, 2, 3, 4]),
        (views.Curve("width", [2], ("area",)), [], [2]),
        (views.Curve("size", [10, 20, 40], ("area",)), [20], [10, 40]),
        (views.Curve("size", "1,2,10", ("area",)), [], [1, 2, 10]),
        (views.Curve("size", range(1, 100), ("area",)), [3], []),
        (views.Curve("activation", ["tanh", "relu"], ("area",)), [], []),
    ],
)
def test_where_a_line_goes_follows_from_view_study_and_claim(view, stored, places) -> None:
    assert more_places(Plane(), view, stored) == pytest.approx(places)


def test_a_view_of_cheap_points_may_have_its_line_at_more_places() -> None:
    view = views.Curve("width", [1, 3], ("area",), line_places=21)
    assert len(more_places(Plane(), view, [1.0, 3.0])) == 19
    assert len(more_places(Plane(), view, [1.0, 3.0], limit=11)) == 9, "a draft has fewer all the same"


class Unjudged(Plane):
    """An area that is told only."""

    quantities = (quantity.reported("area"),)


def test_a_line_that_is_not_judged_says_what_it_is() -> None:
    view = views.Curve("width", [1, 3], ("area",), unjudged="area without a margin")
    points = [Unjudged(width=w) for w in (1, 3)]
    (line,) = of_kind(picture_of(results_of(points, view, base=Unjudged())), "reference")
    assert line.label == "area without a margin"


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        (quantity.reported("area"), "theory, only shown"),
        (quantity.slope("area", "width", 1, 0.1, "no reason"), "theory, of which only the slope is judged"),
        (quantity.increasing("area", "width", "no reason"), "theory, judged only to rise"),
        (quantity.decreasing("area", "width", "no reason"), "theory, judged only to fall"),
        (quantity.equal("area", 0, "no reason", when=lambda _: False), "theory, where the claim is silent"),
    ],
)
def test_a_line_that_is_not_judged_says_why(stated: quantity.Quantity, words: str) -> None:
    class Toy(Plane):
        """An area of which little is stated."""

        quantities = (stated,)

    assert why_unjudged(Toy(), "area") == words


class Slow(Plane):
    """A theory that nobody wants to ask again."""

    line_places = 0


class Silent(Plane):
    """A theory that knows a limit and nothing else."""

    def predict(self) -> Prediction:
        return Prediction({"most": 100.0}, regime="always")


def test_a_slow_theory_is_asked_nowhere() -> None:
    points = [Slow(width=w) for w in (1, 3)]
    (line,) = of_kind(picture_of(results_of(points, VIEW, base=Slow())), "theory")
    assert list(line.x) == [1, 3]
    assert CALLS == []


@pytest.mark.parametrize("broken", [13, 17])
def test_where_theory_breaks_down_the_line_has_a_gap(broken: int) -> None:
    points = [Plane(width=w) for w in (broken - 2, broken + 2)]
    view = views.Curve("width", [broken - 2, broken + 2], ("area",))
    (line,) = of_kind(picture_of(results_of(points, view)), "theory")
    values = points_of(line)
    assert np.isnan(values[broken])
    assert values[broken - 1] == 3 * (broken - 1)


def test_where_theory_is_silent_the_line_has_a_gap() -> None:
    points = [Plane(width=w) for w in (-2, 2)]
    (line,) = of_kind(picture_of(results_of(points, views.Curve("width", [-2, 2], ("area",)))), "theory")
    assert np.isnan(points_of(line)[-2.0])
    assert points_of(line)[2.0] == 6.0


def test_a_quantity_without_theory_has_marks_alone() -> None:
    points = [Plane(width=w) for w in (-2, -1)]
    picture = picture_of(results_of(points, views.Curve("width", [-2, -1], ("area",))))
    assert [one.kind for one in picture.series] == ["simulation"]


def test_theory_of_the_draws_is_their_mean() -> None:
    (line,) = of_kind(picture_of(results_of(WIDTHS, views.Curve("width", "1:3:3", ("on_draws",)))), "theory")
    assert points_of(line) == {1.0: 13.0, 2.0: 16.0, 3.0: 19.0}


def test_a_predicted_exponent_is_a_line_of_that_slope() -> None:
    points = [Plane(size=n) for n in (5, 10, 20)]
    view = views.Curve("size", [5, 10, 20], ("power",), log_x=True, log_y=True)
    picture = picture_of(results_of(points, view))
    (line,) = of_kind(picture, "reference")
    assert line.label == "slope 2"
    assert points_of(line) == pytest.approx({5.0: 75.0, 20.0: 1200.0})
    assert (picture.log_x, picture.log_y) == (True, True)


def test_together_is_one_panel_and_otherwise_one_each() -> None:
    apart = picture_of(results_of(WIDTHS, views.Curve("width", "1:3:3", ("area", "double"))))
    assert isinstance(apart, PanelPicture)
    assert [panel.title for panel in apart.panels] == ["area against width", "double against width"]
    both = picture_of(results_of(WIDTHS, views.Curve("width", "1:3:3", ("area", "double"), together=True)))
    assert [(one.label, one.kind) for one in both.series] == [
        ("area", "theory"),
        ("area", "simulation"),
        ("double", "theory"),
        ("double", "simulation"),
    ]
    assert points_of(both.series[3]) == {1.0: 6.0, 2.0: 12.0, 3.0: 18.0}


def test_each_branch_has_its_line_and_marks() -> None:
    points = [Plane(width=w, height=h) for w in (1, 2, 3) for h in (1, 5)]
    picture = picture_of(results_of(points, views.Curve("width", "1:3:3", ("area",), by="height", by_values=[1, 5])))
    assert [(one.group, one.kind) for one in picture.series] == [
        ("height = 1", "theory"),
        ("height = 1", "simulation"),
        ("height = 5", "theory"),
        ("height = 5", "simulation"),
    ]
    assert points_of(picture.series[3]) == {1.0: 5.0, 2.0: 10.0, 3.0: 15.0}
    assert picture.vertical_lines == (), "branches have thresholds of their own"


def test_branches_of_texts() -> None:
    points = [Plane(width=w, activation=a) for w in (1, 2) for a in (TANH, RELU)]
    view = views.Curve("width", [1, 2], ("area",), by="activation", by_values="tanh,relu")
    labels = [one.label for one in of_kind(picture_of(results_of(points, view)), "simulation")]
    assert labels == ["activation = tanh", "activation = relu"]


def test_branches_have_their_mathematics_set_and_words_of_their_own() -> None:
    staircase, switch = claim_class("dklps23/staircase")(), claim_class("dls22/assumptions")()
    assert branch_name(staircase, "target", Target("x1**3 - 2*He2(x1)*x2")) == (
        r"target = $x_{1}^{3}$ − 2 $\mathrm{He}_{2}$($x_{1}$) $x_{2}$"
    )
    assert branch_name(staircase, "d", 16) == "d = 16"
    assert branch_name(staircase, "", None) == ""
    assert branch_name(switch, "fresh", True) == "fresh samples"
    assert branch_name(switch, "fresh", False) == "those of the step"


def test_a_bound_that_branches_share_is_drawn_once() -> None:
    points = [Plane(width=w, height=h) for w in (1, 3) for h in (1, 5)]
    view = views.Curve("width", [1, 3], ("area",), by="height", by_values=[1, 5], bounds=("most", "least"))
    picture = picture_of(results_of(points, view))
    most, *least = of_kind(picture, "reference")
    assert (most.label, set(np.asarray(most.y))) == ("most", {100.0}), "nothing is judged by it: no bound"
    assert [one.label for one in least] == ["least, height = 1", "least, height = 5"]


def test_failed_cells_are_shown_as_not_measured() -> None:
    results = results_of(WIDTHS, VIEW, fails=lambda point: point.width == 2)
    (marks,) = of_kind(picture_of(results), "simulation")
    assert list(marks.x) == [1, 2, 3]
    assert np.isnan(points_of(marks)[2.0])
    assert points_of(marks)[3.0] == 9.0


def test_a_branch_that_failed_keeps_its_line() -> None:
    points = [Plane(width=w, height=h) for w in (1, 3) for h in (1, 5)]
    view = views.Curve("width", [1, 3], ("area",), by="height", by_values=[1, 5])
    picture = picture_of(results_of(points, view, fails=lambda point: point.height == 5))
    assert len(of_kind(picture, "theory")) == 2
    assert [one.label for one in of_kind(picture, "simulation")] == ["height = 1"]


def test_where_everything_failed_a_sentence_says_so() -> None:
    with pytest.raises(InputError, match=r"no picture .* toy/plane: every simulation failed \(seed 0: overflow\)"):
        picture_of(results_of(WIDTHS, VIEW, fails=lambda point: True))


def test_what_is_only_told_is_a_line_without_marks() -> None:
    picture = picture_of(results_of(WIDTHS, views.Curve("width", "1:3:3", ("told",))))
    assert [one.kind for one in picture.series] == ["theory"]


def test_a_limit_alone_is_no_picture() -> None:
    shown = views.Curve("width", "1:3:3", ("unknown",), bounds=("most",)), views.Curve("width", "1:3:3", ("area",))
    assert picture_of(results_of(WIDTHS, *shown)).title == "area against width"
    points = [Silent(width=w) for w in (1, 2, 3)]
    silent = results_of(points, views.Curve("width", "1:3:3", ("told",), bounds=("most",)), base=Silent())
    with pytest.raises(InputError, match="no picture"):
        picture_of(silent, 0)


def test_a_single_cell_stands_on_the_line_of_theory() -> None:
    picture = picture_of(results_of([Plane()], VIEW))
    assert points_of(of_kind(picture, "simulation")[0]) == {2.0: 6.0}
    assert list(of_kind(picture, "theory")[0].x) == [1, 1.5, 2, 2.5, 3]


def test_an_axis_of_texts_is_no_axis() -> None:
    points = [Plane(activation=a) for a in (TANH, RELU)]
    view = views.Curve("activation", ["tanh", "relu"], ("area",))
    with pytest.raises(InputError, match="sweep one or two numeric parameters"):
        picture_of(results_of(points, view), 0)


def test_a_panel_that_cannot_be_drawn_does_not_cost_the_others() -> None:
    points = [Plane(width=w) for w in (-3, -2)]
    bad = views.Curve("width", [-3, -2], ("double",), log_y=True)
    good = views.Curve("width", [-3, -2], ("area",), title="good")
    assert picture_of(results_of(points, bad, good)).title == "good"
    with pytest.raises(InputError, match="positive on a logarithmic axis"):
        picture_of(results_of(points, bad))


@named("toy/judged", kind="example", cite="bes22")
class Judged(Plane):
    """A claim that says different things of its numbers."""

    quantities = (
        quantity.equal("area", Allowance(0.1), "toy", when=lambda point: point.width > 1.5),
        quantity.at_most("double", Allowance(0.1), "toy"),
        quantity.equal("on_draws", Allowance(0.1), "toy", against="finite"),
        quantity.reported("told"),
        quantity.slope("power", "size", 2.0, 0.1, "toy"),
    )
    hypotheses = (Hypothesis("the width is at most 2.5", lambda point: point.width <= 2.5, ("area",)),)
    printed = (Printed("area", "area is 1", lambda point: 1.0),)


JUDGED = [Judged(width=w) for w in (1, 2, 3)]


def drawn(quantity_name: str) -> list[Series]:
    view = views.Curve("width", "1:3:3", (quantity_name,))
    picture = picture_of(results_of(JUDGED, view, base=JUDGED[1]))
    assert isinstance(picture, CurvePicture)
    return list(picture.series)


def test_a_line_has_gaps_where_the_claim_does_not_speak() -> None:
    (line,) = [one for one in drawn("area") if one.kind == "theory"]
    assert {x for x, y in points_of(line).items() if np.isfinite(y)} == {2.0, 2.5}


def test_what_is_printed_is_a_line_of_its_own() -> None:
    (line,) = [one for one in drawn("area") if one.label == "as printed"]
    assert (line.kind, set(points_of(line).values())) == ("reference", {1.0})


def test_a_bound_shades_the_side_where_nothing_may_be() -> None:
    (line,) = [one for one in drawn("double") if one.kind != "simulation"]
    assert (line.label, line.kind, line.forbidden) == ("at most", "bound", "above")


def test_what_is_judged_by_draws_is_drawn_against_its_draws() -> None:
    theory = [one for one in drawn("on_draws") if one.kind == "theory"]
    assert [points_of(one) for one in theory] == [{1.0: 13.0, 2.0: 16.0, 3.0: 19.0}]


def test_a_limit_far_from_the_draws_is_a_thin_line() -> None:
    draws = ([1.0, 2.0], [3.0, 6.0])
    point = JUDGED[0]
    cells = [
        Cell(point.replace(width=w), Prediction({}, ""), [Measurement({"on_draws": y}, {"on_draws": y})])
        for w, y in zip(*draws, strict=True)
    ]
    view = views.Curve("width", "1:3:3", ("on_draws",))
    far = judged_series(point, view, "on_draws", cells, ([1.0, 2.0], [4.0, 7.0]), "")
    assert [(one.kind, one.label) for one in far] == [("theory", "theory"), ("reference", "limit")]
    assert points_of(far[0]) == dict(zip(*draws, strict=True))
    near = judged_series(point, view, "on_draws", cells, ([1.0, 1.5, 2.0], [3.01, 4.5, 6.01]), "")
    assert [(one.kind, len(points_of(one))) for one in near] == [("theory", 3)]


def test_where_the_draws_have_no_theory_the_line_has_a_gap() -> None:
    point = JUDGED[0]
    finite = {1.0: {"on_draws": 3.0}, 2.0: {}, 3.0: {"on_draws": 9.0}}
    cells = [
        Cell(point.replace(width=w), Prediction({}, ""), [Measurement({"on_draws": 3 * w}, known)])
        for w, known in finite.items()
    ]
    (line,) = judged_series(point, views.Curve("width", "1:3:3", ("on_draws",)), "on_draws", cells, None, "")
    assert np.array_equal(line.x, [1.0, 2.0, 3.0])
    assert np.array_equal(line.y, [3.0, np.nan, 9.0], equal_nan=True)


def test_what_is_printed_for_all_branches_alike_is_one_line() -> None:
    printed = [Series(f"{g}, as printed", [1, 2], [1, 1], kind="reference", group=g) for g in ("tanh", "erf")]
    theory = [Series(g, [1, 2], [2, 3], group=g) for g in ("tanh", "erf")]
    assert [s.label for s in _printed_once((*theory, *printed))] == ["tanh", "erf", "as printed"]
    other = Series("relu, as printed", [1, 2], [1, 4], kind="reference", group="relu")
    assert len(_printed_once((*printed, other))) == 3


class PrintedOnce(Plane):
    """An area that the source has at one width alone."""

    printed = (Printed("area", "7", lambda point: 7.0 if point.width == 2 else np.nan),)


def test_what_is_printed_at_one_place_says_where() -> None:
    points = [PrintedOnce(width=w) for w in (1, 2, 3)]
    picture = picture_of(results_of(points, views.Curve("width", [1, 2, 3], ("area",)), base=PrintedOnce()))
    (line,) = [one for one in of_kind(picture, "reference") if one.label.endswith("as printed")]
    assert line.label == "width = 2, as printed"


class Bounded(Plane):
    """A lower bound of the area of high rectangles."""

    quantities = (
        quantity.equal("area", Allowance(0.1), "toy"),
        quantity.at_least("least", 0, "toy", when=lambda point: point.height > 1),
    )


def test_a_bound_says_for_which_branches_it_does_not_hold() -> None:
    view = views.Curve("width", [1, 3], ("area",), by="height", by_values=(1, 2), bounds=("least",))
    points = [Bounded(width=w, height=h) for w in (1, 3) for h in (1, 2)]
    labels = [one.label for one in of_kind(picture_of(results_of(points, view, base=Bounded())), "bound")]
    assert labels == ["lower bound: least, not for height = 1"]
