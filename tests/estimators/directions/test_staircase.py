"""The staircase: its directions stand in the order of the stairs."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.estimators import StaircaseDirections


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_directions_are_the_stairs_themselves(seed: int) -> None:
    """One direction alone explains x1 + x1*x2 best between x1 and x2: cos^2 = 3/4."""
    x = np.random.default_rng(seed).standard_normal((1000, 8))
    y = x[:, 0] + x[:, 0] * x[:, 1] + x[:, 0] * x[:, 1] * x[:, 2]
    fit = StaircaseDirections(3, permutations=0, random_state=0).fit(x, y)
    np.testing.assert_allclose(np.diag(np.abs(fit.standardised_directions_)), 1.0, atol=0.05)
    np.testing.assert_allclose(fit.whitened_directions_ @ fit.whitened_directions_.T, np.eye(3), atol=1e-12)
    assert (np.diff(fit.scores_) > 0).all()


def test_more_directions_than_stairs_are_orthonormal_all_the_same() -> None:
    x = np.random.default_rng(0).standard_normal((300, 5))
    fit = StaircaseDirections(4, permutations=0, random_state=0).fit(x, x[:, 1])
    assert abs(fit.standardised_directions_[0, 1]) > 0.99
    np.testing.assert_allclose(fit.directions_ @ fit.directions_.T, np.eye(4), atol=1e-12)
