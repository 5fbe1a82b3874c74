"""Random feature regression: limits that are known otherwise, and the steps of the risk."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.problems import Activation, Target
from giantstep.theory.kernels import best_head, feature_kernel_spectrum, random_feature_risk
from giantstep.theory.ridge import FeatureSpectrum, ridge_risk

RIDGES = np.array([1e-3, 0.03, 1.0])
THREE = Target("x1 + He2(x2)/sqrt(2) + He3(x3)/sqrt(6)")


def spectrum(seed: int) -> FeatureSpectrum:
    generator = np.random.default_rng(seed)
    values = np.sort(generator.exponential(size=30))[::-1]
    return FeatureSpectrum(values, np.ones(30), values * generator.exponential(size=30), 60.0)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_many_features_are_kernel_ridge(seed: int) -> None:
    """For p to infinity the kernel's own equivalent, with the penalty of the eigenfunctions' problem."""
    known = ridge_risk(spectrum(seed), 40, RIDGES).risk
    np.testing.assert_allclose(random_feature_risk(spectrum(seed), 40, 10**8, RIDGES), known, rtol=1e-4)


@pytest.mark.parametrize("seed", [0, 1])
def test_many_samples_are_a_projection(seed: int) -> None:
    """For n to infinity and no penalty what p features leave: v solves tr S (S + v)^-1 = p, the risk is v-weighted."""
    found = spectrum(seed)
    p = 12
    risk = float(random_feature_risk(found, 10**9, p, np.array([1e-12]))[0])
    low, high = -30.0, 5.0
    for _ in range(100):
        middle = (low + high) / 2
        inside = (found.values / (found.values + np.exp(middle))).sum() > p
        low, high = (middle, high) if inside else (low, middle)
    v = np.exp(low)
    beta2 = found.cross2 / found.values
    tr2 = ((found.values / (found.values + v)) ** 2).sum()
    spread = (found.values / (found.values + v) ** 2).sum() / (p - tr2)
    left = (beta2 * v**2 / (found.values + v) ** 2 * (1 + spread * found.values)).sum()
    outside = found.norm2 - beta2.sum()
    assert risk == pytest.approx(left + outside, rel=1e-4)


def test_a_gaussian_projection_by_hand() -> None:
    """Linear features: a random projection of ten directions on five keeps, with n to infinity, half of the target."""
    flat = FeatureSpectrum(np.full(1, 0.1), np.full(1, 10.0), np.array([0.1]), 1.0)
    assert float(random_feature_risk(flat, 10**9, 5, np.array([1e-12]))[0]) == pytest.approx(0.5, rel=1e-4)


def best(d: int, a: float, b: float) -> float:
    found = feature_kernel_spectrum(THREE, Activation("relu"), d)
    return float(random_feature_risk(found, round(d**a), round(d**b), np.geomspace(1e-12, 10, 60)).min())


@pytest.mark.parametrize(("a", "b", "floor"), [(0.5, 2.5, 3), (1.5, 2.5, 2), (2.5, 1.5, 2), (2.5, 2.6, 1)])
def test_the_risk_goes_to_the_part_of_higher_degree(a: float, b: float, floor: float) -> None:
    near, far = best(40, a, b), best(1000, a, b)
    assert abs(far - floor) < max(0.05, 0.6 * abs(near - floor))
    assert far == pytest.approx(floor, abs=0.15)


def test_the_best_head_is_that_of_drawn_features() -> None:
    """Against features with a covariance of given spectrum: Gaussian ones, for which the equivalent is exact."""
    values, neurons, ridge = np.array([1.0, 0.1]), 120, 1e-3
    many = np.array([20.0, 200.0])
    spectrum = FeatureSpectrum(values, many, values * np.array([0.5, 0.5]), 1.0)
    found = best_head(spectrum, neurons, ridge)
    rng, risks, norms = np.random.default_rng(1), [], []
    scale, beta = np.repeat(np.sqrt(values), [20, 200]), np.repeat(np.sqrt(0.5 / many), [20, 200])
    for _ in range(20):
        features = rng.standard_normal((neurons, 220)) * scale  # in the eigenfunctions
        head = np.linalg.solve(features @ features.T + ridge * neurons * np.eye(neurons), features @ beta)
        risks.append(float(((head @ features - beta) ** 2).sum()))
        norms.append(float(np.linalg.norm(head)))
    assert np.mean(risks) == pytest.approx(found.risk, rel=0.04)
    assert np.mean(norms) == pytest.approx(found.norm, rel=0.04)
