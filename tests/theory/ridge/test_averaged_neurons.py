"""The mean of neurons with one gain as an imitation of the target, against tau* and against drawn neurons."""

import numpy as np
import pytest

from giantstep.problems import Activation as A
from giantstep.theory import OneStep, Student, Teacher
from giantstep.theory.ridge.large import averaged_neurons_risk, gains_in_window, misspecification


def setting(psi1: float, noise: float = 0.0) -> OneStep:
    tanh = Student.of("tanh")
    return OneStep(tanh, Teacher.of("tanh(x1)"), psi1=psi1, psi2=1.0, step=20.0, noise=noise)


def test_infinitely_many_samples_and_neurons_reach_tau_star():
    tau = misspecification(A("tanh"), A("tanh"))
    spread = [averaged_neurons_risk(A("tanh"), A("tanh"), np.full(m, tau.gain), setting(np.inf)) for m in (1, 2)]
    # One neuron has all its own variance, two have half of it: the rest is tau*.
    assert 2 * spread[1] - spread[0] == pytest.approx(tau.value, abs=1e-7)


def test_drawn_neurons():
    rng, gains, here = np.random.default_rng(1), np.array([1.2, 1.6, 2.0]), setting(4.0, 0.3)
    second, student = float(here.label_second_moment), here.student
    common = (second / 4) ** 0.5 / here.teacher.mu1
    own = (student.slope_variance * second / 4) / (student.mu1 * here.teacher.mu1) ** 2
    x, error = rng.standard_normal((2, 400_000))
    z = rng.standard_normal((3, 400_000))
    fields = gains[:, None] * (x + common * error) + np.sqrt(1 + gains[:, None] ** 2 * own) * z
    risk = float(np.mean((np.tanh(x) - np.tanh(fields).mean(axis=0)) ** 2))
    assert averaged_neurons_risk(A("tanh"), A("tanh"), gains, here) == pytest.approx(risk, rel=0.01)
    exact = averaged_neurons_risk(A("tanh"), A("tanh"), gains, here, error2=0.0)
    assert exact < risk


def test_few_neurons_reach_a_gain_that_is_large_for_the_step():
    assert gains_in_window(4.0, 1.0, 0.1) < 1e-3 < 0.05 < gains_in_window(1.4, 1.0, 0.1)
