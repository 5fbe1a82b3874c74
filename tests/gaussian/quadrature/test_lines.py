from __future__ import annotations

from math import erf, erfc, exp, factorial, pi, sqrt

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import erf as vector_erf

from giantstep.errors import InputError
from giantstep.gaussian.quadrature import expect, gauss_hermite, panel_rule

numbers = st.floats(-3, 3)


def honest(estimate, truth):
    """The stated error covers the true one (up to rounding of the truth itself)."""
    assert abs(estimate.value - truth) <= estimate.error + 1e-15 * max(1.0, abs(truth))


@given(n=st.integers(1, 200))
@settings(max_examples=30, deadline=None)
def test_gauss_hermite_is_exact_for_polynomials(n):
    nodes, weights = gauss_hermite(n)
    assert weights.sum() == pytest.approx(1.0, abs=1e-14)
    for k in range(0, min(2 * n, 16), 2):
        double_factorial = factorial(k) / (2 ** (k // 2) * factorial(k // 2))
        assert weights @ nodes**k == pytest.approx(double_factorial, rel=1e-11)
    with pytest.raises(ValueError, match="read-only"):
        nodes[0] = 0.0


def test_panel_rule_splits_at_breaks():
    z, w = panel_rule(breaks=(0.3,))
    assert w.sum() == pytest.approx(1.0, abs=1e-14)
    assert w @ (z > 0.3) == pytest.approx(0.5 * erfc(0.3 / sqrt(2)), abs=1e-14)


@given(a=numbers, b=numbers)
@settings(max_examples=40, deadline=None)
def test_stated_error_for_smooth_functions(a, b):
    honest(expect(lambda z: np.exp(a * z)), exp(a * a / 2))
    honest(expect(lambda z: np.cos(4 * a * z + b)), exp(-8 * a * a) * np.cos(b))
    honest(expect(lambda z: (z - a) ** 4), 3 + 6 * a * a + a**4)


@given(a=st.floats(-6, 6), declared=st.booleans())
@settings(max_examples=60, deadline=None)
def test_stated_error_at_kinks_and_jumps_declared_or_not(a, declared):
    breaks = (a,) if declared else ()
    upper, density = 0.5 * erfc(a / sqrt(2)), exp(-a * a / 2) / sqrt(2 * pi)
    ramp = expect(lambda z: np.maximum(z - a, 0), breaks)
    honest(ramp, density - a * upper)
    jump = expect(lambda z: (z > a) * 1.0, breaks)
    honest(jump, upper)
    assert max(ramp.error, jump.error) < 1e-12


@given(place=st.floats(-0.01, 0.01), slope=st.floats(1, 1e5))
@settings(max_examples=40, deadline=None)
def test_a_feature_between_the_last_node_and_the_edge_of_a_panel_is_seen(place, slope):
    """Panels meet at 0; a transition right there is invisible to the nodes of both of them."""
    width = 1 / slope
    truth = erf(-place / sqrt(2) / sqrt(1 + width**2 / 2))  # E erf((z - place)/width)
    honest(expect(lambda z: vector_erf((z - place) / width)), truth)


def test_a_function_that_lives_far_out():
    estimate = expect(lambda z: np.maximum(z - 9.0, 0))
    with mpmath.workdps(40):
        truth = float(mpmath.npdf(9) - 9 * mpmath.ncdf(-9))
    assert abs(estimate.value - truth) <= estimate.error < 1e-12 * truth


def test_what_cannot_be_integrated_is_refused_in_one_sentence():
    with pytest.raises(InputError, match="grows too fast"):
        expect(lambda z: np.exp(z * z))
    with pytest.raises(InputError, match="not finite"):
        expect(lambda z: np.where(z > 1, np.nan, z))


def test_an_integral_that_does_not_exist_has_a_large_error():
    assert expect(lambda z: 1 / np.abs(z)).error > 0.1


def test_constants_and_zero():
    assert expect(lambda z: np.zeros_like(z)).value == 0.0
    honest(expect(lambda z: 2.5), 2.5)
