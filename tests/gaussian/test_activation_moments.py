from __future__ import annotations

from math import asin, inf, isinf, pi, sqrt

import numpy as np
import pytest

from giantstep.gaussian import Moments, ScalarFunction, moments
from tests.gaussian.samples import SHIFTED_RELU, TABLE, TANH, Function, family


@pytest.mark.parametrize("name", TABLE)
def test_the_published_table(name):
    function, mu0, mu1, mu2_squared, curvature, slope_variance = TABLE[name]
    m = moments(function)
    assert m.mu0 == pytest.approx(mu0, abs=1e-9)
    assert m.mu1 == pytest.approx(mu1, abs=1e-9)
    assert m.mu2_squared == pytest.approx(mu2_squared, abs=1e-9)
    assert m.mu2 == pytest.approx(sqrt(mu2_squared), abs=1e-9)
    assert m.curvature == pytest.approx(curvature, abs=1e-9)
    assert m.slope_variance == slope_variance == inf or m.slope_variance == pytest.approx(slope_variance, abs=1e-9)
    assert m.second_moment == pytest.approx(mu0**2 + mu1**2 + mu2_squared, abs=1e-9)
    assert m.error < 1e-12 * max(1.0, m.second_moment, 0 if isinf(slope_variance) else slope_variance)


def test_against_closed_forms_within_the_stated_error():
    erf = moments(family("erf"))
    assert abs(erf.mu1 - 2 / sqrt(3 * pi)) <= erf.error
    assert abs(erf.mu2_squared - (2 / pi * asin(2 / 3) - 4 / (3 * pi))) <= erf.error
    relu = moments(family("relu"))
    assert abs(relu.mu2_squared - (0.25 - 1 / (2 * pi))) <= relu.error
    he4 = moments(family("hermite", order=4))
    assert abs(he4.mu2_squared - 24) <= he4.error
    assert abs(he4.slope_variance - 96) <= he4.error


@pytest.mark.parametrize("slope", [1.0, -0.3, 1e-6, 1e6])
def test_a_linear_function_has_no_nonlinear_part(slope):
    line = Function(lambda z: slope * z + 0.25, lambda z: np.full_like(z, slope))
    m = moments(line)
    assert 0 <= m.mu2_squared <= 1e-15 * max(1, slope**2) ** 0.5
    assert 0 <= m.slope_variance <= 1e-15 * max(1, slope**2) ** 0.5


def test_a_nearly_linear_function_keeps_its_digits():
    # s = z + h He3: mu2^2 = 6 h^2, forty orders below what E s^2 - mu1^2 could tell.
    h = 1e-9
    m = moments(Function(lambda z: z + h * (z**3 - 3 * z), lambda z: 1 + h * (3 * z**2 - 3)))
    assert m.mu2_squared == pytest.approx(6 * h * h, rel=1e-6)


def test_kinks_away_from_zero_and_undeclared_ones():
    declared = moments(SHIFTED_RELU)
    hidden = moments(Function(SHIFTED_RELU.value, SHIFTED_RELU.slope))
    assert declared.mu2_squared == pytest.approx(hidden.mu2_squared, abs=1e-12)
    assert abs(declared.mu0 - hidden.mu0) <= declared.error + hidden.error


def test_moments_are_a_plain_value():
    assert isinstance(TANH, ScalarFunction)
    assert moments(TANH) == moments(TANH)
    assert isinstance(moments(TANH), Moments)
