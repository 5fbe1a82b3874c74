"""Spiked covariances and wide starts, against sums that must hold."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.theory.spectra import MarchenkoPastur
from giantstep.theory.structured import bulk_alignment, covariance_spike, upper_alignment
from giantstep.theory.structured.flows import largest_start_overlap, width_for_overlap, width_growth


@pytest.mark.parametrize(("theta", "ratio"), [(0.2, 0.25), (1.0, 0.25), (4.0, 0.9)])
def test_bulk_and_spike_share_the_direction(theta: float, ratio: float) -> None:
    """All squared cosines with mu add up to one."""
    places = MarchenkoPastur(ratio, "columns").quantile((np.arange(20_000) + 0.5) / 20_000)
    bulk = float(np.mean(bulk_alignment(places, theta, ratio)))
    assert bulk + covariance_spike(theta, ratio).alignment == pytest.approx(1, abs=2e-3)
    assert upper_alignment(theta, ratio) == pytest.approx(
        np.mean(bulk_alignment(places[10_000:], theta, ratio)), rel=1e-2
    )


def test_the_spike_leaves_the_bulk_at_its_threshold() -> None:
    just_above, just_below = covariance_spike(0.5001, 0.25), covariance_spike(0.4999, 0.25)
    assert just_above.eigenvalue == pytest.approx(just_below.eigenvalue, abs=1e-6)
    assert just_above.alignment < 1e-3
    assert not just_below.supercritical


def test_the_largest_overlap_of_many_draws() -> None:
    generator = np.random.default_rng(0)
    rows = generator.standard_normal((400, 50, 10))
    drawn = np.abs(rows[..., 0] / np.linalg.norm(rows, axis=2)).max(axis=1)
    assert largest_start_overlap(10, 50) == pytest.approx(drawn.mean(), abs=4 * drawn.std() / 20)
    assert largest_start_overlap(10**8, 1000) * 1e4 == pytest.approx(3.435, abs=0.01)  # of 1000 normal variables


def test_the_width_of_a_constant_overlap_grows_exponentially() -> None:
    far = np.log(width_for_overlap(801, 0.5) / width_for_overlap(401, 0.5)) / 400
    assert far == pytest.approx(width_growth(0.5), abs=2e-3)
