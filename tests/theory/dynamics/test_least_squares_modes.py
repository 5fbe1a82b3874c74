"""The sums over modes against plain iteration, and their limits against large draws."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.errors import InputError
from giantstep.theory.dynamics import LeastSquaresModes, limiting_modes, modes_of
from giantstep.theory.spectra import MarchenkoPastur


@pytest.mark.parametrize("step", [0.3, 1.0, 1.9])
def test_modes_against_the_iteration(step: float) -> None:
    rng = np.random.default_rng(int(10 * step))
    x, y, start = rng.standard_normal((8, 20)), rng.standard_normal(8), rng.standard_normal(20)
    modes = modes_of(x, y - x @ start, step)
    eta, theta, length = step / np.linalg.norm(x, 2) ** 2, start.copy(), 0.0
    first = np.linalg.norm(x @ theta - y)
    for iteration in range(1, 5000):
        change = eta * x.T @ (x @ theta - y)
        theta, length = theta - change, length + np.linalg.norm(change)
        if iteration in (1, 7):
            assert np.linalg.norm(x @ theta - y) / first == pytest.approx(modes.residual(iteration))
        if np.linalg.norm(x @ theta - y) <= 1e-6 * first:
            break
    assert modes.iterations(1e-6) == iteration
    assert iteration <= modes.bound(1e-6)
    straight = np.linalg.norm(np.linalg.pinv(x) @ (y - x @ start))
    assert modes.path_ratio() == pytest.approx(length / straight, rel=1e-4)
    assert np.sqrt(modes.weights.sum()) == pytest.approx(straight)
    assert modes.condition == pytest.approx(np.linalg.cond(x))


def test_one_mode_goes_straight_or_back_and_forth() -> None:
    one = LeastSquaresModes(np.array([2.0]), np.array([5.0]), 0.5, 2.0)
    assert one.path_ratio() == pytest.approx(1.0)
    assert LeastSquaresModes(np.array([2.0]), np.array([5.0]), 1.8, 2.0).path_ratio() == pytest.approx(1.8 / 0.2)
    assert LeastSquaresModes(np.array([2.0]), np.array([5.0]), 1.0, 2.0).bound(1e-8) == 1


def test_limiting_modes_are_the_law() -> None:
    modes, law = limiting_modes(0.5, 1.0, 0.0), MarchenkoPastur(0.5, "columns")
    mass = modes.weights * modes.squares  # E c^2 = 1/s^2 without a start
    x = np.linspace(*law.edges, 7)[1:-1]
    for place in x:
        assert mass[modes.squares <= place].sum() / mass.sum() == pytest.approx(float(law.cdf(place)), abs=0.01)
    # The mean of 1/l under the law of ratio c is 1/(1 - c).
    assert modes.weights.sum() / mass.sum() == pytest.approx(2.0, rel=1e-3)


@pytest.mark.parametrize(("ratio", "scale", "step"), [(0.25, 1.0, 1.0), (0.5, 3.0, 0.2), (0.1, 0.0, 1.3)])
def test_a_large_draw_approaches_the_limit(ratio: float, scale: float, step: float) -> None:
    p = 800
    n = round(ratio * p)
    limit, found = limiting_modes(ratio, step, scale).path_ratio(), []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        x, start = rng.standard_normal((n, p)) / p**0.5, scale * rng.standard_normal(p)
        found.append(modes_of(x, rng.standard_normal(n) - x @ start, step).path_ratio())
    # Weights are n squared Gaussians: the ratio scatters by some n^(-1/2), and is off by 0.3 n^(-1/2)/(2 - step).
    assert np.mean(found) == pytest.approx(limit, rel=1.2 / (n**0.5 * (2 - step)))


def test_refusals() -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        limiting_modes(1.0, 1.0, 1.0)
    with pytest.raises(InputError, match="too slow"):
        LeastSquaresModes(np.array([1e-9, 1.0]), np.ones(2), 1.0, 1.0).path_ratio()
