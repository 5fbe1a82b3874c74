"""What a curve picture puts on its axes."""

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer

from giantstep.figures import CurvePicture, Series, draw, style


def axes_of(*series, **options):
    return draw(CurvePicture("t", "x", "y", series, **options)).axes[0]


def labels(axes) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def line_through(axes, x, y):
    """The one line whose data are these."""
    found = [line for line in axes.get_lines() if np.array_equal(line.get_xydata(), np.column_stack([x, y]))]
    assert len(found) == 1
    return found[0]


def test_theory_is_a_dark_line_and_simulation_blue_marks_with_bars(curve):
    axes = draw(curve).axes[0]
    theory, simulation, edge, limit = curve.series
    line = line_through(axes, theory.x, theory.y)
    assert (to_hex(line.get_color()), line.get_linestyle(), line.get_marker()) == (style.LIGHT.ink, "-", "None")
    (bars,) = [one for one in axes.containers if isinstance(one, ErrorbarContainer)]
    assert (to_hex(bars.lines[0].get_color()), bars.lines[0].get_linestyle()) == (style.LIGHT.simulation, "None")
    segments = bars.lines[2][0].get_segments()
    assert len(segments) == 9
    for (low, high), y in zip(segments, simulation.y, strict=True):
        assert (low[1], high[1]) == pytest.approx((y - 0.2, y + 0.2))
    assert line_through(axes, edge.x, edge.y).get_linewidth() < line.get_linewidth()
    assert to_hex(line_through(axes, limit.x, limit.y).get_color()) == style.LIGHT.bound
    assert labels(axes) == ["theory", "simulation", "edge", "limit", "threshold"]


def test_shading_a_bound_leaves_the_limits(curve):
    axes = draw(curve).axes[0]
    assert axes.get_ylim()[1] < 10
    (shade,) = [one for one in axes.collections if one.get_zorder() < 1]
    assert shade.get_datalim(axes.transData).y0 == pytest.approx(9)


def test_what_stands_alone_between_gaps_is_ringed():
    line = Series("theory", [0, 1, 2, 3], [1.0, 1.0, np.nan, 2.0])
    axes = axes_of(line, Series("simulation", [0, 1, 2, 3], [1, 1, 1, 2], kind="simulation"))
    ring = line_through(axes, [3], [2])
    assert (ring.get_marker(), ring.get_fillstyle(), ring.get_linestyle()) == ("o", "none", "None")
    assert labels(axes) == ["theory", "simulation"]


def test_groups_share_colour_and_legend_entry():
    x = [0, 1]
    series = []
    for name in ("one", "two"):
        series.append(Series(name, x, [0, len(series)], group=name))
        series.append(Series(name, x, [0.5, len(series)], kind="simulation", group=name))
    axes = axes_of(*series)
    colours = [to_hex(line_through(axes, x, one.y).get_color()) for one in series]
    assert colours == [style.LIGHT.groups[0], style.LIGHT.groups[0], style.LIGHT.groups[1], style.LIGHT.groups[1]]
    assert labels(axes) == ["one", "two", "theory", "simulation"]


def test_without_groups_the_kth_theory_and_simulation_belong_together():
    x = [0, 1]
    theory = [Series(f"t{k}", x, [0, k + 1]) for k in range(8)]
    simulation = [Series(f"s{k}", x, [0.5, k + 1], kind="simulation") for k in range(8)]
    axes = axes_of(*theory, *simulation)
    colours = [[line_through(axes, x, one.y).get_color() for one in kind] for kind in (theory, simulation)]
    assert colours[0] == colours[1]
    assert len(set(colours[0])) == 8


def test_nans_are_gaps_in_lines_and_crosses_for_marks():
    y = [1, np.nan, 3, 4]
    axes = axes_of(
        Series("theory", [1, 2, 3, 4], y),
        Series("simulation", [1, 2, 3, 4], y, error=[0.1] * 4, kind="simulation"),
    )
    assert "not measured" in labels(axes)
    (bars,) = axes.containers
    assert bars.lines[0].get_xdata().tolist() == [1, 3, 4]


def test_values_that_a_logarithmic_axis_cannot_show_are_named():
    axes = axes_of(Series("simulation", [1, 2, 3], [0, 1, 10], kind="simulation"), log_y=True)
    assert labels(axes) == ["simulation", "not positive"]


@pytest.mark.parametrize("log", [False, True])
def test_single_points_can_be_seen(log):
    theory, simulation = Series("theory", [7], [0.5]), Series("simulation", [7], [0.5], kind="simulation")
    axes = axes_of(theory, simulation, Series("limit", [7], [0.5], kind="bound"), log_x=log, log_y=log)
    assert any(line.get_marker() == "o" and line.get_fillstyle() == "none" for line in axes.get_lines()), "a ring"
    for low, high in (axes.get_xlim(), axes.get_ylim()):
        assert high - low > 0.1
    assert len(axes.get_yticks()) >= 2


def test_constant_values_do_not_show_rounding_errors():
    axes = axes_of(Series("theory", [1, 2, 3], [0.1 + 0.2, 0.3, 0.3]))
    low, high = axes.get_ylim()
    assert high - low > 0.1
    assert axes_of(Series("theory", [1, 2], [0, 0])).get_ylim() == pytest.approx((-0.05, 1.25))
    assert axes_of(Series("theory", [1, 2], [4, 4])).get_ylim() == pytest.approx((-0.2, 5))


def test_short_logarithmic_axes_have_ticks_at_the_sizes_measured():
    sizes = [128, 256, 512, 1024]
    axes = axes_of(Series("gap", sizes, [4, 3, 2, 1], kind="simulation"), log_x=True)
    assert axes.get_xticks().tolist() == sizes
    wide = axes_of(Series("gap", [1, 1e6], [4, 3]), log_x=True)
    assert 1e3 in wide.get_xticks()


def test_one_mark_on_a_logarithmic_line_leaves_it_a_scale():
    line, mark = Series("theory", [128, 1024], [1, 2]), Series("simulation", [512], [1.5], kind="simulation")
    (axes,) = draw(CurvePicture("Sizes", "d", "gap", [line, mark], log_x=True)).axes
    assert {200, 500, 1000} <= set(axes.get_xticks())


def test_very_many_marks_get_a_band_in_place_of_bars():
    x = np.linspace(0, 1, 500)
    axes = axes_of(Series("simulation", x, x, error=0.1 + 0 * x, kind="simulation"))
    assert not axes.containers
    assert len(axes.collections) == 1


def test_vertical_lines_widen_the_axis():
    axes = axes_of(Series("theory", [1], [1]), vertical_lines=((5, "threshold"),))
    low, high = axes.get_xlim()
    assert low < 1 < 5 < high


def test_a_bound_stated_at_one_place_says_nothing_of_the_others() -> None:
    bound = Series("at least", [1, 2, 3], [np.nan, 0.9, np.nan], kind="bound", forbidden="below")
    marks = Series("simulation", [1, 2, 3], [0.5, 0.95, 0.4], kind="simulation")
    (axes,) = draw(CurvePicture("One place", "x", "y", [bound, marks])).axes
    edge = next(line for line in axes.lines if np.allclose(line.get_ydata(), 0.9))
    assert edge.get_xdata() == pytest.approx([1.7, 2.3])
    everywhere = Series("at least", [2], [0.9], kind="bound", forbidden="below")
    (axes,) = draw(CurvePicture("All", "x", "y", [everywhere, Series("s", [2], [0.95], kind="simulation")])).axes
    assert any(np.allclose(line.get_xdata(), [0, 1]) for line in axes.lines), "a line across the whole plot"


def test_a_bound_of_one_kind_of_marks_shades_nothing_where_there_are_others() -> None:
    bound = Series("at most", [1, 2], [0.1, 0.1], kind="bound", forbidden="above", group="b")
    marks = [Series(name, [1, 2], [y, y], kind="simulation", group=name) for name, y in (("a", 0.9), ("b", 0.05))]
    shaded = [len(draw(CurvePicture("t", "x", "y", [bound, *some])).axes[0].collections) for some in (marks, marks[1:])]
    assert shaded[0] == shaded[1] - 1


def test_a_line_known_at_one_of_several_places_is_short_and_keeps_its_band() -> None:
    theory = Series("theory", [1, 2, 3], [np.nan, 0.5, np.nan], [0, 0.1, 0])
    axes = axes_of(theory, Series("simulation", [1, 2, 3], [0.4, 0.55, 0.6], kind="simulation"))
    (line,) = [one for one in axes.get_lines() if one.get_linestyle() == "-"]
    assert line.get_xdata() == pytest.approx([1.7, 2.3])
    (band,) = [one for one in axes.collections if 1 < one.get_zorder() < 2]
    reached = band.get_datalim(axes.transData)
    assert (reached.y0, reached.y1) == pytest.approx((0.4, 0.6))


def test_what_a_bound_allows_lies_beyond_it_and_the_shade_beyond_that() -> None:
    bound = Series("at most", [1, 2], [0.1, 0.1], [0.2, 0.2], kind="bound", forbidden="above")
    axes = axes_of(bound, Series("simulation", [1, 2], [0.2, 1.0], kind="simulation"))
    shade, band = sorted(axes.collections, key=lambda one: one.get_zorder())
    assert band.get_datalim(axes.transData).intervaly == pytest.approx((0.1, 0.3))
    assert shade.get_datalim(axes.transData).y0 == pytest.approx(0.3)


def test_a_bound_of_one_kind_of_marks_does_not_shade_others_with_a_bound_of_their_own() -> None:
    high = Series("at least", [1, 2], [1, 1], kind="bound", forbidden="below", group="a")
    low = Series("at least", [1, 2], [0.1, 0.1], kind="bound", forbidden="below", group="b")
    marks = [Series(name, [1, 2], [y, y], kind="simulation", group=name) for name, y in (("a", 1.1), ("b", 0.5))]
    axes = axes_of(high, low, *marks)
    (shade,) = [one for one in axes.collections if one.get_zorder() < 1]
    assert shade.get_datalim(axes.transData).y1 == pytest.approx(0.1)


def test_bounds_of_different_names_look_different() -> None:
    bounds = [Series(name, [1, 2], [y, y], kind="bound") for name, y in (("theorem", 1.0), ("unknowns", 2.0))]
    axes = axes_of(*bounds, Series("simulation", [1, 2], [1.5, 1.6], kind="simulation"))
    dashes = [line_through(axes, one.x, one.y)._unscaled_dash_pattern for one in bounds]
    assert dashes[0] != dashes[1]


def test_a_logarithmic_axis_does_not_make_much_of_nothing() -> None:
    axes = axes_of(Series("simulation", [1, 2], [0.999, 1.0], [1e-4, 1e-4], kind="simulation"), log_y=True)
    low, high = axes.get_ylim()
    assert high / low == pytest.approx(1.5)


def test_marks_that_cover_each_other_stand_side_by_side() -> None:
    rows = [Series(name, [1, 2, 3], [1, 2, 3], [0.1] * 3, kind="simulation", group=name) for name in "abc"]
    apart = Series("d", [1, 2, 3], [3, 2.5, 1], kind="simulation", group="d")
    axes = axes_of(*rows, apart)
    bars = [one for one in axes.containers if isinstance(one, ErrorbarContainer)]
    places = [bar.lines[0].get_transform().transform((2, 2))[0] for bar in bars]
    assert places[0] < places[1] < places[2]
    (alone,) = (line for line in axes.lines if list(line.get_ydata()) == [3, 2.5, 1])
    assert alone.get_transform().transform((2, 2))[0] == pytest.approx(places[1])


def test_a_line_beneath_another_is_wider() -> None:
    lower, upper, other = (Series(n, [1, 2], y, group=n) for n, y in (("a", [1, 2]), ("b", [1, 2]), ("c", [2, 1])))
    first, second, third = axes_of(lower, upper, other).lines[:3]
    assert first.get_linewidth() > second.get_linewidth() == third.get_linewidth()


def test_limits_of_different_names_look_different() -> None:
    names = ("theorem", "unknowns")
    axes = axes_of(*(Series(n, [1, 2], [k, k + 1], kind="reference") for k, n in enumerate(names)))
    first, second = (line.get_linestyle() for line in axes.lines[:2])
    dashes = [line._unscaled_dash_pattern for line in axes.lines[:2]]
    assert (first, second) == ("--", "--")
    assert dashes[0] != dashes[1]


def test_a_bound_along_a_line_of_theory_lies_above_it() -> None:
    edge = Series("at most", [0, 1, 2], [0, 1, 2], kind="bound", forbidden="above")
    along, apart = (
        axes_of(edge, Series("theory", [0, 1, 2], [0, y, 2 * y]), Series("far", [0, 2], [5, 5])) for y in (1, 2)
    )
    for axes, is_covered in ((along, True), (apart, False)):
        bound, theory = axes.get_lines()[:2]
        assert (bound.get_zorder() > theory.get_zorder()) == is_covered, "else its dashes are not seen"
