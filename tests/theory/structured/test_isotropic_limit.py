"""The gradient on isotropic inputs: length and scatter against samples, and the power of d."""

from __future__ import annotations

import math

import numpy as np
import pytest

from giantstep.problems import Activation, Problem, Target
from giantstep.streams import Streams
from giantstep.theory.structured.flows import isotropic_gradient


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_the_length_falls_as_the_information_exponent_says(degree: int) -> None:
    target, activation = Target(f"He{degree}(x1)"), Activation("relu(z - 1)")
    ends = [isotropic_gradient(target, activation, d, 1e4).norm for d in (10**4, 10**6)]
    assert math.log10(ends[1] / ends[0]) / 2 == pytest.approx(-(degree - 1) / 2, abs=1e-3)


@pytest.mark.parametrize(("activation", "text"), [("tanh", "x1 + He3(x1)/2"), ("relu(z - 1)", "He2(x1)")])
def test_length_and_scatter_of_sampled_gradients(activation: str, text: str) -> None:
    d, n, target, s = 6, 200_000, Target(text), Activation(activation)
    rng = np.random.default_rng(2)
    squares, scatter = [], []
    for number in range(24):
        w = rng.standard_normal(d)
        w /= np.linalg.norm(w)
        x, y = Problem(target, d).sample(n // 10, Streams(number), block_rows=n // 10).block(0)
        terms = (y * s.derivative(x @ w))[:, None] * x
        g = terms.mean(axis=0)
        scatter.append(terms.var(axis=0).sum())
        squares.append(g @ g - scatter[-1] / len(y))
    size = isotropic_gradient(target, s, d, 1.0)
    spread = np.std(squares) / np.sqrt(24)
    assert abs(np.mean(squares) - size.norm**2) < 4 * spread + 0.01 * size.norm**2
    assert np.mean(scatter) == pytest.approx(size.error**2, rel=4 / d)
