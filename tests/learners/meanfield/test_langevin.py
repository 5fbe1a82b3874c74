"""Mean-field Langevin dynamics: gradients, the prior as its law without data, schedules and a problem it solves."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners import run
from giantstep.learners.meanfield import Langevin, MeanFieldNetwork, prior_network
from giantstep.problems.inputs import ParityInputs
from giantstep.streams import Streams


def parity(n: int, d: int, seed: int, alpha: float = 0.75) -> tuple[np.ndarray, np.ndarray]:
    x = ParityInputs(2, alpha).draw(Streams(seed).child("x").generator(), n, d)
    return x, np.sign(x[:, 0] * x[:, 1])


def loss(network: MeanFieldNetwork, x: np.ndarray, y: np.ndarray) -> float:
    return float(np.mean(np.log1p(np.exp(-y * network(x)))))


def test_without_noise_a_step_is_the_gradient_of_the_loss() -> None:
    """N times the gradient by one particle, in the metric diag(d, .., d, 1, 1), by finite differences."""
    x, y = parity(30, 6, 1)
    start = prior_network(6, 5, 3.0, Streams(2))
    step = 1e-3
    end = run(Langevin(x, y, 0.0, Streams(3), step=step), start, times=[1]).last.network
    for name, metric in (("weights", 6.0), ("biases", 1.0), ("offsets", 1.0)):
        moved = (getattr(end, name) - getattr(start, name)) / step
        for place in list(np.ndindex(moved.shape))[:8]:
            sides = []
            for change in (1e-5, -1e-5):
                parts = {k: getattr(start, k).copy() for k in ("weights", "biases", "offsets")}
                parts[name][place] += change
                sides.append(loss(MeanFieldNetwork(**parts, bound=3.0), x, y))
            gradient = (sides[0] - sides[1]) / 2e-5
            assert moved[place] == pytest.approx(-5 * metric * gradient, rel=1e-4, abs=1e-7)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_without_a_signal_the_law_stays_the_prior(seed: int) -> None:
    """A neuron of bound zero feels the prior only: variances d and 1, up to the step's own bias eta lambda/2."""
    x, y = parity(10, 8, seed)
    start = prior_network(8, 4000, 0.0, Streams(seed).child("start"))
    end = run(Langevin(x, y, 0.5, Streams(seed), step=0.1), start, times=[60]).last.network
    wide = 1 / (1 - 0.05 / 2)
    assert np.mean(end.weights**2) == pytest.approx(8 * wide, rel=0.04)
    assert np.mean(end.biases**2) == pytest.approx(wide, rel=0.11)
    assert abs(np.mean(end.weights * start.weights)) / 8 < 0.1, "the start is forgotten"


@pytest.mark.parametrize("seed", [0, 1])
def test_it_learns_xor_with_its_own_step(seed: int) -> None:
    x, y = parity(150, 12, seed)
    start = prior_network(12, 100, 30.0, Streams(seed).child("start"))
    found = run(Langevin(x, y, 5e-3, Streams(seed)), start, steps=800, watch=["loss"])
    fresh, network = parity(500, 12, seed + 100), found.last.network
    assert found["loss"][0] == pytest.approx(loss(start, x, y))
    assert found["loss"][-1] == pytest.approx(loss(network, x, y))
    assert found["loss"][-1] < 0.3 * found["loss"][0]
    assert network.accuracy(*fresh) > 0.9
    assert network.energy(2) > start.energy(2)


def test_its_own_step_does_not_blow_up() -> None:
    """Without noise the loss falls at every look, however bold the neurons are."""
    x, y = parity(60, 10, 5)
    start = prior_network(10, 50, 30.0, Streams(1))
    losses = run(Langevin(x, y, 0.0, Streams(1)), start, steps=199, watch=["loss"])["loss"]
    assert (np.diff(losses[::20]) < 0).all()


def test_the_same_streams_give_the_same_bits_and_temperatures_fall() -> None:
    x, y = parity(20, 6, 1)
    start = prior_network(6, 7, 30.0, Streams(2))
    cold = Langevin(x, y, (0.1, 0.001), Streams(4))
    one, two = (run(cold, start, times=times).last.network.weights for times in ([30], range(31)))
    assert np.array_equal(one, two)
    assert np.allclose(np.diff(np.log(cold.temperatures(30))), np.log(0.01) / 29)


def test_refusals() -> None:
    x, y = parity(20, 6, 1)
    with pytest.raises(InputError, match="must be positive, or 0"):
        Langevin(x, y, (0.1, 0.0), Streams(0))
    with pytest.raises(InputError, match="step times temperature"):
        Langevin(x, y, 1.0, Streams(0), step=0.6)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda x, y: (x, (y + 1) / 2), r"signs, -1 or \+1, but there are 0, 1; turn 0 and 1 into signs by 2 y - 1"),
        (lambda x, y: (x, 2 * y), "signs"),
        (lambda x, y: (np.where(x == x[0, 0], np.nan, x), y), "finite"),
        (lambda x, y: (x[:-1], y), r"\(29, 6\) and \(30,\)"),
        (lambda x, y: (x[:, 0], y), r"\(n, d\)"),
        (lambda x, y: (x, y[:, None]), r"\(n,\)"),
        (lambda x, y: (x, ["a"] * len(y)), "must be numbers"),
    ],
)
def test_data_that_cannot_be_learned_are_refused(change, words: str) -> None:
    x, y = change(*parity(30, 6, 1))
    with pytest.raises(InputError, match=words):
        Langevin(x, y, 0.01, Streams(0))


def test_a_start_in_another_dimension_is_refused_and_lists_are_taken() -> None:
    x, y = parity(30, 6, 1)
    dynamics = Langevin(x.tolist(), y.tolist(), 0.01, Streams(0))
    with pytest.raises(InputError, match=r"weights must be \(N, 6\)"):
        run(dynamics, prior_network(5, 8, 3.0, Streams(1)), times=[1])
    assert np.isfinite(run(dynamics, prior_network(6, 8, 3.0, Streams(1)), times=[2]).last.loss)
