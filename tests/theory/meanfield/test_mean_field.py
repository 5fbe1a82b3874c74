"""The mean-field limit of neurons of one weight: the equation, its rest, fluctuations around it, and linear neurons."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import Activation
from giantstep.theory.meanfield import FokkerPlanck, MeanField, gaussian_law, mean_field_law
from giantstep.theory.meanfield.particle_law import fluctuations

X = (0.75, 1.5, 2.25, 3.0)
TANH = MeanField(Activation("tanh"), X, tuple(np.tanh(2 * np.array(X))), ridge=0.1, temperature=0.05)
SINE = MeanField(Activation("sin"), (1.0, 2.0), (0.5, -0.5), ridge=0.3, temperature=0.1, scale=0.7)
LINEAR = MeanField(Activation("2*z + 1"), (0.5, 1.0), (1.0, 3.0), ridge=0.5, temperature=0.2, scale=0.8)


@pytest.mark.parametrize("model", [TANH, SINE])
def test_mass_stays_positive_and_free_energy_falls(model: MeanField) -> None:
    equation = FokkerPlanck.on_line(model)
    path, _ = equation.path(5.0, 100)
    assert np.allclose(path.sum(axis=1), 1, atol=1e-12)
    assert path.min() > 0
    energies = np.array([equation.free_energy(p) for p in path])
    assert np.diff(energies).max() < 1e-15
    assert energies[0] - energies[-1] > 0.01


@pytest.mark.parametrize("model", [TANH, SINE, replace(TANH, temperature=0.01)])
def test_the_rest_is_its_own_gibbs_measure_and_the_least(model: MeanField) -> None:
    equation = FokkerPlanck.on_line(model)
    rest = equation.rest()
    mass = np.exp(equation.log_gibbs(rest))
    assert np.allclose(mass @ equation.features, rest, atol=1e-11)
    least = equation.free_energy(mass)
    for tilt in (np.tanh(equation.centres), equation.centres**2 - 1):
        for share in (-0.05, 0.05):
            other = mass * np.exp(share * tilt)
            assert equation.free_energy(other / other.sum()) > least
    moved, _ = FokkerPlanck.on_line(replace(model, scale=0.4)).path(60.0, 300)
    energy = FokkerPlanck.on_line(replace(model, scale=0.4)).free_energy(moved[-1])
    assert energy == pytest.approx(least, abs=1e-4), "and all starts lead there"


def test_linear_neurons_by_the_equation_are_their_closed_form() -> None:
    for time in (0.3, 2.0):
        numeric = mean_field_law(LINEAR, time)
        exact = gaussian_law(LINEAR, 1e-5, round(time / 1e-5))
        assert numeric.particle_error == pytest.approx(exact.particle_error, rel=2e-3)
        assert numeric.independent_error == pytest.approx(exact.independent_error, rel=2e-3)
        # Cells add a little diffusion, which a free energy that has fallen a thousandfold remembers.
        assert numeric.free_energy == pytest.approx(exact.free_energy, rel=0.02)
        assert numeric.sandwich == pytest.approx(exact.sandwich, rel=0.02)
        assert numeric.decay_rate == pytest.approx(exact.decay_rate, rel=5e-3)
        np.testing.assert_allclose(numeric.outputs, exact.outputs, atol=1e-3)
        np.testing.assert_allclose(numeric.rest_outputs, exact.rest_outputs, atol=1e-6)
        assert numeric.rate_bound == pytest.approx(exact.rate_bound, rel=1e-6)
        assert numeric.response == pytest.approx(exact.response, rel=1e-6)
        read = np.interp(exact.grid, numeric.grid, numeric.density)
        assert np.abs(read - exact.density).max() < 0.01 * exact.peak


def test_linear_neurons_step_by_step() -> None:
    """The recursion of means and variances, written out."""
    h, m, v, error = 0.1, 0.0, 0.64, 0.64
    a, pull, r = 4 * 0.625, 2 * np.mean([0.5 * 0.0, 1.0 * 2.0]), 0.5
    for _ in range(7):
        m, v = m - h * (a * m - pull + r * m), (1 - h * r) ** 2 * v + 0.04
        error = (1 - h * (a + r)) ** 2 * error + 0.04
    law = gaussian_law(LINEAR, h, 7)
    assert law.particle_error == pytest.approx(a * error)
    assert law.independent_error == pytest.approx(a * v)
    np.testing.assert_allclose(law.outputs, 2 * m * np.array([0.5, 1.0]) + 1)


@pytest.mark.parametrize("model", [TANH, SINE])
def test_fluctuations_at_rest_are_those_of_the_gibbs_measure_of_all_particles(model: MeanField) -> None:
    """exp(-N F(mu_N)/lambda) is at rest; expanded around the limit its outputs have (S^-1 + I/(n lambda))^-1."""
    equation = FokkerPlanck.on_line(model)
    mass = np.exp(equation.log_gibbs(equation.rest()))
    means = mass @ equation.features
    spread = (equation.features.T * mass) @ equation.features - np.outer(means, means)
    n = len(model.inputs)
    expected = np.linalg.inv(np.linalg.inv(spread) + np.eye(n) / (n * model.temperature))
    coarse, fine = (fluctuations(equation, *equation.path(60.0, steps), 60.0) for steps in (600, 1200))
    found = 2 * fine - coarse
    np.testing.assert_allclose(found, expected, atol=0.005 * np.abs(expected).max())
    assert np.trace(found) < 0.9 * np.trace(spread), "particles are quieter than independent draws"


def test_fluctuations_begin_as_those_of_independent_draws() -> None:
    law = mean_field_law(TANH, 1e-4)
    w = np.random.default_rng(0).standard_normal(400_000)
    direct = np.tanh(np.outer(w, X)).var(axis=0).mean()
    assert law.particle_error == pytest.approx(direct, rel=5e-3)
    assert law.independent_error == pytest.approx(direct, rel=5e-3)


def test_numbers_do_not_depend_on_the_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = mean_field_law(TANH, 3.0)
    monkeypatch.setattr("giantstep.theory.meanfield.fokker_planck.CELLS_PER_WIDTH", 60.0)
    monkeypatch.setattr("giantstep.theory.meanfield.particle_law.FEWEST_STEPS", 200)
    fine = mean_field_law.__wrapped__(TANH, 3.0)
    assert usual.particle_error == pytest.approx(fine.particle_error, rel=4e-3)
    assert usual.free_energy == pytest.approx(fine.free_energy, rel=2e-3)
    assert usual.sandwich == pytest.approx(fine.sandwich, rel=2e-3)
    assert usual.decay_rate == pytest.approx(fine.decay_rate, rel=2e-3)


@pytest.mark.parametrize("time", [0.5, 2.0, 10.0])
def test_the_sandwich_and_the_rate(time: float) -> None:
    law = mean_field_law(TANH, time)
    low, high = law.sandwich
    assert low < law.free_energy < high
    assert law.decay_rate > law.rate_bound > 0


def test_measured_elsewhere() -> None:
    """lambda/(N (1 + r))/(1 - h (1 + r)/2) for F = (m - 1)^2/2 + r E w^2/2, r = 1/2, lambda = 1/5, h = 1/50."""
    model = MeanField(Activation("z"), (1.0,), (1.0,), ridge=0.5, temperature=0.2)
    law = gaussian_law(model, 0.02, 2000)
    assert law.particle_error == pytest.approx(0.2 / 1.5 / (1 - 0.015), rel=1e-9)
    assert law.independent_error == pytest.approx(0.4 / (1 - 0.005), rel=1e-9)
    assert law.rest_outputs == pytest.approx([1 / 1.5])


def test_a_histogram_holds_the_law() -> None:
    edges, masses = mean_field_law(TANH, 2.0).histogram(24)
    assert masses.sum() == pytest.approx(0.998, abs=1e-6)
    assert len(edges) == 25


def test_refusals() -> None:
    with pytest.raises(InputError, match="cells, at most"):
        FokkerPlanck.on_line(replace(TANH, scale=100.0))
    with pytest.raises(InputError, match="steps of time"):
        mean_field_law(TANH, 1e5)
    with pytest.raises(InputError, match="not linear"):
        gaussian_law(TANH, 0.1, 10)
