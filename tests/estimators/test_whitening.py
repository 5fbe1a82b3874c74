"""Whitening takes tables as they come, and leads back to the units of X."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep import InputError
from giantstep.estimators import Whitening

RNG = np.random.default_rng(3)
MIX = RNG.standard_normal((6, 6)) * np.array([1, 3, 10, 30, 100, 1000])
X = RNG.standard_normal((2000, 6)) @ MIX + 5


def covariance(z: np.ndarray, weight: np.ndarray | None = None) -> np.ndarray:
    return np.cov(z.T, aweights=weight, bias=True)


def test_many_rows_are_made_white() -> None:
    white = Whitening().fit(X)
    np.testing.assert_allclose(white.transform(X).mean(axis=0), 0, atol=1e-9)
    assert np.abs(covariance(Whitening(shrinkage=0).fit_transform(X)) - np.eye(6)).max() < 1e-9
    assert np.abs(covariance(white.transform(X)) - np.eye(6)).max() < 0.02


def test_independent_columns_are_left_alone_when_rows_are_few() -> None:
    """Whitening by the sample covariance would turn noise into structure: at n = 2 d roots from .3 to 1.7 for 1."""
    x = RNG.standard_normal((200, 100))
    few, fewer = Whitening().fit(x), Whitening().fit(x[:40])
    assert few.roots_.std() < 0.08
    assert Whitening(shrinkage=0).fit(x).roots_.std() > 0.3
    assert (few.rank_, fewer.rank_) == (100, 39)
    assert fewer.roots_.std() < 0.2


def test_small_eigenvalues_of_correlated_columns_stay() -> None:
    """Their axes may carry the label: a mixture with the identity would bury them."""
    spread = np.geomspace(1e-4, 1, 20)
    x = RNG.standard_normal((1000, 20)) * np.sqrt(spread) @ np.linalg.qr(RNG.standard_normal((20, 20)))[0]
    white = Whitening().fit(x)
    assert np.abs(np.diag(covariance(white.transform(x))) - 1).max() < 0.3


@pytest.mark.filterwarnings("error")
def test_constant_and_collinear_columns_take_no_part() -> None:
    table = np.column_stack([X, X[:, 0] - 2 * X[:, 3], np.full(2000, 0.1), X[:, 1]])
    white = Whitening().fit(table)
    assert white.rank_ == 6
    assert white.constant_.tolist() == [False] * 7 + [True, False]
    assert np.isfinite(white.transform(table)).all()
    assert Whitening().fit(np.ones((9, 4))).transform(np.ones((2, 4))).shape == (2, 0)


def test_a_direction_comes_back_to_the_units_of_x() -> None:
    white = Whitening().fit(X)
    vectors = np.linalg.qr(RNG.standard_normal((6, 2)))[0].T
    scores = white.transform(X) @ vectors.T
    back = white.units_of_x(vectors)
    np.testing.assert_allclose(back @ back.T, np.eye(2), atol=1e-9)
    assert abs(np.corrcoef(X @ back[0], scores[:, 0])[0, 1]) > 1 - 1e-9
    fitted = np.linalg.lstsq((X - X.mean(axis=0)) @ back.T, scores, rcond=None)[0]
    np.testing.assert_allclose((X - X.mean(axis=0)) @ back.T @ fitted, scores, atol=1e-6)
    rows = white.standardised(vectors)
    standardised = (X - X.mean(axis=0)) / X.std(axis=0)
    assert np.corrcoef(standardised @ rows[1], scores[:, 1])[0, 1] > 1 - 1e-9


def test_weights_count_rows() -> None:
    weight = RNG.integers(0, 4, 2000)
    repeated = Whitening(shrinkage=0).fit(np.repeat(X, weight, axis=0))
    weighted = Whitening(shrinkage=0).fit(X, sample_weight=weight)
    assert np.abs(covariance(weighted.transform(X), weight) - np.eye(6)).max() < 1e-9
    np.testing.assert_allclose(weighted.mean_, repeated.mean_)
    np.testing.assert_allclose(weighted.roots_, repeated.roots_)


def test_normal_scores_know_ranks_alone() -> None:
    x = RNG.standard_normal((500, 3))
    plain = Whitening(gaussianise=True).fit(x)
    bent = np.column_stack([np.exp(3 * x[:, 0]), x[:, 1] ** 3, 1 + x[:, 2]])
    np.testing.assert_allclose(plain.transform(x), Whitening(gaussianise=True).fit(bent).transform(bent), atol=1e-9)
    assert np.isfinite(plain.transform(100 * x)).all()


def test_a_shrinkage_beyond_its_bounds_gets_a_sentence() -> None:
    with pytest.raises(InputError, match="shrinkage = 2 is not allowed; it must be 'auto' or a number from 0 to 1"):
        Whitening(shrinkage=2).fit(X)
    with pytest.raises(ValueError, match="weight"):
        Whitening().fit(X, sample_weight=np.zeros(2000))
