"""Generative exponents and the strengths behind them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from giantstep.gaussian.hermite import hermite
from giantstep.problems import Target
from giantstep.problems.analysis import Landscape
from giantstep.problems.analysis.generative_exponent import Generative, generative


def of(text: str) -> Generative:
    return generative(Landscape(Target(text)))


@pytest.mark.parametrize(
    ("text", "exponent", "strengths"),
    [
        ("x1", 1, (1, 1, 1, 1)),
        ("He2(x1)", 2, (0, 1, 0, 1)),
        ("He3(x1)", 1, (0.6678, 0.6230, 1, 0.7066)),
        ("He4((3*x1 + 4*x2)/5)", 2, (0, 0.77537, 0, 1)),
        ("He5(x1)", 1, (0.60262, 0.69735, 0.70192, 0.59258)),
        ("He2(x1) + He3(x1)/10", 1, (0.0484, 0.9763, 0.2089, 0.8071)),
    ],
)
def test_polynomials(text: str, exponent: int, strengths: tuple[float, ...]) -> None:
    found = of(text)
    assert found.exponent == exponent
    assert found.strengths == pytest.approx(strengths, abs=6e-5)


def test_strengths_against_bins() -> None:
    """E[E(h_k | y)^2] with y cut into many bins, which can only lose a little."""
    z = np.linspace(-8, 8, 1_000_001)
    mass = np.exp(-z * z / 2) * (z[1] - z[0]) / math.sqrt(2 * math.pi)
    height = np.arcsinh(hermite(5, z) - 3 * z * z)
    bins = ((height - height.min()) / np.ptp(height) * 6000).astype(int)
    chance = np.bincount(bins, mass)
    known = of("He5(x1) - 3*x1**2").strengths
    for k in range(1, 5):
        mean = np.bincount(bins, mass * hermite(k, z) / math.sqrt(math.factorial(k)))
        binned = float(np.sum(mean[chance > 0] ** 2 / chance[chance > 0]))
        assert known[k - 1] == pytest.approx(binned, abs=2e-3)


@pytest.mark.parametrize(
    ("text", "exponent"),
    [("relu(x1)", 1), ("abs(x1)", 2), ("sign(x1)", 1), ("cos(2*x1)", 2), ("tanh(x1 + x2)", 1), ("step(x1**2 - 1)", 2)],
)
def test_other_functions(text: str, exponent: int) -> None:
    found = of(text)
    assert found.exponent == exponent
    assert "by quadrature" in found.reason


def test_several_directions_have_none_and_a_reason() -> None:
    assert of("x1*x2") == Generative(None, (), "defined here for targets of one direction only")
    assert of("3").exponent is None
