"""Rank-one measurements without their matrices, and the minimum of quadratic networks."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners.sensing.operators import DenseOperator, RankOneOperator
from giantstep.learners.sensing.quadratic import fit_decayed
from giantstep.streams import Streams

D, N = 10, 60
X = Streams(1).generator().standard_normal((N, D))
LABELS = Streams(2).generator().standard_normal(N)


def test_the_operator_is_that_of_its_matrices() -> None:
    dense = DenseOperator.of_matrices((X[:, :, None] * X[:, None] - np.eye(D)) / np.sqrt(2 * N), symmetric=True)
    fast, factor = RankOneOperator(X), Streams(3).generator().standard_normal((D, 3))
    product = factor @ factor.T
    assert np.allclose(fast.apply(product), dense.apply(product))
    assert np.allclose(fast.apply_factor(factor), dense.apply(product))
    assert np.allclose(fast.adjoint(LABELS), dense.adjoint(LABELS))
    assert np.allclose(fast.pulled(LABELS, factor), dense.adjoint(LABELS) @ factor)
    residual, pull = fast.fit_and_pull(factor, LABELS)
    assert np.allclose(residual, dense.apply(product) - LABELS)
    assert np.allclose(pull, dense.adjoint(residual) @ factor)


def test_many_samples_measure_without_distortion() -> None:
    many = RankOneOperator(Streams(4).generator().standard_normal((200_000, 6)))
    matrix = np.diag(np.arange(6.0))
    assert np.allclose(many.normal(matrix), matrix, atol=0.3)


def test_a_wide_network_ends_in_the_convex_minimum() -> None:
    """Proximal gradient descent on S itself, which knows no factor."""
    operator, ridge = RankOneOperator(X), 0.3
    fit = fit_decayed(operator, LABELS, D, ridge, Streams(5))
    assert fit.is_stationary
    assert fit.is_global
    found = np.zeros((D, D))
    for _ in range(4000):
        values, vectors = np.linalg.eigh(found - 0.2 * operator.adjoint(operator.apply(found) - LABELS))
        found = (vectors * np.maximum(values - 0.1 * ridge, 0)) @ vectors.T
    assert np.allclose(fit.factors.product, found, atol=1e-4)
    assert fit.loss == pytest.approx(fit.training_error + ridge * np.trace(found), rel=1e-5)


def test_a_narrow_network_is_stationary_and_says_that_width_would_help() -> None:
    operator = RankOneOperator(X)
    narrow = fit_decayed(operator, LABELS, 1, 0.1, Streams(5), starts=4)
    wide = fit_decayed(operator, LABELS, D, 0.1, Streams(5))
    assert narrow.is_stationary
    assert not narrow.is_global
    assert narrow.loss > 1.01 * wide.loss


def test_what_makes_no_sense_is_refused() -> None:
    operator = RankOneOperator(X)
    with pytest.raises(InputError, match="shape"):
        RankOneOperator(np.ones(3))
    with pytest.raises(InputError, match="labels"):
        fit_decayed(operator, LABELS[:-1], 2, 0.1, Streams(0))
    with pytest.raises(InputError, match="ridge"):
        fit_decayed(operator, LABELS, 2, 0.0, Streams(0))
