"""What the weakest direction and all of them have in the new weights, and the noise of labels in a gradient's law."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.problems import Target
from giantstep.theory.visibility import direction_shares, hessian_alignment, label_gradient_law


def test_the_mean_over_neurons_is_the_closed_form_in_high_dimension() -> None:
    d, h = 10**6, np.array([-0.7, 0.5])
    overlaps = np.random.default_rng(0).standard_normal((200_000, 2)) / np.sqrt(d)
    samples = 8 * d**2
    weakest, whole = direction_shares(overlaps, h, 1.5, d, samples)
    assert weakest == pytest.approx(hessian_alignment(h[1:], 1.5, d, samples), abs=0.003)
    assert whole == pytest.approx(hessian_alignment(h, 1.5, d, samples), abs=0.003)


def test_noise_of_labels_adds_its_square_to_their_energy() -> None:
    target = Target("He2(x1)/sqrt(2)")
    quiet, noisy = (label_gradient_law(target, 64, 10**5, noise=noise) for noise in (0.0, 2.0))
    assert noisy.power == pytest.approx(5 * quiet.power)
