"""The risk of kernel ridge regression under a spiked law: eigenvalues, limits, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import InnerProductKernel, Target
from giantstep.theory.kernels import (
    eigenlearning_risk,
    half_samples,
    half_strength,
    learned_degree,
    plateau,
    spiked_inputs,
    spiked_kernel_risk,
)
from giantstep.theory.kernels.spiked_inputs import inflation, kernel_sectors

EXP = InnerProductKernel("exp")
EVEN = Target("(x1 + He2(x1)/sqrt(2) + He3(x1)/sqrt(6) + He4(x1)/sqrt(24))/2")


def test_sectors_hold_the_whole_kernel() -> None:
    """E k(x, x')^2 over both inputs, from sectors and from samples."""
    d, theta, rng = 12, 3.0, np.random.default_rng(1)
    sectors = kernel_sectors(EXP, d, theta)
    held = np.einsum("l,i,lij,j->", sectors.counts, sectors.weight, sectors.kernels**2, sectors.weight)
    x, other = rng.standard_normal((2, 200_000, d))
    x[:, 0] *= 2.0
    other[:, 0] *= 2.0
    values = np.exp(2 * (x * other).sum(axis=1) / d)
    assert abs(values.mean() - held) < 5 * values.std() / np.sqrt(len(values)) + 0.002 * held


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_the_spikes_eigenvalues_are_the_stated_powers(degree: int) -> None:
    d, theta = 10**6, 10**3
    sectors = kernel_sectors(EXP, d, theta)
    mode = np.asarray(Target(f"He{degree}(x1)")(sectors.z[:, None])) / math.sqrt(math.factorial(degree))
    value = (sectors.weight * mode) @ sectors.kernels[0] @ (sectors.weight * mode)
    assert value == pytest.approx(((1 + theta) / d) ** degree, rel=0.01)  # l! g_l = 1


@pytest.mark.parametrize("d", [10**6, 10**9, 10**12])
def test_between_thresholds_the_equations_approach_the_plateau(d: int) -> None:
    """At 0.06 or more, in the exponent, from the thresholds 0, 1/2, 2/3 the plateau is met to 6 %."""
    for gamma in (0.08, 0.25, 0.42, 0.58):
        found = spiked_kernel_risk(EVEN, EXP, d, d**gamma, 2.0 * d, 3.0)
        assert found == pytest.approx(plateau(EVEN, EXP, gamma, 2.0, 3.0), rel=0.06)


def test_stairs_at_enormous_dimension() -> None:
    d = 10**12
    for gamma in (0.25, 0.583):
        found = spiked_kernel_risk(EVEN, EXP, d, d**gamma, 2.0 * d, 3.0)
        assert found == pytest.approx(plateau(EVEN, EXP, gamma, 2.0, 3.0), rel=1e-3)
    assert [learned_degree(g) for g in (-1.0, 0.0, 0.49, 0.51, 0.6, 0.7, 0.76)] == [1, 1, 1, 2, 2, 3, 4]


def test_the_plateau_is_the_part_that_is_not_learned_times_a_factor() -> None:
    assert inflation(EXP, 2.0, 1e6) == pytest.approx(1.0, abs=1e-5)
    assert inflation(EXP, 1e6, 0.01) == pytest.approx(1.0, abs=1e-5)
    assert inflation(EXP, 2.0, 0.01) > 1.2
    assert plateau(EVEN, EXP, 0.6, 2.0, 1e6) == pytest.approx(0.5, abs=1e-4)
    assert plateau(EVEN, EXP, 0.95, 2.0, 0.01, noise=1.0) == pytest.approx(inflation(EXP, 2.0, 0.01) - 1)
    # A linear kernel is ridge regression on d features: ridgeless with n = 2 d, E0 = n/(n - d).
    assert inflation(InnerProductKernel("t"), 2.0, 1e-9) == pytest.approx(2.0, rel=1e-6)


def test_without_a_spike_both_equivalents_agree() -> None:
    both = [f(EVEN, EXP, 2000, 0.0, 4000, 0.1) for f in (spiked_kernel_risk, eigenlearning_risk)]
    assert both[0] == pytest.approx(both[1], rel=0.003)
    strong = [f(EVEN, EXP, 2000, 2000**0.75, 4000, 0.01) for f in (spiked_kernel_risk, eigenlearning_risk)]
    assert strong[0] > 1.3 * strong[1]


@pytest.mark.slow
@pytest.mark.parametrize("degree", [2, 3, 4])
def test_half_of_a_degree_is_learned_at_its_exponent(degree: int) -> None:
    """Powers of theta/d correct the exponent 1 - 1/l, most for degree 4."""
    target = Target(f"He{degree}(x1)")
    ends = [half_strength(target, EXP, d, 2.0 * d, 0.01) for d in (10**8, 10**9)]
    assert math.log10(ends[1] / ends[0]) == pytest.approx(1 - 1 / degree, abs=0.005)


@pytest.mark.slow
@pytest.mark.parametrize(("degree", "gamma"), [(2, 0.25), (2, 0.6), (3, 0.25), (3, 0.5), (3, 0.6)])
def test_samples_that_halve_the_risk_grow_with_the_stated_exponent(degree: int, gamma: float) -> None:
    """Near n ~ d^j the bulk's degree j is being learned, which changes the implicit ridge: -0.07 at n = d^1.2."""
    d, exponent, target = 10**5, degree * (1 - gamma), Target(f"He{degree}(x1)")
    ends = [half_samples(target, EXP, size, float(size**gamma), 0.01) for size in (d, 4 * d)]
    allowance = 0.03 + 0.5 * d ** -abs(exponent - max(1, round(exponent)))
    assert math.log(ends[1] / ends[0]) / math.log(4) == pytest.approx(exponent, abs=allowance)


def test_what_the_theory_does_not_know() -> None:
    with pytest.raises(InputError, match="lengths"):
        kernel_sectors(InnerProductKernel("arccos1"), 100, 1.0)
    with pytest.raises(InputError, match="halves"):
        half_strength(Target("He4(x1)"), EXP, 40, 80.0, 0.01)


def test_an_implicit_ridge_that_does_not_settle_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spiked_inputs, "MOST_ROUNDS", 3)
    with pytest.raises(InputError, match="settle"):
        spiked_kernel_risk(EVEN, EXP, 100, 10.0, 200.0, 0.01)
