"""Theory against simulation: hidden neurons in the plane, and their picture, still and moving."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.lazy.neurons import FRAMES, Neurons
from giantstep.errors import InputError
from giantstep.figures import TrajectoryPicture
from giantstep.streams import Streams
from giantstep.studies import Study
from giantstep.studies.pictures.whole import picture_of
from giantstep.studies.records import pack_measurement, unpack_measurement
from giantstep.verdicts.stating import Run

pytestmark = pytest.mark.agreement


@pytest.mark.parametrize("rank", [1, 2])
def test_all_mass_goes_to_the_teacher_from_a_small_start(rank: int, seed: int) -> None:
    results = Neurons(rank=rank, neurons=40).run(seeds=4, seed=seed)
    assert results.verdict.status == "holds", results.verdict.sentence
    assert min(results.cells[0].values_of("aligned_mass")) > 0.8


def test_nothing_turns_from_a_large_start(seed: int) -> None:
    cell = Neurons(scale=100, neurons=40, samples=15).run(seeds=2, seed=seed).cells[0]
    for measurement in cell.measurements:
        assert measurement["turn"] < 0.1
        assert measurement["log_turn"] == pytest.approx(measurement.finite["log_turn"], abs=0.05)
        assert measurement["total_mass"] == pytest.approx(measurement.finite["total_mass"], rel=1e-3)


def test_paths_show_where_neurons_went() -> None:
    point = Neurons(neurons=20)
    measured = point.measure(Run(Streams(1)))
    ways = [*measured.paths["v > 0"], *measured.paths["v < 0"]]
    assert len(ways) == 20
    assert {len(way.x) for way in ways} == {len(ways[0].x)}
    assert 10 < len(ways[0].x) <= FRAMES
    ends = np.array([[way.x[-1], way.y[-1]] for way in ways])
    heaviest = ends[np.argmax(np.linalg.norm(ends, axis=1))]
    assert np.linalg.norm(heaviest) == pytest.approx(1, abs=0.02), "the heaviest neuron ends at radius one"
    assert heaviest[0] > 0.96, "and at the teacher"
    kept = unpack_measurement(pack_measurement(measured))
    for name, paths in measured.paths.items():
        for path, same in zip(paths, kept.paths[name], strict=True):
            np.testing.assert_array_equal(path.x, same.x)
            np.testing.assert_array_equal(path.y, same.y)


def test_the_picture_has_a_panel_of_paths_for_each_scale(tmp_path) -> None:
    results = Study.of_views(Neurons(neurons=10, samples=10), seeds=1).run(workers=1)
    panels = [p for p in picture_of(results).panels if isinstance(p, TrajectoryPicture)]
    assert [panel.title for panel in panels] == [f"hidden neurons, scale = {a}" for a in (0.01, 1, 10)]
    assert len(panels[0].paths) == 11, "ten neurons and the teacher"
    alone = Neurons(neurons=10, samples=10).run(seeds=2)
    assert alone.figure().save(tmp_path / "neurons.gif").stat().st_size > 10_000


def test_refusals() -> None:
    with pytest.raises(InputError, match="must be even"):
        Neurons(neurons=3)
    with pytest.raises(InputError, match="at least 6"):
        Neurons(samples=5, rank=2)
    with pytest.raises(InputError, match="at most 2"):
        Neurons(rank=3)
