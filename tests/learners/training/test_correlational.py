"""The hard family of the lower bound: its law, its correlations, what queries tell."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ks_2samp

from giantstep.learners import pairwise_overlaps
from giantstep.learners.training import largest_entry, sampled_correlation, samples_to_learn, told_apart
from giantstep.streams import Streams


@pytest.mark.parametrize("d", [5, 40])
def test_the_family_has_the_law_of_unit_vectors(d: int) -> None:
    generator = np.random.default_rng(0)
    plain, drawn = [], []
    for seed in range(600):
        vectors = generator.standard_normal((12, d))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        plain.append(largest_entry(vectors @ vectors.T))
        family = pairwise_overlaps(d, 12, Streams(seed))
        assert np.diag(family) == pytest.approx(1)
        drawn.append(largest_entry(family))
    assert ks_2samp(plain, drawn).pvalue > 1e-4


def test_an_orthonormal_family() -> None:
    """One query tells 1/tau^2 orthonormal functions apart, or all of them."""
    assert told_apart(np.eye(50), 3, 0.25) == 16
    assert told_apart(np.eye(10), 3, 0.25) == 10


def test_sampled_correlations() -> None:
    values = [sampled_correlation(-0.8, 3, 50_000, Streams(seed)) for seed in range(20)]
    assert np.mean(values) == pytest.approx(-(0.8**3), abs=4 * np.std(values) / np.sqrt(20))
    assert sampled_correlation(0.5, 2, 30_000, Streams(1)) == sampled_correlation(0.5, 2, 30_000, Streams(1), threads=2)


def test_a_linear_function_is_learned_from_about_d_samples() -> None:
    """(1/n) sum y x with y = x_1 has squared overlap 1/2 at n = d: signal 1 against noise d/n."""
    found = [samples_to_learn(1, 50, Streams(seed), 10**4) for seed in range(40)]
    assert np.mean(found) == pytest.approx(50, rel=0.2)
    assert samples_to_learn(4, 30, Streams(0), 40) == 40
