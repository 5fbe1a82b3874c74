"""One giant step, neuron by neuron: overlaps, norms, rank and what a step of any size leaves, against brute force."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.problems import Activation, Target
from giantstep.theory.gradient import gradient_law
from giantstep.theory.visibility import (
    FirstStepLaw,
    gradient_share,
    share_after_step,
    share_given_overlap,
    singular_vector_noise,
)

RELU, TANH = Activation("relu"), Activation("tanh")


def first_step(text: str, activation: Activation = RELU, d: int = 40, samples: int = 400) -> FirstStepLaw:
    return FirstStepLaw.of(Target(text), activation, d, samples)


@pytest.mark.parametrize(
    ("text", "activation", "factor"),
    [
        ("x1 + He2(x1) + x2 - He2(x2)", "relu", 0.5),
        ("He2(x1) - He2(x2)/2", "relu", 1 / np.sqrt(2 * np.pi)),
        ("x1*x2*x3", "relu(z + 0.5)", -0.5 * np.exp(-1 / 8) / np.sqrt(2 * np.pi) / 2),
        ("He2(x1)", "tanh", 0.0),
    ],
)
def test_the_factor_that_the_slide_drops(text: str, activation: str, factor: float) -> None:
    """mu_l/(l-1)!, with mu_k = He_{k-2}(-b) phi(b) for ReLU(z + b)."""
    assert first_step(text, Activation(activation)).factor == pytest.approx(factor, abs=1e-12)


def test_slide_formula_of_a_separable_target() -> None:
    """mu*_{k,l} m_k^{l-1}: for He2(x1) - He2(x2)/2 the coefficients mu* are 2 and -1, for He3(x1) it is 6."""
    m = np.array([[0.3, -0.2], [0.1, 0.5]])
    np.testing.assert_allclose(first_step("He2(x1) - He2(x2)/2").slide_overlaps(m), m * [2, -1], atol=1e-12)
    np.testing.assert_allclose(first_step("He3(x1)").slide_overlaps(m[:, :1]), 6 * m[:, :1] ** 2, atol=1e-12)


@pytest.mark.parametrize("text", ["x1 + He2(x1) + x2 - He2(x2)", "He2(x1) - He2(x2)/2", "x1*x2*x3", "x1 + He2(x2)"])
def test_the_corrected_formula_is_the_leading_order(text: str) -> None:
    """E g within V over the slide's formula tends to mu_l/(l-1)! as m shrinks, with an error of order m."""
    step = first_step(text, Activation("tanh(z + 0.7)"))
    m = np.random.default_rng(1).standard_normal((50, step.law.directions))
    gaps = []
    for size in (1e-2, 1e-3):
        full, slide = step.overlaps(size * m), step.slide_overlaps(size * m)
        gaps.append(np.abs(full - step.factor * slide).max() / np.abs(slide).max())
    assert gaps[1] < 0.2 * gaps[0] < 0.05


@pytest.mark.parametrize("text", ["He2(x1) + 2", "He2(x1) + He2(x2)/3 - 1", "x1*x2 + 1", "x1 + He2(x2) + 3"])
def test_the_slope_on_the_slide_counts_the_mean(text: str) -> None:
    """Regression over many neurons at d = 10^6; trace 0 (x1*x2) and l = 1 leave the factor alone."""
    step = first_step(text, d=10**6)
    m = np.random.default_rng(2).standard_normal((200_000, step.law.directions)) * 1e-3
    full, slide = step.overlaps(m), step.slide_overlaps(m)
    assert (full * slide).sum() / (slide**2).sum() == pytest.approx(step.slide_slope, abs=0.01)


@pytest.mark.parametrize(
    ("text", "leading"),
    [
        ("x1 + He2(x1) + x2 - He2(x2)", [[1, 1]]),
        ("x1 + He2(x2) + He2(x1)*x2", [[1, 0]]),
        ("He2(x1) - He2(x2)/2", [[1, 0], [0, 1]]),
        ("He2(x1 + 2*x2)", [[1, 2]]),
        ("x1*x2*x3", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    ],
)
def test_leading_space(text: str, leading: list[list[float]]) -> None:
    step = first_step(text)
    rows, others = step.leading_space(), step.other_space()
    basis = np.linalg.qr(np.array(leading, dtype=float).T)[0].T
    np.testing.assert_allclose(rows.T @ rows, basis.T @ basis, atol=1e-12)
    np.testing.assert_allclose(
        np.vstack([rows, others]) @ np.vstack([rows, others]).T, np.eye(rows.shape[1]), atol=1e-12
    )


def brute_force(
    step: FirstStepLaw, target: Target, activation: Activation, size: float, seeds: int
) -> dict[str, np.ndarray]:
    """|w1|^2, |P w1|^2 and |P w1|^2/|w1|^2 over their predictions for one draw of neurons, from d-dimensional data."""
    r, rng = target.directions, np.random.default_rng(3)
    w = rng.standard_normal((12, step.d))
    w /= np.linalg.norm(w, axis=1, keepdims=True)
    steps = size * np.where(np.arange(12) % 2, 1.0, -1.0)
    rows: dict[str, list[float]] = {"norm": [], "square": [], "share": []}
    m, onto = w[:, :r], np.eye(r)[-1:]
    norms2, squares = step.norms2(m, steps), step.squares(m, steps, onto)
    shares = share_given_overlap(step.law, m, step.d, step.samples, start=1 / steps, onto=onto)
    for _ in range(seeds):
        x = rng.standard_normal((step.samples, step.d))
        g = (activation.derivative(x @ w.T) * target(x)[:, None]).T @ x / step.samples
        after = w + steps[:, None] * g
        size2, inside = (after**2).sum(axis=1), after[:, r - 1] ** 2
        rows["norm"].append(float(np.mean(size2 / norms2)))
        rows["square"].append(float(inside.mean() / squares.mean()))
        rows["share"].append(float(np.mean(inside / size2) / shares.mean()))
    return {k: np.array(v) for k, v in rows.items()}


@pytest.mark.parametrize(
    ("text", "activation", "d", "samples", "size"),
    [
        ("x1 + He2(x1) + x2 - He2(x2)", "relu", 40, 200, 1.5),
        ("He2(x1) - He2(x2)/2", "relu", 30, 900, 4.0),
        ("x1 + He2(x2) + He2(x1)*x2", "tanh(z + 0.5)", 30, 400, 2.0),
        ("He2(x1)", "relu", 40, 60, 0.5),
    ],
)
def test_norms_and_shares_of_drawn_neurons(text: str, activation: str, d: int, samples: int, size: float) -> None:
    target, sigma = Target(text), Activation(activation)
    found = brute_force(FirstStepLaw.of(target, sigma, d, samples), target, sigma, size, 400)
    for name, ratios in found.items():
        error = ratios.std(ddof=1) / np.sqrt(len(ratios))
        # N and T are taken at m = 0: an error of relative order 1/d for neurons drawn once.
        assert ratios.mean() == pytest.approx(1.0, abs=4 * error + 1 / d), name


def test_a_step_goes_from_the_start_to_the_gradient() -> None:
    """r/d for tiny steps, the gradient's share for endless ones, and no step in between beyond their sum."""
    law, d, n = gradient_law(Target("He2(x1)"), RELU), 64, 300
    gradient = gradient_share(Target("He2(x1)"), RELU, d, n).value
    assert share_after_step(law, d, n, 1e-4) == pytest.approx(1 / d, rel=1e-3)
    assert share_after_step(law, d, n, 1e6) == pytest.approx(gradient, rel=1e-4)
    values = [share_after_step(law, d, n, s) for s in np.logspace(-2, 4, 13)]
    assert max(values) < gradient + 1 / d
    with pytest.raises(InputError, match="step"):
        share_after_step(law, d, n, 0.0)


def test_rank_is_one_for_exponent_one_and_full_beyond() -> None:
    """s_2/s_1 falls like d^(-1/2) for l = 1 and stays for l = 2, where it is that of the overlaps themselves."""
    rng = np.random.default_rng(2)
    ratios = {}
    for text in ("x1 + He2(x1) + x2 - He2(x2)", "He2(x1) + He2(x2)"):
        for d in (100, 10_000):
            m = rng.standard_normal((4000, 2)) / np.sqrt(d)
            ratios[text, d] = first_step(text, RELU, d, 20 * d**2).rank_ratio(m)
    assert ratios["x1 + He2(x1) + x2 - He2(x2)", 100] == pytest.approx(
        10 * ratios["x1 + He2(x1) + x2 - He2(x2)", 10_000], rel=0.1
    )
    assert ratios["He2(x1) + He2(x2)", 100] == pytest.approx(1.0, abs=0.06)
    assert ratios["He2(x1) + He2(x2)", 10_000] == pytest.approx(1.0, abs=0.06)


@pytest.mark.parametrize(
    ("text", "activation", "exponent", "power"),
    [
        ("x1 + He2(x1) + x2 - He2(x2)", "relu", 2, -0.5),
        ("x1 + He2(x1) + x2 - He2(x2)", "tanh", 2, -1.0),
        ("x1 + x2", "relu", 1, -0.5),
        ("x1 + x2", "relu", 2, -1.0),
        ("x1 + He2(x1) + He3(x2)", "relu", 1.5, -0.75),
        ("x1*x2", "relu", 2, 0.0),
    ],
)
def test_power_of_the_rank_ratio(text: str, activation: str, exponent: float, power: float) -> None:
    """What is stated is the power of the ratio itself between d = 1e3 and d = 1e5."""
    target, sigma, rng = Target(text), Activation(activation), np.random.default_rng(4)
    m = rng.standard_normal((2000, 2))
    few = {d: FirstStepLaw.of(target, sigma, d, round(d**exponent)) for d in (10**3, 10**5)}
    assert few[10**3].rank_power(exponent) == power
    ratio = [step.rank_ratio(m / np.sqrt(d)) for d, step in few.items()]
    assert np.log(ratio[1] / ratio[0]) / np.log(100) == pytest.approx(power, abs=0.05)


def test_noise_of_singular_vectors() -> None:
    """He2, ReLU: h = 2, E[f^2 x^2] = 10, E f^2 = 2, Var s' = 1/4, mu_2^2 = 1/(2 pi); without a mean q = 4/z + 1."""
    found = singular_vector_noise(first_step("He2(x1)", RELU, 100, 1600), 200)
    z, aspect = 2 * 0.25 * 2 * np.pi / 16, 0.5
    assert found.samples == pytest.approx(10 / 4 / 16, rel=1e-6)
    assert found.rows == pytest.approx(aspect * (4 / z + 1) / ((4 / z) ** 2 - aspect), rel=1e-6)
    assert not singular_vector_noise(first_step("He2(x1)", TANH), 200).is_known
    assert not singular_vector_noise(first_step("He2(x1) + x2*He2(x1)"), 200).is_known
    with pytest.raises(InputError, match="exponent"):
        singular_vector_noise(first_step("x1"), 200)


@pytest.mark.parametrize(("mean", "seen"), [(1, True), (-0.5, True), (-0.9, False), (-1, False), (-3, False)])
def test_a_mean_hides_a_direction_whose_square_is_smaller(mean: float, seen: bool) -> None:
    """He2 + E: squares (E + 2)^2 of the direction against E^2 of all others, at infinitely many samples and d/K = 1."""
    found = singular_vector_noise(first_step(f"He2(x1) + ({mean})", RELU, 100, 10**12), 100)
    q = (mean + 2) ** 2 / mean**2
    assert found.is_known == (q > 2) == seen
    if found.is_known:
        assert found.cos2 == pytest.approx((1 - 1 / (q - 1) ** 2) / (1 + 1 / (q - 1)), rel=1e-6)


def test_refusals() -> None:
    with pytest.raises(InputError, match="constant"):
        first_step("1 + 0*x1")
    with pytest.raises(InputError, match="samples"):
        first_step("x1", samples=1)
