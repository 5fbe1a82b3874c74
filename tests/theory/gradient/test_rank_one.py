"""Norms of the first gradient against reference values and a simulated gradient."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import Activation, Target
from giantstep.theory import OneStep, Student, Teacher
from giantstep.theory.gradient import (
    feature_change,
    frobenius_ratio,
    gradient_norm,
    neuron_gradient,
    overtaken_share,
    regime_slopes,
    step_norms,
    typical_feature_change,
    typical_overtaken_share,
)


def pair(student: str, teacher: str) -> tuple[Student, Teacher]:
    return Student.of(Activation(student)), Teacher.of(Target(teacher))


@pytest.mark.parametrize(
    ("student", "teacher", "psi1", "ratio"),
    [
        ("tanh", "relu(x1)", 4, 0.2977),
        ("tanh", "tanh(x1)", 2, 0.3048),
        ("erf", "erf(x1)", 2, 0.3476),
        ("centered(relu)", "tanh(x1)", 2, 0.5912),
        ("centered(softplus)", "tanh(x1)", 1.5, 0.2691),
    ],
)
def test_frobenius_reference_values(student, teacher, psi1, ratio):
    assert float(frobenius_ratio(*pair(student, teacher), psi1)) == pytest.approx(ratio, abs=5.1e-5)


@pytest.mark.parametrize(("student", "teacher"), [("tanh", "relu(x1)"), ("centered(relu)", "relu(x1) + 1")])
def test_simulated_gradient(student, teacher):
    d, n, neurons, seeds = 250, 500, 300, 6
    sigma, target = Activation(student), Target(teacher)
    s, t = pair(student, teacher)
    rows = []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        w = rng.standard_normal((d, neurons)) / np.sqrt(d)
        a = rng.standard_normal(neurons) / np.sqrt(neurons)
        a /= np.linalg.norm(a)
        x = rng.standard_normal((n, d))
        y = target(x)
        h = x @ w
        residual = y - sigma(h) @ a / np.sqrt(neurons)
        gradient = x.T @ (np.outer(residual, a) * sigma.derivative(h)) / (n * np.sqrt(neurons))
        rank_one = s.mu1 / (n * np.sqrt(neurons)) * np.outer(x.T @ y, a)
        rest = gradient - rank_one
        rows.append(
            (
                np.sqrt(neurons) * np.linalg.norm(gradient, 2),
                np.linalg.norm(rest) / np.linalg.norm(rank_one),
                np.linalg.norm(rest, 2) / np.linalg.norm(gradient, 2),
            )
        )
    mean, error = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1) / np.sqrt(seeds)
    predicted = np.array([float(gradient_norm(s, t, n / d)), float(frobenius_ratio(s, t, n / d))])
    # The residual of relative operator norm C/sqrt(N) shifts the norm by its square.
    assert (np.abs(mean[:2] - predicted) < 4 * error[:2] + np.array([mean[2] ** 2, 0.01])).all()
    assert mean[2] < 6 / np.sqrt(neurons)


def test_step_norms():
    student, teacher = pair("tanh", "tanh(x1)")
    small = step_norms(OneStep(student, teacher, 2.0, 2.0, 1.0), 1600)
    assert small.operator == pytest.approx(0.19, abs=0.005)
    assert small.frobenius == pytest.approx(0.0120, abs=0.0003)
    assert small.warning is None
    large = step_norms(OneStep(student, teacher, 2.0, 2.0, 40.0), 1600)
    assert large.frobenius == pytest.approx(0.480, abs=0.01)
    assert "first order" in str(large.warning)


def test_slopes_follow_from_the_norms():
    student, teacher = pair("tanh", "tanh(x1)")
    for alpha in (0.0, 0.25, 0.5):
        sizes = [step_norms(OneStep(student, teacher, 2.0, 2.0, n**alpha), n) for n in (1000, 4000)]
        slopes = regime_slopes(alpha)
        for name in ("operator", "frobenius", "features"):
            measured = np.log(getattr(sizes[1], name) / getattr(sizes[0], name)) / np.log(4)
            assert measured == pytest.approx(getattr(slopes, name), abs=1e-12)


def test_a_finite_width_adds_the_output_of_the_network():
    student, teacher = pair("tanh", "relu(x1)")
    limit = float(frobenius_ratio(student, teacher, 2.0))
    added = [float(frobenius_ratio(student, teacher, 2.0, neurons=n)) ** 2 - limit**2 for n in (100, 200)]
    assert added[0] == pytest.approx(2 * added[1], rel=1e-9)
    assert added[0] > 0


@pytest.mark.parametrize(("name", "overlap"), [("tanh", 0.0), ("tanh", -0.2), ("centered(relu)", 0.3), ("gelu", 0.1)])
def test_feature_change_against_sampled_pairs(name, overlap):
    sigma, gradient, moves = Activation(name), 0.7, np.array([-2.0, 0.05, 1.5])
    z, other = np.random.default_rng(3).standard_normal((2, 400_000))
    across = np.sqrt(gradient**2 - overlap**2)
    changes = [np.mean((sigma(z + m * (overlap * z + across * other)) - sigma(z)) ** 2) for m in moves]
    sampled = np.sqrt(np.mean(changes) / np.mean(sigma(z) ** 2))
    assert feature_change(sigma, moves, gradient, overlap) == pytest.approx(sampled, rel=0.01)


def test_a_small_step_changes_features_as_the_first_order_says():
    for student, teacher in (("tanh", "tanh(x1)"), ("erf", "relu(x1)")):
        setting = OneStep(*pair(student, teacher), 2.0, 2.0, 0.05)
        exact = typical_feature_change(Activation(student), setting, 1000)
        assert exact == pytest.approx(step_norms(setting, 1000).features, rel=1e-4)
    gradient, overlap = neuron_gradient(OneStep(*pair("centered(relu)", "relu(x1) + 1"), 2.0, 2.0, 3.0))
    assert gradient > overlap > 0


def test_refusals():
    with pytest.raises(InputError, match="step_exponent"):
        regime_slopes(0.8)
    with pytest.raises(InputError, match="mu1 = 0"):
        frobenius_ratio(Student(0.0, 1.0), Teacher(1.0, 0.0), 2.0)
    with pytest.raises(InputError, match="neurons"):
        step_norms(OneStep(Student(1.0, 0.0), Teacher(1.0, 0.0), 2.0, 2.0, 1.0), 0)


def test_the_share_of_overtaken_weights_is_that_of_drawn_ones():
    """W_ij ~ N(0, 1/d) against m_j h_ij, h_ij ~ N(0, q^2/d) with mean mu1 E[x_1 f*] in the first coordinate."""
    setting = OneStep(*pair("tanh", "tanh(x1)"), psi1=2.0, psi2=1.0, step=1.0, noise=0.3)
    rng, d, neurons = np.random.default_rng(4), 200, 400
    moves, linear = rng.standard_normal(neurons) / neurons**0.5, np.array([setting.teacher.mu1])
    slope2 = setting.student.mu1**2 + setting.student.slope_variance
    spread = float(np.sqrt(setting.label_second_moment / 2 * slope2))
    shares = []
    for _ in range(20):
        change = moves[:, None] * rng.standard_normal((neurons, d)) * spread / d**0.5
        change[:, 0] = moves * setting.student.mu1 * linear[0]
        shares.append(np.mean(np.abs(change) > np.abs(rng.standard_normal((neurons, d)) / d**0.5)))
    assert overtaken_share(setting, d, moves, linear) == pytest.approx(np.mean(shares), rel=0.03)
    assert typical_overtaken_share(setting, d, neurons, linear) == pytest.approx(np.mean(shares), rel=0.08)
