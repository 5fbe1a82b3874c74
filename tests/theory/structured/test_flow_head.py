"""What the flow on samples leaves, against plain numerical averages."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep import Activation, Target
from giantstep.theory.structured import beside_spike_floor, component_risk, direction_variance, head_risk, unexplained
from giantstep.theory.structured.flows import SpikedFlow

SQUARE = Target("He2(x1)/sqrt(2)")


def flow(theta: float = 10.0, rho: float = 0.3, activation: str = "relu") -> SpikedFlow:
    return SpikedFlow(SQUARE, Activation(activation), theta, rho)


def test_the_variance_of_the_direction_is_that_of_the_estimating_equation() -> None:
    """By sums over a fine grid, and as a matched neuron without noise has none."""
    z = np.linspace(-9, 9, 200_001)
    mass = np.exp(-(z**2) / 2) / np.exp(-(z**2) / 2).sum()
    error, slope = (z**2 - 1) / np.sqrt(2) - np.maximum(z, 0), (z > 0).astype(float)
    m = mass @ (error * slope * z)
    spread = mass @ ((error * slope - m * z) ** 2 + 0.3**2 * slope)
    zeta = 2 * (1 / np.sqrt(2)) * (1 / np.sqrt(2 * np.pi))  # 2 * 2! a_2 a*_2
    assert direction_variance(flow(), 0.3) == pytest.approx(spread / zeta**2, rel=1e-4)
    assert direction_variance(flow(theta=1.0, rho=0.9), 0.3) == pytest.approx(direction_variance(flow(), 0.3))
    matched = flow(activation="He2(z)/sqrt(2)")
    assert direction_variance(matched, 0.0) == pytest.approx(0, abs=1e-10)
    assert direction_variance(matched, 1.0) == pytest.approx(4 / 2 / 4)  # E s'^2/zeta^2, s' = sqrt(2) z, zeta = 2


def test_what_a_correlated_variable_knows() -> None:
    target = Target("x1/2 + He3(x1)/sqrt(6)")
    assert unexplained(target, 1.0) == pytest.approx(0)
    assert unexplained(target, 0.0) == pytest.approx(1.25)
    assert unexplained(target, 0.5) == pytest.approx(0.25 * 0.5 + (1 - 0.125))


def test_a_rich_head_with_many_samples_reaches_what_can_be_known() -> None:
    generator = np.random.default_rng(0)
    signs, biases = generator.choice([-1.0, 1.0], 150), generator.standard_normal(150)
    risk = head_risk(SQUARE, Activation("relu"), 10**9, 1e-8, 0.1, signs, biases, 0.81)
    assert risk == pytest.approx(unexplained(SQUARE, 0.81), rel=1e-2)
    noisy = head_risk(SQUARE, Activation("relu"), 10**4, 1e-8, 1.0, signs, biases, 0.81)
    assert noisy - risk > 100 * 1.0 / 10**4  # some 150 coefficients, each of variance noise^2/n


def test_a_component_along_the_target_is_the_target() -> None:
    assert component_risk(flow(theta=1e6, rho=1.0), 1e6, 10, 0.0) == pytest.approx(0, abs=1e-4)
    half = component_risk(flow(theta=1e9, rho=1e-9), 1e6, 10, 0.0)
    assert half == pytest.approx(1.0, abs=1e-3)


def test_kernels_know_little_beside_the_spike() -> None:
    r2 = flow().r ** 2
    assert beside_spike_floor(flow(), 200, 400) == pytest.approx((1 - r2) ** 2, rel=0.05)
    assert beside_spike_floor(flow(rho=1.0), 200, 400) == pytest.approx(0)
    assert beside_spike_floor(flow(), 20, 10**4) == pytest.approx(0, abs=1e-12)
