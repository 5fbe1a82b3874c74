"""Every kind of picture, in every format, the same every time."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import matplotlib
import pytest

from giantstep.errors import InputError
from giantstep.figures import CurvePicture, Series, check_destination, draw

SIGNATURES = {".svg": b"<svg", ".pdf": b"%PDF", ".png": b"\x89PNG"}


@pytest.mark.slow
def test_every_kind_saves_in_every_format(picture, tmp_path):
    drawing = draw(picture)
    for suffix, signature in SIGNATURES.items():
        path = drawing.save(tmp_path / f"figure{suffix}")
        assert path.read_bytes().startswith(signature)
    assert draw(picture).svg().encode() == (tmp_path / "figure.svg").read_bytes()
    assert picture.title in repr(drawing)


@pytest.mark.slow
def test_saving_twice_gives_the_same_bytes(curve, tmp_path):
    drawing = draw(curve)
    assert drawing.svg() == drawing._repr_svg_()
    assert drawing.png(dpi=40) == drawing.png(dpi=40)
    first, second = (drawing.save(tmp_path / name).read_bytes() for name in ("one.pdf", "two.pdf"))
    assert first == second


def test_svg_holds_no_date_and_its_text_is_text_in_fonts_that_many_have(curve):
    text = draw(curve).svg()
    assert "<dc:date>" not in text
    assert "<text" in text
    assert "font-family:STIXGeneral,STIX Two Text,Times New Roman,Times," in text


def test_a_suffix_that_is_no_picture_names_those_that_are(curve, tmp_path):
    drawing = draw(curve)
    for name in ("figure.jpeg", "figure", ".svg"):
        with pytest.raises(InputError, match=r"must end in \.svg, \.pdf, \.png"):
            drawing.save(tmp_path / name)
    assert not list(tmp_path.iterdir())
    assert drawing.save(tmp_path / "UPPER.SVG").exists()


def test_places_that_cannot_be_written_are_said_in_one_sentence(tmp_path):
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "file").write_text("")
    for name, sentence in (
        ("missing/figure.svg", r"the folder '.*missing' does not exist"),
        ("folder.svg", "it is a folder"),
        ("file/figure.svg", "is not a folder"),
    ):
        with pytest.raises(InputError, match=sentence):
            check_destination(tmp_path / name)
    assert check_destination(str(tmp_path / "good.pdf")) == tmp_path / "good.pdf"


def test_a_disk_that_fails_is_said_in_one_sentence(curve, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    drawing = draw(curve)
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match=r"cannot save a picture as '.*figure.svg': no space left on device"):
        drawing.save(tmp_path / "figure.svg")


def test_without_matplotlib_the_extra_is_named(curve, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"pip install 'giantstep\[plot\]'"):
        draw(curve)
    with pytest.raises(InputError, match=r"pip install 'giantstep\[plot\]'"):
        check_destination("figure.svg")


def test_describing_a_picture_imports_no_matplotlib():
    code = "import sys, giantstep.figures; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_user_settings_neither_matter_nor_change(curve):
    plain = draw(curve).svg()
    with matplotlib.rc_context({"lines.linewidth": 9, "font.size": 30, "svg.hashsalt": "mine"}):
        before = dict(matplotlib.rcParams)
        assert draw(curve).svg() == plain
        assert dict(matplotlib.rcParams) == before


@pytest.mark.slow
def test_threads_draw_the_same_pictures(curve, heat_map):
    pictures = [curve, heat_map] * 2
    alone = [draw(picture).svg() for picture in pictures[:2]] * 2
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(lambda picture: draw(picture).svg(), pictures)) == alone


def test_mathematics_that_cannot_be_typeset_is_shown_as_it_was_written():
    broken = r"$\nonsense{$ costs 5$"
    series = [Series(broken, [0, 1], [0, 1])]
    drawing = draw(CurvePicture(broken, broken, broken, series, caption=broken))
    assert drawing.svg()
    assert drawing.axes[0].get_title(loc="left") == broken.replace("$", r"\$")


def test_save_expands_the_home_folder(curve, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert draw(curve).save("~/figure.svg") == Path(tmp_path / "figure.svg")
