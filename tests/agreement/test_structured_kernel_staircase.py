"""Kernel ridge regression on spiked inputs: theory class by class against simulation, and the equivalent that fails."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.structured.kernel_staircase import KernelStaircase
from giantstep.errors import InputError
from giantstep.learners.kernels import kernel_matrix
from giantstep.streams import Streams
from giantstep.studies import Study
from giantstep.verdicts.stating import Run

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


def test_its_exponent_is_that_of_the_equations_at_these_sizes() -> None:
    results = Study(KernelStaircase(d=32, target="He2(x1)", halving=True), d=[32, 64, 128], seeds=12, seed=60).run(
        workers=1
    )
    (judged,) = [j for j in results.verdict.judgements if j.quantity.relation == "slope"]
    assert judged.predicted == pytest.approx(0.487, abs=0.01)
    assert abs(float(judged.gap)) < 4 * float(judged.stderr) + judged.allowance


def test_the_printed_solution_is_no_minimiser() -> None:
    point = KernelStaircase(d=40, ridge=1.0)
    ratios = [float(point.measure(Run(Streams(s)))["objective_ratio"]) for s in range(4)]
    assert min(ratios) > 1.1
    # The objective at the right solution is lambda <y, alpha>: (1/n)|rho alpha|^2 + lambda <alpha, y - rho alpha>.
    x, y = point.data(Run(Streams(0)), point.samples)
    matrix = kernel_matrix(point.kernel, x)
    values = []
    for shift in (1.0 / len(y), 1.0):
        alpha = np.linalg.solve(matrix + shift * np.eye(len(y)), y)
        values.append(np.mean((y - matrix @ alpha) ** 2) + alpha @ matrix @ alpha / len(y))
    assert ratios[0] == pytest.approx(values[0] / values[1], rel=1e-8)


def test_a_picture_of_a_point_leaves_out_what_is_not_allowed_there() -> None:
    """At d = 32 the strongest spikes of the views are refused."""
    point = KernelStaircase(d=32)
    results = Study(point, seeds=2).run(workers=1)
    for view in results.views:
        for value in view.values:
            point.replace(**{view.x: value})
    assert max(results.views[0].values) >= 0.8
    results.figure(0)


@pytest.mark.parametrize("name", ["theta_half_limit", "plateau"])
def test_beyond_simulation_the_equations_are_held_against_their_limits(name: str) -> None:
    point = KernelStaircase(d=10**8, target="He2(x1)", halving=name == "theta_half_limit", strength_exponent=0.2)
    assert set(point.measure(Run(Streams(0))).values) == {name}
    assert "nothing is simulated" in point.predict().notes[-1]
    verdict = Study(point, seeds=2).run(workers=1).verdict
    assert [j.quantity.name for j in verdict.judgements if j.counts] == [name]
    assert verdict.status == "holds"


def test_near_a_threshold_no_plateau_is_said() -> None:
    point = KernelStaircase(d=10**8, target="He2(x1)", strength_exponent=0.45)
    assert not any(j.counts for j in Study(point, seeds=2).run(workers=1).verdict.judgements)


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


@pytest.mark.parametrize(("psi", "told"), [(2, False), (120, True)])
def test_points_beyond_the_regime_say_so(psi: float, told: bool) -> None:
    notes = KernelStaircase(d=16, samples_per_dim=psi).predict().notes
    assert any("not of the order of d" in note for note in notes) == told
