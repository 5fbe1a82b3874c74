"""Theory against simulation: order parameters of one-pass SGD, and escape from a random start."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import erf

from giantstep.claims.dklps23.sgd_limit import SQUARE, SgdLimit
from giantstep.errors import InputError
from giantstep.studies import Study
from giantstep.verdicts.stating import Curve

pytestmark = pytest.mark.agreement


@pytest.mark.parametrize(
    "case",
    [
        {"d": 60, "time": 20, "neurons": 3},
        {"d": 60, "target": "(erf(x1/sqrt(2)) + erf(x2))/2", "noise": 0.3, "time": 20},
        {"d": 80, "activation": "relu", "target": "x1 + He2(x1)*x2/2", "neurons": 1, "step": 0.5, "time": 8},
        {"d": 100, "overlap": 0, "time": 8, "step": 2},
        {"d": 64, "constraint": "sphere", "neurons": 1, "target": "x1", "step": 0.5, "replicas": 128},
        {"d": 80, "activation": "erf(z + 1/2)", "noise": 0.8, "time": 60},  # neurons as long as 4.5: steep in the rule
    ],
)
def test_one_pass_sgd(case: dict[str, Any], seed: int) -> None:
    verdict = SgdLimit(**{"replicas": 64, **case}).run(seeds=5, seed=seed, workers=1).verdict
    assert verdict.status == "holds", verdict.sentence


@pytest.mark.parametrize(("preset", "d"), [("information-exponent-2", 64), ("information-exponent-3", 32)])
def test_escape_is_earlier_than_the_equation_without_noise(preset: str, d: int) -> None:
    """The finding: the diffusion tells the escape time, the differential equation comes too late."""
    point = SgdLimit.preset(preset, d=d, replicas=200)
    results = point.run(seeds=12, workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence
    times = [float(m.values["escape_time"]) for m in results.cells[0].measurements]  # type: ignore[arg-type]
    late = point.predict()["ode_time"]
    assert isinstance(late, float)
    assert np.mean(times) + 3 * np.std(times) / 12**0.5 < 0.95 * late


@pytest.mark.parametrize(
    ("case", "outside"),
    [
        ({"target": "He3(x1)", "activation": "sin(sqrt(3)*z)", "step": 4}, {"escape_time", "exponent"}),
        ({**SQUARE, "step": 1}, {"escape_time", "exponent", "limit_exponent"}),
    ],
)
def test_steps_that_are_not_small_are_no_diffusion(case: dict[str, Any], outside: set[str]) -> None:
    """They escape far later than it says, which refutes nothing: the hypothesis is named."""
    point = SgdLimit(**{"constraint": "sphere", "neurons": 1, **case, "d": 64, "replicas": 64})
    assert {q.name for q in point.quantities if point.outside(q.name)} == outside
    results = point.run(seeds=4, workers=1)
    times = [float(m.values["escape_time"]) for m in results.cells[0].measurements]  # type: ignore[arg-type]
    assert np.mean(times) > 1.4 * float(point.predict()["escape_time"])  # type: ignore[arg-type]
    assert {j.status for j in results.verdict.judgements if j.quantity.name in outside} == {"outside"}


def test_equal_neurons_that_samples_part_are_no_limit() -> None:
    """Two ReLU neurons begin with one overlap; the equations keep them equal, SGD sends one to each side."""
    point = SgdLimit(activation="relu", target="He2(x1) + x1/2 + 0.4", d=160, time=48)
    assert "stay alike" in str(point.outside("risk"))
    results = point.run(seeds=2, workers=1)
    assert results.verdict.status == "outside"
    predicted = point.predict()["alignment"]
    assert isinstance(predicted, Curve)
    for m in results.cells[0].measurements:
        assert m.values["alignment"].y[-1] > 3 * predicted.y[-1]  # type: ignore[union-attr]


def test_small_steps_and_many_neurons_approach_the_flow() -> None:
    point = SgdLimit(noise=0.5, time=10, d=40, step=8)
    for name, values in (("step", (8.0, 2.0)), ("neurons", (2, 8))):
        cells = Study(point, seeds=4, **{name: list(values)}).run(workers=1).cells
        excess = {}
        for cell in cells:
            flow = cell.point.predict()["flow_risk"]
            excess[getattr(cell.point, name)] = np.mean([m.values["final_risk"] for m in cell.measurements]) - flow
        assert 0 < excess[values[1]] < 0.5 * excess[values[0]], name


def test_sgd_in_dimension_d_follows_the_equations() -> None:
    """The same curve from a plain loop over d-dimensional samples."""
    d, runs = 100, 40
    point = SgdLimit(d=d, time=10)
    rng, (m, rest) = np.random.default_rng(5), (point.overlap, (1 - point.overlap**2) ** 0.5)
    weights = np.zeros((runs, 2, d))
    weights[:, [0, 1], [0, 1]], weights[:, [0, 1], [2, 3]] = m, rest
    for _ in range(point.record()[-1]):
        x = rng.standard_normal((runs, d))
        h = np.einsum("rid,rd->ri", weights, x)
        error = (erf(x[:, :2] / 2**0.5) - erf(h / 2**0.5)).mean(axis=1)
        slope = (2 / np.pi) ** 0.5 * np.exp(-(h**2) / 2)
        weights += point.rate * (error[:, None] * slope)[:, :, None] * x[:, None]
    aligned = ((weights[:, :, :2] ** 2).sum(axis=2) / (weights**2).sum(axis=2)).mean(axis=1)
    predicted = point.predict()["alignment"]
    assert isinstance(predicted, Curve)
    assert abs(aligned.mean() - predicted.y[-1]) < 4 * aligned.std() / runs**0.5 + 2 / d


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"d": 4, "neurons": 3}, "do not fit"),
        ({"activation": "tanh", "neurons": 6}, "at most 5"),
        ({"target": "relu(x1)*tanh(x2)"}, "sum of functions"),
        ({"step": 1e-6}, "samples"),
        ({"constraint": "sphere"}, "1 neuron"),
        ({**SQUARE, "activation": "tanh"}, "does not see the target"),
        ({**SQUARE, "target": "-He2(x1)/sqrt(2)"}, "opposite signs"),
    ],
)
def test_refusals(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        SgdLimit(**wrong)
