"""The spike of the weights against the reference table, random matrices and limits."""

from dataclasses import replace

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import Activation, Target
from giantstep.theory import OneStep, Student, Teacher
from giantstep.theory.spectra import (
    left_overlap,
    right_overlap,
    spike_singular_value,
    threshold,
    threshold_step,
    weight_spike,
)

TANH = Student.of(Activation("tanh"))
RELU = Teacher.of(Target("relu(x1)"))
SETTING = OneStep(TANH, RELU, psi1=4.0, psi2=2.0, step=4.0)


@pytest.mark.parametrize(
    ("step", "singular_value", "alignment"),
    [
        (2, 2.4142, 0.0),
        (3, 2.4142, 0.0),
        (3.5, 2.4232, 0.1238),
        (4, 2.4718, 0.2692),
        (6, 2.8908, 0.5095),
        (8, 3.4688, 0.5832),
    ],
)
def test_reference_table(step, singular_value, alignment):
    spike = weight_spike(replace(SETTING, step=step))
    assert spike.singular_value == pytest.approx(singular_value, abs=5.1e-5)
    assert spike.left_alignment == pytest.approx(alignment, abs=5.1e-5)
    assert spike.supercritical == (alignment > 0)


def test_noise_and_mean_are_in_the_label_second_moment():
    unit = OneStep(TANH, RELU, psi1=1.0, psi2=1.0, step=6.0, noise=0.8)
    spike = weight_spike(unit)
    assert (spike.singular_value, spike.left_alignment) == (
        pytest.approx(4.518, abs=5e-4),
        pytest.approx(0.170, abs=5e-4),
    )
    silent = weight_spike(replace(unit, noise=0.0))
    assert (silent.singular_value, silent.left_alignment) == (
        pytest.approx(3.465, abs=5e-4),
        pytest.approx(0.300, abs=5e-4),
    )
    centred = weight_spike(replace(unit, teacher=replace(RELU, mu0=0.0)))
    assert (centred.singular_value, centred.left_alignment) == (
        pytest.approx(4.280, abs=5e-4),
        pytest.approx(0.191, abs=5e-4),
    )
    assert weight_spike(replace(unit, step=12.0)).singular_value == pytest.approx(8.686, abs=5e-4)


def test_a_target_without_linear_part_gives_a_spike_without_alignment():
    he2 = Teacher.of(Target("He2(x1)"))
    spike = weight_spike(OneStep(TANH, he2, psi1=1.0, psi2=1.0, step=4.0))
    assert spike.supercritical
    assert spike.left_alignment == 0.0


def test_threshold_step():
    assert float(threshold_step(SETTING)) == pytest.approx(3.2061, abs=5e-5)
    critical = replace(SETTING, step=float(threshold_step(SETTING)))
    assert float(critical.theta1) == pytest.approx(float(threshold(2.0)))
    assert np.isinf(threshold_step(replace(SETTING, student=Student(0.0, 1.0))))


def test_continuity_at_the_threshold_and_growth():
    for psi2 in (0.01, 0.5, 1.0, 3.0, 100.0):
        just = float(threshold(psi2)) * (1 + 1e-9)
        assert spike_singular_value(just, psi2) == pytest.approx(1 + np.sqrt(psi2), rel=1e-8)
        assert left_overlap(just, psi2) == pytest.approx(0.0, abs=1e-7)
        theta = float(threshold(psi2)) * np.geomspace(1.001, 1e6, 200)
        for function in (spike_singular_value, left_overlap, right_overlap):
            assert (np.diff(function(theta, psi2)) >= -1e-14).all()
        assert left_overlap(1e8, psi2) == pytest.approx(1.0)
        assert right_overlap(1e8, psi2) == pytest.approx(1.0)


def test_overlap_formulas_as_printed():
    theta, psi2 = np.linspace(1.3, 6, 9), 2.0
    t = theta**2
    assert spike_singular_value(theta, psi2) == pytest.approx(np.sqrt((1 + t) * (psi2 + t) / t))
    assert left_overlap(theta, psi2) == pytest.approx(1 - (psi2 + t) / (t * (t + 1)))
    assert right_overlap(theta, psi2) == pytest.approx(1 - psi2 * (1 + t) / (t * (t + psi2)))


def test_planted_spike_in_random_matrices():
    d, neurons, theta, seeds = 300, 450, 1.8, 12
    rows = []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        g, a = rng.standard_normal(d), rng.standard_normal(neurons)
        g, a = g / np.linalg.norm(g), a / np.linalg.norm(a)
        w = rng.standard_normal((d, neurons)) / np.sqrt(d) + theta * np.outer(g, a)
        u, s, v = np.linalg.svd(w, full_matrices=False)
        rows.append((s[0], (u[:, 0] @ g) ** 2, (v[0] @ a) ** 2))
    mean, error = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1) / np.sqrt(seeds)
    predicted = [float(f(theta, 1.5)) for f in (spike_singular_value, left_overlap, right_overlap)]
    assert (np.abs(mean - predicted) < 4 * error + 2 / d).all()


def test_several_steps():
    same = replace(SETTING, step=1.5, steps=4)
    assert float(same.theta1) == pytest.approx(float(replace(SETTING, step=6.0).theta1))
    fresh = replace(same, batch="fresh")
    second = RELU.norm2
    assert float(fresh.theta1) == pytest.approx(TANH.mu1 * 6 * np.sqrt(second / 16 + RELU.mu1**2))
    assert float(fresh.theta2) == pytest.approx(float(same.theta2))
    assert "4 steps" in str(weight_spike(fresh).warning)


def test_arrays_broadcast_and_infinite_samples_are_a_limit():
    setting = OneStep(TANH, RELU, psi1=np.array([[1.0], [np.inf]]), psi2=2.0, step=np.arange(3.0))
    assert setting.theta1.shape == (2, 3)
    assert setting.theta1[1] == pytest.approx(setting.theta2)


def test_warnings_and_text():
    assert "close to its threshold" in str(weight_spike(replace(SETTING, step=3.3)).warning)
    assert weight_spike(replace(SETTING, step=8)).warning is None
    assert "no spike" in str(weight_spike(replace(SETTING, step=1)))
    assert "mu1 = 0" in str(weight_spike(replace(SETTING, student=Student(0.0, 1.0))).warning)


@pytest.mark.parametrize(
    "change",
    [
        {"psi1": 0.0},
        {"psi2": -1.0},
        {"psi2": np.inf},
        {"step": -1.0},
        {"step": np.nan},
        {"noise": -0.1},
        {"steps": 0},
        {"batch": "new"},
    ],
)
def test_refusals(change):
    with pytest.raises(InputError):
        replace(SETTING, **change)


def test_moments_of_the_problem_objects():
    teacher = Teacher.of(Target("x1 + He2(x1)*x2"))
    assert (teacher.mu0, teacher.mu1, teacher.mu2_squared) == (0.0, 1.0, pytest.approx(2.0))
    assert Teacher.of(Target("0.6*x1 + 0.8*x2")).mu2_squared == 0.0
    softplus = Student.of(Activation("softplus"))
    assert softplus.mu0 == pytest.approx(0.8060591833)
    assert softplus.mu2 == pytest.approx(0.1466782254)
    with pytest.raises(InputError):
        Student(np.nan, 1.0)
    with pytest.raises(InputError):
        Teacher(1.0, -1.0)
