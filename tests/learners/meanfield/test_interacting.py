"""Interacting particles and the free energy of a cloud of them: gradients, copies, laws, entropies."""

from __future__ import annotations

import math

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners import run
from giantstep.learners.meanfield import (
    InteractingParticles,
    ParticleStart,
    ParticleState,
    ParticleTask,
    entropy,
    entropy_bias,
    free_energy,
    gibbs_divergence,
    gibbs_free_energy,
)
from giantstep.learners.meanfield.energies import log_partition
from giantstep.problems import Activation
from giantstep.streams import Streams

X, Y = np.array([0.5, 1.0, 2.0]), np.array([0.3, -0.8, 0.5])


def task(activation: str = "tanh", ridge: float = 0.1, temperature: float = 0.05) -> ParticleTask:
    return ParticleTask(Activation(activation), X, Y, ridge, temperature)


def states(
    task: ParticleTask, shape: tuple[int, int], step: float, looks: list[int], seed: int
) -> dict[int, ParticleState]:
    """The particles after each number of steps."""
    start, dynamics = ParticleStart(*shape, scale=1.0), InteractingParticles(task, step, Streams(seed))
    seen = run(dynamics, start, times=looks, watch=("weights", "outputs"))
    return {t: ParticleState(*pair) for t, *pair in zip(looks, seen["weights"], seen["outputs"], strict=True)}


def test_without_noise_a_step_is_the_gradient_of_the_loss() -> None:
    """N times the gradient by one particle, by finite differences."""
    cold = task(temperature=0.0)
    seen = states(cold, (2, 4), 0.01, [0, 1], 1)
    start, moved = seen[0].weights[1], (seen[1].weights - seen[0].weights)[1] / 0.01

    def energy(w: np.ndarray) -> float:
        return float(np.mean((np.tanh(np.outer(X, w)).mean(axis=1) - Y) ** 2) / 2 + 0.05 * np.mean(w**2))

    for i in range(4):
        shift = 1e-5 * np.eye(4)[i]
        gradient = (energy(start + shift) - energy(start - shift)) / 2e-5
        assert moved[i] == pytest.approx(-4 * gradient, rel=1e-4, abs=1e-5)


def test_copies_do_not_meet() -> None:
    """Without noise the first of many copies goes its way as if it were alone."""
    cold = task(temperature=0.0)
    many = states(cold, (6, 5), 0.1, [30], 3)[30]
    alone = states(cold, (1, 5), 0.1, [30], 3)[30]
    np.testing.assert_allclose(many.weights[0], alone.weights[0], atol=1e-5)
    assert many.outputs.shape == (6, 3)
    assert np.ptp(many.weights.mean(axis=1)) > 0.01


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_without_data_weights_are_normal(seed: int) -> None:
    """Variance lambda/r/(1 - h r/2) and no memory of the start."""
    free = ParticleTask(Activation("0*tanh(z) + z/1000000"), np.array([1e-6]), np.zeros(1), 0.5, 0.2)
    seen = states(free, (40, 500), 0.2, [0, 80], seed)
    weights = seen[80].weights
    expected = 0.4 / (1 - 0.05)
    assert weights.var() == pytest.approx(expected, rel=5 * math.sqrt(2 / 20_000))
    assert abs(np.mean(weights * seen[0].weights)) < 5 * math.sqrt(expected / 20_000)
    assert entropy(weights) == pytest.approx(-0.5 * math.log(2 * math.pi * math.e * expected), abs=0.03)


def test_one_trajectory_gives_all_times_and_the_same_bits() -> None:
    one = states(task(), (3, 8), 0.05, [4, 10], 5)
    two = states(task(), (3, 8), 0.05, [4], 5)
    assert np.array_equal(one[4].weights, two[4].weights)
    np.testing.assert_allclose(one[10].outputs, np.tanh(one[10].weights[:, None, :] * X[:, None]).mean(-1), atol=1e-6)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_entropies_of_known_laws(seed: int) -> None:
    draw, count = np.random.default_rng(seed), 20_000
    known = {
        "normal": (draw.standard_normal(count), -0.5 * math.log(2 * math.pi * math.e)),
        "uniform": (draw.random(count), 0.0),
        "laplace": (draw.laplace(size=count), -math.log(2 * math.e)),
    }
    for weights, value in known.values():
        assert entropy(weights) == pytest.approx(value, abs=entropy_bias(count) + 5 * 1.2 / math.sqrt(count))
    with pytest.raises(InputError, match="too few"):
        entropy(np.arange(5.0))


def test_the_bias_of_the_entropy_is_within_what_is_said() -> None:
    draw = np.random.default_rng(7)
    found = [entropy(draw.standard_normal(2000)) + 0.5 * math.log(2 * math.pi * math.e) for _ in range(400)]
    assert np.mean(found) + 4 * np.std(found) / 20 > 0
    assert np.mean(found) - 4 * np.std(found) / 20 < entropy_bias(2000)


@pytest.mark.parametrize("outputs", [Y, Y + 0.5, np.array([1.0, 0.0, -2.0])])
def test_gibbs_measures_of_linear_neurons(outputs: np.ndarray) -> None:
    """V = g w + r w^2/2: log Z = log(2 pi lambda/r)/2 + g^2/(2 r lambda)."""
    linear = task("z", ridge=0.4, temperature=0.1)
    g = float(np.mean((outputs - Y) * X))
    assert log_partition(linear, outputs) == pytest.approx(
        0.5 * math.log(2 * math.pi * 0.25) + g**2 / 0.08, abs=1e-9, rel=1e-9
    )
    drawn = -g / 0.4 + 0.5 * np.random.default_rng(1).standard_normal(50_000)
    exact = -0.5 * math.log(2 * math.pi * math.e * 0.25)
    assert gibbs_divergence(linear, drawn, exact, outputs) == pytest.approx(0.0, abs=2e-3), "its own law"
    assert gibbs_divergence(linear, drawn + 1, exact, outputs) == pytest.approx(0.1 * 1 / 0.5, abs=4e-3)


def test_the_least_free_energy_of_linear_neurons() -> None:
    """N(m, lambda/r), m = mean(x y)/(mean(x^2) + r): from its own Gibbs measure and from its definition."""
    linear = task("z", ridge=0.4, temperature=0.1)
    m = float(np.mean(X * Y) / (np.mean(X**2) + 0.4))
    exact = -0.5 * math.log(2 * math.pi * math.e * 0.25)
    direct = float(np.mean((m * X - Y) ** 2)) / 2 + 0.2 * (m**2 + 0.25) + 0.1 * exact
    assert gibbs_free_energy(linear, m * X) == pytest.approx(direct, abs=1e-9)
    drawn = m + 0.5 * np.random.default_rng(2).standard_normal(200_000)
    assert free_energy(linear, drawn, exact) == pytest.approx(direct, abs=2e-3)
