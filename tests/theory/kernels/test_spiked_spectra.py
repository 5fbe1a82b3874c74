"""The spectrum of a kernel under a spiked law: closed forms, matching by overlap, and the matrix of a sample."""

from __future__ import annotations

import math

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import InnerProductKernel
from giantstep.theory.kernels import matrix_spectrum, spiked_spectrum
from giantstep.theory.kernels.spiked_sectors import kernel_sectors

EXP = InnerProductKernel("exp")


@pytest.mark.parametrize("ratio", [0.05, 0.2, 0.3])
def test_the_exponential_kernel_has_mehlers_eigenvalues(ratio: float) -> None:
    """Of exp(a z z') under N(0, 1): sqrt(2/(1 + b)) (2 a/(1 + b))^l with b = sqrt(1 - 4 a^2); the bulk adds 1/d."""
    d = 10**6
    found = spiked_spectrum(EXP, d, ratio * d - 1)
    b = math.sqrt(1 - 4 * ratio**2)
    for mode in found.modes:
        assert mode.value == pytest.approx(math.sqrt(2 / (1 + b)) * (2 * ratio / (1 + b)) ** mode.degree, rel=1e-5)
    assert [mode.degree for mode in found.modes] == [0, 1, 2, 3, 4]


def test_figures_at_a_thousand_dimensions() -> None:
    found = spiked_spectrum(EXP, 1000, 1000**0.6)
    assert [found[k].value for k in (1, 2, 3)] == pytest.approx([0.064527, 0.004153, 0.00026729], rel=2e-5)
    assert [found[k].leading for k in (1, 2, 3)] == pytest.approx([0.064096, 0.0041083, 0.00026332], rel=2e-5)
    weak = spiked_spectrum(EXP, 1000, 1000**0.3)
    assert all(abs(mode.value / mode.leading - 1) < 8e-4 for mode in weak.modes[:4])


def test_the_order_of_size_would_mistake_a_mode() -> None:
    """Functions of the bulk's length have eigenvalues of about 2 g_2/d^2, here above that of degree 3."""
    d, theta = 1000, 1000**0.3
    sectors = kernel_sectors(EXP, d, theta)
    root = np.sqrt(sectors.weight)
    by_size = np.linalg.eigvalsh(root[:, None] * sectors.kernels[0] * root)[::-1]
    right = spiked_spectrum(EXP, d, theta)[3].value
    assert abs(by_size[3] / right - 1) > 0.3
    assert np.abs(by_size / right - 1).min() < 1e-6


def test_all_eigenvalues_sum_to_the_mean_of_the_diagonal() -> None:
    d, theta = 200, 30.0
    wanted = (1 - 2 * (1 + theta) / d) ** -0.5 * (1 - 2 / d) ** (-(d - 1) / 2)
    found = spiked_spectrum(EXP, d, theta)
    assert found.trace == pytest.approx(wanted, rel=1e-4)
    assert [sector.multiplicity for sector in found.bulk] == [d - 1, d * (d - 1) // 2 - 1]
    # Degree 1 of the bulk times a constant, and times He_1 of the spike.
    assert found.bulk[0].values[0] == pytest.approx(1 / d, rel=0.05)
    assert found.bulk[0].values[1] == pytest.approx((1 + theta) / d**2, rel=0.15)


def test_a_missing_degree_is_said() -> None:
    lacking = spiked_spectrum(InnerProductKernel("1 + t + t**3"), 300, 20.0)
    assert [mode.degree for mode in lacking.modes] == [0, 1, 3]
    with pytest.raises(InputError, match="He2"):
        lacking[2]
    with pytest.raises(InputError, match="too large"):
        spiked_spectrum(EXP, 400, 219.0)[1]
    with pytest.raises(InputError, match="lengths"):
        spiked_spectrum(InnerProductKernel("arccos1"), 100, 3.0)
    with pytest.raises(InputError, match="degrees"):
        spiked_spectrum(EXP, 100, 3.0, degrees=20)
    assert "He1: 0.0645" in repr(spiked_spectrum(EXP, 1000, 1000**0.6))


@pytest.mark.parametrize(("theta", "samples"), [(10.0, 400), (1.2, 1000)])
def test_a_linear_kernel_gives_the_spiked_covariance_matrix(theta: float, samples: int) -> None:
    """K = X X^T/d: with gamma = d/n the outlier is (1 + theta)(1 + gamma/theta)/d, the edge (1 + sqrt gamma)^2/d."""
    d = 100
    gamma = d / samples
    found = matrix_spectrum(InnerProductKernel("t"), d, theta, samples)
    assert found.edge == pytest.approx((1 + math.sqrt(gamma)) ** 2 / d, rel=0.02)
    outlier = found.of(1)
    assert outlier is not None
    assert outlier.value == pytest.approx((1 + theta) * (1 + gamma / theta) / d, rel=0.01)
    assert outlier.overlap == pytest.approx(1 - gamma / theta**2, rel=0.005)


def test_a_hidden_degree_comes_out_of_the_bulk_as_the_spike_grows() -> None:
    values = [matrix_spectrum(EXP, 300, 300**gamma, 1200) for gamma in (-0.5, 0.3, 0.6)]
    assert [spectrum.of(1) is not None for spectrum in values] == [False, True, True]
    assert [spectrum.of(2) is not None for spectrum in values] == [False, False, True]
    # With many samples a matrix shows the operator itself.
    many, exact = matrix_spectrum(EXP, 300, 20.0, 300_000), spiked_spectrum(EXP, 300, 20.0)
    for degree in (1, 2):
        outlier = many.of(degree)
        assert outlier is not None
        assert outlier.value == pytest.approx(exact[degree].value, rel=0.02)
        assert outlier.overlap == pytest.approx(exact[degree].overlap, abs=0.02)
