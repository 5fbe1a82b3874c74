"""Theory against simulation: the steps of the proof of Gaussian equivalence, the lemma on tau*, single values."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.bes22.proof_sketch import ProofSketch
from giantstep.claims.bes22.singular_values import SingularValuesOneByOne
from giantstep.claims.bes22.tau_star import TauStar
from giantstep.errors import InputError

pytestmark = pytest.mark.agreement


@pytest.mark.parametrize("case", [{}, {"activation": "erf", "target": "relu(x1)", "samples_per_dim": 1.0}])
def test_proof_sketch(case: dict[str, object]) -> None:
    results = ProofSketch(d=64, **case).run(seeds=32, seed=500)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_proof_sketch_is_for_odd_activations() -> None:
    with pytest.raises(InputError, match="not odd"):
        ProofSketch(activation="centered(relu)")


def test_tau_star() -> None:
    results = TauStar.preset("tanh", d=48).run(seeds=8, seed=500)
    assert results.verdict.status == "holds", results.verdict.sentence
    with pytest.raises(InputError, match="not odd"):
        TauStar(activation="centered(relu)")


def test_a_small_step_leaves_no_neurons_to_average() -> None:
    point = TauStar(step=1, d=32)
    assert not point.speaks
    assert "risk" not in point.predict().values
    assert "reach" in point.run(seeds=2).cells[0].measurements[0].values


def test_singular_values() -> None:
    results = SingularValuesOneByOne(d=160, activation="tanh").run(seeds=8, seed=500)
    assert results.verdict.status == "holds", results.verdict.sentence
    assert np.mean(results.cells[0].values_of("kernel_gap")) < 0.3
