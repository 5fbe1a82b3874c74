"""SGD that looks ahead on each sample: blocks are the loop, and the law is that of dimension d."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from giantstep.errors import InputError
from giantstep.learners import run
from giantstep.learners.engines.online import RepeatedSGD, arrival_samples, random_replicas
from giantstep.learners.engines.online.repeated import Way
from giantstep.problems import Activation, Problem, Target
from giantstep.streams import Streams

Array = NDArray[np.float64]
RUNS, LEVEL = 3000, 1e-4


def plain(weights: Array, activation: Activation, problem: Problem, step: float, look: float, way: Way) -> Array:
    """Twelve steps in dimension d for weights (runs, d), written down directly."""
    generator = np.random.default_rng(99)
    for _ in range(12):
        x = generator.standard_normal(weights.shape)
        y = problem.target(x) + problem.noise * generator.standard_normal(len(x))
        h = (weights * x).sum(axis=1)
        here = y * activation.derivative(h)
        trial = weights + look * here[:, None] * x
        there = y * activation.derivative((trial * x).sum(axis=1))
        move = step * (there + here if way == "twice" else there)
        weights = weights + move[:, None] * (x - h[:, None] * weights)
        weights = weights / np.linalg.norm(weights, axis=1, keepdims=True)
    return weights


@pytest.mark.parametrize(
    ("activation", "look", "way"), [("relu", 0.2, "look-ahead"), ("tanh", 0.3, "twice"), ("sin(z)", 0.0, "look-ahead")]
)
def test_the_law_is_that_of_dimension_d(activation: str, look: float, way: Way) -> None:
    sigma, problem = Activation(activation), Problem(Target("He3(x1)"), 5, noise=0.3)
    start = random_replicas(sigma, 5, 1, 1, RUNS, Streams(1))
    path = run(RepeatedSGD(problem, 0.1, Streams(2), look, way), start, times=[12], watch=("overlaps",))
    drawn = np.random.default_rng(3).standard_normal((RUNS, 5))
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    moved = plain(drawn, sigma, problem, 0.1, look, way)
    assert stats.ks_2samp(path["overlaps"][0, 0, 0], moved[:, 0]).pvalue > LEVEL


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_a_block_is_the_loop(activation: str) -> None:
    """Steps so long that many rounds are needed, and kinks over which fields may jump between rounds."""
    sigma, problem = Activation(activation), Problem(Target("He3(x1)/sqrt(6)"), 30)
    start = random_replicas(sigma, 30, 1, 1, 7, Streams(1))
    sgd = RepeatedSGD(problem, 0.02, Streams(2), 0.03)
    z, square, labels = sgd._samples(np.random.default_rng(0), 60, start)
    block = sgd._block(start, sgd._gradient(start), z, square, labels)
    assert block.course is not None
    m = start.overlaps[0, 0]
    for t in range(60):
        h = m * z[0, t] + np.sqrt(1 - m**2) * z[1, t]
        there = labels[t] * sigma.derivative(h + 0.03 * labels[t] * sigma.derivative(h) * square[t])
        w = np.stack([m, np.sqrt(1 - m**2)])  # the neuron in the plane of x1 and its own rest
        moved = w + 0.02 * there * (z[:, t] - h * w)
        length = (moved**2).sum(axis=0) + (0.02 * there) ** 2 * (square[t] - (z[:, t] ** 2).sum(axis=0))
        m = moved[0] / np.sqrt(length)
        np.testing.assert_allclose(block.course[t], m, rtol=0, atol=1e-10)


def test_arrivals_are_the_first_ones() -> None:
    sigma, problem, d = Activation("relu"), Problem(Target("x1"), 40), 40
    start = random_replicas(sigma, d, 1, 1, 21, Streams(8), upper=True)
    sgd = RepeatedSGD(problem, 0.5 / d, Streams(9))
    arrived = arrival_samples(sgd, start, 0.5, 4000)
    assert np.isfinite(arrived).all()
    assert (arrived == np.round(arrived)).all()
    some = arrival_samples(sgd, start, 0.5, 4000, share=0.3)
    assert 0.3 <= np.isfinite(some).mean() < 1
    assert np.array_equal(some[np.isfinite(some)], arrived[np.isfinite(some)])
    assert np.isinf(arrival_samples(sgd, start, 0.999, 20)).all()


def test_refusals() -> None:
    relu = Activation("relu")
    sgd, one = (
        RepeatedSGD(Problem(Target("x1*x2"), 10), 0.1, Streams(0)),
        random_replicas(relu, 10, 1, 1, 2, Streams(1)),
    )
    with pytest.raises(InputError, match="a target of x1 alone"):
        run(sgd, one, times=[3])
    with pytest.raises(InputError, match="they must match"):
        run(RepeatedSGD(Problem(Target("x1"), 11), 0.1, Streams(0)), one, times=[3])
