"""Functions of a Gaussian argument with many means and scales: coefficients, what is left, and what partners share."""

import tracemalloc
from math import factorial, sqrt

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.gaussian.hermite import hermite
from giantstep.gaussian.kernels import dual_kernel, interpolated, local_law
from giantstep.gaussian.kernels.conditioned import local_series
from giantstep.gaussian.quadrature import expect
from giantstep.problems import Activation


@pytest.mark.parametrize("text", ["relu", "tanh(z + 0.5)", "abs(z - 1) + relu(z + 2)", "He2(z)"])
def test_coefficients_are_those_of_adaptive_quadrature(text: str) -> None:
    f, rng = Activation(text), np.random.default_rng(0)
    mean, scale = 3 * rng.standard_normal(8), np.exp(rng.uniform(-1, 1.5, 8))
    series, square = local_series(f, mean, scale, 4)
    for i, (m, r) in enumerate(zip(mean, scale, strict=True)):
        breaks = [(kink - m) / r for kink in f.kinks]
        size = sqrt(square[i])
        assert square[i] == pytest.approx(expect(lambda z, m=m, r=r: f(m + r * z) ** 2, breaks).value, rel=1e-6)
        for k in range(5):
            exact = expect(lambda z, m=m, r=r, k=k: f(m + r * z) * hermite(k, z), breaks).value / sqrt(factorial(k))
            assert series[k, i] == pytest.approx(exact, abs=1e-6 * size)


def test_large_scales_take_no_more_memory_and_larger_ones_are_refused() -> None:
    tracemalloc.start()
    try:
        series, square = local_series(np.tanh, np.zeros(300), np.full(300, 1000.0), 1)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 3e8
    # tanh(tau z) is the sign of z but for |z| of order 1/tau: E|z| for its slope.
    assert series[1] == pytest.approx(np.sqrt(2 / np.pi), rel=1e-5)
    assert square == pytest.approx(1 - 2 / 1000 / np.sqrt(2 * np.pi), rel=1e-4)
    with pytest.raises(InputError, match=r"spreads over 1e\+06, and at most 1024 can be resolved; take a smaller step"):
        local_series(np.tanh, np.zeros(3), np.full(3, 1e6), 1)


@pytest.mark.parametrize(("text", "share"), [("relu", 0.01), ("tanh", 0.01), ("He3(z)/6 + z", 1e-9)])
@pytest.mark.parametrize("rho", [-0.6, 0.0, 0.5, 1.0])
def test_what_partners_share_is_their_kernel_without_mean_and_line(text: str, share: float, rho: float) -> None:
    """At u = 0 the exact covariance of the rests is a dual kernel; the degrees cut off are a small share of it."""
    f, tau = Activation(text), np.array([0.8, 1.7])
    law = local_law(f, np.zeros(2), tau, np.zeros(1), np.array([rho]))
    kernel = float(dual_kernel(f, f, tau[0] ** 2, tau[1] ** 2, rho * tau[0] * tau[1]))
    exact = kernel - law.mean[0].prod() - rho * law.linear[0].prod()
    assert law.shared[0, 0] == pytest.approx(exact, abs=share * sqrt(law.rest[0].prod()))
    assert abs(law.shared[0, 0]) <= sqrt(law.rest[0].prod()) * (1 + 1e-12)


def test_unpaired_functions_share_nothing() -> None:
    law = local_law(Activation("relu"), np.ones(4), np.ones(4), np.array([0.3]))
    assert not law.shared.any()


def test_interpolation_gives_the_law_itself() -> None:
    rng = np.random.default_rng(1)
    kappa, tau, u = rng.standard_normal(6), 0.8 + rng.random(6), rng.standard_normal(50)
    partner = np.array([0.9, -0.2, 0.4])

    def law(places: np.ndarray):
        return local_law(Activation("relu"), kappa, tau, places, partner)

    exact, table = law(u), interpolated(law, u, 0.1)
    for name in ("mean", "linear", "rest", "shared"):
        assert getattr(table, name) == pytest.approx(getattr(exact, name), abs=2e-4)
    constant = interpolated(law, np.zeros(5), 0.1)
    assert constant.rest == pytest.approx(np.tile(law(np.zeros(1)).rest, (5, 1)))
