"""Kernels as text: values, power series, and what is refused."""

from __future__ import annotations

import pickle

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


@pytest.mark.parametrize("text", ["", "1 - t", "tanh", "relu(t)", "ntk(foo)", "x1", "t/t", "cos(t)", "exp(-t)", 3])
def test_bad_kernels_are_refused(text) -> None:
    with pytest.raises(InputError):
        InnerProductKernel(text)
