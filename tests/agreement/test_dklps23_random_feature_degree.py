"""Theory against simulation: ridge regression on random features, degree by degree."""

from __future__ import annotations

import pytest

from giantstep.claims.dklps23.random_feature_degree import RandomFeatureDegree
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


@pytest.mark.parametrize(
    "axes",
    [
        {"sample_exponent": [1.25, 2.0], "neuron_exponent": [2.1], "d": [16]},
        {"sample_exponent": [2.1], "neuron_exponent": [0.75, 1.5], "d": [16]},
        {"sample_exponent": [1.4], "neuron_exponent": [1.6], "d": [48], "ridge": [1e-3, 0.1]},
    ],
)
def test_risks(axes: dict[str, list[float]], seed: int) -> None:
    verdict = Study(RandomFeatureDegree(), **axes, seeds=16, seed=seed).run(workers=1).verdict
    assert verdict.status == "holds", verdict.sentence


def test_fewer_of_samples_and_neurons_decide() -> None:
    few_neurons = RandomFeatureDegree(d=20, sample_exponent=2.3, neuron_exponent=0.7).predict()
    few_samples = RandomFeatureDegree(d=20, sample_exponent=0.7, neuron_exponent=2.3).predict()
    assert few_neurons["bound"] == few_samples["bound"] == 3
    assert RandomFeatureDegree.preset("quadratic").predict()["bound"] == 1


def test_no_network_beats_the_bound_of_its_degree(seed: int) -> None:
    """n = d^2.1 samples of d = 24, with 8 neurons: nothing but a share 8/24 of the linear part is learned."""
    point = RandomFeatureDegree(d=24, sample_exponent=2.1, neuron_exponent=0.65)
    found = point.run(seeds=8, seed=seed).judgements()
    assert found["best_risk"].measured > 3 - 8 / 24


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"d": 200, "neuron_exponent": 2}, "too many"),
        ({"target": "relu(x1)"}, "must be a polynomial"),
        ({"d": 8, "target": "x9"}, "at most d directions"),
    ],
)
def test_refusals(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        RandomFeatureDegree(**changes)
