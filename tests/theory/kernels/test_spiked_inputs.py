"""The risk of kernel ridge regression under a spiked law: eigenvalues, limits, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.gaussian.sphere import chi_square_rule
from giantstep.problems import InnerProductKernel, Target
from giantstep.theory.kernels import (
    eigenlearning_risk,
    half_samples,
    half_strength,
    learned_degree,
    plateau,
    spiked_inputs,
    spiked_kernel_risk,
    spiked_sectors,
)
from giantstep.theory.kernels.spiked_plateaus import inflation
from giantstep.theory.kernels.spiked_sectors import degrees_needed, kernel_sectors

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


@pytest.mark.parametrize(("degree", "gamma", "d"), [(3, 0.0, 10**7), (4, 0.25, 10**7), (3, 0.5, 10**10)])
def test_exponents_at_enormous_dimension_are_no_rounding_noise(degree: int, gamma: float, d: int) -> None:
    """n lambda_0 is 1e19 here: eigenvalues 1e-19 of the largest must be known to their own accuracy."""
    target = Target(f"He{degree}(x1)")
    ends = [half_samples(target, EXP, size, float(size) ** gamma, 0.01) for size in (d, 4 * d)]
    assert math.log(ends[1] / ends[0]) / math.log(4) == pytest.approx(degree * (1 - gamma), abs=0.02)


def test_features_and_quadrature_give_the_same_sectors() -> None:
    found = kernel_sectors(EXP, 2000, 20.0, 3)
    assert found.features is not None
    by_quadrature = spiked_sectors._by_quadrature(
        EXP, 2000, 20.0, found.z, np.tile(np.sqrt(chi_square_rule(1999, 2)[0] / 2000), spiked_sectors.PLACES), 3
    )
    near = np.abs(found.z) < 5
    inside = np.ix_([True] * 4, near, near)
    assert found.kernels[inside] == pytest.approx(by_quadrature[inside], rel=1e-9)


def test_beyond_n_of_d_squared_more_degrees_of_the_bulk_are_kept() -> None:
    """At d = 16, n = 120 d a kernel learns cubic functions of the bulk: 4.8(4)e-4 in simulations of 8 data sets."""
    target = Target("(x1 + He2(x1)/sqrt(2) + He3(x1)/sqrt(6))/sqrt(3)")
    assert spiked_kernel_risk(target, EXP, 16, 4.0, 1920, 0.01) == pytest.approx(4.8e-4, rel=0.2)
    assert degrees_needed(16, 1920) == 3
    assert degrees_needed(1000, 2000) == 2


@pytest.mark.parametrize(
    ("text", "gamma", "left"),
    [("exp", 0.6, 0.0), ("1 + t + t**3/6", 0.6, 1.0), ("1 + t + t**4/24", 0.6, 1.0), ("1 + t + t**4/24", 0.8, 0.25)],
)
def test_a_plateau_counts_what_the_kernel_lacks(text: str, gamma: float, left: float) -> None:
    """z^4 - 3 = He4 + 6 He2 alone: three quarters of He2 lie along it."""
    target, kernel = Target("He2(x1)/sqrt(2)"), InnerProductKernel(text)
    found = plateau(target, kernel, gamma, 2.0, 1.0)
    assert found == pytest.approx(left * inflation(kernel, 2.0, 1.0), abs=1e-9)
    assert spiked_kernel_risk(target, kernel, 10**12, 10 ** (12 * gamma), 2e12, 1.0) == pytest.approx(found, abs=2e-3)


def test_a_spike_for_which_the_equivalent_has_no_answer_is_refused() -> None:
    with pytest.raises(InputError, match="no mean from about 50 on"):
        spiked_kernel_risk(EVEN, EXP, 100, 100.0, 200, 0.01)
    assert 0 < spiked_kernel_risk(EVEN, InnerProductKernel("(1 + t)**4"), 100, 100.0, 200, 0.01) < 1
    with pytest.raises(InputError, match="no constant"):
        plateau(Target("x1**2"), InnerProductKernel("t + t**2"), 0.6, 2.0, 1.0)
