"""Several giant steps on a quadratic target: the recursion's powers of d."""

from __future__ import annotations

import math

import pytest

from giantstep.theory.dynamics import shares_along_steps

BEND, POWER, INSIDE = math.sqrt(2), 0.5, 2.5  # He2(x)/sqrt(2)


def shares(d: int, kappa: float, steps: int) -> list[float]:
    size = d ** ((kappa - 1) / 2)
    return list(shares_along_steps(BEND, POWER, INSIDE, d, round(2 * d**kappa), [size] * steps))


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_each_step_adds_kappa_minus_one_to_the_exponent(steps: int) -> None:
    few, many = (shares(d, 1.25, steps)[-1] for d in (10**16, 10**18))
    assert math.log10(many / few) / 2 == pytest.approx(0.25 * steps - 1, abs=0.01)


def test_from_one_plus_one_over_the_steps_on_the_share_does_not_fall() -> None:
    few, many = (shares(d, 1.5, 3)[-1] for d in (10**6, 10**8))
    assert many > few > 0.5
