"""Films: a picture for each value of a parameter, on pages that do not jump."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from giantstep.claims import claim_class
from giantstep.errors import InputError
from giantstep.figures import CurvePicture, PanelPicture, check_film, draw, films
from giantstep.studies import Study
from giantstep.studies.pictures.frames import FRAMES, _clock, frames_of, moving_values
from tests.claims.toy import NoisyLevel

RESULTS = Study(NoisyLevel(), level=[1.0, 2.0, 3.0], seeds=3).run(workers=1)


def test_values_come_from_the_range_that_a_view_shows() -> None:
    values = moving_values(NoisyLevel(), "level")
    assert (values[0], values[-1], len(values)) == (1.0, 3.0, FRAMES)


def test_whole_numbers_stay_whole_and_each_comes_once() -> None:
    values = moving_values(claim_class("structured/kernel-spectrum")(), "degree")
    assert values == [1, 2, 3]
    assert all(type(value) is int for value in values)


@pytest.mark.parametrize("name", ["bes22/training-curve", "sensing/power-method", "bes22/one-step-risk"])
def test_every_path_parameter_can_be_animated(name: str) -> None:
    cls = claim_class(name)
    for parameter in cls.path_parameters():
        assert len([cls(**{parameter: value}) for value in moving_values(cls(), parameter)]) > 1


def test_a_parameter_that_no_picture_shows_moves_over_a_usual_range() -> None:
    training, large = claim_class("bes22/training-curve"), claim_class("bes22/large-step")
    assert moving_values(training(), "steps") == list(range(13)), "from none to twice as many"
    ridges = moving_values(training(ridge=0.1), "ridge")
    assert (ridges[0], ridges[-1], len(ridges)) == (0.001, 10.0, FRAMES), "logarithmic, as 0 is not allowed"
    exponents = moving_values(claim_class("bes22/tau-star")(), "step_exponent")
    assert (exponents[0], exponents[-1]) == (0.0, 0.5), "between its bounds"
    with pytest.raises(InputError, match="goes around its value, which must be above 0 here: give ridge one"):
        moving_values(large(), "ridge")


def test_curves_over_time_are_shown_at_each_value() -> None:
    point = claim_class("bes22/training-curve")(d=32)
    frames = frames_of(Study(point, steps=[2, 4], seeds=2).run(workers=1), "steps")
    for steps, (clock, picture) in zip((2, 4), frames, strict=True):
        assert clock.endswith(f"= {steps}")
        assert isinstance(picture, PanelPicture)
        curve = picture.panels[0]
        assert isinstance(curve, CurvePicture)
        assert max(np.max(one.x) for one in curve.series) == steps


def test_the_clock_writes_numbers_as_people_do() -> None:
    assert [_clock(value) for value in (0.25, 3, 16384, 2.5e-5)] == ["0.25", "3", "16384", r"$2.5 \times 10^{-5}$"]


def test_what_cannot_be_a_film_is_told_what_can() -> None:
    with pytest.raises(InputError, match="no parameter 'hight'; it can be animated along: level"):
        moving_values(NoisyLevel(), "hight")
    with pytest.raises(InputError, match="one simulation serves all values of: level"):
        moving_values(NoisyLevel(), "size")
    with pytest.raises(InputError, match="needs two or more values"):
        frames_of(Study(NoisyLevel(), seeds=2).run(workers=1), "level")
    with pytest.raises(InputError, match=r"must end in \.gif, \.mp4, \.webm"):
        check_film("film.png")


def test_marks_appear_one_after_the_other_and_theory_stands_from_the_beginning() -> None:
    frames = frames_of(RESULTS, "level")
    assert [clock for clock, _ in frames] == [rf"level $\ell$ = {value}" for value in (1, 2, 3)]
    for number, (_, picture) in enumerate(frames, start=1):
        assert isinstance(picture, PanelPicture)
        curve = picture.panels[1]
        assert isinstance(curve, CurvePicture)
        marks = next(one for one in curve.series if one.kind == "simulation")
        assert np.isfinite(np.asarray(marks.y)).sum() == number
        line = next(one for one in curve.series if one.kind == "theory")
        assert np.isfinite(np.asarray(line.y)).all()


def test_the_line_where_a_film_is_looks_like_no_other() -> None:
    _, picture = frames_of(RESULTS, "level")[1]
    assert isinstance(picture, PanelPicture)
    here = [line for line in draw(picture.panels[1]).axes[0].lines if list(line.get_xdata()) == [2.0, 2.0]]
    assert [line.get_linestyle() for line in here] == ["-"], "dashes are thresholds, bounds and what was printed"


def test_a_film_is_saved_frame_by_frame(tmp_path: Path) -> None:
    place = RESULTS.film("level", size="14x7cm").save(tmp_path / "film.gif")
    film = Image.open(io.BytesIO(place.read_bytes()))
    assert film.n_frames == 3
    assert film.size[0] == pytest.approx(14 / 2.54 * films.DPI, abs=2)


def test_a_film_may_show_one_panel_under_a_title_of_its_own() -> None:
    frames = RESULTS.film("level", panel="b", title="mine", log_x=True).frames
    assert len(frames) == 3
    for _, picture in frames:
        assert isinstance(picture, CurvePicture)
        assert picture.title == "mine"
        assert picture.log_x
    with pytest.raises(InputError, match="no panel 'z'"):
        RESULTS.film("level", panel="z")


def test_a_video_needs_ffmpeg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(InputError, match=r"\.mp4 needs ffmpeg, which is not installed; \.gif needs nothing"):
        check_film(tmp_path / "film.mp4")


def test_ticks_words_and_places_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[list[object]] = []

    def seen(figure: Any, clock: str) -> films.Image:
        shown.append(
            [
                (a.get_position().bounds, a.get_title(loc="left"), *a.get_xticks(), *a.get_yticks(), a.get_ylim())
                for a in figure.axes
            ]
        )
        return np.zeros((2, 2, 3), dtype=np.uint8)

    monkeypatch.setattr(films, "_painted", seen)
    RESULTS.film("level")._images()
    assert len(shown) == 3
    assert shown[0] == shown[1] == shown[2]
    assert all(panel[1] for panel in shown[0])  # type: ignore[index]
