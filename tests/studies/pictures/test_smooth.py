"""Lines between computed places: their own values stay, no corner of theirs is seen, and nothing is overshot."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.studies.pictures.labels import Line
from giantstep.studies.pictures.smooth import smooth

FINE = np.linspace(0, 8, 81)
LIMIT: Line = (FINE.tolist(), np.maximum(0, FINE - 4).tolist())


def at(line: Line, places: list[float]) -> list[float]:
    known = dict(zip(*line, strict=True))
    return [known[place] for place in places]


@pytest.mark.parametrize("shape", [None, LIMIT])
@pytest.mark.parametrize("log_y", [True, False])
def test_computed_places_stay(shape: Line | None, log_y: bool) -> None:
    places, values = [1.0, 3.0, 4.5, 8.0], [0.1, 0.2, 0.7, 3.5]
    found = smooth((places, values), shape, log_y=log_y)
    assert at(found, places) == values
    assert len(found[0]) > 60


def test_a_line_has_the_shape_of_its_limit() -> None:
    x, y = (np.array(part) for part in smooth(([0.0, 3.0, 8.0], [0.0, 0.0, 3.8]), LIMIT))
    assert y.min() >= 0, "an alignment is never negative"
    assert np.all(y[x <= 4] < 0.01)
    # What the draws differ by, 0, 0 and -0.2, is the monotone cubic of slopes 0 at 3 and (13 (-0.04))/8 at 8.
    apart = -0.2 * 0.6**2 * (3 - 2 * 0.6) + 5 * (13 * -0.04 / 8) * 0.6**2 * (0.6 - 1)
    assert np.interp(6, x, y) == pytest.approx(2 + apart, abs=0.002)


@pytest.mark.parametrize("log_y", [True, False])
def test_a_line_below_its_limit_has_a_round_bottom(log_y: bool) -> None:
    bowl = (FINE.tolist(), (1 + (FINE - 4) ** 2).tolist())
    own: Line = ([0.0, 2.0, 6.0, 8.0], [0.9 * 17, 0.9 * 5, 0.9 * 5, 0.9 * 17])
    x, y = (np.array(part) for part in smooth(own, bowl, log_y=log_y))
    assert y.min() == pytest.approx(0.9, rel=0.02), "it is nowhere cut off"
    assert np.all(np.diff(y[(x > 2) & (x < 6)], 2) > 0), "nor flat"


def test_without_a_limit_nothing_is_overshot() -> None:
    y = np.array(smooth(([0.0, 1.0, 2.0, 3.0], [0.0, 0.05, 0.95, 1.0]))[1])
    assert y.min() >= 0
    assert y.max() <= 1
    assert np.all(np.diff(y) >= 0)
    assert np.abs(np.diff(y, 2)).max() < 0.02, "no corner"


def test_from_one_level_to_another_no_curve_is_invented() -> None:
    steps: Line = ([0.0, 1.0, 2.0, 3.0], [3.0, 3.0, 1.5, 1.5])
    assert smooth(steps) == steps
    bent = smooth(([0.0, 1.0, 2.0, 3.0, 5.0], [3.0, 3.0, 1.5, 1.5, 0.0]))
    assert np.interp([1.25, 1.75], *bent) == pytest.approx([2.625, 1.875]), "straight where it jumps"
    assert np.interp(4, *bent) > 0.76, "curved where it falls"


def test_gaps_stay_and_short_lines_are_left_alone() -> None:
    x, y = smooth(([0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 1.0, np.nan, 1.0, 0.0]))
    assert np.isnan(at((x, y), [2.0])).all()
    assert not [v for place, v in zip(x, y, strict=True) if 1 < place < 3 and np.isfinite(v)]
    assert smooth(([1.0], [2.0])) == ([1.0], [2.0])
    assert smooth(([1.0, 2.0], [2.0, 3.0])) == ([1.0, 2.0], [2.0, 3.0])
