"""Theory against simulation: the spike of the weights, above and below its threshold."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.bes22.weight_spike import WeightSpike
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


def test_the_step_size_view(seed: int) -> None:
    """Reference: d = 1000, 12 seeds, s1 = 2.4070, 2.4555, 2.8601, 3.4305 and alignments .0016, .2479, .5050, .5803."""
    results = Study(WeightSpike(d=256), step=[2, 6, 8], seeds=12, seed=seed).run()
    assert results.verdict.status == "holds", results.verdict.sentence


@pytest.mark.parametrize(
    "case",
    [
        {"activation": "erf", "target": "erf(x1)", "samples_per_dim": 2, "neurons_per_dim": 1, "step": 5},
        {"activation": "centered(relu)", "target": "tanh(0.6*x1 + 0.8*x2)", "neurons_per_dim": 0.5, "step": 8},
        {"target": "relu(x1) + 1", "samples_per_dim": 1, "neurons_per_dim": 1, "step": 4, "noise": 0.8},
        {"target": "He2(x1)", "step": 4},
    ],
)
def test_other_students_and_teachers(case: dict[str, object]) -> None:
    """The mean of the target and the noise count in theta1; a target without linear part gives no alignment."""
    results = WeightSpike(d=256, **case).run(seeds=12, seed=7)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_the_slides_step_is_below_the_threshold_and_twice_it_above() -> None:
    assert WeightSpike.preset("slide").predict()["alignment"] == 0.0
    above = WeightSpike.preset("slide-figure").predict()
    assert above["spike"] == pytest.approx(2.4718, abs=1e-4)
    assert above["alignment"] == pytest.approx(0.2692, abs=1e-4)
    assert above.thresholds["step"] == pytest.approx(3.206, abs=1e-3)


def test_a_wrong_convention_is_noticed() -> None:
    """With a gradient twice as large (the factor 2 of the squared error) the claim must fail."""
    point = WeightSpike(d=256, step=6)
    doubled = point.replace(step=12).run(seeds=6, seed=3).cells[0].measurements
    from giantstep.verdicts import Cell, judge
    from giantstep.verdicts.stating import Measurement

    wrong = [Measurement(m.values) for m in doubled]
    assert judge(point.quantities, [Cell(point, point.predict(), wrong)]).status == "fails"


def test_alignment_at_a_stronger_step_is_larger() -> None:
    results = Study(WeightSpike(d=256), step=[4, 8], seeds=6).run()
    low, high = (np.mean([m["alignment"] for m in c.measurements]) for c in results.cells)
    assert high > low + 0.1
