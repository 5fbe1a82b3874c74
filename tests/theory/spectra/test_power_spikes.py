"""Spikes of powers in the feature matrix: limits, signals in a bulk drawn by hand, and refusals."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import Activation, Target
from giantstep.theory.spectra import ConjugateKernel, polynomial_spikes, signal_in_bulk

SINE = Activation("centered(sin(z + 0.5))")


@pytest.mark.parametrize(("samples", "neurons"), [(300, 150), (150, 300)])
def test_a_signal_in_random_features(samples: int, neurons: int) -> None:
    """A rank-one signal of independent vectors, added to features before any step."""
    rng, d, theta, seen = np.random.default_rng(1), 100, 2.5, []
    for _ in range(12):
        w = rng.standard_normal((neurons, d))
        noise = np.tanh(rng.standard_normal((samples, d)) @ (w / np.linalg.norm(w, axis=1, keepdims=True)).T)
        u, v = rng.standard_normal(samples), rng.standard_normal(neurons)
        u, v = u / np.linalg.norm(u), v / np.linalg.norm(v)
        left, values, _ = np.linalg.svd(noise / np.sqrt(neurons) + theta * np.outer(u, v), full_matrices=False)
        seen.append([values[0], (u @ left[:, 0]) ** 2])
    tanh = Activation("tanh").moments
    bulk = ConjugateKernel(tanh.mu1, tanh.mu2_squared, samples / d, neurons / d)
    chance = np.std(seen, axis=0) / np.sqrt(len(seen))
    assert np.all(np.abs(np.mean(seen, axis=0) - signal_in_bulk(bulk, theta)) < 4 * chance + [0.02, 0.01])


def test_a_small_signal_drowns() -> None:
    bulk = ConjugateKernel(0.6, 0.03, 4, 2)
    assert signal_in_bulk(bulk, 1e-3) == (pytest.approx(bulk.edge**0.5), 0.0)
    value, overlap = signal_in_bulk(bulk, 1e3)
    assert value == pytest.approx(1e3, rel=1e-3)
    assert overlap == pytest.approx(1, abs=1e-3)


def test_spikes_of_large_sizes_are_those_of_the_hermite_coefficients() -> None:
    """Far out and with a small gain: sqrt(n) c_k E[kappa^2k]^(1/2) E[u^2k]^(1/2), of the parts that are orthogonal."""
    d, n, width = 4 * 10**8, 4 * 10**10, 2 * 10**10
    found = polynomial_spikes(Target("x1"), SINE, d, n, width, 0.1 * width**0.5, count=3)
    coefficients = np.exp(-0.5) * np.array([np.cos(0.5), np.sin(0.5) / 2])
    expected = [np.sqrt(n) * coefficients[0] * found.gain, np.sqrt(n) * coefficients[1] * 3 * found.gain**2]
    assert found.values[:2] == pytest.approx(expected, rel=0.02)
    assert found.captured(3) == pytest.approx([1, 1, 1], abs=0.05)
    assert found.aligned[2, 2] == pytest.approx(6 / 15, abs=0.01)


def test_a_drawn_second_layer_is_one_draw_of_its_law() -> None:
    told = (Target("x1 + 1/2"), SINE, 200, 800, 4000, 60.0)
    a = np.random.default_rng(0).standard_normal(4000) / 4000**0.5
    of_law, of_draw = polynomial_spikes(*told), polynomial_spikes(*told, second_layer=a)
    assert of_draw.values == pytest.approx(of_law.values, rel=0.05)
    assert of_draw.captured(3) == pytest.approx(of_law.captured(3), abs=0.05)


def test_refusals() -> None:
    with pytest.raises(InputError, match="has a mean"):
        polynomial_spikes(Target("x1"), Activation("relu"), 50, 100, 100, 1)
    with pytest.raises(InputError, match="no common direction"):
        polynomial_spikes(Target("x1"), Activation("z**2 - 1"), 50, 100, 100, 1)
    with pytest.raises(InputError, match="one entry for each neuron"):
        polynomial_spikes(Target("x1"), SINE, 50, 100, 100, 1, second_layer=np.ones(3))
