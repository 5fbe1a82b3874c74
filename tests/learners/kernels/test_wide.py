"""Kernel ridge regression: exact risks on tangent and wide kernels against cubature, Monte-Carlo and known cases."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.gaussian.kernels import dual_kernel
from giantstep.gaussian.quadrature import gauss_hermite
from giantstep.learners.heads import RidgeHead, fit_ridge
from giantstep.learners.kernels import (
    kernel_ridge,
    tangent_directions,
    tangent_kernel,
    tangent_moments,
    wide_kernel,
    wide_kernel_moments,
)
from giantstep.learners.networks import BES22, Initialisation, initialise
from giantstep.learners.risk import feature_moments
from giantstep.problems import Activation, Problem, Target
from giantstep.streams import Streams

PENALTIES = np.array([0.01, 0.3, 5.0])


def drawn(problem: Problem, n: int, seed: int = 1):
    return problem.sample(n, Streams(seed).child("data"), block_rows=n).block(0)


def cube(d: int, nodes: int):
    """Nodes (m, d) and weights of a tensor rule for x ~ N(0, I)."""
    z, w = gauss_hermite(nodes)
    x = np.stack(np.meshgrid(*[z] * d, indexing="ij"), axis=-1).reshape(-1, d)
    return x, np.prod(np.stack(np.meshgrid(*[w] * d, indexing="ij"), axis=-1).reshape(-1, d), axis=1)


def tangent_fit(net, x, new, dual):
    """k(new, x) alpha from the kernel's definition."""
    slopes, there = (net.activation.derivative(points @ net.weights.T) for points in (x, new))
    return ((new @ x.T / net.d) * (there @ slopes.T / net.neurons)) @ dual.T


def wide_fit(activation, x, new, dual):
    d = x.shape[1]
    between = dual_kernel(activation, activation, (new**2).sum(1)[:, None] / d, (x**2).sum(1) / d, new @ x.T / d)
    return between @ dual.T


def test_kernel_ridge_is_ridge_on_features():
    rng = np.random.default_rng(0)
    features, y = rng.standard_normal((40, 25)), rng.standard_normal(40)
    dual = kernel_ridge(features @ features.T, y, 40 * PENALTIES)
    path = fit_ridge(features, y, RidgeHead(PENALTIES))
    assert dual @ features == pytest.approx(path.coefficients, abs=1e-11)


@pytest.mark.parametrize(
    ("activation", "target"),
    [
        ("He3", "x1 + He2(x1)*x2"),
        ("z**2 + 0.5*z", "He2(x1)"),
        ("sin", "x1*x2"),
        ("0.3*tanh(0.5*z) + He2(z)", "sin(x1)"),
    ],
)
def test_tangent_risk_agrees_with_cubature(activation, target):
    """In two dimensions, where neurons are strongly correlated and the expectation is a plain sum."""
    problem = Problem(Target(target), 2)
    net = initialise(Initialisation("sphere"), Activation(activation), 2, 4, Streams(3))
    x, y = drawn(problem, 9)
    dual = kernel_ridge(tangent_kernel(net, x), y, PENALTIES)
    points, weights = cube(2, 90)
    expected = weights @ (tangent_fit(net, x, points, dual) - problem.target(points)[:, None]) ** 2
    found = tangent_moments(net, problem).risk(tangent_directions(net, x, dual))
    assert found == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("seed", [1, 5])
@pytest.mark.parametrize(
    ("activation", "target"),
    [("tanh", "tanh(x1)"), ("centered(relu)", "relu(x1)"), ("gelu", "x1*x2*x3 + He2(x3)"), ("abs", "sin(x1)*x2")],
)
def test_tangent_risk_agrees_with_monte_carlo(activation, target, seed):
    problem = Problem(Target(target), 24, noise=0.2)
    net = initialise(BES22, Activation(activation), 24, 30, Streams(seed))
    x, y = drawn(problem, 50, seed)
    dual = kernel_ridge(tangent_kernel(net, x), y, PENALTIES)
    new, clean = Problem(problem.target, 24).sample(20_000, Streams(seed).child("new"), block_rows=20_000).block(0)
    squares = (tangent_fit(net, x, new, dual) - clean[:, None]) ** 2
    found = tangent_moments(net, problem).risk(tangent_directions(net, x, dual))
    assert (np.abs(squares.mean(0) - found) < 4.5 * squares.std(0) / np.sqrt(len(new))).all()


def test_tangent_kernel_of_the_identity_is_linear_regression():
    problem = Problem(Target("x1 + He2(x2)"), 12)
    net = initialise(BES22, Activation("z"), 12, 7, Streams(2))
    x, y = drawn(problem, 30)
    assert tangent_kernel(net, x) == pytest.approx(x @ x.T / 12)
    path = fit_ridge(x / np.sqrt(12), y, RidgeHead(PENALTIES / 30))
    slopes = path.coefficients / np.sqrt(12)
    expected = (slopes**2).sum(1) - 2 * slopes[:, 0] + 3
    dual = kernel_ridge(tangent_kernel(net, x), y, PENALTIES)
    assert tangent_moments(net, problem).risk(tangent_directions(net, x, dual)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("activation", "target"), [("He3", "x1 + He3(x1)"), ("z**2 + z", "He2(0.6*x1 - 0.8*x3)"), ("He4", "x2**2")]
)
def test_wide_risk_agrees_with_cubature(activation, target):
    """A polynomial activation has a polynomial kernel: the tensor rule and the series are both exact."""
    sigma, problem = Activation(activation), Problem(Target(target), 3)
    x, y = drawn(problem, 8)
    dual = kernel_ridge(wide_kernel(sigma, x), y, PENALTIES)
    points, weights = cube(3, 12)
    fit = wide_fit(sigma, x, points, dual)
    expected = weights @ (fit - problem.target(points)[:, None]) ** 2
    assert wide_kernel_moments(sigma, x, problem).risk(dual) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("seed", [1, 5])
@pytest.mark.parametrize(
    ("activation", "target"), [("tanh", "tanh(x1)"), ("centered(relu)", "relu(x1)"), ("erf", "sin(0.6*x1 + 0.8*x2)")]
)
def test_wide_risk_agrees_with_monte_carlo(activation, target, seed):
    sigma, problem = Activation(activation), Problem(Target(target), 20, noise=0.2)
    x, y = drawn(problem, 40, seed)
    dual = kernel_ridge(wide_kernel(sigma, x), y, PENALTIES)
    new, clean = Problem(problem.target, 20).sample(6000, Streams(seed).child("new"), block_rows=6000).block(0)
    squares = (wide_fit(sigma, x, new, dual) - clean[:, None]) ** 2
    moments = wide_kernel_moments(sigma, x, problem)
    assert (np.abs(squares.mean(0) - moments.risk(dual)) < 4.5 * squares.std(0) / np.sqrt(len(new))).all()
    assert (moments.risk_error(dual) < 1e-4 * moments.risk(dual)).all()


def test_wide_kernel_is_the_limit_of_many_neurons():
    sigma, problem = Activation("tanh"), Problem(Target("tanh(x1)"), 10)
    x, y = drawn(problem, 15)
    dual = kernel_ridge(wide_kernel(sigma, x), y, PENALTIES)
    wide = wide_kernel_moments(sigma, x, problem).risk(dual)
    net = initialise(BES22, sigma, 10, 1000, Streams(4))
    features = net.features(x)
    finite = kernel_ridge(features @ features.T / 1000, y, PENALTIES)
    assert feature_moments(net, problem).risk(finite @ features / 1000) == pytest.approx(wide, rel=0.1)


def test_refusals():
    problem = Problem(Target("x1*x2"), 6)
    x, y = drawn(problem, 10)
    with pytest.raises(InputError, match="one direction"):
        wide_kernel_moments(Activation("tanh"), x, problem)
    with pytest.raises(InputError, match="positive"):
        kernel_ridge(x @ x.T, y, np.array([0.1, 0.0]))
    shifted = initialise(Initialisation(biases="gaussian"), Activation("tanh"), 6, 5, Streams(0))
    with pytest.raises(InputError, match="biases"):
        tangent_kernel(shifted, x)
    with pytest.raises(InputError, match="biases"):
        tangent_moments(shifted, problem)
