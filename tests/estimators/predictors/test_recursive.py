"""The recursive feature machine: rounds that help are taken, others not, and gradients are those of the fit."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from giantstep import InputError
from giantstep.arrays import Array
from giantstep.estimators import RecursiveFeatureRegressor
from giantstep.estimators.distance_kernels import KINDS, DistanceKernel, DistanceKind
from giantstep.estimators.predictors import rounds
from giantstep.estimators.predictors.choosing import Rows
from giantstep.estimators.predictors.rounds import Recipe, root_of, stage_of
from giantstep.estimators.scikit import generator_of


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
    assert 1 - fitted.score(new, truth) < 0.5 * (1 - plain.score(new, truth))
    errors = fitted.held_out_errors_
    assert errors["laplace", 1] < errors["laplace", 0] - 0.1
    assert set(np.diag(fitted.outer_product_).argsort()[-2:]) == {0, 1}
    assert fitted.held_out_score_ == pytest.approx(fitted.score(new, truth), abs=0.1)
    assert fitted.held_out_errors_["laplace", 0] == pytest.approx(plain.held_out_errors_["laplace", 0])


def test_noise_gets_no_round() -> None:
    generator = np.random.default_rng(0)
    rounds = [
        RecursiveFeatureRegressor(random_state=seed, cv=2)
        .fit(generator.standard_normal((100, 10)), generator.standard_normal(100))
        .rounds_
        for seed in range(4)
    ]
    assert np.count_nonzero(rounds) <= 1


def test_the_kernel_suits_the_table() -> None:
    """Columns that act each by itself, with kinks, and a smooth function of a direction that mixes all columns."""
    generator = np.random.default_rng(0)
    x = generator.uniform(-1, 1, (300, 6))
    kinks = np.abs(x[:, 0]) + np.sign(x[:, 1]) * np.abs(x[:, 2]) + 0.05 * generator.standard_normal(300)
    smooth = np.sin(2 * x @ np.ones(6) / 6**0.5)
    by_columns = RecursiveFeatureRegressor(random_state=0).fit(x, kinks)
    mixed = RecursiveFeatureRegressor(random_state=0).fit(x, smooth)
    assert by_columns.kernel_ == "product"
    assert mixed.kernel_ == "gaussian"
    errors = mixed.held_out_errors_
    assert min(errors["gaussian", k] for k in (0, 1)) < 0.5 * min(errors["product", k] for k in (0, 1))
    chosen = RecursiveFeatureRegressor(["product", "gaussian"], random_state=0).fit(x, kinks)
    assert chosen.kernel_ == "product"


@pytest.mark.parametrize("kind", ["laplace", "gaussian", "product"])
def test_a_typical_distance_does_not_depend_on_how_rows_are_weighted(kind: DistanceKind) -> None:
    """Weights of whole numbers are repeated rows, and the kernel is exp(-1/2) at the typical distance."""
    generator = np.random.default_rng(0)
    x, times = generator.standard_normal((40, 3)), generator.integers(1, 4, 40)
    kernel = DistanceKernel.typical(kind, x, times / times.sum())
    repeated = np.repeat(x, times, axis=0)
    assert DistanceKernel.typical(kind, repeated, np.full(len(repeated), 1 / len(repeated))).width == pytest.approx(
        kernel.width
    )
    distance = kernel.distances(repeated, repeated)
    typical = distance.mean() if kind == "product" else (distance**2).mean() ** 0.5
    assert kernel.width == pytest.approx(typical * (1 if kind == "gaussian" else 2))


@pytest.mark.parametrize("diagonal", [False, True])
def test_a_round_stretches_by_the_gradients_of_the_fit_before(diagonal: bool) -> None:
    generator = np.random.default_rng(0)
    x, y = generator.standard_normal((30, 3)), generator.standard_normal((30, 2))
    share = generator.dirichlet(np.ones(30))
    rows, recipe, ridge = Rows(x, y, share), Recipe("gaussian", 1.0, diagonal), np.array([0.01])
    first = stage_of(rows, recipe, recipe.first(3)).fit(ridge)
    stage = stage_of(rows, recipe, recipe.next(first.outer_product(share)))
    second = stage.fit(ridge)
    third = stage_of(rows, recipe, recipe.next(second.outer_product(share))).fit(ridge)

    def said(moved: Array) -> Array:
        return second.predict(stage.values_at(moved))[0]

    expected = np.zeros((3, 3))
    for label in range(2):
        slopes = np.stack(
            [(said(x + move) - said(x - move))[:, label] / 2e-5 for move in 1e-5 * np.eye(3)],
            axis=1,
        )
        expected += slopes.T @ (share[:, None] * slopes)
    np.testing.assert_allclose(second.outer_product(share), expected, rtol=1e-5, atol=1e-8)
    np.testing.assert_allclose(first.stretch, np.eye(3))
    kept = np.diag(np.diag(expected)) if diagonal else expected
    np.testing.assert_allclose(third.stretch @ third.stretch, 3 * kept / np.trace(kept), rtol=1e-5, atol=1e-7)
    np.testing.assert_array_equal(root_of(np.zeros((2, 2))), np.eye(2))


@pytest.mark.parametrize("kind", KINDS)
def test_a_kernel_that_is_kept_gives_what_one_made_anew_gives(
    kind: DistanceKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the slopes of gradients follow from its values, also of equal rows and of rows far away."""
    generator = np.random.default_rng(1)
    x, y = generator.standard_normal((50, 4)), generator.standard_normal((50, 2))
    x[1], x[2] = x[0], 1e4
    rows, recipe = Rows(x, y, np.full(50, 0.02)), Recipe(kind, 0.02)
    kept = stage_of(rows, recipe, recipe.first(4))
    monkeypatch.setattr(rounds, "KEPT", 50**2 - 1)
    anew = stage_of(rows, recipe, recipe.first(4))
    assert kept.values is not None
    assert anew.values is None
    one, other = (stage.fit(np.array([1e-3, 1e-1])) for stage in (kept, anew))
    np.testing.assert_array_equal(one.dual, other.dual)
    assert np.isfinite(one.outer_product(rows.share)).all()
    np.testing.assert_allclose(one.outer_product(rows.share), other.outer_product(rows.share), rtol=1e-9)
    np.testing.assert_array_equal(kept.fit(np.array([1e-1])).dual[0], one.dual[1])  # the first fit left it alone


def test_several_labels_bits_and_copies(fitted: RecursiveFeatureRegressor) -> None:
    x, y = product()
    again = clone(fitted).fit(x, y)
    np.testing.assert_array_equal(again.predict(x), fitted.predict(x))
    both = RecursiveFeatureRegressor(rounds=1, random_state=0, cv=2).fit(x[:80], np.column_stack([y, x[:, 2]])[:80])
    assert both.predict(x).shape == (250, 2)
    np.testing.assert_allclose(RecursiveFeatureRegressor().fit(x[:20], np.full(20, 2.0)).predict(x), 2.0)


def test_weights_are_copies_where_all_is_chosen() -> None:
    """Kernel, rounds and penalties too, as long as copies of a row are held out together."""
    generator = np.random.default_rng(1)
    x, y = product(70, 4)
    times, fold = generator.integers(0, 4, 70), np.arange(70) % 3

    def splits(folds: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        return [(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in range(3)]

    weighted = RecursiveFeatureRegressor(cv=splits(fold)).fit(x, y, sample_weight=2.5 * times)
    rows, labels, folds = (np.repeat(part, times, axis=0) for part in (x, y, fold))
    copied = RecursiveFeatureRegressor(cv=splits(folds)).fit(rows, labels)
    assert (weighted.kernel_, weighted.rounds_, weighted.ridge_) == (copied.kernel_, copied.rounds_, copied.ridge_)
    np.testing.assert_allclose(weighted.predict(x), copied.predict(x), rtol=1e-6, atol=1e-6)


def test_what_suits_some_rows_is_fitted_to_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chosen on 150 of 400 rows: n lambda stays, and all rows are fitted, which is better than those alone."""
    monkeypatch.setattr("giantstep.estimators.predictors.recursive.RACED", 150)
    x, y = product(400)
    new, truth = product(1000, seed=1)
    quick = RecursiveFeatureRegressor("gaussian", random_state=0).fit(x, y)
    few = RecursiveFeatureRegressor("gaussian", random_state=0).fit(x[:150], y[:150])
    assert len(quick.fit_.centres) == 400
    assert np.log10(quick.ridge_ * 400 / 150) * 2 == pytest.approx(round(np.log10(quick.ridge_ * 400 / 150) * 2))
    assert 1 - quick.score(new, truth) < 0.8 * (1 - few.score(new, truth))


def test_a_share_of_the_rows_is_held_out_once() -> None:
    """The metric comes from the other rows, the last fit from all; errors of rows that were fitted do not count."""
    x, y = product()
    model = RecursiveFeatureRegressor("gaussian", ridge=1e-4, cv=0.2, random_state=0).fit(x, y)
    new, truth = product(1000, seed=1)
    assert model.rounds_ > 0
    assert len(model.fit_.centres) == 250
    assert model.held_out_score_ == pytest.approx(model.score(new, truth), abs=0.1)
    kept = generator_of(0).permutation(250) >= 50
    rows = Rows(*(part[kept] for part in (model.inputs_.rows(x), (y - y.mean())[:, None] / y.std(), np.ones(250))))
    recipe, rows = Recipe("gaussian"), rows[np.arange(200)]
    first = stage_of(rows, recipe, np.eye(8)).fit(np.array([1e-4])).outer_product(rows.share)
    one = RecursiveFeatureRegressor("gaussian", rounds=1, ridge=1e-4, cv=0.2, random_state=0).fit(x, y)
    np.testing.assert_allclose(one.stretch_, recipe.next(first), rtol=1e-6, atol=1e-9)


def test_mistakes_get_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    x, y = product(20)
    for wrong, words in (
        ({"kernel": "exp"}, "auto, laplace, gaussian, product"),
        ({"kernel": None}, "auto, laplace, gaussian, product"),
        ({"kernel": []}, "auto, laplace, gaussian, product"),
        ({"rounds": -1}, "whole number"),
        ({"rounds": "many"}, "'auto' or a whole number"),
        ({"bandwidth": 0}, "above 0"),
        ({"ridge": "cv"}, "'auto' or positive numbers"),
        ({"ridge": 1e-300, "kernel": "gaussian", "bandwidth": 1e5}, "below the rounding of the kernel"),
        ({"cv": 1}, "cv"),
        ({"cv": 1.5}, "a share of the rows between 0 and 1"),
        ({"cv": "many"}, "'auto', a whole number or splits"),
    ):
        with pytest.raises(InputError, match=words):
            RecursiveFeatureRegressor(**wrong).fit(x, y)
    RecursiveFeatureRegressor(verbose=True, random_state=0).fit(x, y)
    assert "20 rows: 100 %" in capsys.readouterr().out
