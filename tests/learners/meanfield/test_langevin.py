"""Mean-field Langevin dynamics: gradients, the prior as its law without data, schedules and a problem it solves."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners.meanfield import Langevin, Particles, random_particles, run_langevin
from giantstep.problems.inputs import ParityInputs
from giantstep.streams import Streams


def parity(n: int, d: int, seed: int, alpha: float = 0.75) -> tuple[np.ndarray, np.ndarray]:
    x = ParityInputs(2, alpha).draw(Streams(seed).child("x").generator(), n, d)
    return x, np.sign(x[:, 0] * x[:, 1])


def loss(particles: Particles, x: np.ndarray, y: np.ndarray) -> float:
    return float(np.mean(np.log1p(np.exp(-y * particles(x)))))


def test_without_noise_a_step_is_the_gradient_of_the_loss() -> None:
    """N times the gradient by one particle, in the metric diag(d, .., d, 1, 1), by finite differences."""
    x, y = parity(30, 6, 1)
    start = random_particles(5, 6, 3.0, Streams(2))
    step = 1e-3
    end = run_langevin(start, x, y, Langevin(0.0, 1, step), Streams(3)).particles
    for name, metric in (("weights", 6.0), ("biases", 1.0), ("offsets", 1.0)):
        moved = (getattr(end, name) - getattr(start, name)) / step
        for place in list(np.ndindex(moved.shape))[:8]:
            sides = []
            for change in (1e-5, -1e-5):
                parts = {k: getattr(start, k).copy() for k in ("weights", "biases", "offsets")}
                parts[name][place] += change
                sides.append(loss(Particles(**parts, bound=3.0), x, y))
            gradient = (sides[0] - sides[1]) / 2e-5
            assert moved[place] == pytest.approx(-5 * metric * gradient, rel=1e-4, abs=1e-7)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_without_a_signal_the_law_stays_the_prior(seed: int) -> None:
    """A neuron of bound zero feels the prior only: variances d and 1, up to the step's own bias eta lambda/2."""
    x, y = parity(10, 8, seed)
    start = random_particles(4000, 8, 0.0, Streams(seed).child("start"))
    end = run_langevin(start, x, y, Langevin(0.5, 60, 0.1), Streams(seed)).particles
    wide = 1 / (1 - 0.05 / 2)
    assert np.mean(end.weights**2) == pytest.approx(8 * wide, rel=0.04)
    assert np.mean(end.biases**2) == pytest.approx(wide, rel=0.11)
    assert abs(np.mean(end.weights * start.weights)) / 8 < 0.1, "the start is forgotten"


@pytest.mark.parametrize("seed", [0, 1])
def test_it_learns_xor_with_its_own_step(seed: int) -> None:
    x, y = parity(150, 12, seed)
    start = random_particles(100, 12, 30.0, Streams(seed).child("start"))
    found = run_langevin(start, x, y, Langevin(5e-3, 800), Streams(seed))
    fresh = parity(500, 12, seed + 100)
    assert np.isfinite(found.losses).all()
    assert found.losses[-1] < 0.3 * found.losses[0]
    assert found.particles.accuracy(*fresh) > 0.9
    assert found.particles.energy(2) > start.energy(2)


def test_its_own_step_does_not_blow_up() -> None:
    """Without noise the loss falls at every look, however bold the neurons are."""
    x, y = parity(60, 10, 5)
    start = random_particles(50, 10, 30.0, Streams(1))
    losses = run_langevin(start, x, y, Langevin(0.0, 200), Streams(1)).losses
    assert (np.diff(losses[::20]) < 0).all()


def test_the_same_streams_give_the_same_bits_and_temperatures_fall() -> None:
    x, y = parity(20, 6, 1)
    start = random_particles(7, 6, 30.0, Streams(2))
    cold = Langevin((0.1, 0.001), 30)
    one, two = (run_langevin(start, x, y, cold, Streams(4)).particles.weights for _ in range(2))
    assert np.array_equal(one, two)
    assert np.allclose(np.diff(np.log(cold.temperatures())), np.log(0.01) / 29)


def test_refusals() -> None:
    with pytest.raises(InputError, match="1 or more"):
        Langevin(0.1, 0)
    with pytest.raises(InputError, match="must be positive, or 0"):
        Langevin((0.1, 0.0), 10)
    with pytest.raises(InputError, match="step times temperature"):
        Langevin(1.0, 10, 0.6)
