"""Theory against simulation: single neurons and the singular vectors of many."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.dklps23.per_neuron import PerNeuron
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


@pytest.mark.parametrize(
    "case",
    [
        {"target": "He2(x1)", "samples_per_dim": [16, 64]},
        {"target": "x1*x2", "samples_per_dim": [32]},
        {"target": "x1", "samples_per_dim": [4]},
    ],
)
def test_neurons_alone_and_together(case: dict[str, object], seed: int) -> None:
    ratios = case["samples_per_dim"]
    results = Study(PerNeuron(d=48, target=case["target"]), samples_per_dim=ratios, seeds=48, seed=seed).run()
    assert results.verdict.status == "holds", results.verdict.sentence


def test_together_they_see_at_every_dimension_what_none_sees_alone() -> None:
    results = Study(PerNeuron(), d=[32, 128], seeds=24, seed=2).run()
    assert results.verdict.status == "holds", results.verdict.sentence
    small, large = ({k: np.mean([m[k] for m in c.measurements]) for k in ("share", "sv_alignment")}
                    for c in results.cells)  # fmt: skip
    assert large["share"] < 0.5 * small["share"]
    assert large["sv_alignment"] > 0.9 * small["sv_alignment"] > 0.7


def test_the_singular_vectors_see_the_second_direction_at_quadratic_samples() -> None:
    measured = PerNeuron.preset("second-order", d=32, samples_per_dim=128).run(seeds=4).cells[0].measurements
    assert min(float(m["sv_alignment"]) for m in measured) > 0.85


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ({"target": "3 + 0*x1"}, "constant"),
        ({"activation": "sign(z)"}, "jumps"),
        ({"d": 16, "neurons_per_dim": 0.1}, "neurons"),
        ({"d": 4096, "samples_per_dim": 1e6}, "too much work"),
    ],
)
def test_refusals(case: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        PerNeuron(**{"target": "x1*x2", **case})
