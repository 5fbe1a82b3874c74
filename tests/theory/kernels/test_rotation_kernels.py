"""Spectra and learning curves of rotation invariant kernels."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.problems import Activation, Target
from giantstep.theory import Teacher
from giantstep.theory.kernels import kernel_curve, kernel_floor
from giantstep.theory.kernels.rotation_kernels import (
    conjugate_kernel_with_biases,
    kernel_spectrum,
    tangent_kernel_with_biases,
)
from giantstep.theory.ridge import linear_ridge_risk, ridge_risk

RELU = Activation("relu")
MIXED = Target("x1/2 + He2(x1)/2 + He3(x1)/4")


def test_a_linear_kernel_has_d_equal_eigenvalues_and_the_risk_of_linear_regression() -> None:
    d, target = 20, Target("0.8*x1 + 0.6*He2(x1)/sqrt(2)")
    spectrum = kernel_spectrum(target, lambda square, other, product: product + 0 * square + 0 * other, d)
    kept = spectrum.values > 1e-9
    assert spectrum.values[kept] == pytest.approx(1 / d)
    assert spectrum.multiplicity[kept].sum() == d
    found = ridge_risk(spectrum, 60, 0.1 / d).risk[0]
    assert found == pytest.approx(float(linear_ridge_risk(Teacher(0.8, 0.36), 3.0, 0.1)))


@pytest.mark.parametrize("d", [8, 40])
def test_the_spectrum_has_the_kernel_s_trace_and_the_target_s_energy(d: int) -> None:
    kernel = tangent_kernel_with_biases(RELU)
    spectrum = kernel_spectrum(MIXED, kernel, d)
    t2 = np.random.default_rng(0).chisquare(d, 200000) / d
    trace = kernel(t2, t2, t2)
    assert spectrum.values @ spectrum.multiplicity == pytest.approx(trace.mean(), abs=5 * trace.std() / 447)
    seen = spectrum.values > 0
    assert float((spectrum.cross2[seen] / spectrum.values[seen]).sum()) == pytest.approx(float(MIXED.norm2), rel=1e-6)


def test_curves_fall_from_the_norm_to_zero_and_stay_above_the_floor() -> None:
    for tangent in (True, False):
        risks = [
            float(kernel_curve(MIXED, RELU, 10, n, np.logspace(-4, 2, 13), tangent=tangent).min())
            for n in (3, 30, 300, 3000, 300000)
        ]
        assert risks == sorted(risks, reverse=True)
        assert risks[-1] < 0.02 * float(MIXED.norm2)
        floors = [kernel_floor(MIXED, 10, n) for n in (3, 30, 300, 3000)]
        assert all(risk > floor for risk, floor in zip(risks, floors, strict=False))


def test_two_directions_count_as_one_rotated() -> None:
    turned = Target("He2(0.6*x1 + 0.8*x2) + He3(0.6*x1 + 0.8*x2)/3")
    plain = Target("He2(x1) + He3(x1)/3")
    shifts = np.array([0.1, 1.0])
    np.testing.assert_allclose(kernel_curve(turned, RELU, 12, 200, shifts), kernel_curve(plain, RELU, 12, 200, shifts))


@pytest.mark.parametrize("d", [16, 100, 500, 2000])
def test_the_trace_is_kept_in_high_dimension(d: int) -> None:
    """High degrees have astronomically many harmonics: rounding of their eigenvalues must not be counted."""
    activation = Activation("relu")
    spectrum = kernel_spectrum(Target("He2(x1)"), conjugate_kernel_with_biases(activation), d)
    assert float(spectrum.values @ spectrum.multiplicity) == pytest.approx(1.0, rel=1e-9)
