"""Descriptions check what they are given, in one sentence, before anything is drawn."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.figures import CurvePicture, HeatMapPicture, PanelPicture, Series, SpectrumPicture, TrajectoryPicture

LINE = Series("line", [0, 1], [0, 1])


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Series("s", [], []), "x of series 's' is empty"),
        (lambda: Series("s", [1, 2], [1]), "2 values of x and 1 of y"),
        (lambda: Series("s", [1], ["one"]), "must be real numbers"),
        (lambda: Series("s", [[1]], [[1]]), "1 dimension"),
        (lambda: Series("s", [1], [1], error=[1, 2]), "1 values of y and 2 of error"),
        (lambda: Series("s", [1], [1], error=[-1]), "negative error"),
        (lambda: Series("s", [1], [1], kind="guess"), "allowed are theory, simulation, reference, bound"),
        (lambda: Series("s", [1], [1], kind="bound", forbidden="left"), "allowed are above, below"),
        (lambda: CurvePicture("t", "x", "y", []), "has no series"),
        (lambda: CurvePicture("t", "x", "y", [Series("s", [1], [np.nan])]), "no point to show"),
        (lambda: CurvePicture("t", "x", "y", [Series("s", [1], [-1])], log_y=True), "positive on a logarithmic"),
        (lambda: CurvePicture("t", "x", "y", [LINE], vertical_lines=[(np.inf, "v")]), "no place on the x axis"),
        (lambda: SpectrumPicture("t", "x", []), "values of 't' is empty"),
        (lambda: SpectrumPicture("t", "x", [np.nan]), "no finite number"),
        (lambda: SpectrumPicture("t", "x", [1], [1]), "needs both density_x and density_y"),
        (lambda: SpectrumPicture("t", "x", [1], spikes=[(1, "s", "seen")]), "predicted, measured, edge"),
        (lambda: SpectrumPicture("t", "x", [1], spikes=[(np.nan, "s", "edge")]), "positions must be finite"),
        (lambda: HeatMapPicture("t", "x", "y", [1, 2], [1], [[1]], "v"), r"shape \(1, 1\).* is \(1, 2\)"),
        (lambda: HeatMapPicture("t", "x", "y", [2, 1], [1], [[1, 2]], "v"), "finite and increasing"),
        (lambda: HeatMapPicture("t", "x", "y", [0, 1], [1], [[1, 2]], "v", log_x=True), "must be positive"),
        (lambda: HeatMapPicture("t", "x", "y", [1], [1], [[np.nan]], "v"), "no finite number"),
        (lambda: TrajectoryPicture("t", "x", "y", []), "has no path"),
        (lambda: TrajectoryPicture("t", "x", "y", [Series("s", [1], [np.nan])]), "no point to show"),
        (lambda: PanelPicture("t", []), "has no panel"),
        (lambda: PanelPicture("t", [LINE]), "is a Series; allowed are curve"),
    ],
)
def test_bad_input_gets_one_sentence(make, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_numbers_are_kept_as_read_only_copies():
    given = np.array([1.0, 2.0])
    series = Series("s", given, [3, 4])
    given[0] = 9
    assert np.asarray(series.x).tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        series.x[0] = 9


def test_a_point_without_a_place_on_the_axes_becomes_nan():
    series = Series("s", [-1, 1, 2, 3], [1, -1, np.inf, 4])
    assert np.isfinite(series.columns()[1]).tolist() == [True, True, False, True]
    assert np.isfinite(series.columns(log_x=True, log_y=True)[1]).tolist() == [False, False, False, True]
