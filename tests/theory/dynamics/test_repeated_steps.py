"""Several steps as one: limits, the recursion against matrices, and where the output overshoots."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.theory import OneStep, Student, Teacher
from giantstep.theory.dynamics import equivalent_step, feedback, step_length
from giantstep.theory.ridge import asymptotic_risk
from giantstep.theory.spectra import weight_spike

TANH = (0.6057055096, 0.02741532604)
SETTING = OneStep(Student(*TANH), Teacher(*TANH), psi1=2.0, psi2=1.5, step=1.0, noise=0.2)


@pytest.mark.parametrize("batch", ["same", "fresh"])
@pytest.mark.parametrize("steps", [1, 2, 7])
def test_without_feedback_steps_add_up(batch, steps) -> None:
    many = replace(SETTING, steps=steps, batch=batch)
    one = equivalent_step(many)
    assert float(one.theta1) == pytest.approx(float(many.theta1), rel=1e-12)
    assert float(one.theta2) == pytest.approx(float(many.theta2), rel=1e-12)
    risks = asymptotic_risk(one, 0.1, psi1=2.0), asymptotic_risk(many, 0.1)
    assert float(risks[0].trained) == pytest.approx(float(risks[1].trained), rel=1e-12)
    assert weight_spike(one).left_alignment == pytest.approx(weight_spike(many).left_alignment, rel=1e-12)


@pytest.mark.parametrize("batch", ["same", "fresh"])
def test_one_step_has_no_feedback_and_few_neurons_have_much(batch) -> None:
    once = replace(SETTING, batch=batch)
    assert float(equivalent_step(once, 50).theta1) == pytest.approx(float(once.theta1), rel=1e-12)
    sizes = [float(equivalent_step(replace(once, steps=5), n).theta1) for n in (10, 100, 1000, np.inf)]
    assert (np.diff(sizes) > 0).all()


@pytest.mark.parametrize(("batch", "seed"), [("same", 0), ("same", 1), ("fresh", 0), ("fresh", 1)])
def test_against_the_linear_recursion_on_drawn_data(batch, seed) -> None:
    """g += eta mu1 (X^T y/n - (mu1/sqrt N) S g) for a target with a nonlinear part and noise, at d = 600."""
    rng = np.random.default_rng(seed)
    d, neurons, steps, eta = 600, 900, 5, 20.0
    mu1, n = TANH[0], 1200
    g = np.zeros(d)
    for step in range(steps):
        before = g
        if step == 0 or batch == "fresh":
            x = rng.standard_normal((n, d))
            y = np.tanh(x[:, 0]) + 0.2 * rng.standard_normal(n)
        g = g + eta * mu1 * x.T @ (y - mu1 / neurons**0.5 * (x @ g)) / n
    one = equivalent_step(replace(SETTING, step=eta, steps=steps, batch=batch), neurons)
    assert np.linalg.norm(g) == pytest.approx(float(one.theta1), rel=0.05)
    assert g[0] == pytest.approx(float(one.theta2), rel=0.08)
    last = step_length(replace(SETTING, step=eta, steps=steps, batch=batch), neurons)
    assert np.linalg.norm(g - before) == pytest.approx(last, rel=0.05)


@pytest.mark.parametrize("batch", ["same", "fresh"])
def test_a_target_without_linear_part_and_endless_samples(batch) -> None:
    bare = replace(SETTING, teacher=Teacher(0.0, 0.5), steps=3, batch=batch)
    assert float(equivalent_step(bare, 100).theta2) == 0.0
    assert float(equivalent_step(bare, 100).theta1) > 0
    endless = replace(SETTING, psi1=np.inf, steps=3, batch=batch)
    one = equivalent_step(endless, 100)
    assert float(one.theta1) == pytest.approx(float(one.theta2), rel=1e-6)


def test_overshooting_is_refused() -> None:
    large = replace(SETTING, step=100.0, steps=2)
    assert feedback(large, 100) > 2
    with pytest.raises(InputError, match="overshoots"):
        equivalent_step(large, 100)
    assert feedback(replace(large, batch="fresh"), 100) < feedback(large, 100)
