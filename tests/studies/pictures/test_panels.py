"""Spectra, curves over time, trajectories, and the picture as a whole."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims import claim_class, claim_names, named, quantity
from giantstep.claims import view as views
from giantstep.errors import InputError
from giantstep.figures import CurvePicture, PanelPicture, SpectrumPicture, TrajectoryPicture
from giantstep.studies import Results, Study
from giantstep.studies.pictures.labels import ON_AXIS, label, quantity_words, shared_label, spelled
from giantstep.studies.pictures.whole import picture_of, thumbnail_of
from giantstep.verdicts import Cell
from giantstep.verdicts.stating import Allowance, Curve, Measurement
from tests.claims.toy import Bare, NoisyLevel
from tests.studies.pictures.picture_claims import CALLS, RELU, TANH, Plane, results_of

SPECTRUM = views.Spectrum("values", "value", title="spectrum")


@named("toy/waves", kind="example", cite="bes22")
class Waves(Plane):
    """Curves of which one is bounded, one judged by its draws, and one told only."""

    quantities = (
        quantity.at_most("wave", Allowance(0.5), "toy"),
        quantity.equal("unpredicted_wave", Allowance(20.0), "toy", against="finite"),
    )


def test_a_curve_is_drawn_as_it_was_judged() -> None:
    views_of_both = views.Time(("wave", "unpredicted_wave"))
    picture = picture_of(results_of([Waves()], views_of_both, errors=(0.3, 0.4), base=Waves()))
    bounded, on_draws = picture.panels
    bound, marks = bounded.series
    assert (bound.label, bound.kind, bound.forbidden, marks.kind) == ("at most", "bound", "above", "simulation")
    assert bound.error.tolist() == [0.5] * 4, "marks beyond the bound by .35 lie in what is allowed"
    line, _ = on_draws.series
    assert (line.kind, line.y.tolist()) == ("theory", [10.0, 11.0, 12.0, 13.0])
    assert line.error.tolist() == [20.0] * 4
    on_line = picture_of(results_of([Waves()], views_of_both, errors=(-0.3, -0.4), base=Waves())).panels[0]
    assert on_line.series[0].error is None, "nothing leaves the bound"
    told = picture_of(results_of([Plane()], views.Time(("unpredicted_wave",)))).series[0]
    assert (told.label, told.kind) == ("theory, only shown", "reference")


def test_a_spectrum_pools_its_seeds() -> None:
    picture = picture_of(results_of([Plane()], SPECTRUM, errors=(0.0, 1.0)))
    assert isinstance(picture, SpectrumPicture)
    assert sorted(picture.values) == pytest.approx([0.2, 0.2, 0.4, 0.4, 1.8, 2.8])
    assert picture.spikes == (
        (2.0, "predicted spike", "predicted"),
        (1.0, "edge of the bulk", "edge"),
        (pytest.approx(2.3), "largest, mean over seeds", "measured"),
    )
    assert list(picture.density_y) == [1] * 5
    assert picture.before is None


def test_a_spectrum_inside_its_bulk_has_no_measured_spike() -> None:
    kinds = [kind for _, _, kind in picture_of(results_of([Plane()], SPECTRUM, errors=(-1.0,))).spikes]
    assert kinds == ["predicted", "edge"]


def test_what_was_before_stands_behind() -> None:
    view = views.Spectrum("values", "value", before="start")
    picture = picture_of(results_of([Plane()], view))
    assert sorted(picture.before) == [0.1, 0.1, 0.3, 0.3]
    assert picture.title == "values"
    assert picture.before_label == "start", "which need not be what was there before"


def test_a_spectrum_without_theory() -> None:
    picture = picture_of(results_of([Plane()], views.Spectrum("start", "value")))
    assert picture.density_x is None
    assert [label for _, label, _ in picture.spikes] == ["largest, mean over seeds"]


def test_a_spectrum_elsewhere() -> None:
    view = views.Spectrum("values", "value", at={"width": 5})
    assert picture_of(results_of([Plane(), Plane(width=5)], view)).x_label == "value"
    with pytest.raises(InputError, match="no picture"):
        picture_of(results_of([Plane()], view), 0)


@pytest.mark.parametrize("view", [SPECTRUM, views.Time(("wave",)), views.Trajectory(("neurons",), "x", "y")])
def test_a_cell_that_failed_has_no_panel(view) -> None:
    with pytest.raises(InputError, match="every simulation failed"):
        picture_of(results_of([Plane()], view, fails=lambda point: True))


def test_a_curve_over_time_with_its_theory() -> None:
    picture = picture_of(results_of([Plane()], views.Time(("wave",), log_x=True, log_y=True), errors=(-1.0, 2.0)))
    assert isinstance(picture, CurvePicture)
    assert [(one.label, one.kind) for one in picture.series] == [("theory", "theory"), ("simulation", "simulation")]
    assert list(picture.series[0].y) == [0, 3, 6, 9]
    assert picture.series[1].y == pytest.approx([0.5, 3.5, 6.5, 9.5])
    assert picture.series[1].error == pytest.approx([1.5] * 4)
    assert (picture.x_label, picture.y_label, picture.log_x, picture.log_y) == ("time", "wave $u$", True, True)
    assert CALLS == []


def test_curves_over_time_of_several_values() -> None:
    points = [Plane(activation=TANH), Plane(activation=RELU)]
    view = views.Time(("wave", "unpredicted_wave"), by="activation", by_values="tanh,relu")
    picture = picture_of(results_of(points, view))
    assert isinstance(picture, PanelPicture)
    assert [one.label for one in picture.panels[0].series if one.kind == "simulation"] == [
        "activation = tanh",
        "activation = relu",
    ]


def test_theory_of_the_draws_over_time_is_their_mean() -> None:
    picture = picture_of(results_of([Plane()], views.Time(("unpredicted_wave",))))
    assert list(picture.series[0].y) == [10, 11, 12, 13]


def test_seeds_that_stopped_at_other_times_are_refused_in_a_sentence() -> None:
    curves = [Curve(np.arange(n), np.arange(n)) for n in (3, 4)]
    cell = Cell(Plane(), Plane().predict(), [Measurement({"wave": curve}) for curve in curves])
    results = Results(Plane(), (cell,), {"seed": 0}, (views.Time(("wave",)),))
    with pytest.raises(InputError, match="wave was measured at other places by each seed"):
        picture_of(results)


def test_trajectories_have_a_panel_for_each_value() -> None:
    points = [Plane(height=h) for h in (1, 2)]
    view = views.Trajectory(("neurons",), "a", "b", references=("teacher",), by="height", by_values="1,2", title="ways")
    picture = picture_of(results_of(points, view))
    assert [panel.title for panel in picture.panels] == ["ways, height = 1", "ways, height = 2"]
    second = picture.panels[1]
    assert isinstance(second, TrajectoryPicture)
    assert [(one.label, one.kind) for one in second.paths] == [
        ("neurons", "simulation"),
        ("neurons", "simulation"),
        ("teacher", "reference"),
    ]
    assert list(second.paths[0].y) == [0, 2, 4, 6]


def test_a_trajectory_is_the_first_seed_s() -> None:
    cell = results_of([Plane()]).cells[0]
    first, second = Measurement({}, paths={"neurons": [Curve(np.arange(2), np.arange(2))]}), cell.measurements[0]
    view = views.Trajectory(("neurons",), "a", "b")
    both = Results(Plane(), (Cell(Plane(), cell.prediction, [first, second]),), {"seed": 0}, (view,))
    (path,) = picture_of(both).paths
    assert list(path.y) == [0, 1]
    without = Results(Plane(), (Cell(Plane(), cell.prediction, [Measurement({}), second]),), {"seed": 0}, (view,))
    with pytest.raises(InputError, match="no picture"):
        picture_of(without, 0)


def test_points_in_a_plane_with_their_circle_and_mark() -> None:
    view = views.Plane("neurons", "real", "imaginary", circle="area", mark="told", title="points")
    picture = picture_of(results_of([Plane()], view), 0)
    assert isinstance(picture, CurvePicture)
    assert picture.equal_axes
    points, circle = picture.series
    assert (points.kind, circle.kind, circle.label) == ("simulation", "theory", "area")
    assert np.hypot(circle.x, circle.y) == pytest.approx(6)
    assert picture.vertical_lines == ()  # a mark within the circle is no outlier
    bare = picture_of(results_of([Plane()], views.Plane("neurons", "real", "imaginary", mark="told")), 0)
    assert [label for _, label in bare.vertical_lines] == ["predicted told"]
    with pytest.raises(InputError, match="no picture"):
        picture_of(results_of([Plane()], views.Plane("nothing", "x", "y")), 0)


def test_a_claim_without_views_shows_its_curves() -> None:
    picture = picture_of(NoisyLevel().run(seeds=2, workers=1))
    assert isinstance(picture, PanelPicture)
    alone = picture_of(results_of([Plane()]))
    assert isinstance(alone, CurvePicture)
    assert alone.title == "wave"


def test_a_claim_with_neither_views_nor_curves_has_no_picture() -> None:
    with pytest.raises(InputError, match="no picture of this study of toy/bare"):
        Bare().run(seeds=1).figure()


def test_results_without_cells_have_no_picture() -> None:
    with pytest.raises(InputError, match="nothing is measured yet"):
        picture_of(Results(Plane(), (), {"seed": 0}, (SPECTRUM, views.Curve("width", "1:3:3", ("area",)))))
    with pytest.raises(InputError, match="hold no point"):
        Results(Plane(), (), {"seed": 0}).base_cell  # noqa: B018


def test_the_caption_tells_ranges_of_a_grid_and_the_point_of_views() -> None:
    grid = [Plane(width=w, activation=a) for w in (1, 4) for a in (TANH, RELU)]
    view = views.Curve("width", [1, 4], ("area",), by="activation", by_values="tanh,relu")
    caption = picture_of(results_of(grid, view, errors=(0.0,))).caption
    assert "activation = tanh(z) or relu(z), width = 1 to 4, height = 3.0, size = 10; 1 seed from 0." in caption
    apart = [Plane(), Plane(width=4), Plane(height=5)]
    assert "width = 2.0, height = 3.0" in picture_of(results_of(apart, SPECTRUM)).caption


def test_views_are_called_by_number() -> None:
    results = results_of([Plane()], SPECTRUM, views.Time(("wave",)))
    assert [panel.title for panel in picture_of(results).panels] == ["spectrum", "wave"]
    assert picture_of(results, 1).title == "wave"
    with pytest.raises(InputError, match="has no view 2; its views are 0 to 1"):
        picture_of(results, 2)
    with pytest.raises(InputError, match="has no view 0; it has none"):
        picture_of(results_of([Plane()]), 0)


class Titled(Plane):
    """A claim whose views tell of other places."""

    views = (
        views.Time(("wave",), title="low"),
        views.Time(("wave",), at={"height": 9}, title="high"),
        views.Spectrum("values", "value", title="spectrum"),
        views.Spectrum("values", "value", at={"height": 9}, title="high"),
        views.HeatMap("width", [1, 2], "height", [1, 2], "area"),
        views.Curve("width", [1, 2], ("area",), title="curve"),
        views.Curve("width", [1, 2], ("area",), at={"height": 9}),
    )


def test_at_one_point_each_view_stands_once_and_no_title_lies() -> None:
    point = Titled(height=5)
    picture = picture_of(results_of([point], *Study(point).views, base=point))
    assert [panel.title for panel in picture.panels] == ["wave", "spectrum", "area against width"]


def test_the_thumbnail_is_the_first_panel_that_shows_something() -> None:
    silent = views.Spectrum("nothing", "value")
    thumbnail = thumbnail_of(results_of([Plane()], silent, SPECTRUM, views.Time(("wave",))))
    assert (thumbnail.title, thumbnail.caption) == ("spectrum", "")
    with pytest.raises(InputError, match="no picture"):
        Bare().run(seeds=1).thumbnail()


def test_a_thumbnail_passes_over_marks_without_anything_beside_them() -> None:
    alone = views.Curve("width", "1:3:3", ("power",), title="marks alone")
    beside = views.Curve("width", "1:3:3", ("area",), title="marks and a line")
    assert thumbnail_of(results_of([Plane()], alone, beside)).title == "marks and a line"
    assert thumbnail_of(results_of([Plane()], alone)).title == "marks alone", "better than nothing"


@pytest.mark.slow
def test_every_kind_of_picture_draws() -> None:
    pytest.importorskip("matplotlib")
    shown = (SPECTRUM, views.Time(("wave",)), views.Trajectory(("neurons",), "a", "b"))
    drawing = results_of([Plane()], *shown, views.Curve("width", "1:3:3", ("area",))).figure()
    assert len(drawing.axes) == 4


def test_words_that_break_off_before_a_formula_are_not_used() -> None:
    claim = claim_class("moniri24/polynomial-spikes")()
    names = [q.name for q in claim.stated() if q.name.startswith("captured")]
    words = {quantity_words(claim, name) for name in names}
    assert len(words) == len(set(names)), "each has a name of its own"
    assert not any(one.endswith(" of") for one in words)


def test_axes_say_what_is_drawn() -> None:
    kernel = claim_class("bes22/expected-kernel")()
    assert label(kernel, "d") == "input dimension $d$", "a letter alone says nothing"
    assert label(kernel, "share").startswith("share of the two leading vectors in the span of 1 and |$w_{i}$")
    assert quantity_words(kernel, "share") == "share", "legends have no mathematics"
    assert shared_label(kernel, ("distance", "second")) == "largest eigenvalue of the difference"


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("error of the best function of <x, X^T y> plus a linear one", "area"),  # a comma tears <x, X^T y> apart
        ("largest |B_{t+1} - B_t| over 2 mu (L_t - L_{t+1})", "area"),  # divided by what stands in brackets
        ("needed measurements, over dim T; at least 1", "needed measurements, over dim T"),
        ("what a line misses: the error of <x, X^T y>", "what a line misses"),
    ],
)
def test_the_first_words_of_a_quantity_are_its_name_unless_they_are_torn(told: str, words: str) -> None:
    class Toy(Plane):
        """An area with words of its own."""

        quantities = (quantity.reported("area", help=told),)

    assert quantity_words(Toy(), "area", ON_AXIS) == words


@pytest.mark.parametrize("name", claim_names())
def test_legends_have_words_that_explain_themselves(name: str) -> None:
    """A quantity beside others is called what the claim says it is, not by the name of its column."""
    claim = claim_class(name)()
    told = {q.name: q.help for q in reversed(claim.stated())}
    for shown in (v for v in claim.views if isinstance(v, views.Curve) and v.together and len(v.quantities) > 1):
        bare = [n for n in shown.quantities if quantity_words(claim, n) == spelled(n) and told[n][:3] != spelled(n)[:3]]
        assert not bare, f"the help of {bare} shall begin with a few plain words, then a colon or a comma"


def test_axes_that_hide_zero_are_told() -> None:
    far, near = (
        views.Curve("width", [1, 2], ("area",), at={"height": h}, log_y=log) for h, log in ((9, False), (3, True))
    )
    points = [Plane(width=w, height=h) for w in (1, 2) for h in (9, 3)]
    told = picture_of(results_of(points, far, near)).caption
    assert "the vertical axis does not begin at 0 in (a)." in told
    assert "the vertical axis does not begin at 0." in picture_of(results_of(points, far)).caption
    assert "no vertical axis begins at 0." in picture_of(results_of(points, far, far)).caption
    assert "does not begin" not in picture_of(results_of([Plane()], views.Time(("wave",)))).caption
