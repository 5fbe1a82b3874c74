"""Thresholds and errors of other ways to a low-rank matrix, where they are known otherwise."""

from __future__ import annotations

import pytest

from giantstep.errors import InputError
from giantstep.theory.sensing.baselines import isometry_bound, nuclear_norm_threshold, spectral_error


def test_the_threshold_is_symmetric_and_between_the_tangent_space_and_everything() -> None:
    for d1, d2, r in ((20, 20, 2), (20, 30, 2), (50, 50, 5)):
        delta, window = nuclear_norm_threshold(d1, d2, r)
        assert (delta, window) == pytest.approx(nuclear_norm_threshold(d2, d1, r))
        assert r * (d1 + d2 - r) < delta < d1 * d2
        assert 0 < window < delta


def test_the_threshold_of_small_rank_is_near_three_times_the_degrees_of_freedom() -> None:
    """3 r (d1 + d2 - r) is the known bound (Chandrasekaran et al. 2012); for r/d to 0 it is nearly reached."""
    delta, _ = nuclear_norm_threshold(2000, 2000, 2)
    assert 0.85 < delta / (3 * 2 * (4000 - 2)) <= 1.0


def test_first_orders_of_the_spectral_error_and_of_the_isometry_constant() -> None:
    assert spectral_error(100, 4, 10**8) == pytest.approx((4 * 196 / 10**8) ** 0.5, rel=1e-3)
    assert isometry_bound(100, 100, 3, 10**8) == pytest.approx(2 * (3 * 400 / 10**8) ** 0.5, rel=1e-2)
    with pytest.raises((InputError, ValueError), match="s < 1"):
        spectral_error(100, 4, 300)
