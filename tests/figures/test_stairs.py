"""What a staircase picture puts on its axes."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.figures import StaircasePicture, draw, staircase_picture
from giantstep.problems import ZOO, Target


def test_levels_go_down_with_what_is_new_beneath_them():
    picture = staircase_picture(ZOO["big"].target.analyze())
    assert picture.levels == ("nothing", "+ x1", "+ x2", "+ x3")
    assert picture.part_labels == ("linear", "degree 2", "degree 3", "degree 4", "higher")
    assert np.asarray(picture.parts).tolist() == [[1, 2, 2, 4, 48], [2, 2, 48, 4, 0], [48, 4, 0, 0, 0], [0] * 5]
    axes = draw(picture).axes[0]
    *shades, outline = axes.patches
    assert outline.get_data().values.tolist() == [57, 56, 52, 0]
    assert shades[0].get_data().values.tolist() == [1, 2, 48, 0]
    assert [label.get_text().split("\n")[1] for label in axes.get_xticklabels()] == list(picture.levels)
    assert [text.get_text() for text in axes.texts] == ["57", "56", "52", "0"]
    assert [entry.get_text() for entry in axes.get_legend().get_texts()] == list(picture.part_labels)


@pytest.mark.parametrize("text", ["He3(x1)", "2", "relu(x1)*tanh(x2)", "x1*x2 + x1 - (3*x3 + 4*x2)/5*x1*x2"])
def test_every_target_has_a_picture(text):
    assert draw(staircase_picture(Target(text).analyze())).svg()


def test_several_directions_at_once_have_a_line_each():
    assert staircase_picture(ZOO["example-3-f2"].target.analyze()).levels[2] == "+ x2\n+ x3"


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([[1.0, 2.0]], r"\(levels, part_labels\) is \(2, 2\)"),
        ([[1, 2], [1, -1]], "zero or more"),
        ([1, 2], "2 dimension"),
    ],
)
def test_parts_must_fit(parts, words):
    with pytest.raises(InputError, match=words):
        StaircasePicture("t", "x", "y", ["a", "b"], parts, ["p", "q"])
