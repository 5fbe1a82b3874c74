"""Plain gradient descent on least squares and on deep linear networks."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.learners.training import aligned_start, least_squares_descent, linear_descent, random_start, random_task
from giantstep.streams import Streams


def test_least_squares_ends_at_the_closest_interpolator() -> None:
    rng = np.random.default_rng(0)
    x, y, start = rng.standard_normal((5, 12)), rng.standard_normal(5), rng.standard_normal(12)
    found = least_squares_descent(x, y, start, 1.0, tolerance=1e-10)
    np.testing.assert_allclose(x @ found.theta, y, atol=1e-8)
    np.testing.assert_allclose(found.theta, start + np.linalg.pinv(x) @ (y - x @ start), atol=1e-8)
    assert found.length >= np.linalg.norm(found.theta - start)


def test_least_squares_at_its_goal_takes_no_step() -> None:
    x = np.eye(3)
    found = least_squares_descent(x, np.ones(3), np.ones(3), 1.0)
    assert (found.iterations, found.length, found.residual) == (0, 0.0, 0.0)
    with pytest.raises(InputError, match="between 0 and 2"):
        least_squares_descent(x, np.ones(3), np.zeros(3), 2.0)


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_one_step_of_a_deep_linear_network_is_a_gradient_step(depth: int) -> None:
    task = random_task(4, np.array([2.0, 1.0]), Streams(1))
    layers = random_start(4, depth, 3, 0.5, Streams(2))
    after = linear_descent(task, layers, 1e-3, most=1).layers
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
    layers = aligned_start(task, 3, 4, 0.2, Streams(4))
    assert [layer.shape for layer in layers] == [(4, 5), (4, 4), (5, 4)]
    np.testing.assert_allclose(layers[1].T @ layers[1], layers[0] @ layers[0].T, atol=1e-14)
    product = task.left.T @ layers[2] @ layers[1] @ layers[0] @ task.right
    np.testing.assert_allclose(product, 0.2**3 * np.eye(2), atol=1e-14)
    np.testing.assert_allclose(np.linalg.svd(task.matrix)[1][:3], [3, 1, 0], atol=1e-13)


def test_the_record_of_a_descent() -> None:
    task = random_task(3, np.array([2.0, 1.0]), Streams(5))
    found = linear_descent(task, aligned_start(task, 2, 3, 0.1, Streams(6)), 0.01)
    assert found.strengths[0] == pytest.approx([0.01, 0.01])
    assert (found.strengths[-1] >= 0.97 * task.values).all()
    gaps = task.values - found.strengths
    np.testing.assert_allclose(found.losses, 0.5 * np.sum(gaps**2, axis=1), atol=1e-10)
    half = found.time_of(task.values / 2)
    assert np.interp(half[0], found.times, found.strengths[:, 0]) == pytest.approx(1.0)
    assert np.isinf(found.time_of(np.array([5.0, 0.5]))[0])
