"""The first gradient in its two parts, and steps on one batch after another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from giantstep.learners import run
from giantstep.learners.engines import GiantStep, take_step
from giantstep.learners.networks import BES22, Network, StepConvention, initialise
from giantstep.learners.training import GiantSteps, first_gradient, label_correlation, rank_one_steps
from giantstep.problems import Problem, Sample, whole
from giantstep.streams import Streams

STEP = GiantStep(1.5, StepConvention.BES22_SLIDE)


def start() -> Network:
    return initialise(BES22, "tanh", 40, 24, Streams(1))


def batch(number: int) -> Sample:
    return Problem("relu(x1)", 40, 0.3).sample(90, Streams(number))


def test_the_correlation_is_that_of_labels_left_by_a_linear_function() -> None:
    x, y = whole(batch(2))
    linear = np.linspace(-1, 1, 40)
    np.testing.assert_allclose(label_correlation(batch(2)), x.T @ y / 90)
    np.testing.assert_allclose(label_correlation(batch(2), linear), x.T @ (y - x @ linear) / 90)


def test_the_rank_one_part_is_the_mean_slope_times_labels_and_second_layer() -> None:
    net, first = start(), first_gradient(start(), batch(2))
    x, y = whole(batch(2))
    expected = net.activation.moments.mu1 * np.outer(net.second_layer, x.T @ y / 90)
    np.testing.assert_allclose(first.rank_one_part, expected)
    np.testing.assert_allclose(first.rank_one_norm, np.linalg.norm(expected))
    np.testing.assert_allclose(first.after(1.5).weights, net.weights + 1.5 * first.gradient)
    assert 0.1 < np.linalg.norm(first.gradient - expected) / first.rank_one_norm < 2


def test_steps_are_taken_on_one_batch_after_another() -> None:
    net = start()
    for number in (1, 2, 3):
        net, _ = take_step(net, batch(number), STEP)
    seen = run(GiantSteps(STEP, batch), start(), times=[0, 1, 3], watch={"size": lambda n: np.linalg.norm(n.weights)})
    np.testing.assert_array_equal(seen.last.weights, net.weights)
    assert seen["size"].shape == (3,)


def test_a_linear_network_that_starts_at_zero_moves_by_its_rank_one_part_alone() -> None:
    net = initialise(BES22, "z", 40, 24, Streams(1))
    net = replace(net, weights=np.zeros_like(net.weights))
    networks = GiantSteps(STEP, batch).states(net, range(4))
    for moved, now in zip(rank_one_steps(net, batch, 1.5, 3), networks, strict=True):
        np.testing.assert_allclose(np.outer(net.second_layer, moved), now.weights, atol=1e-12)
