"""The whole analysis: regimes, activations, functions that are no polynomials, and how it is told."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from giantstep.gaussian.quadrature import expect
from giantstep.problems import ZOO, Target
from giantstep.problems.analysis.conditional import spread
from giantstep.problems.analysis.splitting import terms_of
from giantstep.problems.analysis.subspaces.spans import unit_rows

BIG = ZOO["big"].target
KEYS = {
    "target", "norm2", "mean", "energies", "relevant_dimension", "information_exponent", "leap", "isoleap",
    "generative_exponent", "hessian", "staircase", "one_step", "regimes", "error",
}  # fmt: skip


def test_the_big_example_in_its_five_regimes() -> None:
    rows = BIG.analyze().regimes
    x1, x2 = (1, 0, 0), (0, 1, 0)
    terms = ["x1", "He2(x2)", "He2(x1)*x2", "He4(x1)*He2(x2)*x3", "He2(x2)*He2(x3)"]
    expected = [
        (1, 0, [x1], [0], (57, 56, 52, 0)),
        (1, 1, [x1], [0, 2], (56, 54, 4, 0)),
        (2, 0, [x1, x2], [0, 1, 2], (57, 52, 0, 0)),
        (2, 1, [x1, x2], [0, 1, 2, 3], (56, 4, 0, 0)),
        (2, 2, [x1, x2], [0, 1, 2, 3, 4], (54, 0, 0, 0)),
    ]
    assert len(rows) == len(expected)
    for row, (samples, neurons, basis, fitted, bounds) in zip(rows, expected, strict=True):
        assert (row.samples, row.neurons, list(row.basis), row.bounds) == (samples, neurons, basis, bounds)
        assert row.bound == bounds[1]
        assert Target(row.fitted) == Target(" + ".join(terms[i] for i in fitted))


def test_what_is_fitted_and_the_bound_make_up_the_norm() -> None:
    for text in ("(x1 + 2*x2) + (x1 + 2*x2)*(2*x1 - x2)*x3 + He2(x3)", "x1 + He2(x1) + x2 + He2(x2) + 1"):
        target = Target(text)
        for row in target.analyze().regimes:
            part = Target(row.fitted)
            assert part.norm2 + row.bound == target.norm2
            rest = Target(f"{text} - ({row.fitted})")
            assert rest.norm2 == row.bound


def test_long_and_infinite_fits_are_said_in_words() -> None:
    rows = Target("relu(x1)*tanh(x2)").analyze().regimes
    assert [row.fitted for row in rows] == [
        "the mean of f given the learned directions",
        "the mean of f given the learned directions, and degree up to 1 in the others",
        "all of f",
    ]
    assert Target("(x1 + x2 + x3)**6 + x1").analyze().regimes[-1].fitted == "all of f"


def test_the_json_has_the_promised_keys() -> None:
    for target in (BIG, Target("relu(x1)*tanh(x2)"), Target("2"), Target("He2(x1)/sqrt(2) + x1*x2")):
        record = target.analyze().to_dict()
        assert set(record) >= KEYS
        assert set(record["hessian"]) >= {"rank", "condition"}
        assert all(set(step) >= {"directions", "conditional_variance", "tail_energies"} for step in record["staircase"])
        assert all(set(row) >= {"samples", "neurons", "directions", "fitted", "bound"} for row in record["regimes"])
        assert json.loads(json.dumps(record, allow_nan=False)) == record
        json.dumps(target.analyze("relu").to_dict(exact=True), allow_nan=False)


def test_numbers_are_floats_or_fractions() -> None:
    found = Target("x1 + x1**2/3 + x2*x1").analyze()
    assert found.to_dict()["norm2"] == pytest.approx(1 + 3 / 9 + 1)
    assert found.to_dict(exact=True)["norm2"] == "7/3"
    assert found.to_dict(exact=True)["staircase"][1]["tail_energies"] == ["4/3", "1"]
    assert found.to_dict()["one_step"]["2"]["directions"] == [[1, 0], [0, 1]]
    assert "2.333333333" in str(found)
    assert "7/3" in found.text(exact=True)
    assert [(row["samples"], row["neurons"]) for row in found.to_dict()["regimes"]] == [("d", "1"), ("d", "d")]


def test_the_hessian() -> None:
    found = Target("He2(x1) - He2(x2)/2 + x3").analyze().hessian
    assert (found.rank, found.condition) == (2, pytest.approx(2.0))
    assert found.eigenvalues == pytest.approx((2.0, -1.0))
    assert found.kappa == pytest.approx(math.sqrt(2 + 0.5 + 1) / math.sqrt(2))
    assert Target("He3(x1)").analyze().hessian.condition is None


def test_the_floor_of_kernels() -> None:
    assert BIG.analyze().kernel_floor == (57, 56, 54, 52, 48, 48, 48, 0)


def exponents(text: str) -> dict[str, tuple[float | None, float | None]]:
    return {m.name: (m.first, m.all) for m in Target(text).analyze().methods}


def test_methods_side_by_side() -> None:
    big = exponents(BIG.text)
    assert big["kernel or lazy training"] == (1, 7)
    assert big["one giant step"] == (1, 4)
    assert big["several giant steps"] == (1, 1)
    assert big["one step on the Hessian, a head"] == (2, None)
    quartic = exponents("He4(x1)")
    assert quartic["one-pass SGD"] == (3, 3)
    assert quartic["lower bound, correlational queries"] == (2, 2)
    assert quartic["lower bound, all statistical queries"] == (1, 1)
    assert exponents("He2(x1) + He2(x2) + He4(x1)")["one step on the Hessian, a head"] == (2, 2)
    assert exponents("relu(x1)*tanh(x2)")["kernel or lazy training"] == (1, None)
    assert exponents("5") == {}


# --- activations ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "orders"),
    [
        ("example-1", [[1], [2]]),
        ("example-3-f1", [[1], [2]]),
        ("example-3-f2", [[1], [2, 4]]),
        ("three-level", [[1], [2], [3]]),
        ("two-level", [[1], [3]]),
        ("big", [[1], [3], [7]]),
    ],
)
def test_the_coefficient_through_which_each_direction_is_seen(name: str, orders: list[list[int]]) -> None:
    steps = ZOO[name].target.analyze().staircase[1:]
    assert [[k for d in step.level.new for k in d.orders] for step in steps] == orders


def test_which_common_activations_see_each_direction() -> None:
    record = ZOO["three-level"].target.analyze().to_dict()
    assert record["common_activations"] == ["relu", "gelu", "tanh", "erf", "relu(z + 1/2)"]
    assert [step["seen_by"] for step in record["staircase"]] == [
        [],
        [["relu", "gelu", "tanh", "erf", "relu(z + 1/2)"]],
        [["relu", "gelu", "relu(z + 1/2)"]],
        [["tanh", "erf", "relu(z + 1/2)"]],
    ]
    either = ZOO["example-3-f2"].target.analyze().staircase[2]  # x2 through mu2, x3 through mu4
    assert either.seen_by == (("relu", "gelu", "relu(z + 1/2)"),) * 2


@pytest.mark.parametrize(
    ("name", "activation", "levels", "missed", "needed"),
    [
        ("example-1", "relu", 3, [], []),
        ("example-1", "tanh", 2, [[1, -1]], [2]),
        ("three-level", "relu", 3, [[0, 0, 1]], [3]),
        ("three-level", "cos(z + 4/5)", 4, [], []),
        ("two-level", "relu", 2, [[0, 1]], [3]),
        ("two-level", "erf", 3, [], []),
        ("example-3-f2", "He2(z) + z", 3, [[0, 0, 1]], [4]),
    ],
)
def test_what_an_activation_misses(
    name: str, activation: str, levels: int, missed: list[Any], needed: list[int]
) -> None:
    record = ZOO[name].target.analyze(activation).to_dict()
    assert len(record["visible_staircase"]) == levels
    assert record["missed_directions"] == missed
    assert record["needed_coefficients"] == needed


def test_an_activation_may_have_to_take_another_way() -> None:
    """x2 stands at He1(x1) and He2(x1): tanh sees the second only."""
    found = Target("x1 + x1*x2 + He2(x1)*x2 + He2(x1)*x3").analyze("tanh")
    assert found.visibility is not None
    assert [len(level.basis) for level in found.visibility.sight.staircase.levels] == [0, 1, 2]
    assert found.to_dict()["visible_staircase"][2] == [[1, 0, 0], [0, 1, 1]]
    assert found.to_dict()["missed_directions"] == [[0, 1, -1]]


# --- functions that are no polynomials ------------------------------------------------------------------------


def test_a_product_of_functions() -> None:
    found = Target("relu(x1)*tanh(x2)").analyze()
    tanh2 = expect(lambda z: np.tanh(z) ** 2).value
    assert [step.level.basis for step in found.staircase] == [(), ((0, 1),), ((0, 1), (1, 0))]
    middle = found.staircase[1].spread
    assert float(middle.variance) == pytest.approx(tanh2 * (0.5 - 0.5 / math.pi), abs=10 * middle.error + 1e-13)
    assert middle.error < 1e-12
    assert found.isoleap == 1
    assert any("Hermite series to degree 12" in note for note in found.notes)


def test_a_rotated_product_of_functions() -> None:
    plain = Target("relu(x1)*tanh(x2)").analyze()
    turned = Target("relu((3*x1 + 4*x2)/5)*tanh((4*x1 - 3*x2)/5)").analyze()
    for one, other in zip(turned.staircase, plain.staircase, strict=True):
        assert float(one.spread.variance) == pytest.approx(float(other.spread.variance), abs=1e-11)
    assert turned.staircase[1].level.basis[0] == pytest.approx((1.0, -0.75), abs=1e-9)


def test_parity_of_signs() -> None:
    found = Target("sign(x1*x2*x3)").analyze()
    assert (found.information_exponent, found.isoleap, found.relevant_dimension) == (3, 3, 3)
    assert found.stop.endswith("its lowest degree is 3, which takes n ~ d^3 samples")
    assert [len(level.basis) for level in found.one_step] == [0, 0, 3]


def test_what_cannot_be_integrated_is_known_up_to_the_rest_of_the_series() -> None:
    """Five directions, of which the doubled integral couples five: given x1 + x4, x1 - x4 and the rest are open.

    Its two parts are independent, and given x1 and x4 themselves each has the spread that it has alone.
    """
    wide = Target("2*x1 + tanh(x1 + x2*x3) + x4*relu(x5)")
    level = wide.analyze().staircase[1].spread
    assert level.missing > 1e-6
    first, second = Target("2*x1 + tanh(x1 + x2*x3)"), Target("x1*relu(x2)")
    along = unit_rows(wide.analyze().staircase[1].level.basis)[0]
    assert np.abs(along[[1, 2, 4]]).max() < 1e-9
    # What the direction explains is at least what is linear in it, and at most what its two coordinates explain.
    linear = float(along @ wide.linear) ** 2
    both = sum(
        float(f.norm2) - float(spread(f, terms_of(f), ((1,) + (0,) * (f.directions - 1),)).variance)
        for f in (first, second)
    )
    explained = float(wide.norm2) - float(level.variance)
    assert linear - level.error <= explained <= both + level.error


def test_a_rank_near_its_tolerance_is_reported() -> None:
    found = Target("pi*x1 + x1*x2 + He2(x1)*x3/10**10").analyze()
    assert any("do not rely on it" in note for note in found.notes)
    clear = Target("pi*x1 + x1*x2").analyze()
    assert not any("do not rely on it" in note for note in clear.notes)


def test_spread_of_the_whole_space_is_zero() -> None:
    target = Target("relu(x1) + x2")
    assert spread(target, terms_of(target), terms_of(target).space).variance == 0


# --- the page -------------------------------------------------------------------------------------------------


def test_the_page() -> None:
    text = str(BIG.analyze("relu"))
    for words in (
        "information exponent  1: one giant step needs of the order of d samples",
        "leap, isoleap         1 in these coordinates, 1 in the worst ones",
        "2  x2              mu3      52            0: 5  1: 48  2: 4",
        "all 3 directions are learned after 3 steps of n ~ d samples",
        "it misses             x2, x3, because mu3 = 0",
        "d^2  d    x1, x2   56   4    0    0    x1 + He2(x2) + He2(x1)*x2 + He4(x1)*He2(x2)*x3",
        "kernel or lazy training               d      d^7  the degree of the target [mmm22]",
        "all numbers are exact",
    ):
        assert words in text
    assert max(map(len, text.splitlines())) <= 130
    assert not any(line != line.rstrip() for line in text.splitlines())


def test_the_page_of_a_constant() -> None:
    assert "the target is constant: there is nothing to learn" in str(Target("2").analyze("tanh"))


def test_exact_values_stay_fractions() -> None:
    found = Target("x1/3 + x1*x2").analyze()
    assert found.staircase[1].spread.variance == Fraction(1)
    assert found.norm2 == Fraction(10, 9)
