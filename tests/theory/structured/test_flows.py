"""Flows under spiked inputs: the two-overlap equations against their closed forms, limits and finite differences."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.gaussian.kernels import hermite_at, second_moment_at
from giantstep.problems import Activation, Target
from giantstep.theory.structured.flows import (
    SpikedFlow,
    needed_samples_exponent,
    needed_time_exponent,
    random_start_law,
    spherical_path,
    start_exponent,
    typical_start,
    typical_time,
)
from giantstep.theory.structured.flows.normalised_flow import time_constant
from giantstep.theory.structured.flows.spherical_flow import _moments, _scale_table

RELU = Activation("relu(z - 1)")
CUBIC = Target("He3(x1)/sqrt(6)")


def test_the_gradient_coefficient_has_its_factorial() -> None:
    """d/d omega E[sigma(u) g(v)] over the correlation omega of u and v, by Monte-Carlo-free finite differences."""
    sigma, target = Activation("exp(z - 1/2)"), Target("x1 + He2(x1)/2 + He3(x1)/3")
    flow = SpikedFlow(target, sigma, 0.0, 1.0)

    def correlation(omega: float) -> float:
        z, w = np.polynomial.hermite_e.hermegauss(60)
        w = w / w.sum()
        u, v = z[:, None], omega * z[:, None] + (1 - omega**2) ** 0.5 * z[None, :]
        values = np.asarray(sigma(u)) * np.asarray(target(v.reshape(-1, 1))).reshape(v.shape)
        return float(w @ values @ w)

    slope = (correlation(0.3 + 1e-4) - correlation(0.3 - 1e-4)) / 2e-4
    assert float(flow.zeta(0.3)) == pytest.approx(slope, rel=1e-6)
    # Without i!, as the slides print it, the series is another one.
    written = sum((i + 1) ** 2 * a * b * 0.3**i for i, (a, b) in enumerate(((1, 1), (1 / 2, 1 / 2), (1 / 6, 1 / 3))))
    assert float(flow.printed(0.3)) == pytest.approx(written)
    assert abs(written - slope) > 0.04


@pytest.mark.parametrize(("k", "target"), [(1, "x1"), (2, "He2(x1)/sqrt(2)"), (3, "He3(x1)/sqrt(6)")])
def test_hitting_times_have_their_closed_forms(k: int, target: str) -> None:
    flow = SpikedFlow(Target(target), RELU, 30.0, 0.2)
    starts = np.array([1e-6, 1e-3, 0.2, 0.89])
    found = flow.hitting_time(starts, np.zeros(4), 0.9, True)
    wanted = [time_constant(k, s, 0.9) / (2 * flow.leading) for s in starts]
    np.testing.assert_allclose(found, wanted, rtol=1e-9)
    assert flow.exponent == k
    median = time_constant(k, typical_start(flow, 500), 0.9) / (2 * flow.leading)
    assert typical_time(flow, 500, 0.9) == pytest.approx(median, rel=1e-9)


def test_time_and_path_tell_the_same() -> None:
    flow = SpikedFlow(CUBIC, RELU, 9.0, 0.3)
    omega, m = np.array([0.1, 0.3]), np.array([-0.2, 0.4])
    for preconditioned in (True, False):
        time = flow.hitting_time(omega, m, 0.9, preconditioned)
        for i in range(2):
            path, _ = flow.normalised_path(omega, m, np.array([0.0, time[i]]), preconditioned)
            assert path[-1, i] == pytest.approx(0.9, abs=1e-6)


def test_a_flow_that_cannot_be_solved_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    flow, one, times = SpikedFlow(CUBIC, RELU, 1.0, 1.0), np.array([0.1]), np.array([0.0, 1.0])
    monkeypatch.setattr(
        "scipy.integrate.solve_ivp", lambda *_, **__: SimpleNamespace(success=False, y=np.zeros((2, 1)))
    )
    for solve in (
        lambda: flow.normalised_path(one, one, times, False),
        lambda: flow.hitting_time(one, one, 0.5, False),
        lambda: spherical_path(flow, one, one, times),
    ):
        with pytest.raises(InputError, match="solved"):
            solve()


def test_the_plain_flow_is_never_slower() -> None:
    flow = SpikedFlow(CUBIC, RELU, 100.0, 0.1)
    omega, m = flow.whitened(np.array([0.02, -0.01, 0.05]), np.array([0.05, 0.2, 0.01]))
    assert (flow.hitting_time(omega, m, 0.9, False) < flow.hitting_time(omega, m, 0.9, True)).all()


@pytest.mark.parametrize("text", ["relu(z - 1)", "relu", "z**3", "relu(z)**2 - z"])
def test_table_of_scales_is_exact(text: str) -> None:
    """Also for activations that grow like a power of the scale, of which nothing is lost at small scales."""
    sigma, s = Activation(text), np.array([1.0, 1.7, 40.0, 2000.0])
    moments, slope = _moments(_scale_table(sigma, 5), s)
    sizes = np.sqrt(second_moment_at(sigma, s))[:, None]
    np.testing.assert_allclose(moments.T / sizes, hermite_at(sigma, s, 5) / sizes, atol=1e-10)
    step = 1e-4 * s
    square = second_moment_at(sigma, np.concatenate([s + step, s - step]))
    np.testing.assert_allclose(slope, (square[:4] - square[4:]) / (2 * step), rtol=1e-6)


@pytest.mark.parametrize(("gamma1", "gamma2"), [(0.4, 0.2), (0.4, 0.6), (0.25, 0.75), (0.0, 0.5)])
def test_typical_start_is_the_median_of_drawn_starts(gamma1: float, gamma2: float) -> None:
    d = 10_000
    flow = SpikedFlow(CUBIC, RELU, d**gamma2, d**-gamma1)
    g = np.random.default_rng(1).standard_normal((40_000, 2))
    rest = d - 2
    size = np.sqrt((g**2).sum(axis=1) + rest)
    on_target = flow.rho * g[:, 0] + (1 - flow.rho**2) ** 0.5 * g[:, 1]
    omega, _ = flow.whitened(g[:, 0] / size, on_target / size)
    median = typical_start(flow, d)
    assert random_start_law(flow, d, median) == pytest.approx(0.5, abs=1e-3)
    assert np.mean(np.abs(omega) < median) == pytest.approx(0.5, abs=0.011)
    far = np.log(typical_start(SpikedFlow(CUBIC, RELU, 1e16**gamma2, 1e16**-gamma1), 10**16)) / np.log(1e16)
    assert far == pytest.approx(start_exponent(gamma1, gamma2), abs=0.02)


def test_regimes_are_continuous() -> None:
    for gamma1 in (0.1, 0.3, 0.5):
        for edge in (gamma1, 2 * gamma1):
            low, high = (needed_samples_exponent(3, gamma1, edge + e) for e in (-1e-9, 1e-9))
            assert low == pytest.approx(high, abs=1e-6)
    assert needed_samples_exponent(3, 0.25, 0.1) == 3
    assert needed_samples_exponent(3, 0.25, 0.75) == pytest.approx(1.5)
    assert needed_time_exponent(1, 0.25, 0.5) == 0
    assert needed_time_exponent(2, 0.4, 0.6) == pytest.approx(0.3)
    assert needed_time_exponent(4, 0.25, 0.75) == pytest.approx(0.25)
