"""The leading term of the mean gradient and its alignment, against quadrature, closed forms and limits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from giantstep.errors import InputError
from giantstep.problems import Activation, Target
from giantstep.theory.gradient import gradient_law
from giantstep.theory.visibility import (
    LEADING_COEFFICIENT,
    gradient_share,
    hessian_alignment,
    label_gradient_law,
    label_gradient_share,
    leading_term,
    share_of_law,
    without_linear_part,
)
from giantstep.theory.visibility.preprocessed_labels import preprocessed_law


@pytest.mark.parametrize("bias", [0.0, 0.5])
@pytest.mark.parametrize("m", [0.05, -0.3, 0.8])
def test_the_hermite_expansion_is_the_integral(m: float, bias: float) -> None:
    """E[f(x) 1{mx + rho t + b >= 0} (x, t)] for f = He2 + He3/3, by adaptive quadrature in x."""
    rho = np.sqrt(1 - m**2)

    def f(x: float) -> float:
        return (x**2 - 1 + (x**3 - 3 * x) / 3) * float(norm.pdf(x))

    inside = quad(lambda x: f(x) * x * norm.cdf((m * x + bias) / rho), -12, 12, epsabs=1e-12)[0]
    outside = quad(lambda x: f(x) * norm.pdf((m * x + bias) / rho), -12, 12, epsabs=1e-12)[0]
    law = gradient_law(Target("He2(x1) + He3(x1)/3"), Activation(f"relu(z + {bias})"))
    assert law.mean_in_frame(np.array([[m]]))[0] == pytest.approx([inside, outside], abs=1e-9)


def test_the_part_that_preprocessing_leaves() -> None:
    assert without_linear_part(Target("1 + x1/3 + He2(x2) + x1**3")) == Target("He2(x2) + He3(x1)")
    assert without_linear_part(Target("He3(x1)")) == Target("He3(x1)")


def test_the_leading_error_of_rank_one_is_half_the_overlap() -> None:
    """For He2 what is left out is w mu_4 <H w, w>/2, so that the error is about E|w_1|/2 = 1/sqrt(2 pi d)."""
    for d in (100, 10_000):
        found = leading_term(Target("He2(x1)"), d)
        assert found.error == pytest.approx(1 / np.sqrt(2 * np.pi * d), rel=3 / d)
        assert found.coefficient == pytest.approx(LEADING_COEFFICIENT, rel=3 / d)


def test_the_alignment_of_rank_one_is_the_expectation() -> None:
    for samples in (100.0, 4096.0, 1e6):
        a = np.pi / 2 * 64**2 * 2.0 / (samples * 4)
        direct = quad(lambda z, a=a: norm.pdf(z) * z**2 / (z**2 + a), -12, 12, limit=400, points=[0.0])[0]
        assert hessian_alignment(np.array([2.0]), 2.0, 64, samples) == pytest.approx(direct, abs=1e-7)


def test_the_alignment_of_higher_rank_joins_rank_one_and_matches_samples() -> None:
    one = hessian_alignment(np.array([2.0]), 2.0, 64, 5000)
    assert hessian_alignment(np.array([2.0, 1e-5]), 2.0, 64, 5000) == pytest.approx(one, abs=1e-6)
    z = np.random.default_rng(0).standard_normal((400_000, 2))
    q = (z**2) @ np.array([4.0, 1.0])
    b = np.pi * 64**2 * 3.0 / 5000
    expected = hessian_alignment(np.array([-2.0, 1.0]), 3.0, 64, 5000, preprocess=False)
    assert expected == pytest.approx(float(np.mean(q / (q + b))), abs=0.002)


def test_the_share_tends_to_the_closed_form() -> None:
    """At fixed n/d^2 the share exceeds the closed form by order 1/d."""
    target, gaps = Target("He2(x1) + He3(x1)/3"), []
    for d in (64, 256, 1024):
        share = label_gradient_share(target, d, 4 * d**2).value
        gaps.append(d * (share - hessian_alignment(np.array([2.0]), float(target.norm2), d, 4 * d**2)))
    assert all(0 < gap < 1 for gap in gaps)


def test_preprocessing_takes_the_slope_out_of_relu() -> None:
    target = Target("He2(x1)*x2 + He2(x2)")
    expected = gradient_share(target, Activation("abs(z)/2"), 200, 40_000).value
    found = share_of_law(preprocessed_law(target), 200, 40_000).value
    assert found == pytest.approx(expected, rel=1e-6)
    assert label_gradient_share(target, 200, 40_000).value < found  # 1/200 of the signal went into the fit


def test_the_fit_takes_its_share_of_the_mean_gradient() -> None:
    """By brute force at n = 5 d: a fifth of the mean gradient along H w is gone."""
    target, d, n, slopes = Target("He2(x1)"), 20, 100, []
    for seed in range(400):
        rng = np.random.default_rng(seed)
        x, w = rng.standard_normal((n, d)), rng.standard_normal((40, d))
        w /= np.linalg.norm(w, axis=1, keepdims=True)
        y = target(x)
        y = y - y.mean() - x @ (x.T @ y / n)
        g = ((x @ w.T > 0) * y[:, None]).T @ x / n
        slopes.append(float(g[:, 0] @ (2 * w[:, 0]) / np.sum((2 * w[:, 0]) ** 2)))
    left = label_gradient_law(target, d, n).mean.coefficients / preprocessed_law(target).mean.coefficients
    expected = float(left[0]) * leading_term(target, d).coefficient
    assert left == pytest.approx(0.8)
    assert np.mean(slopes) == pytest.approx(expected, abs=3 * np.std(slopes) / 20 + 3 * expected / n)


def test_subtracted_parts_stay_in_the_noise() -> None:
    bare = label_gradient_share(Target("He2(x1)"), 64, 8192).value
    shifted = label_gradient_share(Target("3 + He2(x1)"), 64, 8192).value
    assert shifted < bare - 0.1


def test_refusals() -> None:
    with pytest.raises(InputError, match="H = E"):
        leading_term(Target("He3(x1)"), 64)
    with pytest.raises(InputError, match="aligns with nothing"):
        hessian_alignment(np.zeros(2), 1.0, 64, 100)
    with pytest.raises(InputError, match="polynomial"):
        label_gradient_share(Target("tanh(x1)**2"), 64, 4096)
