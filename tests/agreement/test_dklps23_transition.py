"""Theory against simulation: the share of the relevant directions in the first gradient."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.dklps23.transition import Transition
from giantstep.learners.engines import first_layer_gradient
from giantstep.learners.networks import DKLPS23, initialise
from giantstep.problems import Problem
from giantstep.streams import Streams
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


@pytest.mark.parametrize(
    "case",
    [
        {"target": "x1", "d": 512, "sample_exponent": [0.75, 1.0, 1.25]},
        {"target": "He2(x1)", "d": 64, "sample_exponent": [1.5, 2.0]},
        {"target": "He3(x1)", "activation": "tanh", "d": 24, "sample_exponent": [2.0, 2.5]},
        {"target": "x1 + He2(x2)", "d": 128, "sample_exponent": [1.0]},
    ],
)
def test_shares(case: dict[str, object], seed: int) -> None:
    exponents = case["sample_exponent"]
    point = Transition(**{k: v for k, v in case.items() if k != "sample_exponent"})
    seeds = 160 if "He3" in str(case["target"]) else 80  # heavy tails
    results = Study(point, sample_exponent=exponents, seeds=seeds, seed=seed).run()
    assert results.verdict.status == "holds", results.verdict.sentence


def test_curves_cross_at_the_information_exponent() -> None:
    """At n = d the share of f* = x1 with ReLU is 1/3 for every d; below it falls with d, above it grows."""
    share = {
        (d, kappa): Transition(d=d, sample_exponent=kappa).predict()["share"]
        for d in (128, 8192)
        for kappa in (0.75, 1.0, 1.25)
    }
    assert share[128, 1.0] == pytest.approx(1 / 3, abs=0.01)
    assert share[8192, 1.0] == pytest.approx(1 / 3, abs=0.001)
    assert share[128, 0.75] > share[8192, 0.75]
    assert share[128, 1.25] < share[8192, 1.25]


def test_simulated_curves_cross_there_too() -> None:
    study = Study(Transition(), d=[128, 512], sample_exponent=[0.75, 1.0, 1.25], seeds=40, seed=3)
    verdict = study.run().verdict
    assert verdict.status == "holds", verdict.sentence
    along = {j.quantity.relation for j in verdict.judgements if j.quantity.is_along_an_axis}
    assert along == {"decreasing", "slope", "increasing"}


def test_an_odd_activation_does_not_see_an_even_target() -> None:
    point = Transition.preset("unseen")
    seen = point.replace(activation="relu").predict()["share"]
    unseen = point.predict()["share"]
    assert isinstance(seen, float)
    assert isinstance(unseen, float)
    assert unseen < 0.05 < 0.2 < seen
    verdict = point.replace(d=64).run(seeds=200).verdict
    assert verdict.status == "holds", verdict.sentence


def test_relu_does_not_see_a_cubic_target() -> None:
    """Its share falls like chance, 7/d, with any number of samples."""
    results = Study(Transition(target="He3(x1)", sample_exponent=3), d=[12, 24], seeds=200, seed=1).run()
    assert results.verdict.status == "holds", results.verdict.sentence
    assert any(j.quantity.relation == "decreasing" for j in results.verdict.judgements)


def test_the_full_engine_agrees() -> None:
    """The same share from d-dimensional data."""
    d, shares = 128, []
    for seed in range(24):
        streams = Streams(seed)
        net = initialise(DKLPS23, Transition().activation, d, 16, streams.child("network"))
        sample = Problem(Transition().target, d).sample(d, streams.child("data"))
        shares.append(float(np.nanmean(first_layer_gradient(net, sample).share(1))))
    predicted = Transition(d=d).predict()["share"]
    assert np.mean(shares) == pytest.approx(predicted, abs=4 * np.std(shares) / np.sqrt(24) + 0.01)


def test_the_largest_dimension_of_the_readme_runs() -> None:
    assert Transition.preset("large").run(seeds=4).verdict.status == "holds"
