"""The deviation of a gradient from its mean, against the variance of single samples."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.problems import Target
from giantstep.theory.gradient import gradient_concentration


@pytest.mark.parametrize("bias", [-0.7, 0.0, 0.8])
def test_one_samples_variance(bias: float) -> None:
    """E|G - E G|^2 of n = 1 by brute force in d = 24, over neurons and inputs."""
    d, generator = 24, np.random.default_rng(1)
    target = Target("He2(x1) + x1*x2/2")
    squares = []
    for _ in range(24):
        w = generator.standard_normal(d)
        x = generator.standard_normal((8_000, d))
        g = (target(x) * (x @ (w / np.linalg.norm(w)) + bias >= 0))[:, None] * x
        squares.append(float(g.var(axis=0, ddof=1).sum()))
    expected = gradient_concentration(target, d, 1, bias).deviation ** 2 * float(target.norm2)
    error = np.std(squares) / np.sqrt(len(squares))
    assert np.mean(squares) == pytest.approx(expected, abs=4 * error + 2 * expected * (2 + 12 * bias**2) / d**2)


def test_the_rate() -> None:
    found = gradient_concentration(Target("x1*x2*x3"), 10**6, 10**4, 0.3)
    assert found.constant == pytest.approx(1, abs=1e-4)
    assert found.rate == pytest.approx(np.sqrt(found.active * 100))
