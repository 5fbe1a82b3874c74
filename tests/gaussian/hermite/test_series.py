from __future__ import annotations

from math import exp, factorial, pi, sqrt

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.gaussian.samples import SHIFTED_RELU, TANH, family, half_line_rule, sharp

from giantstep.errors import InputError
from giantstep.gaussian.hermite import expand, hermite_series
from giantstep.gaussian.quadrature import expect
from giantstep.gaussian.quadrature.resolution import resolve, scaled_edges


def relu_coefficient(k):
    """E relu(z) h_k(z): 1/sqrt(2 pi), 1/2, then (-1)^{k/2+1} (k-3)!!/sqrt(2 pi k!) for even k."""
    if k < 2:
        return (1 / sqrt(2 * pi), 0.5)[k]
    if k % 2:
        return 0.0
    size = mpmath.fac2(k - 3) / mpmath.sqrt(2 * mpmath.pi * mpmath.factorial(k))
    return float((-1) ** (k // 2 + 1) * size)


def test_relu_to_degree_640():
    series = hermite_series(family("relu"), 640)
    assert np.allclose(series, [relu_coefficient(k) for k in range(641)], rtol=0, atol=3e-15)


@given(scale=st.floats(0.01, 20))
@settings(max_examples=25, deadline=None)
def test_step_and_erf_at_any_scale(scale):
    """E erf(r z) h_k = q^k E sign(z) h_k with q^2 = 2 r^2/(1 + 2 r^2); sign does not feel the scale."""
    k = np.arange(1, 640, 2)
    log_sign = np.array(
        [
            float(
                0.5 * mpmath.log(2 / mpmath.pi) + mpmath.log(mpmath.fac2(j - 2)) - 0.5 * mpmath.log(mpmath.factorial(j))
            )
            for j in (1, 3, 5, 101, 639)
        ]
    )
    sign = np.exp(log_sign) * np.array([1, -1, 1, 1, -1])
    places = np.array([1, 3, 5, 101, 639])
    found = hermite_series(family("sign"), 640, scale)
    assert np.allclose(found[places], sign, atol=1e-14)
    assert np.allclose(found[np.arange(0, 641, 2)], 0, atol=1e-14)
    q = sqrt(2 * scale**2 / (1 + 2 * scale**2))
    found = hermite_series(family("erf"), 640, scale)
    assert np.allclose(found[places], sign * q**places, atol=1e-14)
    assert k.size == 320


@given(a=st.floats(-2, 2), scale=st.floats(0.1, 2))
@settings(max_examples=25, deadline=None)
def test_exponential(a, scale):
    found = hermite_series(lambda z: np.exp(a * z), 30, scale)
    r = a * scale
    truth = np.array([exp(r * r / 2) * r**k / sqrt(factorial(k)) for k in range(31)])
    assert np.allclose(found, truth, rtol=0, atol=1e-14 * exp(r * r))


@pytest.mark.parametrize("function", [sharp(30), sharp(30, 1.0), sharp(400), sharp(25, -0.7), TANH])
@pytest.mark.parametrize("scale", [0.5, 1.0, 4.0])
def test_sharp_functions_against_adaptive_quadrature(function, scale):
    """Every coefficient against an integral of its own, on panels chosen for it alone."""
    series = hermite_series(function, 40, scale)
    he = np.polynomial.hermite_e.HermiteE
    for k in (0, 1, 2, 7, 40):
        estimate = expect(lambda z, k=k: function(scale * z) * he.basis(k)(z) / sqrt(factorial(k)))
        assert abs(series[k] - estimate.value) <= estimate.error + 1e-13


def test_high_degree_of_a_sharp_function_by_parseval():
    """What the coefficients miss of E s^2 is the energy above: for tanh(30 z) it decays like a jump's at first."""
    expansion = expand(sharp(30), np.array([1.0]), 4000)
    energy = (expansion.coefficients**2).sum()
    assert energy <= expansion.second_moment[0] * (1 + 1e-13)
    assert expansion.second_moment[0] - energy < 1e-4
    z, w = half_line_rule((0.0,), panels=400)
    assert expansion.second_moment[0] == pytest.approx(w @ np.tanh(30 * z) ** 2, abs=1e-13)


@pytest.mark.parametrize("function", [TANH, family("relu"), SHIFTED_RELU, sharp(30, 0.7)])
def test_many_scales_agree_with_one_at_a_time(function):
    """Interpolation in log r is used for many scales, never for few."""
    scales = np.sort(np.random.default_rng(5).uniform(0.4, 3.0, 400))
    many = expand(function, scales, 96)
    for i in (0, 13, 200, 399):
        one = expand(function, scales[i : i + 1], 96)
        assert np.allclose(many.coefficients[:, i], one.coefficients[:, 0], atol=1e-12)
        assert many.second_moment[i] == pytest.approx(one.second_moment[0], abs=1e-12)


def test_negative_zero_and_repeated_scales():
    function = SHIFTED_RELU
    found = hermite_series(function, 6, np.array([[-1.5, 0.0], [1.5, -1.5]]))
    assert found.shape == (2, 2, 7)
    assert np.array_equal(found[0, 0], found[1, 1])
    assert found[0, 1].tolist() == [0.5, 0, 0, 0, 0, 0, 0]
    mirrored = hermite_series(lambda z: function(-z), 6, 1.5, breaks=(0.5,))
    assert np.allclose(found[0, 0], mirrored, atol=1e-13)
    assert np.allclose(found[1, 0], mirrored * (-1.0) ** np.arange(7), atol=1e-13)


def test_shapes_and_refusals():
    assert hermite_series(TANH, 3).shape == (4,)
    assert hermite_series(TANH, 3, [1.0, 2.0]).shape == (2, 4)
    with pytest.raises(InputError, match="0 or more"):
        hermite_series(TANH, -1)
    with pytest.raises(InputError, match="grows too fast"):
        hermite_series(lambda z: np.exp(z * z), 3)


def test_scales_that_almost_fill_an_octave_need_no_fine_panels():
    """The panels near the origin once met those of the whole axis in slivers, and all panels in z became as narrow."""
    for smallest, largest in ((1.0000123807377759, 1.99999039694146), (0.3077, 0.30775), (0.9999999, 1.9999999)):
        resolved = resolve(TANH, (), smallest, largest)
        assert np.diff(resolved.edges).min() > 1e-3
        assert scaled_edges([resolved], 64).size < 2000
