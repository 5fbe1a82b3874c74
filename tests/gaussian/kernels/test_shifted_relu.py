"""ReLU neurons with biases: closed forms against quadrature."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from giantstep.gaussian.hermite import hermite_series
from giantstep.gaussian.kernels.shifted_relu import shifted_relu_gram, shifted_relu_series
from giantstep.gaussian.quadrature import panel_rule


def by_quadrature(r1: float, r2: float, rho: float, b1: float, b2: float) -> float:
    """E over z_1 of relu(r_1 z_1 + b_1) times the mean of relu given z_1, which is h Phi(h) + phi(h)."""
    s = max(np.sqrt(1 - rho**2), 1e-9)
    z, weight = panel_rule((-b1 / r1, -b2 / (r2 * rho) if rho else 0.0), order=24, panels=60, reach=10.0)
    h = (r2 * rho * z + b2) / (r2 * s)
    inner = r2 * s * (h * ndtr(h) + np.exp(-0.5 * h**2) / np.sqrt(2 * np.pi))
    return float(weight @ (np.maximum(r1 * z + b1, 0) * inner))


@pytest.mark.parametrize("rho", [-1.0, -0.7, 0.0, 0.3, 0.999, 1.0])
@pytest.mark.parametrize(("b1", "b2"), [(0.4, -1.1), (-0.6, -0.6), (0.0, 0.8), (0.0, 0.0), (2.5, 1.0)])
def test_pairs(rho: float, b1: float, b2: float) -> None:
    r1, r2 = 0.7, 1.9
    gram = np.array([[r1**2, rho * r1 * r2], [rho * r1 * r2, r2**2]])
    found = shifted_relu_gram(gram, np.array([b1, b2]))
    assert found[0, 1] == pytest.approx(by_quadrature(r1, r2, rho, b1, b2), abs=3e-8)
    assert found[0, 1] == found[1, 0]
    assert found[0, 0] == pytest.approx(by_quadrature(r1, r1, 1.0, b1, b1), abs=3e-8)


def test_series_is_that_of_the_function() -> None:
    norms, biases = np.array([0.5, 1.0, 2.0]), np.array([0.3, -0.8, 0.0])
    series, squares = shifted_relu_series(norms, biases, 12)
    for row, square, r, b in zip(series, squares, norms, biases, strict=True):
        expected = hermite_series(lambda z, r=r, b=b: np.maximum(r * z + b, 0.0), 12, breaks=(-b / r,))
        np.testing.assert_allclose(row, expected, atol=1e-10)
        assert square == pytest.approx(by_quadrature(r, r, 1.0, b, b), abs=3e-8)
    assert (series**2).sum(axis=1) == pytest.approx(squares, rel=0.02)


def test_a_neuron_without_weights_is_a_constant() -> None:
    gram, biases = np.diag([0.0, 1.0]), np.array([2.0, 0.0])
    found = shifted_relu_gram(gram, biases)
    np.testing.assert_allclose(found, [[4.0, 2 / np.sqrt(2 * np.pi)], [2 / np.sqrt(2 * np.pi), 0.5]])
