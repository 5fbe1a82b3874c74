from __future__ import annotations

from fractions import Fraction
from math import factorial

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from giantstep.errors import InputError
from giantstep.gaussian.hermite import hermite, hermite_coefficients, hermite_table, power_to_hermite
from giantstep.gaussian.hermite.polynomials import rescaled_coefficients
from giantstep.gaussian.quadrature import gauss_hermite

orders = st.integers(0, 20)


def horner(coefficients, x):
    return sum(c * x**j for j, c in enumerate(coefficients))


@given(k=orders, x=st.fractions(-3, 3, max_denominator=50))
@settings(deadline=None)
def test_coefficients_follow_the_recurrence_exactly(k, x):
    left = horner(hermite_coefficients(k + 1), x)
    right = x * horner(hermite_coefficients(k), x) - (k * horner(hermite_coefficients(k - 1), x) if k else 0)
    assert left == right
    assert horner([Fraction(c) for c in hermite_coefficients(k)], x) == pytest.approx(
        float(hermite(k, float(x))), rel=1e-9, abs=1e-6
    )


@given(k=orders, x=st.fractions(-3, 3, max_denominator=20))
@settings(deadline=None)
def test_powers_in_the_hermite_basis(k, x):
    assert x**k == sum(c * horner(hermite_coefficients(j), x) for j, c in enumerate(power_to_hermite(k)))


@given(k=orders, scale=st.floats(0, 3), x=st.floats(-2, 2))
@settings(deadline=None)
def test_multiplication_theorem(k, scale, x):
    expansion = rescaled_coefficients(k, scale)
    size = float(np.abs(expansion * hermite_table(k, x)).sum())
    assert float(expansion @ hermite_table(k, x)) == pytest.approx(
        float(hermite(k, scale * x)), abs=1e-12 * size + 1e-12
    )


def test_orthonormal_under_the_gaussian():
    z, w = gauss_hermite(60)
    table = hermite_table(40, z, normalised=True)
    assert np.allclose((table * w) @ table.T, np.eye(41), atol=1e-11)


def test_table_against_a_reference_and_itself():
    with mpmath.workdps(30):
        reference = float(mpmath.mpf(2) ** mpmath.mpf(-15) * mpmath.hermite(30, mpmath.mpf("1.7") / mpmath.sqrt(2)))
    assert hermite(30, 1.7) == pytest.approx(reference, rel=1e-12)
    x = np.linspace(-3, 3, 7).reshape(7, 1)
    table = hermite_table(12, x)
    assert table.shape == (13, 7, 1)
    for k in (0, 1, 5, 12):
        assert np.array_equal(table[k], hermite(k, x))
        assert np.allclose(hermite(k, x, normalised=True), table[k] / factorial(k) ** 0.5, rtol=1e-12)


def test_negative_orders_are_refused():
    for call in (lambda: hermite(-1, 0.0), lambda: hermite_table(-1, 0.0)):
        with pytest.raises(InputError, match="0 or more"):
            call()
