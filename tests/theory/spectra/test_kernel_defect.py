"""The difference of the expected kernel from its linear part, against kernels computed without a series."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep import Activation, Streams
from giantstep.gaussian.quadrature import gauss_hermite
from giantstep.theory.spectra import KernelDefect


def second_moments(activation: Activation, weights: np.ndarray) -> np.ndarray:
    """E s(<w_i, x>) s(<w_j, x>) by quadrature over the plane of each pair."""
    z, mass = gauss_hermite(80)
    x, y = np.meshgrid(z, z)
    both, gram = np.outer(mass, mass), weights @ weights.T
    found = np.empty_like(gram)
    for i in range(len(gram)):
        for j in range(len(gram)):
            r, c = np.sqrt(gram[i, i]), gram[i, j] / np.sqrt(gram[i, i])
            rest = np.sqrt(max(0.0, gram[j, j] - c**2))
            found[i, j] = np.sum(both * activation(r * x) * activation(c * x + rest * y))
    return found


@pytest.mark.parametrize("name", ["tanh", "centered(z**2/4 + z)", "centered(softplus)"])
def test_orthogonal_neurons_of_any_length_are_exact_up_to_the_mean_of_squared_overlaps(name: str) -> None:
    activation, defect = Activation(name), KernelDefect(Activation(name))
    turned = np.linalg.qr(Streams(1).generator().standard_normal((6, 6)))[0]
    weights = turned * np.linspace(0.7, 1.4, 6)[:, None]
    moments = activation.moments
    exact = second_moments(activation, weights) - moments.mu1**2 * weights @ weights.T - moments.mu2_squared * np.eye(6)
    known = defect.matrix(weights)
    assert np.diag(known) == pytest.approx(np.diag(exact), abs=1e-6)
    off = ~np.eye(6, dtype=bool)
    equal = defect.matrix(turned)[0, 1]
    assert equal == pytest.approx(defect.curvature**2 / 12, abs=1e-6)  # 1/(2d) for d = 6
    assert (known - exact)[off].min() >= -1e-6


def test_what_lengths_do_is_within_its_bound_and_nearly_reaches_it() -> None:
    defect = KernelDefect(Activation("tanh"))
    weights = np.diag(np.sqrt(1 + 0.01 * np.array([-1.0, 1.0, 0.5])))
    found = float(np.linalg.norm(defect.matrix(weights), 2))
    bound = defect.next_order(0.01, 1.01)
    assert 0.3 * bound < found <= 1.02 * bound


def test_the_two_spikes_are_equal_without_a_mean_and_absent_for_odd_activations() -> None:
    relu, tanh = KernelDefect(Activation("centered(relu)")), KernelDefect(Activation("tanh"))
    assert relu.of_overlaps(2.0) == pytest.approx(1 / (2 * np.pi))
    assert relu.of_lengths(2.0, 3.0, 0.0) == relu.of_overlaps(2.0)
    assert relu.of_lengths(2.0, 3.0, 0.5) - relu.of_overlaps(2.0) == pytest.approx(1.5**2 / (2 * np.pi) ** 2)
    assert tanh.of_lengths(2.0, 3.0, 0.5) == tanh.of_overlaps(2.0) == 0.0
