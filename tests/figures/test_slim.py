"""SVG in fewer characters: the same marks, words as words, and no number of the text touched."""

from __future__ import annotations

import html
import io
import re
import xml.etree.ElementTree as ET

import pytest

from giantstep.figures import CurvePicture, Series, draw
from giantstep.figures.slim import slim

PICTURE = CurvePicture(
    r"Risk $\mathcal{R}$ of $d^2$ directions",
    r"step $\eta$",
    "risk",
    [Series("theory", [0, 1, 2], [0.123456, 1, 2]), Series("simulation", [0, 1, 2], [0, 1, 2], kind="simulation")],
    caption="ridge = 0.000123456, d = 512 & more",
)


def as_matplotlib_writes_it() -> str:
    buffer = io.BytesIO()
    draw(PICTURE).figure.savefig(buffer, format="svg")
    return buffer.getvalue().decode()


def test_it_is_much_smaller_and_still_svg() -> None:
    drawn = draw(PICTURE).svg()
    root = ET.fromstring(drawn)
    assert len(drawn) < 0.6 * len(as_matplotlib_writes_it())
    uses = [one for one in root.iter() if one.tag.endswith("}use")]
    assert len(uses) >= 3, "the marks"


def test_words_are_words_and_numbers_of_the_text_stay() -> None:
    drawn = draw(PICTURE).svg()
    assert ">directions</tspan>" in drawn
    assert "ridge = 0.000123456, d = 512 &amp; more" in drawn
    assert "ℛ" in drawn, "not at a private place of a font that few have"
    assert all(float(length) > 0 for length in re.findall(r'textLength="([^"]+)"', drawn))


def test_names_of_styles_differ_from_picture_to_picture() -> None:
    one, other = (re.findall(r"<style>\.(\w+)\{", slim(svg)) for svg in ("<svg>" + 4 * '<g style="fill: a"/>' + end
                  for end in ("</svg>", "<g/></svg>")))  # fmt: skip
    assert one != other


@pytest.mark.parametrize("label", [r"\$\frac{a\$", r"cost \$ or \$ {b", "価格 😀", "\\"])
def test_dollars_that_were_escaped_and_letters_of_any_script_can_be_drawn(label: str) -> None:
    drawn = draw(CurvePicture("t", label, label, [Series("s", [1, 2], [1, 2])])).svg()
    assert html.escape(label.replace(r"\$", "$")) in drawn
