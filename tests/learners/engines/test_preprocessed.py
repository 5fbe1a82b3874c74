"""Gradients on pre-processed labels, their population limit and their scatter: the reduced forms against plain ones."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ks_2samp

from giantstep.errors import InputError
from giantstep.learners.engines import (
    initial_state,
    label_gradient,
    population_gradient,
    squared_deviations,
)
from giantstep.learners.networks import Initialisation, Scaling
from giantstep.problems import Activation, Problem, Target
from giantstep.streams import Streams

RELU, START = Activation("relu(z)"), Initialisation("sphere", "signs", scaling=Scaling.UNIT)


def plain(target: Target, d: int, n: int, generator: np.random.Generator, bias: float = 0.0) -> np.ndarray:
    """(|g|^2, g_1, <g, w>, <w, e_1>) of one neuron on pre-processed labels, in d dimensions."""
    x = generator.standard_normal((n, d))
    w = generator.standard_normal(d)
    w /= np.linalg.norm(w)
    y = target(x) + 0.5 * generator.standard_normal(n)
    y = y - y.mean() - x @ (y @ x / n)
    g = (y * (x @ w + bias >= 0)) @ x / n
    return np.array([g @ g, g[0] * np.sign(w[0]), g @ w])


@pytest.mark.parametrize("seed", [0, 7])
def test_preprocessed_gradients_have_the_law_of_full_ones(seed: int) -> None:
    """n barely above d, where the fluctuation of the subtracted part matters most."""
    target, d, n, repeats = Target("1 + x1 + He2(x1)"), 12, 24, 600
    generator = np.random.default_rng(seed)
    full = np.array([plain(target, d, n, generator) for _ in range(repeats)])
    reduced = []
    for k in range(repeats):
        streams = Streams(1000 * seed + k)
        state = initial_state(START, RELU, d, 1, 1, streams.child("network"))
        seen = label_gradient(state, Problem(target, d, noise=0.5).sample(n, streams.child("data")))
        g, (w,) = seen.gradient[0], state.local.weights
        reduced.append([g @ g, np.sign(w[0]) * g[0], g[: len(w)] @ w])
    for column, other in zip(full.T, np.array(reduced).T, strict=True):
        assert ks_2samp(column, other).pvalue > 1e-4


def test_threads_do_not_change_the_bits_and_plain_labels_are_left_alone() -> None:
    state = initial_state(START, RELU, 100, 4, 2, Streams(1))
    problem = Problem(Target("x1 + He2(x2)"), 100)
    for preprocess in (True, False):
        one, two = (
            label_gradient(state, problem.sample(20_000, Streams(2)), preprocess=preprocess, threads=threads)
            for threads in (1, 2)
        )
        assert np.array_equal(one.gradient, two.gradient)
    # Without pre-processing the linear part C_1/2 is the largest; with it, it is gone.
    assert two.gradient[:, 0] == pytest.approx(0.5, abs=0.1)
    assert np.abs(label_gradient(state, problem.sample(20_000, Streams(2))).gradient[:, 0]).max() < 0.1


def test_too_small_a_dimension_is_refused() -> None:
    state = initial_state(START, RELU, 8, 7, 1, Streams(1))
    with pytest.raises(InputError, match="local axes"):
        label_gradient(state, Problem(Target("He2(x1)"), 8).sample(100, Streams(2)))


def test_the_population_gradient_is_the_mean_of_many_samples() -> None:
    target, generator = Target("1 + x1 + He2(x2) + x1*x2"), np.random.default_rng(3)
    m = np.array([[0.3, -0.4]])
    x = generator.standard_normal((1_000_000, 3))
    w = np.array([0.3, -0.4, np.sqrt(0.75)])
    samples = (target(x) * (x @ w + 0.2 >= 0))[:, None] * x
    error = samples.std(axis=0) / 1000
    assert np.all(np.abs(samples.mean(axis=0) - population_gradient(target, m, 0.2)[0]) < 4 * error)
    assert population_gradient(target, m, preprocess=True) == pytest.approx(
        population_gradient(Target("He2(x2) + x1*x2"), m), abs=1e-12
    )
    with pytest.raises(InputError):
        population_gradient(Target("tanh(x1)"), m[:, :1])


@pytest.mark.parametrize("bias", [0.0, -0.6])
def test_deviations_have_the_law_of_full_ones(bias: float) -> None:
    target, d, n = Target("He2(x1)"), 10, 30
    generator, full = np.random.default_rng(4), []
    for _ in range(1500):
        x, w = generator.standard_normal((n, d)), generator.standard_normal(d)
        w /= np.linalg.norm(w)
        g = (target(x) * (x @ w + bias >= 0)) @ x / n
        inside, along = population_gradient(target, w[None, :1], bias)[0]
        mean = along * w / np.sqrt(1 - w[0] ** 2)
        mean[0] = inside
        full.append(float((g - mean) @ (g - mean)))
    assert ks_2samp(full, squared_deviations(target, d, n, 1500, Streams(5), bias=bias)).pvalue > 1e-4
