"""Kernel ridge regression on tables: exact held-out errors, weights, several labels, sentences."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from giantstep import InputError
from giantstep.errors import TooLargeError
from giantstep.estimators import LazyRegressor
from giantstep.estimators.predictors import LongFitWarning, tables
from giantstep.learners.kernels import validated_path


def table(n: int = 150, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    x = generator.standard_normal((n, 4)) * [1, 10, 0.1, 1] + [0, 5, 0, 3]
    return x, np.sin(x[:, 0]) + x[:, 2] * x[:, 1] / 2 + 0.1 * generator.standard_normal(n)


def test_a_fit_is_the_kernel_ridge_regression_of_scikit_learn() -> None:
    """Labels of mean 0 and a kernel that holds a large constant: the intercept is then the kernel's own."""
    x, y = table()
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    ours = LazyRegressor("(1 + t)**2", ridge=0.01).fit(x, y)
    alpha, offset = 0.01 * len(x), 1e8
    matrix = (1 + z @ z.T / 4) ** 2 + offset
    theirs = KernelRidge(alpha=alpha, kernel="precomputed").fit(matrix, y)
    np.testing.assert_allclose(ours.predict(x), theirs.predict(matrix), atol=1e-4)


def test_leave_one_out_is_what_refitting_without_the_row_gives() -> None:
    """For inputs that are standardised already, so that a row that is left out moves nothing but the fit."""
    x, y = table(40)
    model = LazyRegressor(ridge=[1e-3, 0.1]).fit(x, y)
    whole = model.rows_kernel_.matrix()
    for i in (0, 7, 39):
        kept = np.arange(40) != i
        weights = np.full(39, 1 / 40)  # of the whole: the penalty of each row stays the same
        path = validated_path(np.asfortranarray(whole[np.ix_(kept, kept)]), y[kept], [model.ridge_], weights=weights)
        said = path.intercept[0, 0] + whole[i, kept] @ path.dual[0, :, 0]
        assert model.loo_predictions_[i] == pytest.approx(said, rel=1e-6)


def test_leave_one_out_tells_the_error_on_new_rows() -> None:
    x, y = table(300)
    new, truth = table(2000, seed=1)
    model = LazyRegressor("exp(2*t)").fit(x, y)
    assert model.loo_score_ == pytest.approx(model.score(new, truth), abs=0.05)
    assert model.loo_errors_.min() == pytest.approx(np.mean((y - model.loo_predictions_) ** 2))
    assert model.ridge_ == model.ridges_[model.loo_errors_[:, 0].argmin()]


def test_the_product_kernel_is_the_laplacian_of_scikit_learn() -> None:
    x, y = table(60)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    ours = LazyRegressor("product", ridge=0.01).fit(x, y)
    gamma = 1 / (2 * np.abs(z[:, None] - z).sum(axis=2).mean())  # exp(-1/2) at the mean distance
    theirs = KernelRidge(alpha=0.6, kernel="laplacian", gamma=gamma)
    middle = y.mean()
    rest = ours.predict(x) - ours.intercept_  # their model has no intercept: labels without ours
    np.testing.assert_allclose(rest, theirs.fit(z, y - ours.intercept_).predict(z), atol=1e-8)
    assert abs(ours.intercept_[0] - middle) < y.std()


def test_of_several_kernels_the_one_of_the_least_held_out_error_is_taken() -> None:
    x, y = table()
    several = ["ntk(relu)", "gaussian", "laplace", "product", "exp(2*t)"]
    alone = {kernel: LazyRegressor(kernel).fit(x, y) for kernel in several}
    both = LazyRegressor(several).fit(x, y)
    best = max(alone.values(), key=lambda model: model.loo_score_)
    assert both.kernel_ == best.kernel_
    assert both.loo_score_ == best.loo_score_
    np.testing.assert_array_equal(both.predict(x[:5]), best.predict(x[:5]))
    with pytest.raises(InputError, match="several to choose from"):
        LazyRegressor([]).fit(x, y)


def test_noise_gets_the_constant() -> None:
    generator = np.random.default_rng(3)
    x, y = generator.standard_normal((200, 5)), 7 + generator.standard_normal(200)
    model = LazyRegressor().fit(x, y)
    assert abs(model.loo_score_) < 0.05
    np.testing.assert_allclose(model.predict(x), 7, atol=0.5)


def test_each_label_has_its_own_penalty() -> None:
    x, y = table()
    noise = np.random.default_rng(5).standard_normal(len(y))
    both = LazyRegressor().fit(x, np.column_stack([y, 100 * noise]))
    alone = LazyRegressor().fit(x, y)
    assert both.ridge_[0] == alone.ridge_ < both.ridge_[1]
    np.testing.assert_allclose(both.predict(x)[:, 0], alone.predict(x), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(both.loo_predictions_[:, 0], alone.loo_predictions_, rtol=1e-6)


def test_weights_count_and_rows_of_no_weight_do_not() -> None:
    x, y = table(60)
    weight = np.where(np.arange(60) < 50, 1.0, 0.0)
    some, all_of_them = LazyRegressor().fit(x, y, weight), LazyRegressor().fit(x[:50], y[:50])
    np.testing.assert_allclose(some.predict(x), all_of_them.predict(x), rtol=1e-8)
    np.testing.assert_allclose(some.loo_predictions_[50:], some.predict(x[50:]), rtol=1e-12)
    twice = LazyRegressor(ridge=0.01).fit(x, y, weight + 1)
    copied = LazyRegressor(ridge=0.01).fit(np.vstack([x, x[:50]]), np.concatenate([y, y[:50]]))
    np.testing.assert_allclose(twice.predict(x), copied.predict(x), rtol=1e-7)
    np.testing.assert_allclose(  # only ratios of weights count
        LazyRegressor().fit(x, y, 1e-3 * (weight + 1)).predict(x), LazyRegressor().fit(x, y, weight + 1).predict(x)
    )


@pytest.mark.parametrize("inputs", ["standardised", "whitened"])
def test_units_and_constant_columns_do_not_matter(inputs: str) -> None:
    x, y = table(80)
    plain = LazyRegressor(inputs=inputs).fit(x, y)
    other = np.column_stack([1000 * x[:, 0], x[:, 1:] / 7 - 3, np.full(80, 5.0)])
    odd = LazyRegressor(inputs=inputs).fit(other, 10 * y + 3)
    if inputs == "standardised":  # the shrinkage of whitening looks at the rows, and rounds them
        np.testing.assert_allclose(odd.predict(other), 10 * plain.predict(x) + 3, rtol=1e-6)
    else:
        assert np.corrcoef(odd.predict(other), plain.predict(x))[0, 1] > 0.999
    ranks = LazyRegressor(inputs=inputs, gaussianise=True).fit(x, y)
    np.testing.assert_allclose(
        ranks.predict(x), LazyRegressor(inputs=inputs, gaussianise=True).fit(np.exp(x / 10), y).predict(np.exp(x / 10)),
        rtol=1e-4, atol=1e-5,
    )  # fmt: skip


def test_pipelines_searches_and_copies() -> None:
    x, y = table(60)
    search = GridSearchCV(make_pipeline(MinMaxScaler(), LazyRegressor()), {"lazyregressor__kernel": ["t", "exp"]}, cv=2)
    assert search.fit(x, y).best_params_ == {"lazyregressor__kernel": "exp"}
    model = LazyRegressor("arccos1", bias=0.5, verbose=2)
    assert clone(model).get_params() == model.get_params()
    single = LazyRegressor().fit(x.astype(np.float32), y)
    np.testing.assert_allclose(single.predict(x.astype(np.float32)), LazyRegressor().fit(x, y).predict(x), atol=1e-3)


def test_mistakes_get_sentences() -> None:
    from scipy.sparse import csr_array

    x, y = table(20)
    for wrong, words in (
        ({"kernel": "sin(t)"}, "kernel"),
        ({"ridge": "best"}, "'loo' or positive numbers"),
        ({"ridge": -1.0}, "positive numbers"),
        ({"kernel": "t", "ridge": 1e-300}, "give a larger ridge"),
        ({"inputs": "raw"}, "'whitened' or 'standardised'"),
        ({"bias": -1}, "a number of 0 or more"),
    ):
        with pytest.raises(InputError, match=words):
            LazyRegressor(**wrong).fit(x, y)
    with pytest.raises(InputError, match="gaussianise=True"):
        LazyRegressor("exp(50*t)").fit(np.vstack([x, 1e6 * x[:1]])[:, :1] ** 3, np.append(y, 0))
    with pytest.raises(TypeError, match="dense data is required"):
        LazyRegressor().fit(csr_array(x), y)


def test_a_long_fit_says_so_before_it_starts(monkeypatch, capsys) -> None:
    x, y = table(30)
    monkeypatch.setattr(tables, "LONG_FIT", 0.0)
    with pytest.warns(LongFitWarning, match="a kernel on 30 rows: about 0 minutes"):
        LazyRegressor().fit(x, y)
    LazyRegressor(verbose=True).fit(x, y)
    told = capsys.readouterr().out
    assert "a kernel on 30 rows" in told
    assert "100 %" in told
    monkeypatch.setattr(tables, "_memory", lambda: 100.0)
    with pytest.raises(TooLargeError, match="GB of memory"):
        LazyRegressor().fit(x, y)
