"""Kernel risks against the reference table, simulated regressions and their common lower bound."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import Activation, Target
from giantstep.theory import Student, Teacher
from giantstep.theory.ridge import (
    infinite_width_risk,
    initial_kernel_risk,
    kernel_lower_bound,
    linear_ridge_risk,
    tangent_kernel_risk,
)

GRID = np.geomspace(1e-3, 1e2, 11)
KERNELS = (initial_kernel_risk, tangent_kernel_risk, infinite_width_risk)
RELU_TEXT = "relu(x1) - 1/sqrt(2*pi)"


@pytest.mark.parametrize(
    ("student", "teacher", "psi", "noise", "best"),
    [
        ("tanh", "tanh(x1)", (2, 1.5), 0.2, (0.1523, 0.0798, 0.0784, 0.0791)),
        ("erf", "erf(x1)", (4, 2), 0.0, (0.1059, 0.0557, 0.0530, 0.0531)),
        ("centered(relu)", "tanh(x1)", (2, 1.5), 0.2, (0.2399, 0.1176, 0.0835, 0.0791)),
        ("tanh", RELU_TEXT, (3, 1), 0.1, (0.2042, 0.1304, 0.1304, 0.1307)),
    ],
)
def test_reference_table(student, teacher, psi, noise, best):
    """Smallest risk on a grid of penalties for CK, NTK, CK of infinite width and linear ridge."""
    s, t = Student.of(Activation(student)), Teacher.of(Target(teacher))
    risks = [kernel(s, t, *psi, GRID, noise) for kernel in KERNELS]
    assert [float(r.min()) for r in risks] == pytest.approx(best[:3], rel=3e-3)
    linear = linear_ridge_risk(t, psi[0], GRID, noise)
    assert float(linear.min()) == pytest.approx(best[3], rel=1e-2)
    for risk in (*risks, linear):
        assert (risk >= kernel_lower_bound(t)).all()


def test_bound_holds_on_random_settings():
    rng = np.random.default_rng(0)
    shape = 3000
    psi1, psi2, ridge = (
        10 ** rng.uniform(-2, 2, shape),
        10 ** rng.uniform(-2, 2, shape),
        10 ** rng.uniform(-8, 8, shape),
    )
    noise = rng.random(shape)
    for student in (Student(0.6, 0.03, slope_variance=0.1), Student(1.0, 0.0), Student(0.5, 2.0, slope_variance=3.0)):
        for teacher in (Teacher(0.6, 0.03), Teacher(1.0, 0.0, 0.3), Teacher(0.0, 1.0)):
            for kernel in KERNELS:
                risk = kernel(student, teacher, psi1, psi2, ridge, noise)
                assert np.isfinite(risk).all()
                assert (risk >= kernel_lower_bound(teacher) * (1 - 1e-12)).all()


def test_linear_ridge_equation_and_limits():
    teacher = Teacher(0.8, 0.1, 0.2)
    for psi1 in (0.3, 1.0, 4.0):
        for level in (1e-8, 1e-2, 1.0, 1e8):
            b = 1 - level - 1 / psi1
            k = max(np.roots([1.0, b, -level]).real)
            numerator = 0.04 + 0.64 * (k / (1 + k)) ** 2 + 0.1 + 0.25
            expected = numerator / (1 - 1 / psi1 / (1 + k) ** 2) - 0.25
            assert float(linear_ridge_risk(teacher, psi1, level, 0.5)) == pytest.approx(expected, rel=1e-5)
    assert float(linear_ridge_risk(teacher, 1e6, 1e-8)) == pytest.approx(0.14, rel=1e-4)


def test_linear_ridge_in_simulation():
    d, n, seeds = 120, 200, 40
    rows = []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        x = rng.standard_normal((n, d))
        y = 0.7 * x[:, 0] + 0.4 * rng.standard_normal(n)
        b = np.linalg.solve(x.T @ x / n + 0.3 * np.eye(d), x.T @ y / n)
        b[0] -= 0.7
        rows.append(b @ b)
    expected = float(linear_ridge_risk(Teacher(0.7, 0.0), n / d, 0.3, 0.4))
    assert np.mean(rows) == pytest.approx(expected, abs=4 * np.std(rows, ddof=1) / np.sqrt(seeds) + 0.01 * expected)


def test_tangent_kernel_in_simulation():
    d, n, neurons, noise, ridge, seeds = 120, 200, 150, 0.2, 0.3, 10
    sigma, rows = Activation("tanh"), []
    student, teacher = Student.of(sigma), Teacher.of(Target("tanh(x1)"))
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        w = rng.standard_normal((d, neurons)) / np.sqrt(d)
        x, test = rng.standard_normal((n, d)), rng.standard_normal((2000, d))
        y = np.tanh(x[:, 0]) + noise * rng.standard_normal(n)
        slopes, slopes_test = sigma.derivative(x @ w), sigma.derivative(test @ w)
        kernel = (x @ x.T / d) * (slopes @ slopes.T / neurons)
        cross = (test @ x.T / d) * (slopes_test @ slopes.T / neurons)
        fit = cross @ np.linalg.solve(kernel + n * ridge / neurons * np.eye(n), y)
        rows.append(np.mean((fit - np.tanh(test[:, 0])) ** 2))
    expected = float(tangent_kernel_risk(student, teacher, n / d, neurons / d, ridge, noise))
    assert np.mean(rows) == pytest.approx(expected, abs=4 * np.std(rows, ddof=1) / np.sqrt(seeds) + 0.04 * expected)


def test_refusals():
    teacher = Teacher(1.0, 0.0)
    with pytest.raises(InputError, match="ridge"):
        linear_ridge_risk(teacher, 1.0, 0.0)
    with pytest.raises(InputError, match="mu1"):
        tangent_kernel_risk(Student(0.0, 1.0), teacher, 1.0, 1.0, 0.1)
