"""Gaussian features given one direction: they have the moments of the true ones there, and the computed risk."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners.engines import GiantStep, take_step
from giantstep.learners.networks import DKLPS23_GAUSSIAN, Network, Scaling, initialise
from giantstep.learners.training import ConditionalFeatures, learned_direction
from giantstep.problems import Activation, Problem, Target
from giantstep.streams import Streams

EXAMPLE = Target("x1 + He2(x1) + x2 - He2(x2)")


def trained(activation: str, d: int = 24, neurons: int = 12, seed: int = 0) -> tuple[Network, Network, Problem]:
    streams, problem = Streams(seed), Problem(EXAMPLE, d)
    start = initialise(DKLPS23_GAUSSIAN, Activation(activation), d, neurons, streams.child("network"))
    after, _ = take_step(start, problem.sample(4 * d, streams.child("data")), GiantStep(2.0))
    return start, after, problem


def test_the_learned_direction_is_the_top_singular_vector() -> None:
    start, after, _ = trained("relu")
    v = learned_direction(start, after)
    change = after.weights - start.weights
    assert np.linalg.norm(v) == pytest.approx(1.0)
    assert np.linalg.norm(change @ v) == pytest.approx(np.linalg.norm(change, 2))
    with pytest.raises(InputError, match="not moved"):
        learned_direction(start, start)


@pytest.mark.parametrize("activation", ["relu", "tanh(z + 0.5)"])
@pytest.mark.parametrize("u", [-1.5, 0.4])
def test_given_the_direction_the_moments_are_those_of_the_true_features(activation: str, u: float) -> None:
    """Means, variances, covariances with the inputs and covariances of partners, from 40000 inputs with this u."""
    start, net, _ = trained(activation)
    v, n = learned_direction(start, net), 40_000
    x = np.random.default_rng(7).standard_normal((n, net.d))
    x += np.outer(u - x @ v, v)
    gaussian = ConditionalFeatures(net, v, paired=True).sample(x, Streams(3).child("xi"))
    true = net.features(x)
    half, size = net.neurons // 2, true.std(axis=0) + 0.05
    assert np.all(np.abs(gaussian.mean(axis=0) - true.mean(axis=0)) < 5 * size / np.sqrt(n))
    centred = [f - f.mean(axis=0) for f in (gaussian, true)]
    squares = [(f**2).mean(axis=0) for f in centred]
    assert np.all(np.abs(squares[0] - squares[1]) < 12 * size**2 / np.sqrt(n))
    shared = [(f[:, :half] * f[:, ::-1][:, :half]).mean(axis=0) for f in centred]
    scale = (size * size[::-1])[:half]
    assert np.all(np.abs(shared[0] - shared[1]) < (12 / np.sqrt(n) + 0.01) * scale)
    against = [f.T @ x / n for f in centred]
    assert np.all(np.abs(against[0] - against[1]) < 6 * size[:, None] / np.sqrt(n))


@pytest.mark.parametrize("conditional", [True, False])
def test_the_risk_is_that_of_a_large_test_set(conditional: bool) -> None:
    start, net, problem = trained("relu")
    v = learned_direction(start, net) if conditional else np.zeros(net.d)
    features, n = ConditionalFeatures(net, v, paired=True), 100_000
    heads = np.random.default_rng(1).standard_normal((3, net.neurons)) / net.neurons
    x = np.random.default_rng(2).standard_normal((n, net.d))
    errors = (features.sample(x, Streams(5)) @ heads.T - EXAMPLE(x[:, :2])[:, None]) ** 2
    error = errors.std(axis=0) / np.sqrt(n)
    assert np.all(np.abs(features.risk(heads, problem) - errors.mean(axis=0)) < 4.5 * error)


def test_linear_features_are_their_own_equivalent() -> None:
    start, net, _ = trained("z")
    x = np.random.default_rng(0).standard_normal((20, net.d))
    for v in (learned_direction(start, net), np.zeros(net.d)):
        assert ConditionalFeatures(net, v, paired=True).sample(x, Streams(0)) == pytest.approx(
            net.features(x), abs=1e-6
        )


def test_biases_and_wrong_shapes_are_refused() -> None:
    biased = Network(np.eye(2), np.ones(2), Activation("relu"), Scaling.UNIT, biases=np.ones(2))
    with pytest.raises(InputError, match="without biases"):
        ConditionalFeatures(biased, np.eye(2)[0], paired=False)
    with pytest.raises(InputError, match="shape"):
        ConditionalFeatures(trained("relu")[1], np.ones(3), paired=True)
