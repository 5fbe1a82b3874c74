"""Kernel ridge regression on spiked inputs: theory class by class against simulation, and the equivalent that fails."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims import Run
from giantstep.claims.structured.kernel_staircase import KernelStaircase
from giantstep.errors import InputError
from giantstep.streams import Streams

SEEDS = 60


def measured(name: str, **values: object) -> tuple[float, float, float, KernelStaircase]:
    """Mean, standard error and prediction of a quantity."""
    point = KernelStaircase(d=64, **values)
    found = [float(point.measure(Run(Streams(500 + s)))[name]) for s in range(SEEDS)]
    return float(np.mean(found)), float(np.std(found, ddof=1) / np.sqrt(SEEDS)), float(point.predict()[name]), point


@pytest.mark.parametrize(
    "setting",
    [
        {"strength_exponent": 0.0},
        {"strength_exponent": 0.6, "noise": 0.5, "ridge": 0.3},
        {"strength_exponent": 0.8, "kernel": "(1 + t)**4"},
        {"strength_exponent": 0.5, "target": "He2(x1)/sqrt(2)", "samples_per_dim": 1.0},
    ],
)
def test_risk_is_the_predicted_one(setting: dict[str, object]) -> None:
    mean, error, predicted, point = measured("risk_kernel", **setting)
    allowance = point.quantities[0].allowance(point, predicted)
    assert abs(mean - predicted) < 4 * error + allowance


def test_one_implicit_ridge_for_all_inputs_is_not_enough() -> None:
    mean, error, _, point = measured("risk_kernel", strength_exponent=0.8, ridge=0.001)
    assert mean > 1.3 * float(point.predict()["risk_plain"]) + 3 * error


def test_an_unlearned_degree_costs_more_than_itself() -> None:
    mean, error, _, point = measured("risk_kernel", strength_exponent=0.0, ridge=0.001, target="He3(x1)/sqrt(6)")
    assert mean > 1.1 + 3 * error
    assert float(point.predict()["plateau"]) == pytest.approx(1.25, abs=0.03)


def test_half_learned_where_theory_says() -> None:
    point = KernelStaircase(d=48, target="He2(x1)", halving=True)
    found = [float(point.measure(Run(Streams(s)))["theta_half"]) for s in range(12)]
    error = np.std(found, ddof=1) / np.sqrt(len(found))
    predicted = float(point.predict()["theta_half"])
    assert abs(np.mean(found) - predicted) < 4 * error + 0.1 * predicted


@pytest.mark.parametrize("halving", [True, False])
def test_beyond_simulation_the_equations_speak_alone(halving: bool) -> None:
    point = KernelStaircase(d=10**8, target="He2(x1)", halving=halving)
    assert not point.measure(Run(Streams(0))).values
    prediction = point.predict()
    if halving:
        assert prediction["theta_half_limit"] == pytest.approx(0.5)
        assert prediction["theta_half_exponent"] != prediction["theta_half_limit"]
    else:
        assert set(prediction.values) == {"theory_risk", "risk_plain", "plateau"}


def test_points_that_make_no_sense() -> None:
    for values in (
        {"target": "x1*x2"},
        {"target": "tanh(x1)"},
        {"d": 16, "strength_exponent": 0.9},
        {"halving": True},
        {"kernel": "tanh"},
        {"d": 16, "samples_per_dim": 0.1},
    ):
        with pytest.raises(InputError):
            KernelStaircase(**values)
