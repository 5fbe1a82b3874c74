"""The conjugate kernel's spectrum against reference values, the integral equation and random matrices."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import Activation
from giantstep.theory import Student
from giantstep.theory.spectra import ConjugateKernel, MarchenkoPastur


def kernel_of(text: str, psi1: float, psi2: float) -> ConjugateKernel:
    return ConjugateKernel.of(Student.of(Activation(text)), psi1, psi2)


@pytest.mark.parametrize(
    ("text", "psi1", "psi2", "edge", "threshold"),
    [
        ("tanh", 1.5, 1.25, 3.127855, 1.436709),
        ("erf", 1.5, 1.25, 3.645499, 1.439282),
        ("softplus", 1.5, 1.25, 2.140505, 1.438176),
        ("relu", 1.5, 1.25, 2.367627, 1.474947),
        ("tanh", 4, 2, 5.606972, 1.457812),
        ("erf", 1, 1, 2.986061, 1.429207),
        ("z", 1, 1, 6.75, np.sqrt(2)),
    ],
)
def test_edges_and_thresholds(text, psi1, psi2, edge, threshold):
    kernel = kernel_of(text, psi1, psi2)
    assert kernel.edge == pytest.approx(edge, abs=5.1e-7)
    assert kernel.threshold == pytest.approx(threshold, abs=5.1e-7)


def poisson(kernel: ConjugateKernel, z: complex) -> complex:
    """Stieltjes transform of the class's own density and atom."""
    total = -kernel.atom / z
    for low, high in kernel.support:
        angle, weight = np.polynomial.legendre.leggauss(600)
        angle, weight = np.pi * (angle + 1) / 2, np.pi * weight / 2
        a, b = np.log(max(low, 1e-20)), np.log(high)
        value = np.exp((a + b) / 2 - (b - a) / 2 * np.cos(angle))
        mass = weight * kernel.density(value) * value * (b - a) / 2 * np.sin(angle)
        total += np.sum(mass / (value - z))
    return complex(total)


def silverstein(kernel: ConjugateKernel, z: complex) -> complex:
    """The same transform by iterating z = -1/mt + gamma int tau/(1 + mt tau) dnu, without the rational curve."""
    law = MarchenkoPastur(kernel.psi1, "columns")
    t = law.quantile((np.arange(4000) + 0.5) / 4000)
    tau = kernel.mu1**2 * t + kernel.mu2_squared
    mt = -1 / z
    for _ in range(5000):
        new = 1 / (-z + kernel.gamma * np.mean(tau / (1 + mt * tau)))
        if abs(new - mt) < 1e-13 * abs(mt):
            break
        mt = 0.5 * (mt + new)
    return (mt + (1 - kernel.gamma) / z) / kernel.gamma


@pytest.mark.parametrize(
    ("mu1", "mu2_squared", "psi1", "psi2"),
    [(0.6, 0.03, 1.5, 1.25), (0.6, 0.03, 4.0, 2.0), (1.0, 0.5, 0.4, 3.0), (0.5, 1.0, 3.0, 0.5), (1.0, 0.0, 2.0, 0.7)],
)
def test_density_solves_the_integral_equation(mu1, mu2_squared, psi1, psi2):
    kernel = ConjugateKernel(mu1, mu2_squared, psi1, psi2)
    for place in (0.1, 0.4, 0.9, 1.2):
        z = kernel.edge * complex(place, 0.08)
        assert poisson(kernel, z) == pytest.approx(silverstein(kernel, z), rel=2e-3)


def test_mass_is_one_for_random_settings():
    rng = np.random.default_rng(3)
    for index in range(60):
        ratio = 0.0 if index % 6 == 0 else 10 ** rng.uniform(-3, 2)
        kernel = ConjugateKernel(10 ** rng.uniform(-2, 2), 0.0, *10 ** rng.uniform(-2, 2, 2))
        kernel = ConjugateKernel(kernel.mu1, ratio * kernel.mu1**2, kernel.psi1, kernel.psi2)
        assert kernel.mass == pytest.approx(1, abs=1e-4), kernel
        assert kernel.support[-1][1] == pytest.approx(kernel.edge)
        grid = np.linspace(0, kernel.edge * 1.1, 50)
        assert (np.diff(kernel.cdf(grid)) > -1e-4).all()
        assert kernel.cdf(kernel.edge) == pytest.approx(1, abs=1e-4)


def test_a_gap_in_the_spectrum_is_found():
    kernel = kernel_of("tanh", 4, 2)
    (_, first), (second, _) = kernel.support
    assert first < 0.11 < 0.12 < second
    assert kernel.density(0.12) == 0.0
    assert kernel.cdf(first) == pytest.approx(float(kernel.cdf(second)), abs=1e-10)


@pytest.mark.parametrize(
    ("text", "psi1", "psi2"), [("tanh", 1.5, 1.25), ("erf", 0.7, 2.0), ("centered(relu)", 2.0, 0.8)]
)
def test_eigenvalues_of_a_simulated_kernel(text, psi1, psi2):
    d = 300
    n, neurons = round(psi1 * d), round(psi2 * d)
    rng, sigma = np.random.default_rng(8), Activation(text)
    features = sigma(rng.standard_normal((n, d)) @ (rng.standard_normal((d, neurons)) / np.sqrt(d))) / np.sqrt(neurons)
    values = np.sort(np.linalg.eigvalsh(features @ features.T))
    kernel = kernel_of(text, n / d, neurons / d)
    interior = values > 1e-10
    distance = np.abs(kernel.cdf(values) - (np.arange(n) + 0.5) / n)[interior].max()
    assert distance < 0.02
    assert 1 - interior.mean() == pytest.approx(kernel.atom, abs=1e-12)


def test_slope_of_the_curve():
    kernel = kernel_of("erf", 2.0, 0.7)
    x = np.geomspace(0.1, 50, 20)
    step = 1e-6 * x
    numeric = (kernel.curve(x + step) - kernel.curve(x - step)) / (2 * step)
    assert kernel.curve_slope(x) == pytest.approx(numeric, rel=1e-6, abs=1e-6)
    assert kernel.curve_slope(kernel.threshold**2) == pytest.approx(0, abs=1e-10)


def test_edge_is_the_minimum_of_the_curve():
    rng = np.random.default_rng(4)
    x = np.geomspace(1e-5, 1e5, 4000)
    for _ in range(100):
        kernel = ConjugateKernel(1.0, 10 ** rng.uniform(-4, 3), *10 ** rng.uniform(-2, 2, 2))
        assert kernel.edge <= kernel.curve(x).min() * (1 + 1e-12)


def test_threshold_is_above_that_of_the_weights():
    rng = np.random.default_rng(5)
    for _ in range(100):
        kernel = ConjugateKernel(1.0, 10 ** rng.uniform(-3, 2), *10 ** rng.uniform(-2, 2, 2))
        assert kernel.threshold > kernel.psi2**0.25


def test_scaling_the_activation_scales_the_spectrum():
    one, three = ConjugateKernel(0.5, 0.1, 2.0, 1.5), ConjugateKernel(1.5, 0.9, 2.0, 1.5)
    x = np.linspace(0.01, one.edge, 30)
    assert three.edge == pytest.approx(9 * one.edge)
    assert 9 * three.density(9 * x) == pytest.approx(one.density(x), abs=1e-9)


def test_refusals_and_shapes():
    with pytest.raises(InputError, match="mu1"):
        ConjugateKernel(0.0, 1.0, 1.0, 1.0)
    with pytest.raises(InputError, match="psi1"):
        ConjugateKernel(1.0, 1.0, 0.0, 1.0)
    kernel = ConjugateKernel(1.0, 0.2, 1.0, 2.0)
    assert kernel.density(1.0).shape == ()
    assert kernel.density([[1.0, -2.0], [1e9, 0.0]]).shape == (2, 2)
    assert kernel.cdf([-1.0, 1e9]) == pytest.approx([0.0, 1.0])


@pytest.mark.parametrize(("psi1", "psi2"), [(1.5, 1.25), (4.0, 2.0), (0.8, 2.0)])
def test_edge_scale_of_pure_noise_is_that_of_a_wishart_matrix(psi1, psi2):
    """Without a linear part the features are independent: Johnstone's unit for N^-1 Z Z^T."""
    n, width = 1000 * psi1, 1000 * psi2
    kernel = ConjugateKernel(1e-3, 1.0, psi1, psi2)
    wishart = (np.sqrt(n) + np.sqrt(width)) * np.cbrt(n**-0.5 + width**-0.5) / width
    assert kernel.edge == pytest.approx((1 + np.sqrt(psi1 / psi2)) ** 2, rel=1e-4)
    assert kernel.edge_scale(round(n)) == pytest.approx(wishart, rel=1e-3)


def test_largest_eigenvalue_without_a_spike():
    d, n, neurons, seeds = 160, 240, 200, 40
    kernel = kernel_of("tanh", n / d, neurons / d)
    rng, top = np.random.default_rng(5), []
    for _ in range(seeds):
        x, w = rng.standard_normal((n, d)), rng.standard_normal((d, neurons)) / np.sqrt(d)
        noise = rng.standard_normal((n, neurons))
        features = (kernel.mu1 * x @ w + np.sqrt(kernel.mu2_squared) * noise) / np.sqrt(neurons)
        top.append(np.linalg.norm(features, 2) ** 2)
    predicted, error = float(kernel.spike(0.5, n)), np.std(top, ddof=1) / np.sqrt(seeds)
    assert abs(np.mean(top) - predicted) < 4 * error + 0.3 * kernel.edge_scale(n)
    assert float(kernel.spike(0.5)) == kernel.edge


def test_overlap_of_the_spike():
    kernel = kernel_of("tanh", 1.5, 1.25)
    overlap = kernel.spike_overlap(np.array([1.0, kernel.threshold, 1.6, 3.0, 1e6]))
    assert overlap[:2].tolist() == [0.0, 0.0]
    assert (np.diff(overlap[1:]) > 0).all()
    assert overlap[-1] == pytest.approx(1.0, abs=1e-9)


def test_a_linear_activation_has_no_nonlinear_part_from_rounding():
    assert kernel_of("z", 1.5, 1.25).atom == pytest.approx(1 / 3)
