"""One panel alone, another title, no caption, other axes: the numbers stay."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from giantstep.claims import view as views
from giantstep.cli.output import save_figures
from giantstep.errors import InputError
from giantstep.figures import CurvePicture, PanelPicture
from giantstep.studies.pictures.whole import picture_of, sheets_of, shown_panels
from giantstep.studies.pictures.wishes import Wishes
from tests.studies.pictures.picture_claims import Plane, results_of

RESULTS = results_of([Plane(width=w) for w in (1, 2, 3)], views.Curve("width", "1:3:3", ("area", "double")))


def test_one_panel_alone_keeps_of_the_caption_what_concerns_it() -> None:
    whole = picture_of(RESULTS)
    assert isinstance(whole, PanelPicture)
    assert "no vertical axis begins at 0" in whole.caption
    alone = Wishes(panel="b").met_by(whole)
    assert isinstance(alone, CurvePicture)
    assert alone.title == whole.panels[1].title
    one_axis = "the vertical axis does not begin at 0"
    assert alone.caption == whole.caption.replace("no vertical axis begins at 0", one_axis)
    assert alone.series == whole.panels[1].series
    with pytest.raises(InputError, match="no panel 'c'; it has a to b"):
        Wishes(panel="c").met_by(whole)
    with pytest.raises(InputError, match="one panel, a"):
        Wishes(panel="b").met_by(alone)


def test_words_and_axes() -> None:
    changed = Wishes(title="Mine", caption=False, log_x=True, log_y=True).met_by(picture_of(RESULTS))
    assert isinstance(changed, PanelPicture)
    assert (changed.title, changed.caption) == ("Mine", "")
    assert all(panel.log_x and panel.log_y for panel in changed.panels if isinstance(panel, CurvePicture))


def test_results_take_wishes_and_a_look() -> None:
    drawing = RESULTS.figure(panel="a", title="Mine", size="12x8cm", theme="slide")
    assert drawing.axes[0].get_title(loc="left") == "Mine"
    assert drawing.figure.get_size_inches() == pytest.approx((4.724, 3.15), abs=0.001)
    with pytest.raises(InputError, match="there is no theme 'blue'"):
        RESULTS.figure(theme="blue")


def test_many_panels_come_on_sheets_whose_letters_go_on(tmp_path: Path) -> None:
    view = RESULTS.views[0]
    many = replace(RESULTS, views=(view,) * 5)
    count = len(list(shown_panels(many)))
    assert count > 6
    sheets = sheets_of(many)
    sizes = [len(sheet.panels) for sheet in sheets if isinstance(sheet, PanelPicture)]
    assert sum(sizes) == count
    assert max(sizes) <= 6
    assert max(sizes) - min(sizes) <= 1
    drawings = many.figures(theme="dark")
    assert len(drawings) == len(sheets) == 2
    assert drawings[1].axes[0].get_title(loc="left").startswith(f"({chr(ord('a') + sizes[0])})")
    assert "Sheet 2 of 2" in sheets[1].caption
    assert len(many.figure().axes) == sizes[0]
    assert len(many.figure(panel="g").axes) == 1
    save_figures(drawings, tmp_path / "all.svg")
    assert sorted(place.name for place in tmp_path.iterdir()) == ["all-2.svg", "all.svg"]
