"""Directions learned in turn: the closed form against its differential equation, and limits known otherwise."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from giantstep.theory.dynamics.scaling import (
    EmergentDirections,
    first_overlaps,
    late_exponent,
    matched_overlaps,
    power_tail,
)


@pytest.mark.parametrize("order", [4, 6])
def test_one_direction_solves_its_equations(order: int) -> None:
    start, mass, amplitude = 0.2, 1e-3, 0.5
    times = np.linspace(0, 30 if order == 4 else 100, 600)

    def velocity(_: float, y: np.ndarray) -> list[float]:
        m, rho = y
        pull = amplitude * order * m ** (order - 1) * (1 - m * m)
        return [pull, 4 * rho * (amplitude * m**order - rho)]

    solved = scipy.integrate.solve_ivp(velocity, (0, times[-1]), [start, mass], t_eval=times, rtol=1e-10, atol=1e-13)
    m, rho = solved.y
    theory = EmergentDirections(np.array([amplitude]), order, np.array([[start]]), mass)
    np.testing.assert_allclose(theory.learned(times)[0, 0], rho / amplitude * m**order, atol=2e-5)
    risk = amplitude**2 - 2 * amplitude * rho * m**order + rho**2
    np.testing.assert_allclose(theory.risks(times)[0], risk, atol=2e-5)
    half = np.interp(0.5, rho / amplitude * m**order, times)
    assert theory.times_of(0.5)[0] == pytest.approx(half, rel=0.02)


def test_times_go_like_the_inverse_amplitude() -> None:
    amplitudes = np.array([1.0, 0.5, 0.25])
    theory = EmergentDirections(amplitudes, 4, np.full((3, 1), 0.05), 1e-6)
    scaled = theory.times_of(0.5) * amplitudes
    assert scaled.max() / scaled.min() < 1.02  # a logarithm of a_p/rho is left
    assert scaled[0] > 1 / (8 * 0.05**2)


def test_a_direction_is_learned_wholly_however_long_it_took() -> None:
    theory = EmergentDirections(np.ones(1), 8, np.array([[0.077]]), 1e-3)
    assert theory.risks([3e5])[0, 0] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("order", [4, 6, 8])
@pytest.mark.parametrize("beta", [0.6, 1.0, 2.5])
def test_jumps_add_up_to_a_power(beta: float, order: int) -> None:
    assert late_exponent(beta, order) == pytest.approx(-(2 * beta - 1) / beta, abs=0.004)


def test_logarithms_of_single_runs_are_below_that_of_their_mean() -> None:
    spread = EmergentDirections(np.ones(2), 4, np.array([[0.1, 0.3], [0.1, 0.3]]), 1e-3)
    risks = spread._risks([10.0])[:, :, 0]
    pairs = np.log(risks[0][:, None] + risks[1] + 0.5)
    assert spread.mean_logarithm([10.0], 0.5)[0] == pytest.approx(pairs.mean(), abs=0.02)
    assert pairs.mean() < np.log(risks.mean(axis=1).sum() + 0.5) - 0.05


def test_first_overlaps_are_the_largest_of_many() -> None:
    drawn = np.abs(np.random.default_rng(0).standard_normal((20_000, 32))).max(axis=1) / np.sqrt(400)
    assert first_overlaps(400, 32, 2)[0].mean() == pytest.approx(drawn.mean(), rel=0.01)


def test_neurons_serve_one_direction() -> None:
    overlaps = np.array([[0.5, 0.4], [0.1, 0.05], [0.0, 0.2]])
    assert matched_overlaps(overlaps, np.array([1.0, 0.9]), 4, 0.5).ravel().tolist() == [0.5, 0.2]


def test_the_tail_of_a_power() -> None:
    assert power_tail(2.0, 0) == pytest.approx(np.pi**2 / 6)
    assert power_tail(2.0, 2) == pytest.approx(np.pi**2 / 6 - 1.25)
