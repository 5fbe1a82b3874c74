"""The kernel's spike against reference values, limits and planted Gaussian-equivalent features."""

from dataclasses import replace

import numpy as np
import pytest

from giantstep.problems import Activation, Target
from giantstep.theory import OneStep, Student, Teacher
from giantstep.theory.spectra import ConjugateKernel, kernel_spike, kernel_threshold_step, threshold
from giantstep.theory.spectra.kernel_outliers import curvature_outlier

SOFTPLUS = Student.of(Activation("centered(softplus)"))
TANH = Teacher.of(Target("tanh(x1)"))
SETTING = OneStep(SOFTPLUS, TANH, psi1=1.5, psi2=1.25, step=8.0)


@pytest.mark.parametrize(
    ("step", "eigenvalue", "alignment"),
    [(2, 2.1405, 0.0), (4, 2.1670, 0.135), (6, 2.8556, 0.404), (8, 4.0957, 0.473)],
)
def test_reference_table(step, eigenvalue, alignment):
    spike = kernel_spike(replace(SETTING, step=step))
    assert spike.eigenvalue == pytest.approx(eigenvalue, abs=5.1e-5)
    assert spike.label_alignment == pytest.approx(alignment, abs=5.1e-4)
    assert spike.supercritical == (alignment > 0)


def test_further_reference_values():
    erf = OneStep(Student.of(Activation("erf")), Teacher.of(Target("erf(x1)")), 2.0, 1.0, 4.0, noise=0.3)
    spike = kernel_spike(erf)
    assert spike.eigenvalue == pytest.approx(6.680, abs=6e-4)
    assert spike.label_alignment == pytest.approx(0.339, abs=6e-4)
    relu = OneStep(Student.of(Activation("centered(relu)")), TANH, 1.5, 1.25, 8.0)
    assert kernel_spike(relu).eigenvalue == pytest.approx(4.265, abs=6e-4)


def test_a_spike_of_the_weights_need_not_show_in_the_kernel():
    spike = kernel_spike(replace(SETTING, step=3.0))
    assert float(threshold(1.25)) < spike.theta1 < spike.threshold
    assert not spike.supercritical


def test_continuity_growth_and_limit():
    unit = float(replace(SETTING, step=1.0).theta1)
    critical = kernel_spike(SETTING).threshold / unit
    just = kernel_spike(replace(SETTING, step=critical * (1 + 1e-7)))
    assert just.eigenvalue == pytest.approx(just.edge, rel=1e-9)
    assert just.label_alignment == pytest.approx(0, abs=1e-5)
    path = [kernel_spike(replace(SETTING, step=s)) for s in np.geomspace(critical * 1.001, 1e6, 40)]
    assert (np.diff([s.eigenvalue for s in path]) > 0).all()
    assert (np.diff([s.label_alignment for s in path]) > -1e-12).all()
    limit = TANH.mu1**2 * float(SETTING.theta2 / SETTING.theta1) ** 2 / float(SETTING.label_second_moment)
    assert path[-1].label_alignment == pytest.approx(limit, rel=1e-6)


def test_planted_features():
    """Linearised features with an exactly known spike: top eigenvalue and alignment with labels."""
    d, n, neurons, seeds = 240, 360, 300, 12
    mu1, mu2, star1, star2, step = 0.6, 0.3, 0.7, 0.3, 5.0
    setting = OneStep(Student(mu1, mu2**2), Teacher(star1, star2**2), n / d, neurons / d, step)
    theta1, theta2 = float(setting.theta1), float(setting.theta2)
    rows = []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        a, h = rng.standard_normal(neurons), rng.standard_normal(d)
        g = np.zeros(d)
        h[0] = 0
        g += np.sqrt(theta1**2 - theta2**2) * h / np.linalg.norm(h)
        g[0] = theta2
        w = rng.standard_normal((d, neurons)) / np.sqrt(d) + np.outer(g, a / np.linalg.norm(a))
        x = rng.standard_normal((n, d))
        features = (mu1 * x @ w + mu2 * rng.standard_normal((n, neurons))) / np.sqrt(neurons)
        y = star1 * x[:, 0] + star2 * rng.standard_normal(n)
        u, s, _ = np.linalg.svd(features, full_matrices=False)
        rows.append((s[0] ** 2, (u[:, 0] @ y) ** 2 / (y @ y)))
    mean, error = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1) / np.sqrt(seeds)
    spike = kernel_spike(setting)
    assert spike.supercritical
    predicted = np.array([spike.eigenvalue, spike.label_alignment])
    assert (np.abs(mean - predicted) < 4 * error + np.array([0.01 * predicted[0], 0.01])).all()


def test_the_kernel_may_have_its_own_samples():
    own = kernel_spike(SETTING, psi1=3.0)
    assert own.edge == pytest.approx(ConjugateKernel.of(SOFTPLUS, 3.0, 1.25).edge)
    assert own.theta1 == pytest.approx(float(SETTING.theta1))


def test_a_mean_joins_the_spike():
    """Against planted features with a constant part that is put in by hand."""
    d, n, neurons, seeds, step = 240, 480, 240, 12, 4.0
    student, teacher = Student(0.5, 0.3, curvature=0.8, is_odd=False), Teacher(0.6, 0.1, 0.5)
    setting = OneStep(student, teacher, n / d, neurons / d, step, noise=0.3)
    theta1, theta2, gained = (float(v) for v in (setting.theta1, setting.theta2, setting.constant_gain))
    rows = []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        a, own, h = rng.standard_normal(neurons), rng.standard_normal(neurons), rng.standard_normal(d)
        h[0] = 0
        g = np.sqrt(theta1**2 - theta2**2) * h / np.linalg.norm(h)
        g[0] = theta2
        a /= np.linalg.norm(a)
        means = 0.8 * np.sqrt(neurons / d / 2) * own / np.linalg.norm(own) + gained * a
        x, w = rng.standard_normal((n, d)), rng.standard_normal((d, neurons)) / np.sqrt(d) + np.outer(g, a)
        features = 0.5 * x @ w + means + np.sqrt(0.3) * rng.standard_normal((n, neurons))
        y = 0.5 + 0.6 * x[:, 0] + np.sqrt(0.1 + 0.09) * rng.standard_normal(n)
        u, s, _ = np.linalg.svd(features / np.sqrt(neurons), full_matrices=False)
        rows.append((s[0] ** 2, (u[:, 0] @ y) ** 2 / (y @ y)))
    mean, error = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1) / np.sqrt(seeds)
    spike = kernel_spike(setting)
    predicted = np.array([spike.eigenvalue, spike.label_alignment])
    assert (np.abs(mean - predicted) < 4 * error + np.array([0.01 * predicted[0], 0.01])).all()
    odd = kernel_spike(replace(setting, student=replace(student, curvature=0.0)))
    assert odd.eigenvalue < 0.8 * spike.eigenvalue
    critical = kernel_threshold_step(setting)
    assert kernel_spike(replace(setting, step=critical)).theta1 == pytest.approx(spike.threshold)


def test_curvature_outliers():
    curved = Student.of(Activation("z/2 + He2(z)/sqrt(2)"))
    place = curvature_outlier(curved, 6.0, 6.0)
    assert place == pytest.approx(8.963, abs=6e-4)
    for text in ("centered(relu)", "centered(softplus)", "centered(gelu)"):
        for psi1 in (0.1, 1.0, 10.0, 1000.0):
            assert curvature_outlier(Student.of(Activation(text)), psi1, 2.0) is None


def test_curvature_outliers_in_simulation():
    d, seeds = 160, 4
    n, rng, sigma = 6 * d, np.random.default_rng(2), Activation("z/2 + He2(z)/sqrt(2)")
    top = []
    for _ in range(seeds):
        w = rng.standard_normal((d, n))
        features = sigma(rng.standard_normal((n, d)) @ w / np.sqrt(d)) / np.sqrt(n)
        top.append(np.linalg.eigvalsh(features.T @ features)[-2:].mean())
    # The two coincide in the limit and repel at finite size; their mean converges slowly.
    assert np.mean(top) == pytest.approx(8.963, abs=4 * np.std(top, ddof=1) / np.sqrt(seeds) + 8 / np.sqrt(n))


def test_warnings():
    uncentred = kernel_spike(replace(SETTING, student=Student.of(Activation("softplus"))))
    assert "n mu0^2" in str(uncentred.warning)
    odd = replace(SETTING, student=Student.of(Activation("tanh")))
    assert kernel_spike(odd).warning is None
    assert "spike at" in str(kernel_spike(odd))
