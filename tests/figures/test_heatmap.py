"""What a heat map puts on its axes."""

import numpy as np
import pytest
from matplotlib.collections import QuadMesh

from giantstep.figures import HeatMapPicture, draw
from giantstep.figures.heatmap import cell_edges


def mesh_of(axes) -> QuadMesh:
    (mesh,) = [one for one in axes.collections if isinstance(one, QuadMesh)]
    return mesh


def test_cells_hold_the_values_and_missing_ones_are_hatched(heat_map):
    axes = draw(heat_map).axes[0]
    shown = mesh_of(axes).get_array()
    assert shown.mask.sum() == 1
    assert shown.mask[2, 3]
    assert np.allclose(shown.compressed(), np.asarray(heat_map.values)[~shown.mask])
    assert axes.patch.get_hatch()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["theory", "not measured"]


def test_without_missing_cells_there_is_no_hatching():
    axes = draw(HeatMapPicture("t", "x", "y", [1, 2], [1], [[1, 2]], "v")).axes[0]
    assert axes.patch.get_hatch() is None
    assert axes.get_legend() is None


def test_the_boundary_goes_through_its_points_and_leaves_the_limits(heat_map):
    axes = draw(heat_map).axes[0]
    x, y = (np.asarray(column) for column in heat_map.boundary)
    (line,) = axes.get_lines()
    assert np.array_equal(line.get_xydata(), np.column_stack([x, y]))
    far = HeatMapPicture("t", "x", "y", [1, 2], [1, 2], np.eye(2), "v", boundary=([-9, 99], [-9, 99]))
    assert draw(far).axes[0].get_xlim() == pytest.approx((0.5, 2.5))


def test_every_centre_lies_in_its_cell():
    for log in (False, True):
        centres = np.array([0.5, 1, 2, 10])
        edges = cell_edges(centres, log)
        assert edges.size == 5
        assert np.all((edges[:-1] < centres) & (centres < edges[1:]))


@pytest.mark.parametrize("value", [0.0, 0.3, -2.0, 1e-300])
def test_all_equal_values_have_a_colour_and_a_scale(value):
    axes = draw(HeatMapPicture("t", "x", "y", [1, 2], [1, 2, 3], np.full((3, 2), value), "v")).axes[0]
    norm = mesh_of(axes).norm
    assert norm.vmin < value < norm.vmax


def test_few_cells_have_ticks_at_their_centres():
    axes = draw(HeatMapPicture("t", "x", "y", [128, 512], [3], [[1, 2]], "v", log_x=True)).axes[0]
    assert axes.get_xticks().tolist() == [128, 512]
    assert axes.get_yticks().tolist() == [3]
