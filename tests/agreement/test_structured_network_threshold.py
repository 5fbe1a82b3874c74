"""One step on spiked inputs: alignments and risks against theory, and what noise alone gives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from giantstep.claims.structured.network_threshold import NetworkThreshold
from giantstep.errors import InputError
from giantstep.learners.training.spiked import (
    first_gradients,
    half_aligned_of,
    network_risk,
    spike_alignments,
    trained_network,
)
from giantstep.problems import Problem, Target, whole
from giantstep.problems.inputs import Spiked
from giantstep.streams import Streams
from giantstep.studies import Study
from giantstep.verdicts.stating import Run

SEEDS = 40


@pytest.mark.parametrize("target", ["(x1 + He3(x1)/sqrt(6))/sqrt(2)", "He3(x1)/sqrt(6)"])
def test_what_is_measured_is_what_is_predicted(target: str) -> None:
    point = NetworkThreshold(d=64, target=target, strength_exponent=0.55, neurons=48)
    runs = [point.measure(Run(Streams(900 + s))) for s in range(SEEDS)]
    prediction = point.predict()
    for quantity in point.quantities:
        if quantity.name not in runs[0].values or quantity.name == "risk_network":
            continue
        found = np.array([float(run[quantity.name]) for run in runs])
        if quantity.against == "finite":  # pairs, draw by draw; then against the limit, whose allowance is wider
            pairs = found - np.array([float(run.finite[quantity.name]) for run in runs])
            own = quantity.allowance(point, float(prediction[quantity.name]))
            assert abs(pairs.mean()) < 4 * pairs.std(ddof=1) / np.sqrt(SEEDS) + own, quantity.name
            assert quantity.limit is not None
            quantity = replace(quantity, allowance=quantity.limit)
        predicted, error = float(prediction[quantity.name]), found.std(ddof=1) / np.sqrt(SEEDS)
        assert abs(found.mean() - predicted) < 4 * error + quantity.allowance(point, predicted), quantity.name
    network = np.array([float(run["risk_network"]) for run in runs])
    assert network.mean() < float(prediction["risk_kernel"])


def test_strengths_of_half_alignment_and_their_exponents() -> None:
    point = NetworkThreshold(target="He2(x1)/sqrt(2)", halving=True, samples_per_dim=8, neurons=32, d=32)
    results = Study(point, d=[32, 64, 128, 256], seeds=40, seed=300).run(workers=1)
    told = [j for j in results.verdict.judgements if j.counts]
    assert {j.key for j in told} == {
        "theta_half",
        "whitened_half",
        "theta_half (slope in d)",
        "whitened_half (slope in d)",
    }
    for judged in told:
        assert abs(float(judged.gap)) < 4 * float(judged.stderr) + judged.allowance, judged.sentence


def test_the_search_ends_where_the_alignment_is_one_half() -> None:
    problem = Problem(Target("He2(x1)"), 40)
    data, network = Streams(3).child("data"), Streams(3).child("net")
    found = half_aligned_of(problem, 160, 64, data, network, (0.01, 400.0))
    for which, theta in enumerate(found):
        x, y = whole(replace(problem, inputs=Spiked(theta)).sample(160, data.child("set 0")))
        labels = first_gradients(x, y, 64, network.child("set 0")).labels
        assert spike_alignments(labels, theta)[which] == pytest.approx(0.5, abs=0.01)
    with pytest.raises(InputError, match=r"no strength from 0.01 to 0.02 aligns"):
        half_aligned_of(problem, 160, 64, data, network, (0.01, 0.02))


def test_noise_looks_aligned_when_whitened() -> None:
    point = NetworkThreshold(d=64, strength_exponent=0.8, target="He3(x1)", neurons=16)
    assert np.mean([float(point.measure(Run(Streams(s)))["whitened_of_noise"]) for s in range(10)]) > 0.5


def test_beyond_simulation_the_equations_are_held_against_their_limits() -> None:
    point = NetworkThreshold(d=10**10, target="He4(x1)")
    prediction, equations = point.predict(), point.measure(Run(Streams(0)))
    assert prediction.values == pytest.approx({"theta_half_limit": 0.75, "whitened_half_limit": 0.5})
    assert equations.values == pytest.approx(prediction.values, abs=0.02)
    linear = NetworkThreshold(d=10**10, target="x1")  # needs no spike
    assert not linear.predict().values
    assert not linear.measure(Run(Streams(0))).values


@pytest.mark.parametrize("changed", [{"samples_per_dim": 16}, {"neurons": 4}, {"noise": 0.5}])
def test_that_the_network_beats_the_kernel_has_conditions(changed: dict[str, float]) -> None:
    point = NetworkThreshold(strength_exponent=0.6).replace(**changed)
    unmet = [h for h in point.hypotheses if h.concerns("risk_network") and not h.met(point)]
    assert len(unmet) == 1


def test_the_exact_risk_is_that_of_a_test_set() -> None:
    problem = Problem(Target("He2(x1)/sqrt(2)"), 20, inputs=Spiked(6.0))
    streams = Streams(11)
    (x, y), (x2, y2) = (problem.sample(200, streams.child(name)).block(0) for name in ("a", "b"))
    net = trained_network(first_gradients(x, y, 12, streams), x2, y2, streams)
    fresh = problem.sample(60_000, Streams(12), block_rows=60_000).block(0)
    missed = (net(fresh[0]) - fresh[1]) ** 2
    risk = network_risk(net, problem)
    assert risk < 1.0
    assert abs(missed.mean() - risk) < 5 * missed.std() / np.sqrt(len(missed))


def test_points_that_make_no_sense() -> None:
    for values in (
        {"target": "x1*x2"},
        {"kernel": "arccos1"},
        {"d": 16, "strength_exponent": 0.9},
        {"target": "x1", "halving": True},
    ):
        with pytest.raises(InputError):
            NetworkThreshold(**values)
