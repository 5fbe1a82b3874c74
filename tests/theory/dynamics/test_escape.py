"""Escape of one neuron on the sphere: the drift near 0, the diffusion against its simulation, and the limits."""

from __future__ import annotations

import math

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import Activation, Target
from giantstep.theory.dynamics import asymptotic_exponent, escape_samples
from giantstep.theory.dynamics.escape import escape_step, sphere_overlap

CASES = {
    1: (Activation("erf(z/sqrt(2))"), Target("x1"), 0.5),
    2: (Activation("relu"), Target("He2(x1)/sqrt(2)"), 0.3),
    3: (Activation("sin(sqrt(3)*z)"), Target("-He3(x1)/sqrt(6)"), 0.2),
}


@pytest.mark.parametrize("exponent", [1, 2, 3])
def test_drift_and_noise_at_small_overlap(exponent: int) -> None:
    """v ~ gamma mu_l C_l m^(l-1)/(l-1)! - ..., and at m = 0 the noise is E[e^2 s'^2 x1^2]."""
    sigma, target, _ = CASES[exponent]
    law, m = sphere_overlap(target, sigma, 0.5), np.array([0.02])
    gamma = 1e-6
    v, _ = law.velocity_and_spread(m, gamma, 100)
    size = sigma.hermite_coefficient(exponent) * float(target.tensor(exponent).ravel()[0])
    expected = gamma * size / math.factorial(exponent - 1) * m ** (exponent - 1)
    np.testing.assert_allclose(v, expected * (1 - m**2), rtol=5e-3)
    rng = np.random.default_rng(1)
    h, x = rng.standard_normal((2, 400_000))
    terms = ((target(x[:, None]) - sigma(h)) * sigma.derivative(h) * x) ** 2
    _, spread = law.velocity_and_spread(np.zeros(1), 1.0, 100)
    assert abs(100 * spread[0] - terms.mean()) < 5 * terms.std() / 400_000**0.5


@pytest.mark.parametrize("exponent", [1, 2, 3])
def test_half_of_simulated_diffusions_have_escaped(exponent: int) -> None:
    sigma, target, step = CASES[exponent]
    d, runs, parts = 64, 2000, 400
    gamma = escape_step(target, d, step)
    law = sphere_overlap(target, sigma, 0.5)
    time = law.half_escaped(gamma, d)
    rng = np.random.default_rng(2)
    start = rng.standard_normal((d, runs))
    m = np.abs(start[0]) / np.linalg.norm(start, axis=0)
    inside, dt = m < 0.5, time / parts
    for _ in range(parts):
        v, spread = law.velocity_and_spread(np.clip(m, -0.5, 0.5), gamma, d)
        m = m + v * dt + np.sqrt(spread * dt) * rng.standard_normal(runs)
        inside &= np.abs(m) < 0.5
    assert inside.mean() == pytest.approx(0.5, abs=4 * 0.5 / runs**0.5 + 0.02)  # 0.02: crossings between time steps


def test_small_steps_leave_the_differential_equation() -> None:
    sigma, target, _ = CASES[2]
    law = sphere_overlap(target, sigma, 0.5)
    ratio = [law.half_escaped(g, 400) / law.without_noise(g, 400) for g in (0.3, 0.003)]
    assert ratio[0] < 0.95
    assert ratio[1] == pytest.approx(1.0, abs=0.015)


@pytest.mark.parametrize("exponent", [1, 2, 3])
def test_exponents_for_large_d(exponent: int) -> None:
    sigma, target, step = CASES[exponent]
    d = 2**15
    small, large = (escape_samples(target, sigma, n, step, 0.0, 0.5)[0] for n in (d // 4, d))
    assert math.log(large / small) / math.log(4) == pytest.approx(asymptotic_exponent(exponent, d, 4), abs=0.015)


def test_steps_that_are_too_large_never_escape() -> None:
    """Noise pushes the overlap back: with l = 2 and a step beyond 2c/b the neuron stays at chance."""
    sigma, target, _ = CASES[2]
    law = sphere_overlap(target, sigma, 0.5)
    assert law.without_noise(3.0, 10_000) == math.inf
    assert law.half_escaped(3.0, 10_000) > 100 * law.half_escaped(0.3, 10_000)


def test_a_start_beyond_the_level_has_escaped_and_two_directions_are_refused() -> None:
    assert sphere_overlap(Target("x1"), Activation("relu"), 0.1).half_escaped(0.1, 8) == 0.0
    with pytest.raises(InputError, match="towards one direction"):
        sphere_overlap(Target("x1*x2"), Activation("relu"), 0.5)


def test_a_neuron_without_a_slope_never_escapes() -> None:
    overlap = sphere_overlap(Target("He3(x1)"), Activation("sign(z)"), 0.5)
    assert overlap.half_escaped(0.1, 64) == np.inf
    assert overlap.share_escaped(0.1, 64, 10.0) < 1e-3
