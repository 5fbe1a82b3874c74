"""Allowances as data: their values, their sums and largest, and what they tell of themselves."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from giantstep.errors import InputError
from giantstep.verdicts.stating import Allowance, Computed, largest, quantity

POINT = SimpleNamespace(d=2000, neurons=50)
SPIKE = Allowance(0.02, of="prediction", at=500, power=-0.5)
FEW = Allowance(6, power=-1)


def growth(point: SimpleNamespace) -> float:
    """1/N, by which neurons grow. More of it."""
    return 1 / point.neurons


def test_a_part_of_the_prediction_falls_with_its_size_and_does_not_see_a_sign() -> None:
    assert SPIKE(POINT, 3.0) == pytest.approx(0.02 * 3 / 2)
    assert SPIKE(POINT, -3.0) == SPIKE(POINT, 3.0)
    assert Allowance(0.3, at=200, power=-2 / 3, size="neurons")(POINT, 7.0) == pytest.approx(0.3 * 4 ** (2 / 3))
    assert Allowance(0.25)(POINT, 7.0) == 0.25


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        (SPIKE, "2 % of the prediction at d = 500, falling like d^(-1/2): 1 % here"),
        (Allowance(0.01, at=1000, power=1), "0.01 at d = 1000, growing like d: 0.02 here"),
        (Allowance(6, of="prediction", power=-1, size="neurons"), "6/neurons of the prediction: 12 % here"),
        (Allowance(6, power=-0.5, size=("d", "neurons")), "6 min(d, neurons)^(-1/2): 0.849 here"),
        (Allowance(growth, of="prediction"), "1/N, by which neurons grow, as a part of the prediction: 2 % here"),
        (0.5 * Allowance(growth), "0.5 x (1/N, by which neurons grow): 0.01 here"),
        (Allowance(0.05, of="prediction"), "5 % of the prediction"),
        (Allowance(0.005), "0.005"),
        (Allowance(0), "nothing"),
        (SPIKE + Allowance(0.005), "2 % of the prediction at d = 500, falling like d^(-1/2) + 0.005: 1 % + 0.005 here"),
        (largest(FEW, Allowance(5, power=-1, size="neurons")), "the larger of 6/d or 5/neurons: 0.1 here"),
        (2 * SPIKE, "4 % of the prediction at d = 500, falling like d^(-1/2): 2 % here"),
        (Computed(lambda point, predicted: predicted / point.neurons, "a share"), "a share: 0.06 here"),
        (2 * Computed(lambda point, predicted: predicted / point.neurons, "a share"), "2 x (a share): 0.12 here"),
    ],
)  # fmt: skip
def test_a_rule_tells_itself_and_what_it_comes_to(rule: Allowance, told: str) -> None:
    assert rule.told(POINT, 3.0) == told


def test_sums_and_largest_are_taken_point_by_point() -> None:
    a, b = Allowance(1.0, at=2000, power=-1), Allowance(0.1, of="prediction")
    assert (a + b + a)(POINT, 5.0) == pytest.approx(2.5)
    assert largest(a, b)(POINT, 5.0) == pytest.approx(1.0)
    assert largest(a, b)(POINT, 50.0) == pytest.approx(5.0)
    assert (3 * largest(a, b))(POINT, 50.0) == pytest.approx(15.0)
    assert (0.5 * (a + b))(POINT, 5.0) == pytest.approx(0.75)


def test_a_function_tells_itself_by_its_docstring_and_needs_a_prediction_for_its_number() -> None:
    def edge(point: object, predicted: float) -> float:
        """Twice the shift of an
        edge.

        More about it.
        """
        return 2 * predicted

    stated = quantity.equal("edge", edge, "why")
    assert stated.allowance.told(POINT, 0.25) == "twice the shift of an edge: 0.5 here"
    assert stated.allowance.told(POINT) == "twice the shift of an edge"


def test_a_number_is_an_allowance_and_nonsense_is_refused() -> None:
    assert quantity.slope("risk", "d", -1, 0.25, "why").allowance == Allowance(0.25)
    with pytest.raises(InputError, match="of must be one of '', 'prediction'"):
        Allowance(0.1, of="predicted")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="no power"):
        Allowance(growth, power=-1)
    with pytest.raises(InputError, match="negative"):
        Allowance(-0.1)


def test_what_is_judged_on_its_draws_is_held_against_the_limit_with_the_same_allowance() -> None:
    assert quantity.equal("v", SPIKE, "", against="finite").limit is SPIKE
    assert quantity.equal("v", SPIKE, "", against="finite", limit=0.5).limit == Allowance(0.5)
    assert quantity.equal("v", SPIKE, "").limit is None


def test_several_quantities_share_what_is_said_of_them() -> None:
    left, right = quantity.equals({"left": ("l", "u"), "right": ("r", "v")}, SPIKE, "why", against="finite")
    assert (left.name, left.help, left.symbol, right.symbol) == ("left", "l", "u", "v")
    assert left.allowance is right.limit is SPIKE
