"""What a trajectory picture puts on its axes."""

import numpy as np

from giantstep.figures import Series, TrajectoryPicture, draw


def test_paths_run_from_an_open_circle_to_a_dot():
    x, y = np.array([0, 1, 2, np.nan]), np.array([0, 1, 4, 5])
    axes = draw(TrajectoryPicture("t", "x", "y", [Series("flow", x, y)], marks=((2, 5, "goal"),))).axes[0]
    path, start, end, goal = axes.get_lines()
    assert np.array_equal(path.get_xydata()[:3], np.column_stack([x, y])[:3])
    assert start.get_xydata().tolist() == [[0, 0]]
    assert start.get_markerfacecolor() == "#ffffff"
    assert end.get_xydata().tolist() == [[2, 4]]
    assert goal.get_marker() == "*"
    assert axes.get_aspect() == 1


def test_axes_may_have_scales_of_their_own():
    picture = TrajectoryPicture("t", "x", "y", [Series("flow", [0, 1], [0, 1e6])], equal_axes=False)
    assert draw(picture).axes[0].get_aspect() == "auto"
