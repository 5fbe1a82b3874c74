"""Kernels as text: values, power series, and what is refused."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import Activation, InnerProductKernel


@pytest.mark.parametrize("text", ["exp", "(1 + t)**4", "1 + t/2 + t**3", "t*exp(t/2)"])
def test_the_series_sums_to_the_kernel(text: str) -> None:
    kernel, t = InnerProductKernel(text), np.linspace(-0.9, 0.9, 7)
    powers = t[:, None] ** np.arange(24)
    np.testing.assert_allclose(powers @ kernel.coefficients(24), kernel(0.0, 0.0, t), rtol=1e-10)
    step = 1e-5
    slope = (kernel.derivative(1, t + step) - kernel.derivative(1, t - step)) / (2 * step)
    np.testing.assert_allclose(slope, kernel.derivative(2, t), rtol=1e-6, atol=1e-6)


def test_the_arc_cosine_kernel_is_the_one_of_cho_and_saul() -> None:
    cosine = np.linspace(-0.95, 0.95, 9)
    angle = np.arccos(cosine)
    wanted = (np.sin(angle) + (np.pi - angle) * cosine) / np.pi
    np.testing.assert_allclose(InnerProductKernel("arccos1")(4.0, 0.25, cosine), wanted, rtol=1e-12)


@pytest.mark.parametrize("text", ["arccos1", "ntk(relu)", "ntk(tanh)"])
def test_the_series_of_a_network_kernel_is_in_the_cosine(text: str) -> None:
    kernel, cosine = InnerProductKernel(text), np.array([-0.5, 0.2, 0.5])
    series = cosine[:, None] ** np.arange(40) @ kernel.coefficients(40)
    np.testing.assert_allclose(series, kernel(1.0, 1.0, cosine), rtol=1e-9)


def test_the_tangent_kernel_is_a_mean_over_random_neurons() -> None:
    rng, d = np.random.default_rng(0), 3
    x, other = rng.standard_normal((2, d))
    w = rng.standard_normal((400_000, d)) / np.sqrt(d)
    a = Activation("tanh")
    u, v, c = w @ x, w @ other, x @ other / d
    terms = a(u) * a(v) + c * a.derivative(u) * a.derivative(v)
    value = float(InnerProductKernel("ntk(tanh)")(x @ x / d, other @ other / d, c))
    assert abs(terms.mean() - value) < 5 * terms.std() / np.sqrt(len(terms))


def test_a_kernel_is_a_value_and_can_be_sent() -> None:
    assert pickle.loads(pickle.dumps(InnerProductKernel("exp"))) == InnerProductKernel("exp")
    assert repr(InnerProductKernel("exp")) == "InnerProductKernel('exp')"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        (" ", "empty"),
        ("exp(", "never closed"),
        ("sin(t)", "'sin' is not allowed"),
        ("tanh", "made of t, numbers and exp"),
        ("log(1+t)", "'log' is not allowed"),
        ("x1", "'x1' is not allowed"),
        ("arccos1 + t", "alone"),
        ("ntk(relu", "alone"),
        ("-t", "negative coefficient"),
        ("exp(-t)", "negative coefficient"),
        ("t**12 - t**13", "negative coefficient"),
        ("t**-1", "whole number"),
        ("(1+t)**200", "at most 20"),
        ("t/t", "by a number"),
        ("ntk(foo)", "unknown name 'foo'"),
        ("ntk(sign)", "jumps"),
        ("exp(1e60*t)", "overflows"),
        ("0", "depend on t"),
        ("5", "depend on t"),
        (3, "not 3"),
        (None, "not None"),
    ],
)
def test_a_bad_kernel_gets_one_sentence(text, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)) as raised:
        InnerProductKernel(text)
    assert str(raised.value).splitlines()[0].count(". ") == 0


def test_nested_exponentials_have_their_series_at_once() -> None:
    """exp(exp(t)) has the coefficients e B_m/m!, with the Bell numbers B_m."""
    bell = np.array([1, 1, 2, 5, 15, 52, 203, 877, 4140])
    factorials = np.cumprod([1, *range(1, 9)])
    found = InnerProductKernel("exp(exp(t))")
    np.testing.assert_allclose(found.coefficients(9), np.e * bell / factorials, rtol=1e-13)
    np.testing.assert_allclose(found.derivative(3, 0.5), found(0, 0, 0.5) * _touchard3(np.exp(0.5)), rtol=1e-12)


def _touchard3(x: float) -> float:
    return x + 3 * x**2 + x**3
