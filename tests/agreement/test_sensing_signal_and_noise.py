"""Theory against simulation: signal and noise along iterations."""

from __future__ import annotations

import pytest

from giantstep.claims.sensing.signal_and_noise import EXACTLY, SignalAndNoise
from giantstep.studies import Study

pytestmark = pytest.mark.agreement
SMALL = {"d": 30, "true_rank": 2, "rank": 6}


@pytest.mark.parametrize("condition", [1.0, 2.0])
def test_infinitely_many_measurements(condition: float) -> None:
    study = Study(SignalAndNoise(**SMALL, condition=condition), steps=[0, 40, 80, 200], seeds=4, seed=500)
    results = study.run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_gaussian_measurements() -> None:
    point = SignalAndNoise(d=80, true_rank=2, rank=20, measured="gaussian", oversampling=20)
    results = Study(point, steps=[0, 20, 40, 50, 60, 80], seeds=12, seed=500).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_with_as_many_columns_as_needed_the_truth_is_recovered() -> None:
    results = SignalAndNoise(**{**EXACTLY, "d": 30}, steps=230).run(seeds=4, workers=1)
    found = {j.quantity.name: j.status for j in results.verdict.judgements}
    assert found["exact_error"] == "holds"


def test_the_noise_part_stays_while_the_signal_is_learned() -> None:
    cells = Study(SignalAndNoise(**SMALL), steps=[0, 100], seeds=2).run(workers=1).cells
    for begin, end in zip(*(cell.measurements for cell in cells), strict=True):
        assert end["noise"] == pytest.approx(begin["noise"], rel=1e-3)
        assert begin["signal_error"] > 0.99
        assert end["signal_error"] < 1e-8
