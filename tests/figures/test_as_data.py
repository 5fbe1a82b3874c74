"""Pictures as plain data: every kind becomes JSON, with its numbers, colours and gaps."""

from __future__ import annotations

import json

import numpy as np
import pytest

from giantstep.figures import (
    CurvePicture,
    HeatMapPicture,
    RankingPicture,
    Series,
    SinglePicture,
    SpectrumPicture,
    StaircasePicture,
    TrajectoryPicture,
    look_data,
    picture_data,
)

LINE = Series("theory", [0, 1, 2], [1, np.nan, 3])
PICTURES: dict[str, SinglePicture] = {
    "curve": CurvePicture("t", "x", "y", (LINE,), vertical_lines=((1.0, "threshold"),)),
    "spectrum": SpectrumPicture("t", "x", [1.0, 2.0, 3.0, 9.0], [0.5, 3.5], [0.3, 0.3], ((9.0, "spike", "predicted"),)),
    "heat map": HeatMapPicture("t", "x", "y", [0, 1], [0, 1], [[1, 2], [3, np.nan]], "v", boundary=([0, 1], [0, 1])),
    "trajectory": TrajectoryPicture("t", "x", "y", (LINE,), marks=((0.0, 1.0, "here"),)),
    "staircase": StaircasePicture("t", "x", "y", ("nothing", "+ x1"), [[1.0], [0.0]], ("linear",)),
    "ranking": RankingPicture("t", "x", ("a", "b"), [1.0, 2.0], [0.1, 0.1]),
}


@pytest.mark.parametrize("kind", PICTURES)
def test_every_picture_becomes_json(kind: str) -> None:
    told = json.loads(json.dumps(picture_data(PICTURES[kind]), allow_nan=False))
    assert told["type"] == kind
    assert told["title"] == "t"


def test_gaps_colours_and_roles_survive() -> None:
    series = (
        Series("a", [1, 2], [1, 2], group="a"),
        Series("a", [1], [1.1], [0.1], kind="simulation", group="a"),
        Series("b", [1, 2], [2, 3], group="b"),
        Series("limit", [1, 2], [3, 3], kind="bound", forbidden="above"),
    )
    told = picture_data(CurvePicture("t", "x", "y", series))["series"]
    assert [one["color"] for one in told] == [0, 0, 1, None]
    assert (told[1]["error"], told[3]["forbidden"]) == ([0.1], "above")
    assert picture_data(PICTURES["curve"])["series"][0]["y"] == [1.0, None, 3.0]


def test_a_spectrum_has_the_bars_of_the_drawing_or_theory_alone() -> None:
    told = picture_data(PICTURES["spectrum"])
    widths = np.diff(told["bins"]["edges"])
    assert float(np.sum(widths * told["bins"]["heights"])) == pytest.approx(1.0, rel=1e-5)
    alone = picture_data(SpectrumPicture("t", "x", None, [0.0, 1.0], [1.0, 1.0]))
    assert (alone["bins"], alone["values"], alone["density"]["x"]) == (None, None, [0.0, 1.0])


def test_the_look_has_the_colours_of_both_grounds() -> None:
    assert len(look_data()["light"]["groups"]) == len(look_data()["dark"]["groups"]) == 6
