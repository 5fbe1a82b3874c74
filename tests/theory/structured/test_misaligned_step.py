"""The expected gradient beside a spike: against samples, and its limit."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.problems import Activation, Problem, Target
from giantstep.problems.inputs import Spiked
from giantstep.streams import Streams
from giantstep.theory.structured import step_cosines, step_limit


@pytest.mark.parametrize(("theta", "rho"), [(0.0, 0.2), (5.0, 0.4), (40.0, 0.1)])
def test_the_limit_is_the_direction_of_sigma_beta(theta: float, rho: float) -> None:
    mu = np.array([rho, np.sqrt(1 - rho**2)])
    g = np.array([1.0, 0.0]) + theta * rho * mu
    g /= np.linalg.norm(g)
    assert step_limit(theta, rho).target == pytest.approx(g[0])
    assert step_limit(theta, rho).spike == pytest.approx(g @ mu)


@pytest.mark.parametrize(
    ("activation", "target"), [("relu", "x1"), ("tanh", "x1 + He2(x1) + He3(x1)/2"), ("relu", "1 + x1")]
)
def test_one_neuron_against_very_many_samples(activation: str, target: str) -> None:
    d, law, s, f = 4, Spiked(3.0, alignment=0.5), Activation(activation), Target(target)
    w = np.array([0.6, -0.2, 0.7, np.sqrt(1 - 0.36 - 0.04 - 0.49)])
    sample = Problem(f, d, inputs=law).sample(400_000, Streams(3), block_rows=400_000)
    x, y = sample.block(0)
    terms = (y * s.derivative(x @ w))[:, None] * x
    g, error = terms.mean(axis=0), terms.std(axis=0).max() / np.sqrt(len(y))
    mu = law.direction(d)
    found = step_cosines(f, s, d, 3.0, 0.5, np.array([[w[0], w @ mu]]))
    bound = 6 * error / np.linalg.norm(g)
    assert abs(found.target - g[0] / np.linalg.norm(g)) < bound
    assert abs(found.spike - g @ mu / np.linalg.norm(g)) < bound


def test_the_noise_of_a_batch_lowers_both_cosines() -> None:
    arguments = (Target("x1"), Activation("relu"), 100, 4.0, 0.3, np.array([[0.1, 0.0]]))
    exact, noisy = step_cosines(*arguments), step_cosines(*arguments, samples=200.0)
    assert exact.target == pytest.approx(step_limit(4.0, 0.3).target)
    assert noisy.target / exact.target == pytest.approx(noisy.spike / exact.spike)
    assert noisy.target < 0.95 * exact.target
