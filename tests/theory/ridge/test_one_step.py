"""The closed form of the one-step risk: reference table, signs, limits, stability and independent evaluations."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from giantstep.errors import InputError
from giantstep.problems import Activation, Target
from giantstep.theory import OneStep, Student, Teacher
from giantstep.theory.ridge import asymptotic_risk, equivalent_spectrum, exact_spectrum, infinite_width_risk, ridge_risk

TANH, ERF = Activation("tanh"), Activation("erf")
RELU, SOFTPLUS = Activation("centered(relu)"), Activation("centered(softplus)")
TEACHERS = {TANH: Target("tanh(x1)"), ERF: Target("erf(x1)"), RELU: Target("relu(x1) - 1/sqrt(2*pi)")}


def one_step(student, teacher, psi1, psi2, step, noise=0.0):
    return OneStep(Student.of(student), Teacher.of(TEACHERS[teacher]), psi1, psi2, step, noise)


@pytest.mark.parametrize(
    ("student", "teacher", "psi", "noise", "ridge", "risks"),
    [
        (TANH, TANH, (2, 1), 0.2, 0.1, (0.2055879, 0.1921851, 0.1666586, 0.1323918, 0.1130004)),
        (TANH, TANH, (2, 1), 0.2, 1.0, (0.2840344, 0.2724706, 0.2448544, 0.1887497, 0.1426566)),
        (ERF, ERF, (3, 0.75), 0.1, 0.1, (0.2679986, 0.2423878, 0.1980345, 0.1458870, 0.1189338)),
        (RELU, TANH, (2, 1.5), 0.25, 0.01, (0.4092443, 0.3987515, 0.3740320, 0.3236372, 0.2760694)),
        (RELU, TANH, (2, 1.5), 0.25, 0.1, (0.2478558, 0.2406219, 0.2232453, 0.1867394, 0.1522450)),
        (SOFTPLUS, TANH, (1.5, 1.25), 0.0, 0.1, (0.1975717, 0.1893871, 0.1711210, 0.1386933, 0.1148193)),
        (TANH, RELU, (1, 2), 0.3, 0.1, (0.3179993, 0.3142641, 0.3063731, 0.2939399, 0.2862453)),
    ],
)
def test_reference_table(student, teacher, psi, noise, ridge, risks):
    setting = one_step(student, teacher, *psi, np.array([0, 1, 2, 4, 8]), noise)
    assert asymptotic_risk(setting, ridge).trained == pytest.approx(risks, abs=2e-7)


def printed_formula(setting: OneStep, ridge: float, psi1: float) -> tuple[float, float]:
    """R_0 and R_GD in their first form: roots by bracketing, derivatives by complex steps."""
    a, b2 = setting.student.mu1**2, setting.student.mu2_squared
    psi2, t1, t2 = float(setting.psi2), float(setting.theta1), float(setting.theta2)

    def mt(zeta):
        b = 1 - psi2 + zeta
        return 2 / (b + np.sqrt(b * b + 4 * psi2 * zeta))

    def m(zeta):
        b = psi2 - 1 + zeta
        return 2 / (b + np.sqrt(b * b + 4 * zeta))

    def gap(kappa):
        return 1 - ridge / kappa - psi2 / psi1 * (1 - kappa / a * mt((b2 + kappa) / a))

    kappa = brentq(gap, ridge * (1 + 1e-14), ridge + 2 * psi2 / psi1 * (a + b2) + 1e-9, xtol=1e-15, rtol=1e-15)

    def learned(kappa, with_spike):
        zeta = (b2 + kappa) / a
        spike = zeta**2 * m(zeta) ** 2 * mt(zeta) * t2**2 / (1 + zeta * m(zeta) * mt(zeta) * t1**2)
        return setting.teacher.mu1**2 * (1 - zeta * m(zeta) + (spike if with_spike else 0))

    def freedom(kappa):  # kappa df1 is concave with derivative df2
        return kappa * psi2 / psi1 * (1 - kappa / a * mt((b2 + kappa) / a))

    h = 1e-30
    df2 = freedom(kappa + 1j * h).imag / h
    results = []
    for with_spike in (False, True):
        slope = learned(kappa + 1j * h, with_spike).imag / h
        value = float(setting.label_second_moment) - learned(kappa, with_spike) + kappa * slope
        results.append(float(value / (1 - df2) - float(setting.noise) ** 2))
    return results[0], results[1]


@settings(deadline=None, max_examples=150)
@given(
    st.floats(0.1, 2), st.floats(0.01, 2), st.floats(0, 2), st.floats(0, 1), st.floats(0, 1),
    st.floats(0.1, 10), st.floats(0.1, 10), st.floats(0.1, 10), st.floats(0, 10), st.floats(0, 1), st.floats(1e-3, 10),
)  # fmt: skip
def test_equals_the_printed_formula(mu1, mu2, star1, star2, star0, psi_gradient, psi1, psi2, step, noise, ridge):
    setting = OneStep(Student(mu1, mu2), Teacher(star1, star2, star0), psi_gradient, psi2, step, noise)
    risk = asymptotic_risk(setting, ridge, psi1)
    initial, trained = printed_formula(setting, ridge, psi1)
    assert float(risk.initial) == pytest.approx(initial, rel=1e-7, abs=1e-9)
    assert float(risk.trained) == pytest.approx(trained, rel=1e-7, abs=1e-9)


def random_settings(count: int, seed: int):
    rng = np.random.default_rng(seed)

    def draw(low, high):
        return 10 ** rng.uniform(low, high, count)

    return draw(-2, 2), draw(-2, 2), np.where(rng.random(count) < 0.1, 0, draw(-6, 6)), draw(-8, 8), rng.random(count)


@pytest.mark.parametrize("mu2_squared", [0.0, 1e-6, 0.03, 1.0, 50.0])
def test_signs_and_bounds_on_twenty_thousand_settings(mu2_squared):
    """delta >= 0, it grows with the step, R >= mu2*^2, and everything is finite from corner to corner."""
    psi1, psi2, step, ridge, noise = random_settings(4000, seed=round(10 * mu2_squared) + 1)
    teacher = Teacher(0.6, 0.03, 0.2)
    setting = OneStep(Student(0.6, mu2_squared), teacher, psi1, psi2, step, noise)
    risk = asymptotic_risk(setting, ridge)
    for values in (risk.initial, risk.trained, risk.improvement, risk.kappa):
        assert np.isfinite(values).all()
    assert (risk.improvement >= 0).all()
    assert (risk.improvement[step > 0] > 0).all()
    assert (risk.initial - risk.trained >= -1e-12).all()
    assert risk.initial - risk.trained == pytest.approx(risk.improvement, abs=1e-12)
    assert (risk.trained >= risk.lower_bound).all()
    assert (risk.kappa > ridge).all()
    assert (risk.df2 > -1e-12).all()
    assert (risk.df2 < 1).all()
    larger = asymptotic_risk(replace(setting, step=step * 1.05), ridge).improvement
    assert (larger >= risk.improvement * (1 - 1e-13)).all()
    assert (risk.kappa <= (ridge + (psi2 / psi1) * (0.36 + mu2_squared)) * (1 + 1e-14)).all()


def test_no_improvement_without_step_slope_or_linear_part():
    for student, teacher, step in (
        (Student(0.0, 1.0), Teacher(1, 1), 3.0),
        (Student(1, 1), Teacher(0, 1), 3.0),
        (Student(1, 1), Teacher(1, 1), 0.0),
    ):
        risk = asymptotic_risk(OneStep(student, teacher, 2.0, 1.5, step), 0.1)
        assert float(risk.improvement) == 0
        assert float(risk.trained) == pytest.approx(float(risk.initial))


def test_large_width_limit():
    setting = one_step(TANH, TANH, 2, np.array([1, 10, 100, 1000]), 2, 0.2)
    risk = asymptotic_risk(setting, 0.1)
    assert risk.improvement == pytest.approx([3.9e-2, 8.6e-4, 3.4e-5, 2.87e-6], rel=0.02)
    wide = asymptotic_risk(replace(setting, psi2=1e7), 0.1)
    limit = infinite_width_risk(setting.student, setting.teacher, 2.0, np.inf, 0.1, 0.2)
    assert float(wide.initial) == pytest.approx(float(limit), rel=1e-5)
    assert float(wide.improvement) * 1e7 == pytest.approx(risk.improvement[-1] * 1000, rel=0.05)  # const/psi2


def test_large_sample_limit():
    setting = one_step(TANH, TANH, np.inf, 1.5, np.linspace(0, 20, 40), 0.3)
    risk = asymptotic_risk(setting, 0.1)
    assert risk.kappa == pytest.approx(np.full(40, 0.1))
    assert risk.df2 == pytest.approx(np.zeros(40), abs=1e-15)
    assert (np.diff(risk.improvement) > 0).all()
    assert setting.theta1 == pytest.approx(setting.theta2)
    close = asymptotic_risk(replace(setting, psi1=1e9), 0.1)
    assert close.trained == pytest.approx(risk.trained, rel=1e-7)


def test_an_endless_step_tends_to_a_limit():
    setting = one_step(TANH, TANH, 2, 1, np.array([1e4, 1e6]), 0.2)
    first, second = asymptotic_risk(setting, 0.1).trained
    assert first == pytest.approx(second, rel=1e-6)


def test_ridge_data_may_have_their_own_ratio():
    setting = one_step(TANH, TANH, 2, 1, 3.0, 0.2)
    own = asymptotic_risk(setting, 0.1, psi1=5.0)
    assert float(own.initial) == pytest.approx(float(asymptotic_risk(replace(setting, psi1=5.0), 0.1).initial))
    assert float(own.trained) != pytest.approx(float(asymptotic_risk(replace(setting, psi1=5.0), 0.1).trained))


def test_finite_size_equivalent_approaches_the_closed_form():
    """(a) on planted weights W0 + spike of exact size, against (b)."""
    d, seeds = 200, 12
    student, teacher = Student.of(TANH), Teacher.of(TEACHERS[TANH])
    for psi1, psi2, step, noise in ((2.0, 1.0, 3.0, 0.2), (1.0, 2.0, 4.0, 0.3)):
        setting = OneStep(student, teacher, psi1, psi2, step, noise)
        theta1, theta2 = float(setting.theta1), float(setting.theta2)
        neurons, rows = round(psi2 * d), []
        for seed in range(seeds):
            rng = np.random.default_rng(seed)
            w = rng.standard_normal((neurons, d)) / np.sqrt(d)
            a, g = rng.standard_normal(neurons), rng.standard_normal(d)
            g[0] = 0
            g *= np.sqrt(theta1**2 - theta2**2) / np.linalg.norm(g)
            g[0] = theta2
            moved = w + np.outer(a / np.linalg.norm(a), g)
            rows.append(
                [ridge_risk(equivalent_spectrum(student, teacher, x), psi1 * d, 0.1, noise).risk[0] for x in (w, moved)]
            )
        mean, error = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1) / np.sqrt(seeds)
        closed = asymptotic_risk(setting, 0.1)
        predicted = np.array([float(closed.initial), float(closed.trained)])
        assert (np.abs(mean - predicted) < 4 * error + 0.005 * predicted).all()


# The measured numbers are those of simulations with 24 seeds at d = 300, their errors in the last digits.
@pytest.mark.parametrize(
    ("student", "teacher", "psi", "noise", "ridge", "initial", "trained"),
    [
        ("centered(relu)", "relu(x1)", (2, 1.5), 0.2, 0.1, (0.409, 0.005), (0.376, 0.005)),
        ("centered(gelu)", "exp(x1/2)", (4, 1.5), 0.1, 0.05, (1.156, 0.014), (0.761, 0.015)),
        ("centered(gelu)", "relu(x1) + 1", (3, 1), 0.2, 0.1, (1.980, 0.028), (1.254, 0.024)),
    ],
)
def test_a_curved_activation_learns_the_mean(student, teacher, psi, noise, ridge, initial, trained):
    setting = OneStep(Student.of(student), Teacher.of(teacher), *psi, 2.0, noise)
    risk = asymptotic_risk(setting, ridge)
    for found, (measured, error) in ((risk.initial, initial), (risk.trained, trained)):
        assert float(found) == pytest.approx(measured, abs=2.5 * error)
    assert float(risk.improvement) == pytest.approx(float(risk.initial - risk.trained))


def test_the_mean_of_a_curved_activation_on_planted_weights():
    """The closed form against second moments with a constant feature that is put in by hand."""
    d, seeds, lam = 300, 8, 0.2
    student, teacher = Student(0.5, 0.09, curvature=0.6, is_odd=False), Teacher(0.5, 0.1, 1.2)
    setting = OneStep(student, teacher, 3.0, 1.25, 3.0, 0.3)
    theta1, theta2, gained = (float(v) for v in (setting.theta1, setting.theta2, setting.constant_gain))
    neurons, rows = round(1.25 * d), []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        w, a, own = (
            rng.standard_normal((neurons, d)) / np.sqrt(d),
            rng.standard_normal(neurons),
            rng.standard_normal(neurons),
        )
        a /= np.linalg.norm(a)
        own *= 0.6 * np.sqrt(1.25 / 2) / np.linalg.norm(own)
        g = rng.standard_normal(d)
        g[0] = 0
        g *= np.sqrt(theta1**2 - theta2**2) / np.linalg.norm(g)
        g[0] = theta2
        found = []
        for weights, mean in ((w, own), (w + np.outer(a, g), own + gained * a)):
            omega = student.mu1**2 * weights @ weights.T + student.mu2_squared * np.eye(neurons) + np.outer(mean, mean)
            cross = student.mu1 * teacher.mu1 * weights[:, 0] + teacher.mu0 * mean
            found.append(ridge_risk(exact_spectrum(omega, cross, teacher.norm2), 3 * d, lam, 0.3).risk[0])
        rows.append(found)
    mean, error = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1) / np.sqrt(seeds)
    closed = asymptotic_risk(setting, lam)
    predicted = np.array([float(closed.initial), float(closed.trained)])
    assert (np.abs(mean - predicted) < 4 * error + 0.005 * predicted).all()
    odd = asymptotic_risk(replace(setting, student=Student(0.5, 0.09)), lam)
    assert (np.array([float(odd.initial), float(odd.trained)]) > predicted + 20 * error).all()


def test_shapes_warnings_and_refusals():
    setting = one_step(TANH, TANH, np.array([[1.0], [2.0]]), 1.5, np.arange(3.0))
    assert asymptotic_risk(setting, np.full((4, 1, 1), 0.1)).trained.shape == (4, 2, 3)
    assert asymptotic_risk(setting, 0.1).warning is None
    assert "neglected" in str(asymptotic_risk(replace(setting, steps=2), 0.1).warning)
    for ridge in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(InputError, match="ridge must be"):
            asymptotic_risk(setting, ridge)
    with pytest.raises(InputError, match="constant"):
        asymptotic_risk(OneStep(Student(0.0, 0.0), Teacher(1, 0), 1, 1, 1), 0.1)
