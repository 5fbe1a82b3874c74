"""Samples used twice: the coefficients in known limits, the drift by quadrature, and what theory says at large d."""

from __future__ import annotations

import math

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.gaussian.quadrature import gauss_hermite
from giantstep.problems import Activation, Target
from giantstep.theory.dynamics.repetition import (
    repetition_coefficients,
    repetition_exponent,
    repetition_share,
    repetition_time,
)
from giantstep.theory.dynamics.repetition.repeated_samples import repeated_overlap

HE3, RELU, TANH = Target("He3(x1)/sqrt(6)"), Activation("relu"), Activation("tanh")


def test_without_look_ahead_they_are_products_of_hermite_coefficients() -> None:
    target = Target("x1 + He2(x1) - He3(x1)/3")
    found = repetition_coefficients(target, TANH, 0.0, "look-ahead")
    wanted = [float(target.tensor(i).ravel()[0]) * TANH.hermite_coefficient(i) for i in (1, 2, 3)]
    np.testing.assert_allclose(found[:3], wanted, atol=1e-8)
    np.testing.assert_allclose(repetition_coefficients(target, TANH, 0.0, "twice"), 2 * found, atol=1e-12)


def test_small_look_ahead_is_an_expansion() -> None:
    """psi = y s' + rho y^2 s' s'' + (rho^2/2) y^3 s'^2 s''' + ...: mu_2 is of order rho, mu_1 of order rho^2."""
    rho = 0.01
    z, w = gauss_hermite(80)
    y, t = (z**3 - 3 * z) / math.sqrt(6), np.tanh(z)
    first, second = 1 - t**2, -2 * t * (1 - t**2)
    third = -2 * first**2 - 2 * t * second
    found = repetition_coefficients(HE3, TANH, rho, "look-ahead")
    assert found[0] == pytest.approx(rho**2 / 2 * (w @ (y**3 * z)) * (w @ (first**2 * third)), rel=0.05)
    assert found[1] == pytest.approx(rho * (w @ (y**2 * (z**2 - 1))) * (w @ (first * second * z)), rel=0.05)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_drift_and_noise_are_those_of_samples(activation: str) -> None:
    """Including the jump of relu, where rules of points are coarse."""
    sigma, m, gamma, d = Activation(activation), -0.35, 0.3, 100
    z, u = np.random.default_rng(1).standard_normal((2, 1_000_000))
    h = m * z + math.sqrt(1 - m**2) * u
    y = np.asarray(HE3(z[:, None]))
    psi = y * sigma.derivative(h + 0.7 * y * sigma.derivative(h))
    drift = gamma * psi * (z - m * h) - gamma**2 / 2 * m * psi**2
    law = repeated_overlap(HE3, sigma, 0.7, "look-ahead", 0.5)
    v, spread = (float(found[0]) for found in law.velocity_and_spread(np.array([m]), gamma, d))
    assert abs(v - drift.mean()) < 5 * drift.std() / 1000
    noise = gamma**2 / d * (psi * (z - m * h)) ** 2
    assert abs(spread - noise.mean()) < 5 * noise.std() / 1000


def test_exponents() -> None:
    assert repetition_exponent(HE3, RELU, 0.0, "look-ahead") is None, "relu has no third coefficient"
    assert repetition_exponent(HE3, TANH, 0.0, "look-ahead") == 3
    assert repetition_exponent(HE3, TANH, 0.5, "look-ahead") == 1
    assert repetition_exponent(Target("He4(x1)"), RELU, 1.0, "look-ahead") == 2
    with pytest.raises(InputError, match="one direction"):
        repetition_exponent(Target("x1*x2"), RELU, 1.0, "look-ahead")


def test_for_large_d_the_time_is_that_of_the_differential_equation_from_zero() -> None:
    law = repeated_overlap(HE3, RELU, 1.0, "look-ahead", 0.5)
    m = -np.linspace(0, 0.5, 4001)
    limit = float(np.trapezoid(1 / -law.velocity_and_spread(m, 0.3, 1)[0], -m))
    times = [repetition_time(HE3, RELU, d, 0.3, 1.0, "look-ahead", 0.5) for d in (4000, 10**6)]
    assert abs(times[1] / limit - 1) < 0.01 < abs(times[0] / limit - 1) < 0.04


def test_the_share_agrees_with_the_median() -> None:
    at = (HE3, RELU, 400, 0.3, 1.0, "look-ahead", 0.5)
    half = repetition_time(*at)
    shares = [repetition_share(*at, time) for time in (0.0, 0.5 * half, half, 4 * half)]
    assert shares == sorted(shares)
    assert shares[2] == pytest.approx(0.5, abs=0.01)
    assert shares[0] < 0.01
    assert shares[3] > 0.99
    assert repetition_share(HE3, RELU, 400, 0.3, 0.0, "look-ahead", 0.5, 300.0) == pytest.approx(0.0, abs=1e-6)
