"""Targets given one direction (closed forms, total variance, refusals), and sums of functions of one direction each."""

from math import prod

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.gaussian.hermite import hermite
from giantstep.gaussian.quadrature import gauss_hermite
from giantstep.problems import Target, conditional_means, single_index_parts

U = np.array([-2.0, 0.0, 0.7, 3.0])


@pytest.mark.parametrize("text", ["x1 + He2(x1) + x2 - He2(x2)", "x1 + x1*x2 + He3(x1)*x3", "He4(x1)"])
def test_the_mean_of_a_hermite_polynomial(text: str) -> None:
    """E[He_a(x) | u] = v^a He_|a|(u), and its gradient lowers one index."""
    target, rng = Target(text), np.random.default_rng(2)
    v = rng.standard_normal(target.directions)
    v *= 0.8 / np.linalg.norm(v)
    seen = conditional_means(target, v, U)
    mean, gradient = np.zeros(len(U)), np.zeros((len(U), len(v)))
    for a, c in target.hermite().items():
        mean += float(c) * prod(v ** np.array(a)) * hermite(sum(a), U)
        for i, power in enumerate(a):
            if power:
                lowered = np.array(a) - np.eye(len(a), dtype=int)[i]
                gradient[:, i] += float(c) * power * prod(v**lowered) * hermite(sum(a) - 1, U)
    assert seen.mean == pytest.approx(mean, abs=1e-9)
    assert seen.gradient == pytest.approx(gradient, abs=1e-9)


@pytest.mark.parametrize("text", ["x1 + He2(x1) + x2 + He2(x2)", "relu(x1)", "tanh(x1)*x2"])
@pytest.mark.parametrize("length", [0.0, 0.6, 1.0])
def test_second_moments_add_up(text: str, length: float) -> None:
    target = Target(text)
    v = np.full(target.directions, length / np.sqrt(target.directions))
    u, weight = gauss_hermite(40)
    seen = conditional_means(target, v, u)
    assert float(weight @ seen.second) == pytest.approx(float(target.norm2), rel=1e-3)
    assert np.all(seen.second >= seen.mean**2 - 1e-9)
    if length == 1.0 and target.directions == 1:
        assert seen.second == pytest.approx(seen.mean**2)  # u is x1 itself


def test_refusals() -> None:
    with pytest.raises(InputError, match="2 entries"):
        conditional_means(Target("x1*x2"), np.ones(3), U)
    with pytest.raises(InputError, match="jumps"):
        conditional_means(Target("x1 + tanh(sign(x1 + x2))"), np.array([0.6, 0.0]), U)
    with pytest.raises(InputError, match="too many nodes"):
        conditional_means(Target("He7(x1) + x2*x3*x4*x5*x6"), np.zeros(6), U)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("(erf(x1/sqrt(2)) + erf(x2/sqrt(2)))/2", 2),
        ("relu(x1) + tanh(x2) + x2 - 3", 2),
        ("tanh(x1 + 2*x3) - x1**3", 2),
        ("abs(2*x2) + abs(-x2)", 1),
    ],
)
def test_the_parts_add_up(text: str, count: int) -> None:
    target = Target(text)
    parts = single_index_parts(target)
    assert parts is not None
    assert len(parts) == count
    x = np.random.default_rng(0).standard_normal((20, target.directions))
    assert all(np.linalg.norm(b) == pytest.approx(1) for _, b in parts)
    np.testing.assert_allclose(sum(g(x @ b) for g, b in parts), target(x), rtol=1e-12)


def test_coupled_targets_have_no_parts() -> None:
    assert single_index_parts(Target("x1*x2")) is None
    assert single_index_parts(Target("relu(x1)*tanh(x2)")) is None
