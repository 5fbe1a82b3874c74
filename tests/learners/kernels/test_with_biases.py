"""Kernels of infinitely wide networks with biases, and their exact risks."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners.kernels import BiasedKernel, Kind, kernel_ridge, kernel_risks
from giantstep.problems import Activation, Problem, Target

RELU = Activation("relu")


def inputs(n: int, d: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((n, d))


@pytest.mark.parametrize("kind", ["conjugate", "tangent"])
def test_the_matrix_is_the_function_of_lengths_and_angle(kind: Kind) -> None:
    x, kernel = inputs(20, 6), BiasedKernel(RELU, kind)
    square = (x**2).sum(axis=1) / 6
    np.testing.assert_allclose(kernel.matrix(x), kernel(square[:, None], square, x @ x.T / 6), atol=1e-9)


def test_the_kernels_are_those_of_wide_networks() -> None:
    """Means over 200000 neurons: features, and derivatives by weights, biases (and the second layer)."""
    x, generator = inputs(5, 6), np.random.default_rng(1)
    w, b = generator.standard_normal((200000, 6)) / np.sqrt(6), generator.standard_normal(200000)
    local = x @ w.T + b
    conjugate = np.maximum(local, 0) @ np.maximum(local, 0).T / len(b)
    tangent = conjugate + (x @ x.T / 6 + 1) * ((local > 0).astype(float) @ (local > 0).T / len(b))
    np.testing.assert_allclose(BiasedKernel(RELU, "conjugate").matrix(x), conjugate, rtol=0.03, atol=0.02)
    np.testing.assert_allclose(BiasedKernel(RELU, "tangent").matrix(x), tangent, rtol=0.03, atol=0.02)


@pytest.mark.parametrize("kind", ["conjugate", "tangent"])
def test_exact_risks_against_a_test_set(kind: Kind) -> None:
    d, target = 8, Target("0.6*He2(0.6*x1 + 0.8*x2) + 0.3*He3(0.6*x1 + 0.8*x2) + 0.2")
    problem, kernel, x = Problem(target, d), BiasedKernel(RELU, kind), inputs(100, d)
    dual = kernel_ridge(kernel.matrix(x), np.asarray(target(x[:, :2])), np.array([0.01, 1.0]))
    exact = kernel_risks(kernel, x, dual, problem)
    t = inputs(10000, d, 5)
    values = kernel((t**2).sum(axis=1)[:, None] / d, (x**2).sum(axis=1) / d, t @ x.T / d) @ dual.T
    squares = (values - np.asarray(target(t[:, :2]))[:, None]) ** 2
    error = squares.std(axis=0) / np.sqrt(len(t))
    assert (np.abs(squares.mean(axis=0) - exact) < 4 * error).all()
    assert kernel_risks(kernel, x, np.zeros((1, 100)), problem)[0] == pytest.approx(float(target.norm2))


def test_with_biases_odd_degrees_are_learned() -> None:
    """Without biases a ReLU kernel has no degree 3 at all."""
    problem, x = Problem(Target("He3(x1)/sqrt(6)"), 4), inputs(1000, 4)
    y = np.asarray(problem.target(x[:, :1]))
    kernel = BiasedKernel(RELU, "tangent")
    assert kernel_risks(kernel, x, kernel_ridge(kernel.matrix(x), y, np.array([0.01])), problem)[0] < 0.25


def test_a_target_of_two_directions_is_refused() -> None:
    with pytest.raises(InputError, match="one direction"):
        kernel_risks(BiasedKernel(RELU), inputs(5, 4), np.ones((1, 5)), Problem(Target("x1*x2"), 4))
