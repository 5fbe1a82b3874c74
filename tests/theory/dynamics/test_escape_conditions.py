"""Where an escape is a diffusion: the first move against draws, and the largest step at which l = 2 is learned."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.problems import Activation, Target
from giantstep.theory.dynamics import EscapeSteps

RELU, SQUARE = Activation("relu"), Target("He2(x1)/sqrt(2)")


@pytest.mark.parametrize(("target", "activation", "noise"), [("x1", "erf", 0.7), ("He3(x1)", "sin(sqrt(3)*z)", 0.0)])
def test_the_first_move_of_a_start(target: str, activation: str, noise: float) -> None:
    """A step moves m of a start by (gamma/d) e s'(h) x1 beside what normalisation does to m ~ 0."""
    f, s, d, step = Target(target), Activation(activation), 64, 0.8
    rng, gamma = np.random.default_rng(2), 0.8 * d ** (-0.5 if target == "He3(x1)" else 0.0)
    x, h = rng.standard_normal((2, 400_000))
    error = f(x[:, None]) + noise * rng.standard_normal(len(x)) - s(h)
    moves = d * (gamma / d * error * s.derivative(h) * x) ** 2  # squared, over the 1/d of a start
    found = EscapeSteps(f, s, step, noise, 0.5).first_move(d)
    assert abs(found - moves.mean()) < 5 * moves.std() / len(moves) ** 0.5


def test_a_step_that_is_too_large_takes_the_pull_away_for_l_2_alone() -> None:
    """v = gamma (E[e s' x1] - m E[e s' h]) - gamma^2 m E[e^2 s'^2]/2 > 0 all the way; averages by draws."""
    x, z = np.random.default_rng(3).standard_normal((2, 400_000))
    largest = []
    for m in (0.1, 0.2, 0.3, 0.4, 0.5):
        h = m * x + (1 - m**2) ** 0.5 * z
        pulled = (SQUARE(x[:, None]) - RELU(h)) * (h > 0)
        largest.append(2 * np.mean(pulled * (x - m * h)) / (m * np.mean(pulled**2)))
    assert EscapeSteps(SQUARE, RELU, 0.95 * min(largest), 0.0, 0.5).are_pulled(10**7)
    assert not EscapeSteps(SQUARE, RELU, 1.05 * min(largest), 0.0, 0.5).are_pulled(10**7)
    assert EscapeSteps(Target("x1"), RELU, 100.0, 0.0, 0.5).are_pulled(10**7)
