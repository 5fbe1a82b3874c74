"""Films of trajectories."""

from __future__ import annotations

import io

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.figures import CurvePicture, PanelPicture, Series, TrajectoryPicture, check_destination, draw

pytest.importorskip("matplotlib")
Image = pytest.importorskip("PIL.Image")


def trajectory(paths: int = 2) -> TrajectoryPicture:
    t = np.linspace(0, 1, 9)
    series = [Series("go", t, t * (k + 1), kind="simulation") for k in range(paths)]
    return TrajectoryPicture("ways", "x", "y", [*series, Series("goal", [0, 1], [0, 3], kind="reference")])


@pytest.mark.slow
def test_a_film_moves_and_ends_in_the_still(tmp_path) -> None:
    place = draw(trajectory()).save(tmp_path / "film.gif")
    with Image.open(place) as film:
        assert film.n_frames > 10
        first = np.asarray(film.convert("RGB")).astype(int)
        film.seek(film.n_frames - 1)
        last = np.asarray(film.convert("RGB")).astype(int)
    assert first.shape == last.shape
    drawn = (np.abs(last - 255).sum(axis=2) > 60).sum() - (np.abs(first - 255).sum(axis=2) > 60).sum()
    assert drawn > 100, "the paths are longer at the end"
    assert place.read_bytes() == draw(trajectory()).save(tmp_path / "again.gif").read_bytes()


@pytest.mark.slow
def test_only_the_panels_that_move_are_filmed(tmp_path) -> None:
    still = CurvePicture("c", "x", "y", [Series("theory", [0, 1], [0, 1])])
    both = draw(PanelPicture("p", [trajectory(), still])).save(tmp_path / "both.gif")
    alone = draw(PanelPicture("p", [trajectory()])).save(tmp_path / "alone.gif")
    sizes = []
    for place in (both, alone):
        with Image.open(io.BytesIO(place.read_bytes())) as film:
            sizes.append(film.size)
    assert sizes[0] == sizes[1]


def test_what_does_not_move_is_no_film(tmp_path) -> None:
    still = draw(CurvePicture("c", "x", "y", [Series("theory", [0, 1], [0, 1])]))
    with pytest.raises(InputError, match=r"only trajectories move; the name must end in \.svg, \.pdf, \.png"):
        still.save(tmp_path / "film.gif")
    with pytest.raises(InputError, match="only trajectories move"):
        check_destination(tmp_path / "film.gif")
    with pytest.raises(InputError, match=r"must end in \.svg, \.pdf, \.png or \.gif"):
        check_destination(tmp_path / "film.avi", moves=True)
    assert check_destination(tmp_path / "film.GIF", moves=True)


def test_many_paths_are_drawn_lighter_and_named_once() -> None:
    few, many = draw(trajectory(2)).axes[0], draw(trajectory(15)).axes[0]
    assert max(line.get_linewidth() for line in many.lines[:1]) < few.lines[0].get_linewidth()
    legend = many.get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["go", "goal"]


def test_a_lone_point_on_a_logarithmic_axis_draws_without_a_warning() -> None:
    drawing = draw(CurvePicture("c", "x", "y", [Series("s", [0.01], [3.0], kind="simulation")], log_x=True, log_y=True))
    low, high = drawing.axes[0].get_xlim()
    assert low < 0.01 < high
