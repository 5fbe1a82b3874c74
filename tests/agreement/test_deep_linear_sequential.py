"""Theory against simulation: deep linear networks."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.deep_linear.sequential import Sequential
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


def mean(cell, name: str) -> np.ndarray:
    return np.mean([getattr(v, "y", v) for v in cell.values_of(name)], axis=0)


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_times_from_an_aligned_start_are_exact(depth: int) -> None:
    """The gap to the closed form is the finite step's: it falls in proportion to it."""
    gaps = []
    for step in (0.008, 0.004):
        point = Sequential(depth=depth, start="aligned", scale=1e-3 ** (1 / depth), step=step)
        cell = point.run(seeds=1).cells[0]
        gaps.append(mean(cell, "half_time") / point.predict()["half_time"].y - 1)
    assert (np.abs(gaps[1]) < 0.01).all()
    np.testing.assert_allclose(gaps[0], 2 * gaps[1], rtol=0.15)


def test_random_starts_of_two_layers(seed: int) -> None:
    results = Study(Sequential(), scale=[1e-3, 1e-2, 0.1], seeds=6, seed=seed).run(workers=1)
    assert results.verdict.status != "fails", results.verdict.sentence


def test_learned_modes_take_their_direction_from_later_ones(seed: int) -> None:
    """With few hidden neurons the naive start |W_1 v + W_2^T w|^2/4 predicts later modes too early."""
    cell = Sequential(neurons=4, scale=1e-3, step=0.004).run(seeds=4, seed=seed).cells[0]
    late = [(m["half_time"].y - m.finite["half_time"].y) / m["half_time"].y for m in cell.measurements]
    assert (np.abs(np.mean(late, axis=0)) < 0.01).all()


def test_saddles_and_waits_of_three_layers() -> None:
    cells = Study(Sequential(depth=3, step=0.02), scale=[0.01, 0.02], seeds=2).run(workers=1).cells
    for cell in cells:
        np.testing.assert_allclose(mean(cell, "saddle_loss"), [7, 2.5, 0.5], atol=0.02)
        assert "loss" not in cell.measurements[0].values, "no theory speaks of it"
    ratio = mean(cells[0], "first_time") / mean(cells[1], "first_time")
    assert np.log2(ratio) == pytest.approx(1, abs=0.06)


def test_two_layers_overlap() -> None:
    cells = Study(Sequential(step=0.01), scale=[1e-4, 1e-2], seeds=6).run(workers=1).cells
    small, large = (float(mean(cell, "second_mode")) for cell in cells)
    assert small < 0.08
    assert 0.12 < large < 0.6


def test_drift_is_proportional_to_the_step() -> None:
    for depth in (2, 3):
        cells = Study(Sequential(depth=depth, scale=0.05), step=[0.005, 0.01], seeds=2).run(workers=1).cells
        low, high = (float(mean(cell, "imbalance")) for cell in cells)
        assert high / low == pytest.approx(2, rel=0.05)


def test_refusals() -> None:
    with pytest.raises(InputError, match="at most d = 5 and neurons = 8"):
        Sequential(rank=6)
    with pytest.raises(InputError, match="too large for these singular values"):
        Sequential(rank=5, step=0.05, depth=5)
    with pytest.raises(InputError, match="half of the smallest mode"):
        Sequential(scale=0.5)
    with pytest.raises(InputError, match="steps would be needed"):
        Sequential(depth=4, scale=1e-4)
