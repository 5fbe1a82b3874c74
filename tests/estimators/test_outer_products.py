"""A round of the recursive feature machine: its gradients, its penalty, its memory in blocks."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep import InputError
from giantstep.estimators import distance_kernels, outer_products
from giantstep.estimators.distance_kernels import DistanceKernel
from giantstep.estimators.outer_products import kernel_round

RNG = np.random.default_rng(5)
X = RNG.standard_normal((150, 4))
Y = np.column_stack([X[:, 0] * X[:, 1], RNG.standard_normal(150)])


@pytest.mark.parametrize("kind", ["laplace", "gaussian", "product"])
def test_outer_products_are_those_of_differences(kind: distance_kernels.DistanceKind) -> None:
    fit = kernel_round(X, Y, DistanceKernel.fitting(kind, X))
    new, h = RNG.standard_normal((7, 4)), 1e-5
    slopes = [(fit.predict(new + h * e) - fit.predict(new - h * e)) / (2 * h) for e in np.eye(4)]
    gradient = np.stack(slopes, axis=2)  # (rows, labels, columns)
    share = RNG.dirichlet(np.ones(7))
    wanted = np.einsum("i,ikr,iks->krs", share, gradient, gradient)
    np.testing.assert_allclose(fit.outer_products(new, share), wanted, rtol=1e-5, atol=1e-9)


def test_the_penalty_of_a_label_is_its_own() -> None:
    fit = kernel_round(X, Y, DistanceKernel.fitting("laplace", X))
    assert fit.ridge[1] > 10 * fit.ridge[0]  # the second label is noise
    alone = kernel_round(X, Y[:, 0], DistanceKernel.fitting("laplace", X))
    np.testing.assert_allclose(fit.predict(X)[:, :1], alone.predict(X))
    left = [kernel_round(np.delete(X, i, 0), np.delete(Y, i, 0), fit.kernel, fit.ridge[:1]) for i in range(4)]
    errors = [float(Y[i, 0] - one.predict(X[i : i + 1])[0, 0]) for i, one in enumerate(left)]
    path = outer_products.validated_path(fit.kernel.matrix(X), Y, fit.ridge[:1])
    np.testing.assert_allclose(path.held_out[0, :4, 0], errors, rtol=1e-6)


def test_blocks_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    fit = kernel_round(X, Y, DistanceKernel.fitting("laplace", X))
    whole = fit.outer_products(X)
    monkeypatch.setattr(outer_products, "ROWS", 40)
    monkeypatch.setattr(outer_products, "AT_ONCE", 1)
    np.testing.assert_allclose(fit.outer_products(X), whole)
    monkeypatch.setattr(distance_kernels, "ROWS", 40)
    np.testing.assert_allclose(fit.kernel.matrix(X), fit.kernel(X, X))


def test_equal_rows_are_at_distance_zero() -> None:
    far = np.repeat(1e4 + X[:5], 2, axis=0)
    kernel = DistanceKernel.fitting("laplace", far)
    assert (kernel(far, far)[0, :2] == 1).all()
    assert np.isfinite(kernel.slopes(kernel(far, far))).all()
    with pytest.raises(InputError, match="no kernel 'cauchy' of distances; there are: laplace, gaussian, product"):
        DistanceKernel("cauchy", 1.0)  # type: ignore[arg-type]


def test_columns_of_two_values_are_columns_like_others() -> None:
    """In the product kernel they take a short way, to the same distances and gradients."""
    rows = np.column_stack([RNG.integers(0, 2, (40, 3)) * [1.0, 0.3, 7.0], RNG.standard_normal((40, 2)), np.ones(40)])
    kernel = DistanceKernel.fitting("product", rows)
    plain = np.abs(rows[:, None] - rows).sum(axis=2)
    np.testing.assert_allclose(kernel.distances(rows, rows), plain, atol=1e-12)
    dual = RNG.standard_normal((40, 2))
    wanted = -np.einsum("ij,ijr,jk->kir", np.exp(-plain / kernel.width), np.sign(rows[:, None] - rows), dual)
    found = kernel.gradients(kernel.slopes(kernel(rows, rows)), rows, rows, dual)
    np.testing.assert_allclose(found, wanted / kernel.width, atol=1e-12)
