"""Random directions have the law that they are said to have."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ks_1samp, ks_2samp, norm

from giantstep.errors import InputError
from giantstep.learners import orthonormal_columns, random_directions, random_overlaps
from giantstep.learners.draws import bartlett, folded_directions, gaussian_rows, replicated_directions
from giantstep.streams import Streams

COUNT = 20_000


@pytest.mark.parametrize(("freedom", "columns"), [(9, 3), (3, 3), (2, 4), (0, 3)])
def test_bartlett_is_a_wishart_factor(freedom: int, columns: int) -> None:
    """Means and variances of a Wishart matrix: E = freedom I, Var W_ii = 2 freedom, Var W_ij = freedom."""
    rng, count = np.random.default_rng(1), 4000
    grams = np.array([a.T @ a for a in (bartlett(freedom, columns, rng) for _ in range(count))])
    expected = freedom * (np.ones((columns, columns)) + np.eye(columns))
    slack = 5 * np.sqrt(expected / count) + 1e-12
    assert np.all(np.abs(grams.mean(0) - freedom * np.eye(columns)) < slack)
    assert np.all(np.abs(grams.var(0) - expected) < 0.25 * expected + 1e-12)
    assert np.linalg.matrix_rank(grams[0]) == min(freedom, columns)


def test_random_overlaps_are_those_of_unit_vectors() -> None:
    m = random_overlaps(20, 2, 20_000, Streams(0))
    assert 20 * (m**2).mean(axis=0) == pytest.approx([1, 1], abs=0.05)
    assert (m**4).mean() == pytest.approx(3 / (20 * 22), rel=0.1)


def test_what_is_seen_of_a_direction_has_its_law() -> None:
    whole = random_directions(9, COUNT, Streams(1))
    folded = folded_directions(9, 3, COUNT, Streams(2))
    assert ks_2samp(whole[:, 0], random_overlaps(9, 1, COUNT, Streams(3))[:, 0]).pvalue > 1e-3
    assert ks_2samp(whole[:, 1], folded[:, 1]).pvalue > 1e-3
    assert ks_2samp(np.linalg.norm(whole[:, 2:], axis=1), folded[:, 2]).pvalue > 1e-3
    assert np.linalg.norm(folded, axis=1) == pytest.approx(1)


def test_gaussian_rows_keep_overlaps_and_inner_products() -> None:
    drawn = np.array([gaussian_rows(5, 2, 4, Streams(seed)) for seed in range(3000)])
    assert drawn.shape == (3000, 4, 2 + 3)  # three more axes are all that there are
    assert ks_1samp(drawn[:, 3, 1], norm.cdf).pvalue > 1e-3
    lengths, products = (drawn[:, 0] ** 2).sum(axis=1), (drawn[:, 0] * drawn[:, 3]).sum(axis=1)
    assert lengths.mean() == pytest.approx(5, abs=4 * np.sqrt(10 / 3000))
    assert products.var() == pytest.approx(5, rel=0.15)


def test_directions_of_replicas_are_those_of_single_runs() -> None:
    many = replicated_directions(6, 1, 2, COUNT, Streams(4))
    plain = random_directions(6, COUNT, Streams(5)), random_directions(6, COUNT, Streams(6))
    assert (many**2).sum(axis=1) == pytest.approx(1)
    assert ks_2samp((many[0] * many[1]).sum(axis=0), (plain[0] * plain[1]).sum(axis=1)).pvalue > 1e-3
    with pytest.raises(InputError, match="do not fit"):
        replicated_directions(2, 1, 2, 3, Streams(0))


def test_orthonormal_columns_are_uniform() -> None:
    """Every column has the law of a uniform direction; without the signs, the first entry would never be positive."""
    frames = orthonormal_columns(5, 3, Streams(7), count=COUNT)
    assert frames.transpose(0, 2, 1) @ frames == pytest.approx(np.broadcast_to(np.eye(3), (COUNT, 3, 3)))
    expected = random_directions(5, COUNT, Streams(8))[:, 0]
    for entry in (frames[:, 0, 0], frames[:, 4, 0], frames[:, 1, 2], frames[:, 4, 2]):
        assert ks_2samp(entry, expected).pvalue > 1e-3
    np.testing.assert_array_equal(orthonormal_columns(5, 3, Streams(7)), frames[0])
