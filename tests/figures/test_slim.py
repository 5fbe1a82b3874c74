"""SVG in fewer characters: the same marks, words as words, and no number of the text touched."""

from __future__ import annotations

import html
import io
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from giantstep.figures import CurvePicture, HeatMapPicture, PanelPicture, Series, draw
from giantstep.figures.slim import slim
from giantstep.figures.svg_paths import UNITS, box, tight

THEORY = Series("theory", [0, 1, 2], [0.123456, 1, 2])
MEASURED = Series("simulation", [0, 1, 2], [0, 1, 2], [0.1, 0.2, 0.3], kind="simulation")
PICTURE = CurvePicture(
    r"Risk $\mathcal{R}$ of $d^2$ directions",
    r"step $\eta$",
    "risk",
    [THEORY, MEASURED],
    caption="ridge = 0.000123456, d = 512 & more",
)


def as_matplotlib_writes_it() -> str:
    buffer = io.BytesIO()
    draw(PICTURE).figure.savefig(buffer, format="svg")
    return buffer.getvalue().decode()


def tags(svg: str) -> list[str]:
    return [one.tag.rpartition("}")[2] for one in ET.fromstring(svg).iter()]


def test_it_is_much_smaller_and_still_svg() -> None:
    drawn = draw(PICTURE).svg()
    assert len(drawn) < 0.3 * len(as_matplotlib_writes_it())
    assert tags(drawn).count("use") >= 3, "the marks"
    assert "g" in tags(drawn)
    assert all(len(one) for one in ET.fromstring(drawn).iter() if one.tag.endswith(("}g", "}defs")))


def test_words_are_words_and_numbers_of_the_text_stay() -> None:
    drawn = draw(PICTURE).svg()
    assert ">directions</tspan>" in drawn
    assert "ridge = 0.000123456, d = 512 &amp; more" in drawn
    assert "ℛ" in drawn, "not at a private place of a font that few have"
    assert all(float(length) > 0 for length in re.findall(r'textLength="([^"]+)"', drawn))


def test_words_among_mathematics_are_told_in_the_order_of_reading() -> None:
    title = next(one for one in ET.fromstring(draw(PICTURE).svg()).iter() if "directions" in "".join(one.itertext()))
    while not title.tag.endswith("}text"):
        title = next(one for one in title if "directions" in "".join(one.itertext()))
    assert "".join(title.itertext()).split() == ["Risk", "ℛ", "of", "d", "2", "directions"]


def test_a_picture_says_its_styles_and_names_for_itself_alone() -> None:
    """Two pictures on one page do not speak of each other."""
    names = []
    for picture in (PICTURE, CurvePicture("Other", "x", "y", [MEASURED])):
        drawn = draw(picture).svg()
        own = ET.fromstring(drawn).get("id", "")
        rules = re.findall(r"([^{}]+)\{", re.findall(r"<style>(.*?)</style>", drawn)[0])
        assert all(rule.startswith(f"#{own}") for rule in rules)
        assert all(name.startswith(own) for name in re.findall(r' id="([^"]+)"', drawn))
        assert set(re.findall(r"(?:url\(|href=\")#(\w+)", drawn)) <= set(re.findall(r' id="([^"]+)"', drawn))
        names.append(own)
    assert names[0] != names[1]


def test_lines_of_a_kind_are_one() -> None:
    drawn = draw(PICTURE).svg()
    styles = dict(re.findall(r"\.(\w+)\{([^}]*)\}", drawn))
    lines = re.findall(r'<path d="([^"]+)" (?:class|style)="([^"]+)"', drawn)
    gridded = [outline for outline, style in lines if "#e6e8ec" in styles.get(style, style)]
    assert len(gridded) == 2, "one for each axis"
    assert all(outline.count("m") > 2 for outline in gridded)


def test_many_marks_are_one_line_that_has_them_at_its_points() -> None:
    """Each mark stays where it was and as it was; a line takes a fifth of the characters."""
    many = [Series(name, [0, 1, 2, 3, 4], [0, 1, 2 + n, 3, 1], kind="simulation") for n, name in enumerate("ab")]
    drawn = draw(CurvePicture("Many", "x", "y", many)).svg()
    root = ET.fromstring(drawn)
    styles = dict(re.findall(r"\.(\w+)\{([^}]*)\}", drawn))
    lines = [one for one in root.iter() if "marker:" in styles.get(one.get("class", ""), one.get("style", ""))]
    assert [one.tag.rpartition("}")[2] for one in lines] == ["path", "path"]
    for line in lines:
        numbers = re.findall(r"-?(?:\d*\.)?\d+", line.get("d", ""))
        assert len(numbers) == 10, "no point is left out, not even on a straight way"
    marks = [one for one in root.iter() if one.tag.endswith("}marker")]
    assert len(marks) == 2, "of two colours or shapes"
    assert all(one.get("overflow") == "visible" and one.get("markerUnits") == "userSpaceOnUse" for one in marks)
    looks = [styles.get(one[0].get("class", ""), one[0].get("style", "")) for one in marks]
    assert len(set(looks)) == 2
    assert any(one[0].tag.endswith("}circle") and float(one[0].get("r", "0")) > 1 for one in marks)


def test_exponents_of_powers_of_ten_stand_above_their_base() -> None:
    steep = CurvePicture("Steep", "x", "y", [Series("theory", [1, 2], [1e-6, 1])], log_y=True)
    root = ET.fromstring(draw(steep).svg())
    assert not [one for row in root.iter() if "transform" in row.attrib and len(row) > 1 for one in row if len(one)]
    powers = [one for one in root.iter() if one.tag.endswith("}text") and (one.text or "").strip() == "10"]
    assert len(powers) >= 3
    for one in powers:
        assert 1 < (float(one.get("y", "")) - float(one[0].get("y", ""))) / UNITS < 8


def test_a_clip_stays_where_something_lies_beyond_it() -> None:
    steep = CurvePicture("Steep", "x", "y", [Series("bound", [1, 2], [1e-30, 1], kind="bound"), MEASURED], log_y=True)
    assert "clip-path" in draw(steep).svg()
    assert "clip-path" not in draw(PICTURE).svg()


def test_a_heat_map_keeps_its_image_or_cells() -> None:
    drawn = draw(HeatMapPicture("Map", "x", "y", [1, 2], [1, 2], [[1, 2], [3, float("nan")]], "height")).svg()
    assert "<image" in drawn or drawn.count("<path") > 4


def test_the_first_panel_alone_is_a_part_of_the_whole() -> None:
    other = CurvePicture("Second", "x", "y", [THEORY])
    whole, part = draw(PanelPicture("All", [PICTURE, other], caption="below")).svg_and_first_panel()
    assert len(part) < 0.8 * len(whole)
    assert "directions" in part
    assert "Second" not in part
    assert "below" not in part
    sizes = [[float(v) for v in ET.fromstring(svg).get("viewBox", "").split()] for svg in (whole, part)]
    assert sizes[1][2] < 0.6 * sizes[0][2]
    assert 0 <= sizes[1][0] < sizes[1][0] + sizes[1][2] < sizes[0][2]


def test_a_picture_has_ten_units_a_point() -> None:
    """All lengths grow alike, those of words, lines and dashes too: so the picture is the same."""
    whole, part = draw(PanelPicture("All", [PICTURE, PICTURE])).svg_and_first_panel()
    for svg in (whole, part):
        root = ET.fromstring(svg)
        inches = [float(root.get(name, "").removesuffix("pt")) for name in ("width", "height")]
        assert [float(v) for v in root.get("viewBox", "").split()[2:]] == pytest.approx(
            np.multiply(UNITS, inches), abs=1
        )
        assert "font-size:110px" in svg, "eleven points"
        assert "stroke-width:17" in svg
        assert "stroke-width:10}" in svg, "what says no width has one point"
    assert "<style>svg{" in part, "a file of its own needs no names that differ from those of others"


@pytest.mark.parametrize("digits", [1, 2])
def test_an_outline_goes_through_the_same_places(digits: int) -> None:
    outline = "M 1.234 5.678 L 1.234 9.31 L 2.04 9.31 Q 3.5 1.25 4.44 4.04 C 1 2 3 4 5 6 z M 10 10 L 11.111 12.345"
    here, begun, places = [0.0, 0.0], [0.0, 0.0], []
    counts = {"m": 2, "l": 2, "q": 4, "c": 6, "h": 1, "v": 1}
    for command, numbers in re.findall(r"([mlqchvz])([^a-z]*)", tight(outline, digits)):
        told = [float(v) for v in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", numbers)]
        if command == "z":
            here = list(begun)
        for first in range(0, len(told), counts.get(command, 1)):
            some = told[first : first + counts[command]]
            ways = {"h": [(some[0], 0.0)], "v": [(0.0, some[0])]}.get(
                command, list(zip(some[::2], some[1::2], strict=False))
            )
            points = [[here[0] + x, here[1] + y] for x, y in ways]
            places += points
            here = points[-1]
        begun = list(here) if command == "m" else begun
    wanted = [float(v) for v in re.findall(r"[\d.]+", outline)]
    assert [v / UNITS for place in places for v in place] == pytest.approx(wanted, abs=0.51 * 10.0**-digits)


def test_the_box_of_an_outline() -> None:
    assert box("M 1 2 L 3 -4 z") == (1, 3, -4, 2)
    assert box("") is None


def test_a_drawing_without_words_or_marks_stays_svg() -> None:
    bare = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><g id="figure_1"><g id="patch_1"/></g></svg>'
    assert tags(slim(bare)) == ["svg", "style"]


@pytest.mark.parametrize("label", [r"\$\frac{a\$", r"cost \$ or \$ {b", "価格 😀", "\\"])
def test_dollars_that_were_escaped_and_letters_of_any_script_can_be_drawn(label: str) -> None:
    drawn = draw(CurvePicture("t", label, label, [Series("s", [1, 2], [1, 2])])).svg()
    assert html.escape(label.replace(r"\$", "$")) in drawn


def test_ticks_and_their_labels_are_told_together_on_every_axis() -> None:
    whole = draw(PanelPicture("two", [PICTURE, PICTURE])).svg()
    marks = [one for one in ET.fromstring(whole).iter() if one.tag.endswith("}use")]
    assert len(marks) <= 2 * (3 + 1) + 1, "the marks of two plots and of legends: no tick"
    rows = [one for one in ET.fromstring(whole).iter() if one.tag.endswith("}g") and "transform" in one.attrib]
    told = [[text.text for text in row] for row in rows if all(text.tag.endswith("}text") for text in row)]
    assert told.count(["0.0", "0.5", "1.0", "1.5", "2.0"]) >= 2, told
