"""The recursive feature machine: rounds that help are taken, others not, and gradients are those of the fit."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from giantstep import InputError
from giantstep.estimators import RecursiveFeatureRegressor
from giantstep.estimators.predictors.choosing import Rows
from giantstep.estimators.predictors.rounds import Recipe, root_of, rounds_on


def product(n: int = 250, d: int = 8, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    x = generator.standard_normal((n, d)) * np.arange(1, d + 1)
    return x, x[:, 0] * x[:, 1] + 0.1 * generator.standard_normal(n)


@pytest.fixture(scope="module")
def fitted() -> RecursiveFeatureRegressor:
    return RecursiveFeatureRegressor(random_state=0).fit(*product())


def test_rounds_find_the_columns_that_matter(fitted: RecursiveFeatureRegressor) -> None:
    new, truth = product(1000, seed=1)
    plain = RecursiveFeatureRegressor(rounds=0, random_state=0).fit(*product())
    assert fitted.rounds_ > 0
    assert fitted.score(new, truth) > plain.score(new, truth) + 0.1
    assert set(np.diag(fitted.outer_product_).argsort()[-2:]) == {0, 1}
    assert fitted.held_out_score_ == pytest.approx(fitted.score(new, truth), abs=0.1)
    assert fitted.held_out_errors_[0] == pytest.approx(plain.held_out_errors_[0])


def test_noise_gets_no_round() -> None:
    generator = np.random.default_rng(0)
    rounds = [
        RecursiveFeatureRegressor(random_state=seed, cv=2)
        .fit(generator.standard_normal((100, 10)), generator.standard_normal(100))
        .rounds_
        for seed in range(4)
    ]
    assert np.count_nonzero(rounds) <= 1


@pytest.mark.parametrize("diagonal", [False, True])
def test_a_round_stretches_by_the_gradients_of_the_fit_before(diagonal: bool) -> None:
    generator = np.random.default_rng(0)
    x, y = generator.standard_normal((30, 3)), generator.standard_normal((30, 2))
    share = generator.dirichlet(np.ones(30))
    rounds = rounds_on(Rows(x, y, share), Recipe("gaussian", 1.0, np.array([0.01]), diagonal))
    first, second, third = (next(rounds) for _ in range(3))
    expected = np.zeros((3, 3))
    for label in range(2):
        slopes = np.stack(
            [(second.predict(x + move)[0] - second.predict(x - move)[0])[:, label] / 2e-5 for move in 1e-5 * np.eye(3)],
            axis=1,
        )
        expected += slopes.T @ (share[:, None] * slopes)
    np.testing.assert_allclose(second.outer_product(share), expected, rtol=1e-5, atol=1e-8)
    np.testing.assert_allclose(first.stretch, np.eye(3))
    kept = np.diag(np.diag(expected)) if diagonal else expected
    np.testing.assert_allclose(third.stretch @ third.stretch, 3 * kept / np.trace(kept), rtol=1e-5, atol=1e-7)
    np.testing.assert_array_equal(root_of(np.zeros((2, 2))), np.eye(2))


def test_several_labels_bits_and_copies(fitted: RecursiveFeatureRegressor) -> None:
    x, y = product()
    again = clone(fitted).fit(x, y)
    np.testing.assert_array_equal(again.predict(x), fitted.predict(x))
    both = RecursiveFeatureRegressor(rounds=1, random_state=0, cv=2).fit(x[:80], np.column_stack([y, x[:, 2]])[:80])
    assert both.predict(x).shape == (250, 2)
    np.testing.assert_allclose(RecursiveFeatureRegressor().fit(x[:20], np.full(20, 2.0)).predict(x), 2.0)


def test_mistakes_get_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    x, y = product(20)
    for wrong, words in (
        ({"kernel": "exp"}, "laplace, gaussian"),
        ({"rounds": -1}, "whole number"),
        ({"rounds": "many"}, "'auto' or a whole number"),
        ({"bandwidth": 0}, "above 0"),
        ({"ridge": "cv"}, "'loo' or positive numbers"),
        ({"cv": 1}, "cv"),
    ):
        with pytest.raises(InputError, match=words):
            RecursiveFeatureRegressor(**wrong).fit(x, y)
    RecursiveFeatureRegressor(verbose=True, random_state=0).fit(x, y)
    assert "20 rows: 70 %" in capsys.readouterr().out
