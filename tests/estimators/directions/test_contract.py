"""What holds for every method: the contract, the permutations, weights, outputs, sentences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from giantstep import InputError, estimators
from giantstep.estimators import LinearDirection, SlicedInverseRegression

METHODS = [
    estimators.LinearDirection,
    estimators.SlicedInverseRegression,
    estimators.SlicedAverageVariance,
    estimators.DirectionalRegression,
    estimators.HessianDirections,
    estimators.SpectralDirections,
    estimators.OneStepDirections,
    estimators.GradientOuterProduct,
    estimators.StaircaseDirections,
]
RNG = np.random.default_rng(11)
MIX = np.linalg.qr(RNG.standard_normal((8, 8)))[0] * np.geomspace(1, 50, 8)
X = RNG.standard_normal((500, 8)) @ MIX + 3
SIGNAL = X @ np.linalg.inv(MIX)[:, 0]
Y = SIGNAL + 0.3 * SIGNAL**2 + 0.3 * RNG.standard_normal(500)


@pytest.mark.parametrize("method", METHODS)
def test_the_contract(method: Any) -> None:
    fit = method(random_state=0).fit(X, Y)
    k = fit.n_directions_
    assert k == 1
    np.testing.assert_allclose(fit.directions_ @ fit.directions_.T, np.eye(k), atol=1e-9)
    np.testing.assert_allclose(fit.whitened_directions_ @ fit.whitened_directions_.T, np.eye(k), atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(fit.standardised_directions_, axis=1), 1)
    assert fit.p_values_[0] == 0.01
    assert len(fit.p_values_) == len(fit.edges_) in (k, k + 1)
    assert fit.strengths_.shape == fit.scores_.shape == (k,)
    assert 0.5 < fit.scores_[0] < 1
    z = fit.transform(X)
    assert abs(np.corrcoef(z[:, 0], SIGNAL)[0, 1]) > 0.97
    assert abs(np.corrcoef(X @ fit.directions_[0], z[:, 0])[0, 1]) > 1 - 1e-9
    assert fit.set_output(transform="pandas").transform(X).columns.tolist() == [f"{method.__name__.lower()}0"]
    again = method(random_state=0).fit(X, Y)
    assert (again.directions_ == fit.directions_).all()
    assert (again.p_values_ == fit.p_values_).all()


@pytest.mark.parametrize("method", METHODS)
def test_noise_is_found_out(method: Any) -> None:
    """Heavy-tailed inputs and labels: at a level of 2 % at most 3 of 20 draws, but for one chance in two thousand."""
    alarms = 0
    for _ in range(20):
        x, y = RNG.standard_t(3, (80, 5)), RNG.standard_cauchy(80)
        alarms += method(permutations=60, random_state=RNG.integers(1000)).fit(x, y).n_directions_ > 0
    assert alarms <= 3


@pytest.mark.parametrize("method", METHODS)
def test_a_row_without_weight_is_no_row(method: Any) -> None:
    weight = (np.arange(500) < 400).astype(float)
    spoiled = np.where(weight > 0, Y, 1e6)
    one, other = method(1, random_state=0).fit(X[:400], Y[:400]), method(1, random_state=0)
    np.testing.assert_allclose(other.fit(X, spoiled, weight).directions_, one.directions_)
    np.testing.assert_allclose(other.p_values_, one.p_values_)


@pytest.mark.parametrize("method", METHODS)
def test_classes_and_several_outputs(method: Any) -> None:
    classes = np.where(Y > 1, "high", np.where(Y < -0.3, "low", "middle"))
    for labels in (classes, np.column_stack([Y, Y + RNG.standard_normal(500)]), Y > 0.3):
        fit = method(random_state=0).fit(X, labels)
        assert fit.n_directions_ >= 1
        assert abs(np.corrcoef(fit.transform(X)[:, 0], SIGNAL)[0, 1]) > 0.95


def test_mistakes_get_a_sentence() -> None:
    for made, words in [
        (LinearDirection("many"), "n_directions = 'many' is not allowed; it must be 'auto' or a number"),
        (LinearDirection(permutations=20), "permutations = 20 is not allowed; it must be a whole number of 60 or more"),
        (LinearDirection(level=0.001), "level = 0.001 needs 999 permutations or more"),
        (LinearDirection(level=2), "level = 2 is not allowed"),
        (LinearDirection(0), "n_directions = 0 is not allowed"),
        (SlicedInverseRegression(slices=1), "slices = 1 is not allowed; it must be a whole number of 2 or more"),
    ]:
        with pytest.raises(InputError, match=words):
            made.fit(X, Y)


@pytest.mark.parametrize("method", METHODS)
def test_constant_columns_alone_give_no_direction(method: Any) -> None:
    fit = method(random_state=0).fit(np.ones((60, 3)), Y[:60])
    assert (fit.n_directions_, fit.directions_.shape, fit.gaussian_edge_) == (0, (0, 3), None)
    assert fit.transform(np.ones((5, 3))).shape == (5, 0)


def test_numbers_without_squares_get_a_sentence() -> None:
    """They were taken for constant columns, and nothing was found in them."""
    for x, y, what in ((X * 1e200, Y, "the inputs"), (X, Y * 1e200, "the labels")):
        for made in (LinearDirection(), estimators.LazyRegressor(), estimators.GiantStepRegressor(neurons=4)):
            with pytest.raises(InputError, match=f"{what} hold numbers as large as .*give them in other units"):
                made.fit(x, y)
