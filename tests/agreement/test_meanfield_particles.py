"""Interacting particles against their mean-field limit: errors, free energy, sandwich, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.meanfield.particles import GAUSSIAN, Particles
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


def mean_and_error(cell, name: str) -> tuple[float, float]:
    values = np.array(cell.values_of(name))
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def test_linear_neurons_are_exact_for_two_particles_and_large_steps(seed: int) -> None:
    point = Particles(**GAUSSIAN, neurons=2, step=0.8, particles=8192)
    cell = point.run(seeds=8, seed=seed).cells[0]
    found, error = mean_and_error(cell, "particle_error")
    assert abs(found - cell.prediction["particle_error"]) < 5 * error
    assert error < 0.02 * found
    assert found > 1.5 * 0.2 / 1.5 / 2, "steps add noise"
    slope, error = mean_and_error(cell, "particle_slope")
    assert abs(slope + 1) < 5 * error + 0.005


def test_particles_correct_each_other(seed: int) -> None:
    """The error has the constant of the linearised equation, not that of independent draws."""
    cell = Particles(neurons=32, particles=8192).run(seeds=8, seed=seed).cells[0]
    found, error = mean_and_error(cell, "particle_error")
    predicted = cell.prediction["particle_error"]
    assert abs(found - predicted) < 0.1 * predicted + 5 * error
    independent, _ = mean_and_error(cell, "independent_error")
    assert independent == pytest.approx(cell.prediction["independent_error"], rel=0.08)
    assert found < 0.65 * independent


def test_free_energy_falls_in_its_sandwich(seed: int) -> None:
    study = Study(Particles(neurons=64, particles=8192), time=[1.0, 4.0, 8.0], seeds=8, seed=seed)
    results = study.run(workers=1)
    judged = [j for j in results.verdict.judgements if j.counts and "error" not in j.quantity.name]
    judged = [j for j in judged if "slope" not in j.quantity.name]
    assert {j.quantity.name for j in judged} > {"free_energy", "sandwich_low", "sandwich_high", "decay_rate"}
    assert all(j.status == "holds" for j in judged), [j.sentence for j in judged if j.status != "holds"]
    for cell in results.cells:
        low, energy, high = (mean_and_error(cell, q)[0] for q in ("sandwich_low", "free_energy", "sandwich_high"))
        assert low < energy < high
        assert mean_and_error(cell, "decay_rate")[0] > 100 * cell.prediction["rate_bound"]


def test_the_law_of_the_weights_leaves_its_start() -> None:
    cells = Study(Particles(particles=8192), time=[1.0, 10.0], seeds=4).run(workers=1).cells
    for cell in cells:
        mean = np.mean([v.y for v in cell.values_of("density")], axis=0)
        assert np.abs(mean - cell.prediction["density"].y).max() < 0.06
    negative = [float(np.mean([v.y[v.x < 0].sum() / v.y.sum() for v in c.values_of("density")])) for c in cells]
    assert negative[0] > 0.2 > 0.1 > negative[1]


def test_refusals() -> None:
    with pytest.raises(InputError, match="function of x1"):
        Particles(target="x1*x2")
    with pytest.raises(InputError, match="bounded without jumps"):
        Particles(activation="relu")
    with pytest.raises(InputError, match="bounded without jumps"):
        Particles(activation="sign")
    with pytest.raises(InputError, match=r"must be at most 0\.5"):
        Particles(step=0.5)
    with pytest.raises(InputError, match="two steps"):
        Particles(time=0.05)
    with pytest.raises(InputError, match="at least 32768"):
        Particles(neurons=1024)
    with pytest.raises(InputError, match="operations"):
        Particles(particles=10**7, time=200, step=0.001)
    with pytest.raises(InputError, match="differ too much"):
        Particles(scale=10, temperature=1e-3, ridge=1)
