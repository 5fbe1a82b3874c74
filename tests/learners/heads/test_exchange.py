"""Exchanges of one sample, from one inverse and by fitting anew."""

import numpy as np
import pytest

from giantstep.learners.heads import exchange


def test_exchanges_are_those_of_heads_fitted_anew():
    rng = np.random.default_rng(2)
    features, others, y = rng.standard_normal((12, 5)), rng.standard_normal((12, 5)), rng.standard_normal(12)
    found = exchange(features, others, y, 0.3)

    def least(matrix):
        inside = np.linalg.solve(matrix.T @ matrix + 12 * 0.3 * np.eye(5), matrix.T @ y)
        return y @ y - y @ matrix @ inside

    mixed = np.where((np.arange(12) % 2 == 0)[:, None], others, features)
    for k in (0, 3, 8):
        with_others, with_features = mixed.copy(), mixed.copy()
        with_others[k], with_features[k] = others[k], features[k]
        assert found.swaps[k] == pytest.approx(least(with_others) - least(with_features))
    assert found.objective == pytest.approx(least(features) / 12)
    assert found.other_objective == pytest.approx(least(others) / 12)
