"""Themes, sizes and letters: a page has the size that was asked for, and its layout is made for it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.colors import to_hex

from giantstep.errors import InputError
from giantstep.figures import CurvePicture, Look, PanelPicture, Series, draw, style

X = np.linspace(0, 5, 20)
CURVE = CurvePicture(
    "Spike against step",
    r"step $\eta$",
    "spike",
    [
        Series("theory", X, np.sqrt(1 + X)),
        Series("simulation", X[::4], np.sqrt(1 + X[::4]), 0.1 * X[::4], "simulation"),
    ],
    caption="Lines are theory, marks are means over seeds.",
)


@pytest.mark.parametrize("picture", [CURVE, PanelPicture("Three", [CURVE] * 3), PanelPicture("Four", [CURVE] * 4)])
@pytest.mark.parametrize(("size", "inches"), [("24x16cm", (9.449, 6.299)), ("9x7in", (9.0, 7.0))])
def test_a_page_has_the_size_that_was_asked_for(picture, size, inches) -> None:
    drawing = draw(picture, Look.of(size=size))
    assert drawing.figure.get_size_inches() == pytest.approx(inches, abs=0.001)
    page = drawing.figure.bbox
    for axes in drawing.axes:
        box = axes.get_tightbbox()
        assert -1 <= box.x0 < box.x1 <= page.width + 1
        assert -1 <= box.y0 < box.y1 <= page.height + 1


def test_long_labels_of_low_panels_take_of_their_width_and_not_of_their_neighbours() -> None:
    panel = replace(CURVE, y_label="squared overlap of the top left singular vector with the linear direction of $f^*$")
    drawing = draw(PanelPicture("", [panel] * 3), Look.of(size="24x8cm"))
    boxes = [axes.get_tightbbox() for axes in drawing.axes]
    assert all(left.x1 < right.x0 for left, right in pairwise(boxes))
    assert boxes[0].x0 >= 0
    assert boxes[-1].x1 <= drawing.figure.bbox.width
    with pytest.raises(InputError, match="do not fit into the width of 14 cm"):
        draw(PanelPicture("", [panel] * 3), Look.of(size="14x8cm"))


def test_what_does_not_fit_is_refused_with_what_helps() -> None:
    with pytest.raises(InputError, match="3 panels and their words do not fit into the width of 5 cm"):
        draw(PanelPicture("Three", [CURVE] * 3), Look.of(size="5x5cm"))
    with pytest.raises(InputError, match="do not fit into"):
        draw(PanelPicture("Six", [CURVE] * 6), Look.of(size="25x4cm"))


def test_letters_are_as_large_as_asked_for() -> None:
    label = draw(CURVE, Look.of(font_size=20)).axes[0].xaxis.label
    assert label.get_fontsize() == pytest.approx(20)
    slide, paper = (draw(CURVE, Look.of(theme=theme)).axes[0] for theme in ("slide", "paper"))
    assert slide.lines[0].get_linewidth() > paper.lines[0].get_linewidth()
    assert slide.title.get_fontsize() > paper.title.get_fontsize()


def test_a_dark_picture_is_light_on_dark() -> None:
    drawing = draw(CURVE, Look.of(theme="dark"))
    assert to_hex(drawing.figure.get_facecolor()) == style.DARK.paper
    assert to_hex(drawing.axes[0].lines[0].get_color()) == style.DARK.ink
    assert to_hex(draw(CURVE).figure.get_facecolor()) == style.LIGHT.paper, "the next one is as always"


def test_a_transparent_picture_has_no_ground() -> None:
    def corner(look: Look) -> int:
        import io

        from PIL import Image

        return int(Image.open(io.BytesIO(draw(CURVE, look).png())).convert("RGBA").getpixel((0, 0))[3])

    assert corner(Look.of(transparent=True)) == 0
    assert corner(Look.of()) == 255


@pytest.mark.parametrize("size", ["12", "12x", "12x7", "0x7cm", "axbcm", "1000x7cm", "12*7cm", "1..2x7cm"])
def test_a_wrong_size_gets_one_sentence(size: str) -> None:
    with pytest.raises(InputError, match=r"size|cannot be"):
        Look.of(size=size)


def test_other_mistakes_get_one_sentence() -> None:
    for wrong in ({"theme": "blue"}, {"font_size": 1}, {"dpi": 5}):
        with pytest.raises(InputError):
            Look.of(**wrong)
