"""Gradient and Hessian of the loss, and what is found among stationary points."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.learners import orthonormal_columns
from giantstep.learners.sensing import Landscape
from giantstep.learners.sensing.operators import DenseOperator
from giantstep.streams import Streams


def example(measurements: int = 120) -> tuple[Landscape, DenseOperator]:
    basis = orthonormal_columns(6, 2, Streams(1))
    operator = DenseOperator.gaussian((6, 6), measurements, Streams(2), symmetric=True)
    return Landscape(operator, basis @ basis.T, 2), operator


def test_gradient_and_hessian_are_derivatives_of_the_loss() -> None:
    landscape, operator = example()
    rng = np.random.default_rng(0)
    u, change = rng.standard_normal((6, 2)), rng.standard_normal((6, 2))

    def loss(t: float) -> float:
        moved = u + t * change
        return float(np.sum(operator.apply(moved @ moved.T - landscape.truth) ** 2)) / 4

    h = 1e-4
    assert np.sum(landscape.gradient(u) * change) == pytest.approx((loss(h) - loss(-h)) / (2 * h), rel=1e-6)
    second = change.ravel() @ landscape.hessian(u) @ change.ravel()
    assert second == pytest.approx((loss(h) - 2 * loss(0) + loss(-h)) / h**2, rel=1e-5)


def test_saddles_of_many_measurements_are_those_of_the_population() -> None:
    landscape, _ = example(20_000)
    origin = landscape.stationary_point(0, 1.0, Streams(0))
    one = [landscape.stationary_point(1, 1.0, Streams(seed)) for seed in range(6)]
    assert origin is not None
    assert origin.curvature == pytest.approx(-1, abs=0.1)
    saddles = [point for point in one if point is not None and point.error < 0.9]
    assert saddles
    for point in saddles:
        assert point.error == pytest.approx(0.5**0.5, abs=0.05)
        assert point.curvature == pytest.approx(-1, abs=0.1)


def test_the_truth_is_stationary_and_curves_upwards() -> None:
    landscape, _ = example()
    basis = np.linalg.eigh(landscape.truth)[1][:, -2:]
    assert np.linalg.norm(landscape.gradient(basis)) < 1e-12
    assert np.linalg.eigvalsh(landscape.hessian(basis))[0] > -1e-12
