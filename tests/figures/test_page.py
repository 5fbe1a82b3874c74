"""Nothing on a page covers anything else, and everything is on it."""

import numpy as np
import pytest
from matplotlib.transforms import Bbox

from giantstep.figures import CurvePicture, PanelPicture, Series, draw

LONG = "Words " * 60


def outer(axes) -> Bbox:
    return Bbox.union([axes.get_tightbbox(), *(child.get_tightbbox() for child in axes.child_axes)])


@pytest.mark.slow
def test_caption_title_and_plots_keep_apart(picture):
    drawing = draw(picture)
    boxes = [outer(axes) for axes in drawing.axes] + [text.get_window_extent() for text in drawing.figure.texts]
    assert len(boxes) == len(drawing.axes) + (2 if isinstance(picture, PanelPicture) else 1)
    for number, box in enumerate(boxes):
        assert drawing.figure.bbox.padded(0.5).containsx(box.x0)
        assert drawing.figure.bbox.padded(0.5).containsx(box.x1)
        assert drawing.figure.bbox.padded(0.5).containsy(box.y0)
        assert drawing.figure.bbox.padded(0.5).containsy(box.y1)
        assert not any(box.padded(-0.5).overlaps(other) for other in boxes[:number])


def test_long_words_grow_the_page_and_not_the_plot():
    series = [Series("s", [0, 1], [0, 1])]
    short = draw(CurvePicture("t", "x", "y", series, caption="Words"))
    long = draw(CurvePicture(LONG, LONG, "y", series, caption=LONG))
    assert long.figure.get_size_inches()[1] > short.figure.get_size_inches()[1] + 1
    size = [drawing.axes[0].get_window_extent().height for drawing in (short, long)]
    assert size[0] == pytest.approx(size[1])
    (caption,) = long.figure.texts
    assert caption.get_text().split() == LONG.split()
    assert caption.get_window_extent().width < long.figure.bbox.width
    assert long.axes[0].get_tightbbox().width < long.figure.bbox.width


@pytest.mark.parametrize("seed", range(4))
def test_the_legend_covers_no_point(seed):
    draws = np.random.default_rng(seed)
    x = np.linspace(0, 1, 12)
    walks = [np.cumsum(draws.normal(size=12)) for _ in range(4)]
    series = [Series(f"theory number {i}", x, y) for i, y in enumerate(walks)]
    series += [Series(f"simulation {i}", x, y, np.full(12, 0.3), "simulation") for i, y in enumerate(walks)]
    axes = draw(CurvePicture("Walks", "x", "y", series)).axes[0]
    box = axes.get_legend().get_window_extent()
    fine = np.linspace(0, 1, 600)
    for walk in walks:
        points = axes.transData.transform(np.column_stack([fine, np.interp(fine, x, walk)]))
        assert not any(box.contains(*point) for point in points)


def test_panels_stand_in_rows_of_at_most_three():
    panel = CurvePicture("t", "x", "y", [Series("", [0, 1], [0, 1])])
    for count, columns in ((1, 1), (3, 3), (4, 2), (5, 3)):
        drawing = draw(PanelPicture("t", [panel] * count))
        left = {round(axes.get_position().x0, 6) for axes in drawing.axes}
        assert len(left) == columns
        sizes = np.array([axes.get_window_extent().size for axes in drawing.axes])
        assert np.allclose(sizes, sizes[0])


def test_equal_captions_of_panels_are_said_once():
    def panel(caption: str) -> CurvePicture:
        return CurvePicture("t", "x", "y", [Series("s", [0, 1], [0, 1])], caption=caption)

    def said(*captions: str) -> str:
        drawing = draw(PanelPicture("t", [panel(caption) for caption in captions], caption="All."))
        return drawing.figure.texts[-1].get_text()

    assert said("One.", "Two.", "One.") == "All. (a, c) One. (b) Two."
    assert said("One.", "One.") == "All. One."
    assert said("", "Two.") == "All. (b) Two."
    assert said("All.", "All.") == "All."
