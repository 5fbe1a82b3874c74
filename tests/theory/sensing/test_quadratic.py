"""Spectra with noise, and the minimum of quadratic networks, against limits that are known otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.theory.sensing.quadratic import NoisySpectrum, noisy_spectrum, quadratic_limit


def power_law(d: int, exponent: float) -> Array:
    values = np.arange(1, d + 1) ** -exponent
    return np.asarray(values * np.sqrt(d / (values @ values)))


def test_noise_alone_is_the_semicircle() -> None:
    seen = noisy_spectrum(np.zeros(50))
    assert seen.x[0] == pytest.approx(2, abs=0.01)
    assert seen.mass @ seen.x**4 == pytest.approx(2, abs=1e-6)
    assert np.allclose(seen.hilbert, seen.x / 2)


def test_the_moments_are_exact() -> None:
    a = 2 * power_law(60, 1.25)
    seen = noisy_spectrum(a)
    assert seen.mass.sum() == pytest.approx(1)
    assert seen.mass @ seen.x == pytest.approx(a.mean(), abs=1e-8)
    assert seen.mass @ seen.x**2 == pytest.approx(1 + (a**2).mean(), rel=1e-6)
    assert seen.mass @ (seen.x * seen.truth) == pytest.approx((a**2).mean(), rel=1e-6)


def test_an_outlier_is_pushed_out_by_its_inverse() -> None:
    """lambda + 1/lambda, and the truth along it is lambda (1 - 1/lambda^2): Baik, Ben Arous and Peche."""
    a = np.zeros(400)
    a[0] = 3.0
    seen = noisy_spectrum(a)
    own = seen.top(1 / 400) * seen.mass
    assert own @ seen.x / own.sum() == pytest.approx(3 + 1 / 3, rel=0.005)
    assert own @ seen.truth / own.sum() == pytest.approx(3 * (1 - 1 / 9), rel=0.01)


def test_drawn_matrices_have_this_spectrum() -> None:
    d, tau, rng = 120, 1.5, np.random.default_rng(0)
    truth = power_law(d, 0.8)
    seen, found = noisy_spectrum(tau * truth), []
    for _ in range(6):
        drawn = rng.standard_normal((d, d))
        e = np.linalg.eigvalsh((drawn + drawn.T) / np.sqrt(2 * d) + np.diag(tau * truth))
        found.append([np.mean(np.maximum(e - 1, 0) ** 2), np.mean(e[-10:])])
    above, ten = np.mean(found, axis=0)
    assert seen.mass @ np.maximum(seen.x - 1, 0) ** 2 == pytest.approx(above, rel=0.04)
    top = seen.top(10 / d) * seen.mass
    assert top @ seen.x / top.sum() == pytest.approx(ten, rel=0.02)


def test_a_large_decay_leaves_nothing_and_many_samples_leave_no_error() -> None:
    truth = power_law(40, 1.0)
    nothing = quadratic_limit(truth, 400, 40, 0.5, 50.0)
    assert nothing.risk == pytest.approx(1)
    assert nothing.used == pytest.approx(0)
    assert nothing.training_error == pytest.approx(2 + 0.25, rel=1e-3)
    assert quadratic_limit(truth, 4_000_000, 40, 0.5, 1e-3).risk < 2e-3


def test_few_neurons_and_many_samples_leave_the_tail_of_the_truth() -> None:
    truth = power_law(40, 1.0)
    assert quadratic_limit(truth, 10_000_000, 5, 0.1, 1e-3).risk == pytest.approx((truth[5:] ** 2).sum() / 40, rel=0.01)


def test_width_beyond_the_rank_changes_nothing() -> None:
    truth = power_law(40, 1.0)
    convex = quadratic_limit(truth, 800, 40, 0.5, 0.2)
    assert 1 < convex.used < 30
    assert quadratic_limit(truth, 800, 30, 0.5, 0.2).risk == pytest.approx(convex.risk, rel=1e-5)
    assert quadratic_limit(truth, 800, 2, 0.5, 0.2).risk > 1.05 * convex.risk


def test_the_risk_has_a_double_descent_in_the_width() -> None:
    truth = power_law(100, 0.8)
    risks = [quadratic_limit(truth, 3000, width, 0.7, 0.05).risk for width in (1, 4, 20, 100)]
    assert risks[0] > 1.3 * risks[1]
    assert risks[2] > 1.5 * risks[1]
    assert risks[2] > 1.5 * risks[3]


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(InputError, match="decay"):
        quadratic_limit(power_law(40, 1.0), 100, 4, 0.5, 0.0)
    with pytest.raises(InputError, match="sum up to d"):
        quadratic_limit(np.ones(40) / 2, 100, 4, 0.5, 0.1)


def test_a_spectrum_of_nothing_says_so() -> None:
    nothing = np.zeros(0)
    assert repr(NoisySpectrum(nothing, nothing, nothing, nothing)) == "NoisySpectrum(no nodes)"
