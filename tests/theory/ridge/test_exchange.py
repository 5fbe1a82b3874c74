"""The steps of the proof of Gaussian equivalence: objectives, largest sizes, the rate of the limit theorem."""

import numpy as np
import pytest

from giantstep.gaussian.quadrature import expect
from giantstep.problems import Activation as A
from giantstep.theory import Student, Teacher
from giantstep.theory.ridge import (
    equivalent_spectrum,
    gap_of_long_neurons,
    largest_entry,
    largest_neuron_length,
    largest_neuron_overlap,
    ridge_objective,
    second_moment_gap,
)


def test_the_objective_of_infinitely_many_samples_is_that_of_the_population():
    """One feature z of variance 1 and labels z + noise: the objective is E y^2 - 1/(1 + lam)."""
    spectrum = equivalent_spectrum(Student(1.0, 0.0), Teacher(1.0, 0.0), np.eye(1))
    assert ridge_objective(spectrum, 1e12, 0.5, 0.3) == pytest.approx(1.09 - 1 / 1.5, rel=1e-6)


def test_the_objective_of_gaussian_features():
    rng, n, neurons, lam = np.random.default_rng(3), 400, 200, 0.2
    covariance = np.linspace(0.2, 2.0, neurons)
    cross = covariance * rng.standard_normal(neurons) / neurons**0.5
    found = []
    for _ in range(20):
        features = rng.standard_normal((n, neurons)) * covariance**0.5
        y = features @ (cross / covariance) + 0.5 * rng.standard_normal(n)
        inside = np.linalg.solve(features.T @ features / n + lam * np.eye(neurons), features.T @ y / n)
        found.append(y @ y / n - (features.T @ y / n) @ inside)
    spectrum = equivalent_spectrum(Student(1.0, 0.0), Teacher(1.0, 0.0), np.eye(neurons))
    norm2 = float((cross**2 / covariance).sum())
    spectrum = type(spectrum)(covariance, np.ones(neurons), cross**2, norm2)
    assert np.mean(found) == pytest.approx(ridge_objective(spectrum, n, lam, 0.5), rel=0.02)


def test_largest_sizes_are_those_of_drawn_ones():
    rng, d, neurons = np.random.default_rng(5), 100, 150
    drawn = rng.standard_normal((60, neurons, d)) / d**0.5
    overlaps = [np.abs(w @ w.T - np.diag((w**2).sum(axis=1))).max() for w in drawn]
    assert np.mean(overlaps) == pytest.approx(largest_neuron_overlap(d, neurons), rel=0.02)
    lengths = np.abs((drawn**2).sum(axis=2) - 1).max(axis=1)
    assert np.mean(lengths) == pytest.approx(largest_neuron_length(d, neurons), rel=0.06)
    assert np.mean(np.abs(drawn[:, :, 0]).max(axis=1)) * 10 == pytest.approx(largest_entry(neurons), rel=0.06)


def test_the_rate_of_the_central_limit_theorem_is_reached_by_long_neurons():
    rng, d, tanh = np.random.default_rng(6), 400, A("tanh")
    student = Student.of(tanh)
    lengths2 = rng.chisquare(d, 40_000) / d
    half = np.where(lengths2 > np.median(lengths2), 2.0, 0.0)
    gap = second_moment_gap(tanh, student, lengths2, half)
    assert abs(gap) == pytest.approx(gap_of_long_neurons(tanh, student, d), rel=0.06)
    assert gap_of_long_neurons(tanh, student, 4 * d) == pytest.approx(gap_of_long_neurons(tanh, student, d) / 2)
    one = second_moment_gap(tanh, student, np.array([1.21]), np.array([1.0]))
    exact = expect(lambda z: np.tanh(1.1 * z) ** 2, ()).value
    assert one == pytest.approx(exact - student.mu1**2 * 1.21 - student.mu2_squared, rel=1e-8)
