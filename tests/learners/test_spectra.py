"""Spectra of simulated matrices, against numpy's singular value decomposition and scipy's test of a law."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from giantstep.learners import distance_to_law, operator_norm, singular_values_and_top, top_direction


@pytest.mark.parametrize("shape", [(30, 12), (12, 30), (9, 9)])
def test_norm_values_and_top_vectors_are_those_of_the_decomposition(shape: tuple[int, int]) -> None:
    matrix = np.random.default_rng(4).standard_normal(shape)
    left, expected, right = np.linalg.svd(matrix)
    values, columns, rows = singular_values_and_top(matrix)
    np.testing.assert_allclose(values, expected[::-1], rtol=1e-9)
    assert operator_norm(matrix) == pytest.approx(expected[0])
    for found, known in ((columns, right[0]), (rows, left[:, 0]), (top_direction(matrix), right[0])):
        assert found.shape == known.shape
        assert abs(found @ known) == pytest.approx(1)


def test_the_distance_is_that_of_kolmogorov_and_smirnov() -> None:
    sample = np.sort(np.random.default_rng(1).uniform(0, 1.2, 50))
    assert distance_to_law(sample, stats.uniform.cdf) == pytest.approx(stats.kstest(sample, "uniform").statistic)
