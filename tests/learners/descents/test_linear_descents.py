"""Plain gradient descent on least squares and on deep linear networks."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners import run
from giantstep.learners.descents import (
    DeepLinearDescent,
    LeastSquaresDescent,
    aligned_layers,
    balance_drift,
    learn_modes,
    random_layers,
    random_task,
)
from giantstep.streams import Streams
from giantstep.theory.dynamics import DeepLinearModes


def test_least_squares_ends_at_the_closest_interpolator() -> None:
    rng = np.random.default_rng(0)
    x, y, start = rng.standard_normal((5, 12)), rng.standard_normal(5), rng.standard_normal(12)
    found = run(LeastSquaresDescent(x, y, 1.0), start, steps=10**6, stop=lambda state: state.residual <= 1e-10).last
    np.testing.assert_allclose(x @ found.theta, y, atol=1e-8)
    np.testing.assert_allclose(found.theta, start + np.linalg.pinv(x) @ (y - x @ start), atol=1e-8)
    assert found.length >= np.linalg.norm(found.theta - start)


def test_least_squares_at_its_goal_takes_no_step() -> None:
    x = np.eye(3)
    found = run(LeastSquaresDescent(x, np.ones(3), 1.0), np.ones(3), steps=9, stop=lambda state: state.residual == 0)
    assert (found.times[-1], found.last.length, found.last.residual) == (0, 0.0, 0.0)
    with pytest.raises(InputError, match="between 0 and 2"):
        LeastSquaresDescent(x, np.ones(3), 2.0)


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_one_step_of_a_deep_linear_network_is_a_gradient_step(depth: int) -> None:
    task = random_task(4, np.array([2.0, 1.0]), Streams(1))
    layers = random_layers(4, depth, 3, 0.5, Streams(2))
    after = run(DeepLinearDescent(task, 1e-3), layers, steps=1).last.layers
    h = 1e-6

    def loss(changed: list[np.ndarray]) -> float:
        return 0.5 * float(np.sum((np.linalg.multi_dot(changed[::-1]) - task.matrix) ** 2))

    for number, layer in enumerate(layers):
        for place in [(0, 0), (1, 2)]:
            up, down = ([m.copy() for m in layers] for _ in range(2))
            up[number][place] += h
            down[number][place] -= h
            gradient = (loss(up) - loss(down)) / (2 * h)
            assert layer[place] - after[number][place] == pytest.approx(1e-3 * gradient, rel=1e-5, abs=1e-11)


def test_an_aligned_start_is_balanced_and_aligned() -> None:
    task = random_task(5, np.array([3.0, 1.0]), Streams(3))
    layers = aligned_layers(task, 3, 4, 0.2, Streams(4))
    assert [layer.shape for layer in layers] == [(4, 5), (4, 4), (5, 4)]
    np.testing.assert_allclose(layers[1].T @ layers[1], layers[0] @ layers[0].T, atol=1e-14)
    product = task.left.T @ layers[2] @ layers[1] @ layers[0] @ task.right
    np.testing.assert_allclose(product, 0.2**3 * np.eye(2), atol=1e-14)
    np.testing.assert_allclose(np.linalg.svd(task.matrix)[1][:3], [3, 1, 0], atol=1e-13)


def test_the_record_of_a_descent() -> None:
    task = random_task(3, np.array([2.0, 1.0]), Streams(5))
    start = aligned_layers(task, 2, 3, 0.1, Streams(6))
    modes = learn_modes(DeepLinearDescent(task, 0.01), start, steps=10_000, share=0.97)
    found = modes.seen
    strengths = found["strengths"]
    assert strengths[0] == pytest.approx([0.01, 0.01])
    assert found.stopped
    gaps = task.values - strengths
    np.testing.assert_allclose(found["loss"], 0.5 * np.sum(gaps**2, axis=1), atol=1e-10)
    np.testing.assert_allclose(found["time"], 0.01 * found.times)
    half = modes.half_times()
    assert np.interp(half[0], found["time"], strengths[:, 0]) == pytest.approx(1.0)
    assert np.isinf(modes.times_at(2.5)).all()
    assert 0 < balance_drift(start, found.last.layers) < 0.1


def test_modes_are_learned_as_theory_says() -> None:
    task = random_task(3, np.array([2.0, 1.0]), Streams(5))
    start = aligned_layers(task, 3, 3, 0.1, Streams(6))
    modes = learn_modes(DeepLinearDescent(task, 0.001), start, steps=100_000, share=0.97, time=12.0)
    known = DeepLinearModes(task.values, np.full(2, 0.1**3), depth=3)
    times = np.linspace(0, 12, 7)
    np.testing.assert_allclose(modes.half_times(), known.half_times(), rtol=0.01)
    np.testing.assert_allclose(modes.losses(times), known.losses(times), atol=0.03)
    assert modes.second_share(0.95) == pytest.approx(known.second_share(0.95), rel=0.01)
    np.testing.assert_allclose(modes.resting_losses(), [2.5, 0.5], rtol=0.03)
