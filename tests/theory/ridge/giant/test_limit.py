"""The limit of the risk after a giant step: what is known otherwise, and drawn weights."""

from dataclasses import replace

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.gaussian.quadrature import gauss_hermite
from giantstep.problems import Activation, Target
from giantstep.theory import Student, Teacher
from giantstep.theory.ridge import conditional_classes, conditional_ridge_risk, initial_kernel_risk
from giantstep.theory.ridge.giant import giant_step_limit, row_law

SINE, TANH = Target("sin(x1)"), Activation("tanh")


@pytest.mark.parametrize(("alpha", "rho", "noise"), [(3.0, 1.5, 0.3), (0.7, 2.0, 0.0), (2.0, 0.5, 1.0)])
@pytest.mark.parametrize("target", ["sin(x1)", "x1 + He3(x1)/3"])
def test_before_the_step_it_is_the_risk_of_random_features(target: str, alpha: float, rho: float, noise: float) -> None:
    f = Target(target)
    found = giant_step_limit(f, TANH, row_law(f, TANH, 5, 0, noise), alpha, rho, 0.2, noise)
    known = initial_kernel_risk(Student.of(TANH), Teacher.of(f), alpha, rho, 0.2 * rho / alpha, noise)
    assert found.risk == pytest.approx(float(known), rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("activation", "target", "step", "alpha0"),
    [
        ("tanh", "sin(x1)", 3, 20),
        ("tanh(z) + cos(z) - sqrt(8)*exp(-1/2)*exp(-z**2/2)", "sin(x1)", 2, 20),
        ("erf", "relu(x1)", 2, 4),
    ],
)
def test_the_conditional_equivalent_on_drawn_weights(activation: str, target: str, step: float, alpha0: float) -> None:
    """Weights drawn by hand; the equivalent knows nothing of the law of the rows."""
    f, s, d, p, n, ridge, noise = Target(target), Activation(activation), 100, 200, 300, 0.1, 0.2
    rng, seen = np.random.default_rng(3), []
    for _ in range(5):
        x, w = rng.standard_normal((round(alpha0 * d), d)), rng.standard_normal((p, d))
        w /= np.linalg.norm(w, axis=1, keepdims=True)
        y = f(x[:, :1]) + noise * rng.standard_normal(len(x))
        w += step / len(x) * (y[:, None] * s.derivative(x @ w.T)).T @ x
        classes = conditional_classes(f, s, w, x.T @ y / np.linalg.norm(x.T @ y), paired=False)
        found = conditional_ridge_risk(classes, n, ridge / n, noise)
        seen.append([float(found.risk[0]), float(found.training_error[0])])
    rows = row_law(f, s, alpha0, step, noise)
    expected, published = (
        giant_step_limit(f, s, law, n / d, p / d, ridge, noise, samples=n) for law in (rows, rows.as_published())
    )
    chance = np.std(seen, axis=0) / np.sqrt(len(seen) - 1)
    gap = np.mean(seen, axis=0) - [expected.risk, expected.training_error]
    assert np.all(np.abs(gap) < 4 * chance + 0.02 * np.array([expected.risk, expected.training_error]))
    if "cos" in activation:
        assert abs(np.mean(seen, axis=0)[0] - published.risk) > 4 * chance[0]


def test_a_head_that_costs_much_still_has_the_common_mean() -> None:
    """lam to infinity: m alone is free, and fits f* by u0(k)."""
    rows = row_law(SINE, TANH, 20, 3)
    found = giant_step_limit(SINE, TANH, rows, 3, 1, 1e9)
    z, weight = gauss_hermite(80)
    u0 = np.tanh(rows.spike * z[:, None] + rows.spread**0.5 * z) @ weight
    h = np.sin(rows.alignment * z[:, None] + (1 - rows.alignment**2) ** 0.5 * z) @ weight
    explained = (weight @ (u0 * h)) ** 2 / (weight @ u0**2)
    assert found.risk == pytest.approx(weight @ np.sin(z) ** 2 - explained, abs=1e-6)
    assert found.training_error == pytest.approx(found.risk, rel=1e-6)


def test_for_a_sine_the_lengths_of_rows_do_not_matter() -> None:
    """E[z s'(r k + s z)] is then a multiple of u0, which is free."""
    rows = row_law(Target("tanh(2*x1)"), Activation("sin(z)"), 20, 2)
    ours, equal = (
        giant_step_limit(Target("tanh(2*x1)"), Activation("sin(z)"), law, 3, 1, 0.1)
        for law in (rows, rows.equally_long())
    )
    assert ours.risk == pytest.approx(equal.risk, rel=1e-7)


def test_many_samples_are_the_limit() -> None:
    rows = row_law(SINE, TANH, 20, 3, 0.2)
    limit, many, few = (giant_step_limit(SINE, TANH, rows, 3, 1, 0.1, 0.2, samples=n).risk for n in (np.inf, 1e8, 300))
    assert many == pytest.approx(limit, rel=1e-5)
    assert 1.01 < few / limit < 1.2


def test_near_interpolation_risk_peaks_and_training_error_vanishes() -> None:
    rows = row_law(SINE, TANH, 20, 1, 0.3)
    below, at, above = (giant_step_limit(SINE, TANH, rows, alpha, 1, 1e-5, 0.3) for alpha in (0.4, 1, 2.5))
    assert at.risk > 10 * max(below.risk, above.risk)
    assert below.training_error < 1e-8 < above.training_error


def test_a_direction_that_is_known_exactly_is_no_edge() -> None:
    rows = replace(row_law(SINE, TANH, 1e6, 3), alignment=1.0)
    assert np.isfinite(giant_step_limit(SINE, TANH, rows, 3, 1, 0.1).risk)


def test_refusals() -> None:
    rows = row_law(SINE, TANH, 20, 1)
    with pytest.raises(InputError, match="ridge"):
        giant_step_limit(SINE, TANH, rows, 3, 1, 0)
    with pytest.raises(InputError, match="one direction"):
        giant_step_limit(Target("x1*x2"), TANH, rows, 3, 1, 0.1)
