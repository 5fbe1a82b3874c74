"""Rankings: names one below the other, values with errors."""

from __future__ import annotations

import pytest

from giantstep.errors import InputError
from giantstep.figures import RankingPicture, draw
from giantstep.figures.as_data import picture_data

NAMES = ("trees", "linear", "costs $")


def ranking(**changes: object) -> RankingPicture:
    given = {"names": NAMES, "values": [0.5, 0.4, -0.1], "error": [0.02, 0.03, 0.1], "strong": ("trees",)}
    return RankingPicture("Learners", "score", **(given | changes), strong_label="best", lines=[(0.0, "nothing")])


def test_the_uppermost_is_the_first_and_what_is_strong_stands_out() -> None:
    drawing = draw(ranking())
    (axes,) = drawing.axes
    places = {label.get_text(): place for label, place in zip(axes.get_yticklabels(), axes.get_yticks(), strict=True)}
    assert places["trees"] > places["linear"]
    assert axes.get_legend() is not None
    assert "<svg" in drawing.svg()


def test_it_is_data_too() -> None:
    told = picture_data(ranking())
    assert told["type"] == "ranking"
    assert told["names"] == list(NAMES)
    assert told["values"] == [0.5, 0.4, -0.1]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"values": [1.0, 2.0], "error": [0.1, 0.1]}, "3 names and 2 values"),
        ({"error": [0.1, -0.1, 0.1]}, "errors of 0 or more"),
        ({"values": [1.0, float("nan"), 2.0]}, "finite values"),
        ({"strong": ("nobody",)}, "no such names"),
    ],
)
def test_what_cannot_be_ranked_gets_a_sentence(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        ranking(**changes)
