"""tau*, the floor and the bound for large steps against reference values and independent kernels."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.gaussian.kernels import dual_kernel
from giantstep.problems import Activation, Target
from giantstep.theory import Teacher
from giantstep.theory.ridge.large import (
    beats_kernels,
    floor_at,
    large_step_floor,
    misspecification,
    ridge_window,
    shares_nonlinear_part,
)
from giantstep.theory.ridge.large.large_steps import smoothed

A = Activation


@pytest.mark.parametrize(
    ("student", "teacher", "value", "gain"),
    [
        ("tanh", "tanh", 9.45265e-5, 1.588268),
        ("tanh", "erf", 6.41695e-6, 1.87929),
        ("erf", "tanh", 1.46351e-4, 1.46463),
        ("tanh", "sin", 9.04415e-3, 1.78474),
        ("tanh", "centered(relu)", 0.0966, None),
        ("centered(relu)", "tanh", 0.0998, None),
        ("centered(relu)", "centered(relu)", 0.0401, None),
        ("sin", "sin", 0.0632, None),
        ("centered(sigmoid)", "tanh", 0.0560, 6.54),
        ("sin", "tanh", 0.0585, None),
    ],
)
def test_reference_values(student, teacher, value, gain):
    found = misspecification(A(teacher), A(student))
    assert found.value == pytest.approx(value, rel=2e-3 if value > 0.02 else 1e-5)
    assert found.warning is None
    if gain:
        assert found.gain == pytest.approx(gain, rel=1e-3 if gain > 5 else 1e-5)


def test_erf_is_closed_under_smoothing():
    found = misspecification(A("erf"), A("erf"))
    assert found.value < 1e-14
    assert found.gain == pytest.approx(np.sqrt(3), rel=1e-6)


@pytest.mark.parametrize(
    ("student", "teacher", "value"),
    [("tanh", "tanh", 2.4864e-5), ("centered(sigmoid)", "tanh", 8.15e-6), ("centered(relu)", "tanh", 0.0274)],
)
def test_with_free_output_scale(student, teacher, value):
    assert misspecification(A(teacher), A(student), free_scale=True).value == pytest.approx(value, rel=2e-3)


def test_sine_needs_only_a_scale():
    found = misspecification(A("sin"), A("sin"), free_scale=True)
    assert found.value < 1e-12
    assert found.scale == pytest.approx(np.exp(0.5), rel=1e-6)


@pytest.mark.parametrize("text", ["relu", "tanh", "step(z - 0.4)"])
@pytest.mark.parametrize("gain", [0.0, 0.7, 3.0])
def test_smoothing_agrees_with_dual_kernels(text, gain):
    """E[S_k(x)^2] = E s(u)s(v) with variances 1 + k^2 and covariance k^2."""
    x, weight = np.polynomial.hermite_e.hermegauss(80)
    mean_square = (weight / weight.sum()) @ smoothed(A(text), gain, x) ** 2
    direct = dual_kernel(A(text), A(text), 1 + gain**2, 1 + gain**2, gain**2)
    assert mean_square == pytest.approx(float(direct), rel=2e-3)


def test_an_unreachable_infimum_is_said():
    found = misspecification(A("sign"), A("erf"))
    assert "as k grows" in str(found.warning)
    assert found.value == pytest.approx(0, abs=1e-12)
    assert found.gain == np.inf


def test_floor_reference_values():
    ratios = np.array([2, 4, 8, 16])
    assert large_step_floor(A("erf"), ratios) == pytest.approx([0.0309, 0.0227, 0.0145, 0.0084], abs=6e-5)
    assert large_step_floor(A("tanh"), ratios) == pytest.approx([0.0208, 0.0152, 0.0097, 0.0056], abs=6e-5)


def test_floor_limits():
    tanh = Teacher.of(Target("tanh(x1)"))
    assert float(large_step_floor(A("tanh"), np.inf)) == pytest.approx(0, abs=1e-12)
    assert float(large_step_floor(A("tanh"), 1e-9)) == pytest.approx(tanh.mu2_squared, rel=1e-6)
    assert float(large_step_floor(A("He2"), 3.0)) == pytest.approx(2.0)
    values = large_step_floor(A("relu"), np.geomspace(0.1, 100, 20), 0.3)
    assert (np.diff(values) < 0).all()
    assert (large_step_floor(A("relu"), 2.0, np.array([0.0, 1.0])) > 0).all()


def test_window_and_comparison():
    low, high = ridge_window(1600, 400, 0.1)
    assert low == pytest.approx(400 * 1600**-0.9)
    assert high == pytest.approx(400 * 1600**-0.1)
    tanh = Teacher.of(Target("tanh(x1)"))
    assert beats_kernels(tanh, misspecification(A("tanh"), A("tanh")).value)
    assert not beats_kernels(tanh, 0.1)
    with pytest.raises(InputError, match="margin"):
        ridge_window(100, 100, 0.7)


@pytest.mark.parametrize(
    ("student", "teacher", "shares"),
    [
        ("erf", "erf(x1)", True),
        ("relu", "relu(x1)", True),
        ("centered(relu)", "tanh(x1)", False),  # ReLU is |z|/2 beyond its linear part
        ("tanh", "relu(x1)", False),
        ("tanh", "3*x1", False),
        ("tanh", "He3(x1)", True),
        ("He3(z) + z", "He5(x1) + x1", False),  # a cubic stays one at every scale
    ],
)
def test_what_large_steps_can_teach(student, teacher, shares):
    link, _ = Target(teacher).single_index
    assert shares_nonlinear_part(link, A(student)) is shares


def test_a_slope_that_depends_on_the_direction_lowers_the_floor():
    """Of h_3(rho z + (1 - rho^2)^(1/2) v) all that is constant or linear in v is known: rho^6 + 3 rho^4 (1 - rho^2)."""
    rho2 = np.array([0.0, 0.5, 0.9, 1.0])
    wanted = 6 * (1 - rho2**3 - 3 * rho2**2 * (1 - rho2))
    assert floor_at(A("He3"), rho2, slopes=True) == pytest.approx(wanted, abs=1e-12)
    few, many = (large_step_floor(A("erf"), np.array([64.0, 128.0]), slopes=slopes) for slopes in (False, True))
    assert few[0] / few[1] == pytest.approx(2, rel=0.05)
    assert many[0] / many[1] == pytest.approx(4, rel=0.1)
