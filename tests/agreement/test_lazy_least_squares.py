"""Theory against simulation: gradient descent on least squares."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.lazy.least_squares import LeastSquares
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


@pytest.mark.parametrize("preset", ["narrow", "zigzag"])
def test_presets(preset: str, seed: int) -> None:
    results = LeastSquares.preset(preset, d=64).run(seeds=6, seed=seed)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_short_paths_are_lost_beyond_the_inverse_curvature(seed: int) -> None:
    cells = Study(LeastSquares(d=100), step=[0.1, 1.0, 1.9], seeds=6, seed=seed).run(workers=1).cells
    ratios = [np.mean(cell.values_of("path_ratio")) for cell in cells]
    assert ratios[0] < ratios[1] < 1.3
    assert ratios[2] > 1.7
    assert all(max(cell.values_of("distance")) < 1e-7 for cell in cells)


def test_reference_path_ratios() -> None:
    """Reference of ten seeds with residuals down to 1e-13: 1.337 +- .011 (50 x 75), 1.157 +- .009 (50 x 200)."""
    for d, expected, error in ((75, 1.337, 0.011), (200, 1.157, 0.009)):
        found = LeastSquares(d=d, samples_per_dim=50 / d).run(seeds=10, seed=50).cells[0].values_of("path_ratio")
        assert np.mean(found) == pytest.approx(expected, abs=4 * error * 2**0.5)


def test_the_start_is_kept_where_data_say_nothing() -> None:
    """A start of scale 0 ends at the interpolator of least norm, one of scale 1 elsewhere; both are interpolators."""
    for scale in (0.0, 2.0):
        results = LeastSquares(scale=scale, d=40).run(seeds=8)
        assert results.verdict.status == "holds", results.verdict.sentence


def test_refusals() -> None:
    with pytest.raises(InputError, match=r"at most 0\.9"):
        LeastSquares(samples_per_dim=1)
    with pytest.raises(InputError, match=r"at most 1\.99"):
        LeastSquares(step=2)
    with pytest.raises(InputError, match="steps would be needed"):
        LeastSquares(samples_per_dim=0.9, step=0.01)
