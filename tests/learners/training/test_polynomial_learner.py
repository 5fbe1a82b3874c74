"""Algorithm 1 of [dls22]: pre-processing, the step whose decay cancels the start, and both kinds of head."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners.engines import first_layer_gradient
from giantstep.learners.heads import LEAVE_ONE_OUT, GradientHead, RidgeHead, fit_head
from giantstep.learners.networks import DLS22, initialise
from giantstep.learners.risk import exact_risk
from giantstep.learners.training import learn_features, learn_polynomial, linear_part, remainder_moments
from giantstep.learners.training.every_second import Half
from giantstep.learners.training.polynomial_learner import decayed_step
from giantstep.learners.training.preprocessing import Remainder
from giantstep.problems import Activation, ArraySample, DrawnSample, Problem, Target
from giantstep.streams import Streams

RELU = Activation("relu")
PROBLEM = Problem(Target("1 + x1/2 + He2(x1) + He2(x1)*x2/3"), 10)


def data(n: int = 3000, seed: int = 0) -> DrawnSample:
    return PROBLEM.sample(n, Streams(seed).child("data"))


def arrays(sample: DrawnSample) -> ArraySample:
    x, y = (np.concatenate(part) for part in zip(*map(sample.block, range(sample.blocks())), strict=True))
    return ArraySample(x, y, block_rows=700)


def test_preprocessing_takes_off_mean_and_linear_correlation() -> None:
    sample = arrays(data())
    part = linear_part(sample)
    assert part.mean == pytest.approx(sample.labels.mean())
    np.testing.assert_allclose(part.slope, sample.inputs.T @ sample.labels / sample.samples)
    rest = arrays(Remainder(sample, part))  # type: ignore[arg-type]
    np.testing.assert_allclose(rest.labels, sample.labels - part.mean - sample.inputs @ part.slope)
    assert Remainder(sample, part).blocks() == sample.blocks()


def test_the_weight_decay_cancels_the_start() -> None:
    learned = learn_features(data(), RELU, 20, Streams(1))
    start = initialise(DLS22, RELU, 10, 20, Streams(1).child("network"))
    seen = first_layer_gradient(start, Remainder(data(), learned.part))
    np.testing.assert_allclose(learned.info.gradient, seen.gradient, atol=1e-13)
    moved = decayed_step(start, seen, learned.step, 1 / learned.step)
    np.testing.assert_allclose(moved, learned.network.weights, atol=1e-13)
    np.testing.assert_allclose(moved, learned.step * start.second_layer[:, None] * seen.gradient, atol=1e-13)
    assert np.mean(np.sum(moved**2, axis=1)) == pytest.approx(1.0)
    kept = decayed_step(start, seen, learned.step, 0.0)
    np.testing.assert_allclose(kept - moved, start.weights, atol=1e-13)
    assert learned.alignment(2) == pytest.approx(np.mean(np.sum(moved[:, :2] ** 2, axis=1) / np.sum(moved**2, axis=1)))


def test_gradient_descent_tends_to_ridge_regression() -> None:
    learned = learn_features(data(), RELU, 20, Streams(1))
    rest = Remainder(data(), learned.part)
    path = fit_head(learned.network, rest, RidgeHead(1e-2))
    assert path.chosen == 1e-2
    ridge = path.network(learned.network)
    x = PROBLEM.sample(500, Streams(2)).block(0)[0]
    gaps = []
    for steps in (10, 100, 1000, 100000):
        net = fit_head(learned.network, rest, GradientHead(steps, 1e-2)).network(learned.network)
        gaps.append(float(np.linalg.norm(net(x) - ridge(x)) / np.linalg.norm(ridge(x))))
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[0] > 0.1
    assert gaps[-1] < 1e-8


def test_the_steps_of_descent_are_those_of_the_loop() -> None:
    learned = learn_features(data(400), RELU, 8, Streams(1))
    rest = arrays(Remainder(data(400), learned.part))  # type: ignore[arg-type]
    psi = learned.network.features(rest.inputs)
    matrix, moment = psi.T @ psi / rest.samples + 0.1 * np.eye(8), psi.T @ rest.labels / rest.samples
    c, size = learned.network.coefficients, 1 / np.linalg.norm(matrix, 2)
    for _ in range(25):
        c = c - size * (matrix @ c - moment)
    path = fit_head(learned.network, rest, GradientHead(25, 0.1))
    np.testing.assert_allclose(path.coefficients, c[None], atol=1e-11)
    assert path.training_error == pytest.approx([np.mean((rest.labels - psi @ c) ** 2)])
    assert "25 steps" in repr(path)


def test_the_penalty_is_chosen_by_leave_one_out_when_none_is_given() -> None:
    learned = learn_features(data(), RELU, 20, Streams(1))
    rest = Remainder(data(), learned.part)
    assert fit_head(learned.network, rest, GradientHead(3)).chosen == fit_head(learned.network, rest).chosen


def test_user_data_gives_what_streamed_data_gives() -> None:
    drawn = learn_polynomial(data(), RELU, 20, Streams(1))
    own = learn_polynomial(arrays(data()), RELU, 20, Streams(1))
    x = PROBLEM.sample(100, Streams(2)).block(0)[0]
    np.testing.assert_allclose(own(x), drawn(x), rtol=1e-6, atol=1e-8)


def test_threads_do_not_change_a_bit() -> None:
    one, two = (learn_polynomial(data(), RELU, 20, Streams(1), threads=threads) for threads in (1, 2))
    np.testing.assert_array_equal(one.network.coefficients, two.network.coefficients)
    np.testing.assert_array_equal(one.network.weights, two.network.weights)


def test_the_risk_counts_the_linear_part() -> None:
    fit = learn_polynomial(data(), RELU, 20, Streams(1))
    x, y = (np.concatenate(p) for p in zip(*map(PROBLEM.sample(60000, Streams(3)).block, range(59)), strict=True))
    squares = (fit(x) - y) ** 2
    assert fit.risk(PROBLEM) == pytest.approx(squares.mean(), abs=4 * squares.std() / np.sqrt(len(y)))
    bare = learn_polynomial(data(), RELU, 20, Streams(1), preprocess=False)
    assert bare.risk(PROBLEM) == pytest.approx(exact_risk(bare.network, PROBLEM))
    unbiased = replace(fit.network, biases=None)
    zero = remainder_moments(unbiased, PROBLEM, fit.part).risk(np.zeros(20))
    left = 2 + 2 / 9 + (1 - fit.part.mean) ** 2 + np.sum((fit.part.slope - np.eye(10)[0] / 2) ** 2)
    assert float(zero) == pytest.approx(left)


def test_it_learns() -> None:
    risks = [learn_polynomial(data(8000, seed), RELU, 60, Streams(seed)).risk(PROBLEM) for seed in range(3)]
    assert max(risks) < 0.4 * float(PROBLEM.target.variance)


def test_refusals() -> None:
    with pytest.raises(InputError, match="gradient head"):
        GradientHead(10, -1.0)
    flat = ArraySample(np.array([[1.0, -1, 1], [-1, 1, -1]] * 2), np.zeros(4))
    with pytest.raises(InputError, match="zero"):
        learn_features(flat, RELU, 4, Streams(0))


def test_halves_are_the_rows_of_the_sample_each_once() -> None:
    sample = ArraySample(np.ones((22, 2)), np.arange(22.0), block_rows=5)  # odd: blocks begin with either half
    for first in (0, 1):
        half = Half(sample, first)
        rows = np.concatenate([half.block(number)[1] for number in range(half.blocks())])
        np.testing.assert_array_equal(rows, np.arange(first, 22, 2))
        assert half.samples == len(rows)
        assert half.block_rows == 3


def test_the_penalty_is_chosen_on_labels_that_the_step_has_not_seen() -> None:
    """Pure noise: leave-one-out on the labels of the step promises to explain some of it, and fits it."""
    promised, fitted, chosen = [], [], []
    for seed in range(4):
        generator = np.random.default_rng(seed)
        new, y = generator.standard_normal((500, 60)), generator.standard_normal(300)
        sample = ArraySample(generator.standard_normal((300, 60)), y)
        learned = learn_features(sample, RELU, 100, Streams(seed), preprocess=False)
        promised.append(fit_head(learned.network, sample).leave_one_out.min() / np.mean(y**2))
        optimistic = learn_polynomial(sample, RELU, 100, Streams(seed), preprocess=False, head=LEAVE_ONE_OUT)
        honest = learn_polynomial(sample, RELU, 100, Streams(seed), preprocess=False)
        fitted.append(np.mean(optimistic(new) ** 2))
        chosen.append(np.mean(honest(new) ** 2))
    assert np.mean(promised) < 0.95
    assert np.mean(chosen) < 0.6 * np.mean(fitted)


def test_a_sample_of_its_own_for_the_head_needs_no_halves() -> None:
    drawn, other = data(500, 0), data(500, 1)
    given = learn_polynomial(drawn, RELU, 20, Streams(1), head_sample=other)
    assert given.ridge == learn_polynomial(drawn, RELU, 20, Streams(1), head_sample=other, head=LEAVE_ONE_OUT).ridge
