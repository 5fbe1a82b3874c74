"""Several giant steps on a quadratic target: the recursion's powers of d."""

from __future__ import annotations

import math

import numpy as np
import pytest

from giantstep.problems import Activation, Target
from giantstep.theory.dynamics import shares_along_steps
from giantstep.theory.gradient import gradient_law

LAW = gradient_law(Target("He2(x1)/sqrt(2)"), Activation("relu"))
TAKES_BACK = 4.0


def shares(d: int, kappa: float, steps: int, between: float | None = None) -> list[float]:
    size = d ** ((kappa - 1) / 2)
    sizes = [size] * steps if between is None else ([size, between] * steps)[:-1]
    return list(shares_along_steps(LAW, d, round(2 * d**kappa), sizes))


def exponent(kappa: float, steps: int, between: float | None = None) -> float:
    few, many = (shares(d, kappa, steps, between)[-1] for d in (10**16, 10**18))
    return math.log10(many / few) / 2


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_each_step_adds_kappa_minus_one_to_the_exponent_if_one_of_size_4_follows(steps: int) -> None:
    assert exponent(1.25, steps, TAKES_BACK) == pytest.approx(0.25 * steps - 1, abs=0.02)


@pytest.mark.parametrize("steps", [2, 3])
def test_large_steps_alone_are_no_better_than_one_in_the_end(steps: int) -> None:
    """The linear part of the network grows as fast as the overlaps do, or faster."""
    assert exponent(1.25, steps) < exponent(1.25, 1) + 0.01


def test_from_one_plus_one_over_the_steps_on_the_share_does_not_fall() -> None:
    few, many = (shares(d, 1.5, 3, TAKES_BACK)[-1] for d in (10**6, 10**8))
    assert many > few > 0.5


def test_random_neurons_are_the_mean_over_drawn_ones() -> None:
    d, n, sizes = 400, 16000, [4.0, 3.0]
    drawn = np.random.default_rng(0).standard_normal((20000, 2)) / math.sqrt(d)
    m = np.concatenate([drawn[:, 0], drawn[:, 0]])
    signs = np.repeat([1.0, -1.0], len(drawn))
    known = shares_along_steps(LAW, d, n, sizes, m, signs)
    assert shares_along_steps(LAW, d, n, sizes) == pytest.approx(known, rel=0.02)
