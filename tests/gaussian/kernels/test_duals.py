from __future__ import annotations

from itertools import combinations_with_replacement
from math import factorial, pi, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.gaussian.samples import (
    CENTRED_RELU,
    GELU,
    SHIFTED_RELU,
    SOFTPLUS,
    TANH,
    Function,
    conditional_oracle,
    family,
    sharp,
)

from giantstep.errors import InputError
from giantstep.gaussian import Term
from giantstep.gaussian.functions import FAMILIES
from giantstep.gaussian.kernels import dual_kernel, hermite_at, mean_at, second_moment_at
from giantstep.gaussian.kernels.near_one import collinear_pairs, correlated_pair
from giantstep.gaussian.quadrature import expect

ELEMENTARY = {
    **{name: family(name) for name in FAMILIES if name != "hermite"},
    "He2": family("hermite", order=2),
    "He3(0.8 z)": family("hermite", 0.8, 3),
    "erf(-1.7 z)": family("erf", -1.7),
    "relu(-z)": family("relu", -1.0),
}
PAIRS = list(combinations_with_replacement(ELEMENTARY, 2))


def kernel(f, g, sd_u, sd_v, rho, **options):
    return dual_kernel(f, g, np.square(sd_u), np.square(sd_v), np.multiply(rho, np.multiply(sd_u, sd_v)), **options)


def size(f, g, sd_u, sd_v):
    return np.sqrt(second_moment_at(f, sd_u) * second_moment_at(g, sd_v))


@pytest.mark.parametrize(
    ("f", "g", "sd_u", "sd_v", "rho", "value"),
    [
        (TANH, TANH, 1, 1, 0.5, 0.1863244132),
        (TANH, TANH, 1.3, 2.5, 0.9, 0.5003481763),
        (TANH, TANH, 3, 4, 0.97, 0.7253116959),
        (CENTRED_RELU, CENTRED_RELU, 1, 1, 0.5, 0.1453439474),
        (family("erf"), family("erf"), 1, 1, 0.5, 0.2163468959),
        (family("relu"), TANH, 1, 1, 0.5, 0.1514263774),
    ],
)
def test_published_values(f, g, sd_u, sd_v, rho, value):
    assert kernel(f, g, sd_u, sd_v, rho) == pytest.approx(value, abs=1e-8)
    assert kernel(g, f, sd_v, sd_u, rho) == pytest.approx(value, abs=1e-8)
    assert kernel(f.without_terms(), g.without_terms(), sd_u, sd_v, rho) == pytest.approx(value, abs=1e-8)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_closed_forms_against_series_and_direct_integration(first, second):
    """Three ways that share nothing: formulas in the covariance, sums over degrees, an integral over the plane."""
    f, g = ELEMENTARY[first], ELEMENTARY[second]
    sd_u, sd_v = np.array([0.3, 1.0, 1.7, 1.7, 0.9]), np.array([1.1, 1.0, 0.6, 2.1, 1.4])
    rho = np.array([0.5, -0.8, 0.0, 0.35, 0.9])
    closed = kernel(f, g, sd_u, sd_v, rho)
    tolerance = 1e-11 * size(f, g, sd_u, sd_v)
    series = kernel(f.without_terms(), g.without_terms(), sd_u, sd_v, rho)
    assert np.all(np.abs(closed - series) <= tolerance)
    for sign in (1, -1):
        direct = correlated_pair(f, g, 1.3, 0.7, sign * 0.997)
        assert abs(direct - kernel(f, g, 1.3, 0.7, sign * 0.997)) <= 1e-11 * size(f, g, 1.3, 0.7)


@pytest.mark.parametrize(("first", "second"), PAIRS[:: len(PAIRS) // 24])
def test_closed_forms_against_nested_quadrature(first, second):
    f, g = ELEMENTARY[first], ELEMENTARY[second]
    for sd_u, sd_v, rho in ((1.2, 0.7, 0.6), (0.8, 1.3, -0.45)):
        oracle = conditional_oracle(f, g, sd_u, sd_v, rho)
        assert abs(oracle - kernel(f, g, sd_u, sd_v, rho)) <= 1e-10 * size(f, g, sd_u, sd_v)


def test_textbook_formulas():
    rho, r, s = 0.3, 1.4, 0.6
    c = rho * r * s
    theta = np.arccos(rho)
    relu, step, erf = family("relu"), family("step"), family("erf")
    assert kernel(relu, relu, r, s, rho) == pytest.approx(r * s * (np.sin(theta) + (pi - theta) * rho) / (2 * pi))
    assert kernel(step, step, r, s, rho) == pytest.approx((pi - theta) / (2 * pi))
    assert kernel(relu, step, r, s, rho) == pytest.approx(r * (1 + rho) / (2 * sqrt(2 * pi)))
    inside = 2 * c / sqrt((1 + 2 * r * r) * (1 + 2 * s * s))
    assert kernel(erf, erf, r, s, rho) == pytest.approx(2 / pi * np.arcsin(inside))
    # Stein: E u g(v) = cov E g'(v)
    assert kernel(family("identity"), TANH, r, s, rho) == pytest.approx(c * float(mean_at(slope_of(TANH), s)))


def slope_of(f):
    return Function(f.derivative, np.zeros_like)


@given(order=st.integers(0, 12), other=st.integers(0, 12), rho=st.floats(-1, 1))
@settings(max_examples=40, deadline=None)
def test_hermite_polynomials_are_orthogonal_at_unit_variance_only(order, other, rho):
    f, g = family("hermite", order=order), family("hermite", order=other)
    expected = factorial(order) * rho**order if order == other else 0.0
    scale = sqrt(factorial(order) * factorial(other))
    assert float(kernel(f, g, 1, 1, rho)) == pytest.approx(expected, abs=1e-12 * scale)
    if order == other == 2:  # E (u^2 - 1)(v^2 - 1) = 2 cov^2 + (var_u - 1)(var_v - 1)
        assert float(kernel(f, g, 2, 3, rho)) == pytest.approx(2 * 36 * rho**2 + 3 * 8)


@given(
    sd_u=st.floats(0.05, 5),
    sd_v=st.floats(0.05, 5),
    rho=st.floats(-1, 1),
    pair=st.sampled_from([(TANH, TANH), (TANH, family("relu")), (GELU, SHIFTED_RELU), (SOFTPLUS, family("sign"))]),
)
@settings(max_examples=30, deadline=None)
def test_general_pairs_obey_cauchy_schwarz_and_symmetry(sd_u, sd_v, rho, pair):
    f, g = pair
    value = float(kernel(f, g, sd_u, sd_v, rho))
    assert abs(value) <= float(size(f, g, sd_u, sd_v)) * (1 + 1e-11)
    assert value == pytest.approx(float(kernel(g, f, sd_v, sd_u, rho)), abs=1e-11 * float(size(f, g, sd_u, sd_v)))


@pytest.mark.parametrize("pair", [(TANH, family("relu")), (SHIFTED_RELU, GELU), (SHIFTED_RELU, SHIFTED_RELU)])
@pytest.mark.parametrize(("sd_u", "sd_v", "rho"), [(1.2, 0.7, 0.55), (2.0, 1.5, -0.9)])
def test_general_pairs_against_nested_quadrature(pair, sd_u, sd_v, rho):
    oracle = conditional_oracle(*pair, sd_u, sd_v, rho)
    assert float(kernel(*pair, sd_u, sd_v, rho)) == pytest.approx(oracle, abs=1e-10)


@pytest.mark.parametrize("f", [TANH, SHIFTED_RELU, sharp(12), family("abs").without_terms()])
def test_no_seam_between_series_direct_integration_and_the_diagonal(f):
    """Along rho -> 1 the methods change; the function must not."""
    rho = 1 - np.array([1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-9, 1e-13, 0.0])
    values = kernel(f, f, 1.5, 1.5, rho)
    assert values[-1] == pytest.approx(float(second_moment_at(f, 1.5)), abs=1e-12)
    # d/drho E f(u) f(v) = r^2 E f'(u) f'(v), between 0 and its value r^2 E f'^2 at rho = 1
    slope = 1.5**2 * expect(lambda z: f.derivative(1.5 * z) ** 2, [k / 1.5 for k in f.kinks]).value
    drops = values[-1] - values[:-1]
    assert np.all(np.diff(values) >= -1e-12)
    assert np.all(np.abs(drops) <= slope * (1 - rho[:-1]) + 1e-12)
    assert drops[4] == pytest.approx(slope * 1e-6, rel=3e-3, abs=1e-12)
    mirrored = Function(lambda z: f(-z), lambda z: -f.derivative(-z), tuple(-k for k in f.kinks))
    assert np.allclose(kernel(f, mirrored, 1.5, 1.5, -rho), values, atol=1e-12)


def test_collinear_pairs_of_different_scales():
    r, s = np.array([0.2, 1.0, 1.0, 3.0]), np.array([1.0, -1.0, 2.0, -0.4])
    relu = family("relu").without_terms()
    assert np.allclose(collinear_pairs(relu, relu, r, s), [0.1, 0, 1, 0], atol=1e-14)
    found = collinear_pairs(SHIFTED_RELU, TANH, r, s)
    for i in range(4):
        sign = np.sign(s[i])
        assert found[i] == pytest.approx(float(kernel(SHIFTED_RELU, TANH, r[i], abs(s[i]), sign)), abs=1e-13)


@pytest.mark.parametrize("f", [TANH, SHIFTED_RELU, family("erf"), family("step"), family("hermite", order=4)])
@pytest.mark.parametrize("g", [GELU, family("relu"), family("cos")])
def test_zero_variance_means_the_constant_zero(f, g):
    f0 = float(np.asarray(f(np.zeros(1)))[0])
    g0 = float(np.asarray(g(np.zeros(1)))[0])
    values = dual_kernel(f, g, [0.0, 0.0, 1.7], [0.0, 2.0, 0.0], 0.0)
    assert values[0] == pytest.approx(f0 * g0, abs=1e-15)
    assert values[1] == pytest.approx(f0 * float(mean_at(g, sqrt(2.0))), abs=1e-14)
    assert values[2] == pytest.approx(g0 * float(mean_at(f, sqrt(1.7))), abs=1e-14)
    assert second_moment_at(f, 0.0) == pytest.approx(f0**2)


@pytest.mark.parametrize("name", ELEMENTARY)
def test_means_second_moments_and_modes_with_and_without_terms(name):
    f = ELEMENTARY[name]
    r = np.array([[0.1, 1.0], [1.6, 2.0]])
    bare = f.without_terms()
    scale = second_moment_at(bare, r)
    assert np.all(np.abs(second_moment_at(f, r) - scale) <= 1e-12 * scale)
    assert np.all(np.abs(mean_at(f, r) - mean_at(bare, r)) <= 1e-13 * np.sqrt(scale))
    modes = hermite_at(f, r, 3)
    assert modes.shape == (2, 2, 4)
    for k in range(4):
        he = family("hermite", order=k)
        assert np.allclose(modes[..., k], dual_kernel(f, he, r**2, 1.0, r), atol=1e-12 * scale.max())


def test_sums_of_terms_are_bilinear():
    sigma = Function(
        lambda z: 0.5 * z + (z**2 - 1) / sqrt(2) - 2 * np.maximum(0.3 * z, 0),
        lambda z: 0.5 + sqrt(2) * z - 0.6 * (z > 0),
        (0.0,),
        (),
        (Term(0.5, "identity"), Term(1 / sqrt(2), "hermite", 1.0, 2), Term(-2, "relu", 0.3)),
    )
    rho = np.linspace(-0.9, 0.9, 5)
    assert np.allclose(
        kernel(sigma, sigma, 1.3, 0.8, rho), kernel(sigma.without_terms(), sigma.without_terms(), 1.3, 0.8, rho)
    )
    assert np.allclose(kernel(sigma, TANH, 1.3, 0.8, rho), kernel(sigma.without_terms(), TANH, 1.3, 0.8, rho))


def test_a_polynomial_needs_no_high_degree_whatever_the_correlation():
    cubic = family("hermite", order=3)
    exact = 6 * hermite_at(TANH, 1.0, 3)[..., 3] / 6
    assert kernel(cubic, TANH, 1, 1, 1.0) == pytest.approx(float(exact), abs=1e-13)
    assert kernel(cubic, TANH, 1, 1, 1 - 1e-7) == pytest.approx(float(exact) * (1 - 1e-7) ** 3, abs=1e-13)


def test_broadcasting():
    rng = np.random.default_rng(3)
    w = rng.normal(size=(50, 20)) / sqrt(20)
    b = np.eye(20)[0]
    variances, cov = (w**2).sum(axis=1), w @ b
    cross = dual_kernel(TANH, family("relu"), variances, 1.0, cov)
    assert cross.shape == (50,)
    for i in (0, 17, 49):
        assert cross[i] == pytest.approx(float(dual_kernel(TANH, family("relu"), variances[i], 1.0, cov[i])), abs=1e-12)
    table = dual_kernel(TANH, GELU, variances[:, None], np.array([1.0, 2.0]), cov[:, None])
    assert table.shape == (50, 2)
    assert table[17, 1] == pytest.approx(float(dual_kernel(TANH, GELU, variances[17], 2.0, cov[17])), abs=1e-12)
    assert dual_kernel(TANH, GELU, np.ones((0, 3)), 1.0, np.zeros(3)).shape == (0, 3)


def test_large_variances_do_not_overflow():
    for name in ("sin", "cos", "erf", "sign", "abs", "relu"):
        for other in ("sin", "cos", "erf", "sign"):
            value = kernel(family(name), family(other), 60.0, 50.0, np.array([-1.0, -0.5, 0.5, 1.0]))
            assert np.all(np.isfinite(value))
            assert np.all(np.abs(value) <= size(family(name), family(other), 60.0, 50.0) * (1 + 1e-12))


def test_refusals():
    with pytest.raises(InputError, match="negative"):
        dual_kernel(TANH, TANH, -1.0, 1.0, 0.0)
    with pytest.raises(InputError, match="larger than its variances allow"):
        dual_kernel(TANH, TANH, 1.0, 1.0, 1.1)
    with pytest.raises(InputError, match="finite"):
        dual_kernel(TANH, TANH, 1.0, np.nan, 0.5)
    with pytest.raises(InputError, match="unknown family"):
        Term(1.0, "softmax")
    with pytest.raises(InputError, match="0 or more"):
        Term(1.0, "hermite", 1.0, -1)
