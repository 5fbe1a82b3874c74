"""The mean gradient of a network through overlaps, and the noise of a sample, against direct integration."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.gaussian.quadrature import gauss_hermite
from giantstep.problems import Activation, Target
from giantstep.theory.gradient import network_gradient
from giantstep.theory.gradient.law import MeanGradient
from giantstep.theory.gradient.population import gradient_noise, towards_target_slope

SMOOTH = ["tanh", "sin(z + 0.4)", "exp(-(z - 1)**2/2)"]


def network(seed: int, neurons: int = 2, r: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Weights whose first r axes are the target's, and coefficients of the output."""
    generator = np.random.default_rng(seed)
    return 0.7 * generator.standard_normal((neurons, r + 1)), generator.standard_normal(neurons)


def grid(dimension: int, order: int) -> tuple[np.ndarray, np.ndarray]:
    nodes, weights = gauss_hermite(order)
    points = np.stack(np.meshgrid(*[nodes] * dimension, indexing="ij"), axis=-1).reshape(-1, dimension)
    return points, np.prod(np.stack(np.meshgrid(*[weights] * dimension, indexing="ij"), -1).reshape(-1, dimension), 1)


@pytest.mark.parametrize("text", SMOOTH)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_mean_gradient_is_the_integral(text: str, seed: int) -> None:
    target, activation = Target("x1 + He2(x1)*x2 - 0.5*x2**3"), Activation(text)
    weights, coefficients = network(seed, neurons=3)
    x, mass = grid(3, 48)
    value, slope = activation.value_and_derivative(x @ weights.T)
    error = target(x) - value @ coefficients
    expected = (slope * (error * mass)[:, None]).T @ x
    overlaps, gram = weights[:, :2], weights @ weights.T
    g = network_gradient(target, activation, overlaps, gram, coefficients)
    found = np.pad(g.inside, ((0, 0), (0, 1))) + g.along @ weights
    np.testing.assert_allclose(found, expected, atol=3e-4)
    np.testing.assert_allclose(g.overlaps(overlaps), found[:, :2], atol=1e-12)
    np.testing.assert_allclose(g.with_weights(overlaps, gram), weights @ found.T, atol=1e-12)
    np.testing.assert_allclose(g.gram(overlaps, gram), found @ found.T, atol=1e-12)


def test_before_training_it_is_the_expansion_of_one_step() -> None:
    """With f = 0 and |w| = 1 the network's gradient is that of a single neuron, ReLU included."""
    target, activation = Target("x1 + He2(x1)*x2 + He3(x2)"), Activation("relu")
    weights = np.random.default_rng(3).standard_normal((5, 6))
    weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    g = network_gradient(target, activation, weights[:, :2], weights @ weights.T, np.zeros(5))
    mu = np.array([activation.hermite_coefficient(k) for k in range(6)])
    inside, along = MeanGradient.of_coefficients({a: float(c) for a, c in target.hermite().items()}, mu)(weights[:, :2])
    np.testing.assert_allclose(g.inside, inside, atol=1e-9)
    np.testing.assert_allclose(g.own, along, atol=1e-9)
    assert not g.output.any()


def test_the_response_is_the_derivative() -> None:
    """Moving a neuron inside the target's space moves its gradient as `towards_target_slope` says."""
    target, activation = Target("x1 + x1*x2 + He3(x1)*x2"), Activation("tanh")
    weights, _ = network(5, neurons=3)
    none = np.zeros(3)

    def along(moved: np.ndarray) -> np.ndarray:
        g = network_gradient(target, activation, moved[:, :2], moved @ moved.T, none)
        return g.overlaps(moved[:, :2])

    slopes = towards_target_slope(target, activation, weights[:, :2], np.linalg.norm(weights, axis=1))
    for axis in range(2):
        shift = np.zeros_like(weights)
        shift[:, axis] = 1e-4
        difference = (along(weights + shift) - along(weights - shift)) / 2e-4
        np.testing.assert_allclose(slopes[:, :, axis], difference, atol=1e-3)


@pytest.mark.parametrize("text", ["x1 + He2(x1) - x2", "x1 + x1*x2 + He3(x1)*x2"])
def test_the_noise_is_the_integral(text: str) -> None:
    """Low discrepancy against a product rule, on a smooth network, with label noise."""
    target, activation = Target(text), Activation("tanh")
    weights, coefficients = network(7, neurons=2)
    x, mass = grid(3, 40)
    value, slope = activation.value_and_derivative(x @ weights.T)
    square = (target(x) - value @ coefficients) ** 2 + 0.09
    outer = (slope * (mass * square)[:, None]).T @ slope
    lifted = (slope[:, :, None] * x[:, None, :2]).reshape(len(x), 4)
    inner = ((lifted * (mass * square)[:, None]).T @ lifted).reshape(2, 2, 2, 2)
    found = gradient_noise(target, activation, weights[:, :2], weights @ weights.T, coefficients, noise=0.3)
    size = np.diag(outer).mean()
    np.testing.assert_allclose(found[0], outer, atol=0.01 * size)
    np.testing.assert_allclose(found[1], inner, atol=0.01 * np.abs(inner).max())


def test_only_polynomials() -> None:
    with pytest.raises(InputError, match="polynomial targets only"):
        network_gradient(Target("relu(x1)"), Activation("tanh"), np.zeros((2, 1)), np.eye(2), np.zeros(2))
