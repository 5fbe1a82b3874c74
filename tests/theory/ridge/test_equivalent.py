"""The deterministic equivalent for given features: identities, both sides of the weights, and true ridge regression."""

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.theory import Student, Teacher
from giantstep.theory.ridge import equivalent_spectrum, exact_spectrum, ridge_risk

STUDENT, TEACHER = Student(0.6, 0.03), Teacher(0.7, 0.2)
PATH = np.geomspace(1e-3, 10, 7)


def weights(neurons: int, d: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((neurons, d)) / np.sqrt(d)


@pytest.mark.parametrize(("neurons", "d"), [(30, 50), (50, 30), (40, 40)])
def test_small_gram_equals_the_full_covariance(neurons, d):
    w = weights(neurons, d)
    direction = np.random.default_rng(1).standard_normal(d)
    unit = direction / np.linalg.norm(direction)
    small = ridge_risk(equivalent_spectrum(STUDENT, TEACHER, w, direction), 70, PATH, 0.2)
    covariance = STUDENT.mu1**2 * w @ w.T + STUDENT.mu2_squared * np.eye(neurons)
    full = ridge_risk(exact_spectrum(covariance, STUDENT.mu1 * TEACHER.mu1 * w @ unit, TEACHER.norm2), 70, PATH, 0.2)
    assert small.risk == pytest.approx(full.risk, rel=1e-9)
    assert small.kappa == pytest.approx(full.kappa, rel=1e-9)


def test_direct_evaluation_of_the_formula():
    w, n, noise = weights(20, 15), 25, 0.3
    result = ridge_risk(equivalent_spectrum(STUDENT, TEACHER, w), n, PATH, noise)
    omega = STUDENT.mu1**2 * w @ w.T + STUDENT.mu2_squared * np.eye(20)
    c = STUDENT.mu1 * TEACHER.mu1 * w[:, 0]
    for lam, kappa, risk in zip(PATH, result.kappa, result.risk, strict=True):
        inverse = np.linalg.inv(omega + kappa * np.eye(20))
        assert 1 - lam / kappa == pytest.approx(np.trace(omega @ inverse) / n)
        df2 = np.trace(omega @ inverse @ omega @ inverse) / n
        learned = c @ (inverse + kappa * inverse @ inverse) @ c
        assert risk + noise**2 == pytest.approx((TEACHER.norm2 + noise**2 - learned) / (1 - df2))


def test_endless_samples_give_the_population_problem():
    w = weights(20, 15)
    omega = STUDENT.mu1**2 * w @ w.T + STUDENT.mu2_squared * np.eye(20)
    c = STUDENT.mu1 * TEACHER.mu1 * w[:, 0]
    a = np.linalg.solve(omega + 0.1 * np.eye(20), c)
    expected = a @ omega @ a - 2 * a @ c + TEACHER.norm2
    assert ridge_risk(equivalent_spectrum(STUDENT, TEACHER, w), np.inf, 0.1).risk[0] == pytest.approx(expected)


def test_true_ridge_regression_on_gaussian_features():
    """Average risk of actual ridge regression with features of this covariance and cross vector."""
    neurons, d, n, noise, seeds = 120, 100, 150, 0.3, 40
    w = weights(neurons, d)
    lam = np.array([0.01, 0.1, 1.0])
    omega = STUDENT.mu1**2 * w @ w.T + STUDENT.mu2_squared * np.eye(neurons)
    c = STUDENT.mu1 * TEACHER.mu1 * w[:, 0]
    rows = []
    for seed in range(seeds):
        rng = np.random.default_rng(100 + seed)
        x, z = rng.standard_normal((n, d)), rng.standard_normal((n, neurons))
        features = STUDENT.mu1 * x @ w.T + np.sqrt(STUDENT.mu2_squared) * z
        rest = np.sqrt(TEACHER.mu2_squared + noise**2) * rng.standard_normal(n)
        y = TEACHER.mu1 * x[:, 0] + rest
        gram, moment = features.T @ features / n, features.T @ y / n
        heads = [np.linalg.solve(gram + value * np.eye(neurons), moment) for value in lam]
        rows.append([a @ omega @ a - 2 * a @ c + TEACHER.norm2 for a in heads])
    mean, error = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1) / np.sqrt(seeds)
    predicted = ridge_risk(equivalent_spectrum(STUDENT, TEACHER, w), n, lam, noise).risk
    assert (np.abs(mean - predicted) < 4 * error + 0.02 * predicted).all()


def test_extreme_penalties_stay_finite():
    for neurons, d, n in ((30, 50, 40), (60, 20, 60), (25, 50, 25)):
        for mu2_squared in (0.0, 0.1):
            spectrum = equivalent_spectrum(Student(0.6, mu2_squared), TEACHER, weights(neurons, d))
            result = ridge_risk(spectrum, n, np.geomspace(1e-8, 1e8, 33), 0.1)
            assert np.isfinite(result.risk).all()
            assert (result.risk > 0).all()
            assert result.risk[-1] == pytest.approx(TEACHER.norm2, rel=1e-5)
            assert (np.diff(result.kappa) > 0).all()


def test_shapes_warnings_and_refusals():
    spectrum = equivalent_spectrum(Student(0.5, 0.1, mu0=0.4, is_odd=False), TEACHER, weights(4, 6))
    assert ridge_risk(spectrum, 5, [[0.1, 1.0]]).risk.shape == (1, 2)
    assert "4 features" in repr(spectrum)
    for arguments in ((spectrum, 0, 0.1), (spectrum, 5, 0.0), (spectrum, 5, 0.1, -1.0)):
        with pytest.raises(InputError):
            ridge_risk(*arguments)
    with pytest.raises(InputError, match="direction must have"):
        equivalent_spectrum(STUDENT, TEACHER, weights(4, 6), np.ones(3))
    with pytest.raises(InputError, match="square"):
        exact_spectrum(np.ones((2, 3)), np.ones(2), 1.0)
    with pytest.raises(InputError, match="one entry per feature"):
        exact_spectrum(np.eye(3), np.ones(2), 1.0)
