"""Theory against simulation: the first phase is the power method, the end is the truth."""

from __future__ import annotations

import pytest

from giantstep.claims.sensing.power_method import PowerMethod
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


def test_angles(seed: int) -> None:
    study = Study(PowerMethod(d=48, true_rank=2, rank=8), steps=[0, 5, 10, 15, 20, 120], seeds=6, seed=seed)
    results = study.run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_gradient_descent_leaves_the_eigenspace_and_the_power_method_does_not() -> None:
    cells = Study(PowerMethod(d=48, true_rank=2, rank=8), steps=[20, 120], seeds=3).run(workers=1).cells
    for early, late in zip(*(cell.measurements for cell in cells), strict=True):
        assert early["angle_gd"] == pytest.approx(early["angle_power"], abs=1e-4)
        assert late["angle_power"] < 1e-4 < 0.1 < late["angle_gd"]
        assert late["angle_truth"] < 1e-3


def test_the_toy_in_two_dimensions() -> None:
    results = PowerMethod.preset("toy").run(seeds=30, workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_what_makes_no_sense_is_refused() -> None:
    for wrong in ({"true_rank": 100}, {"rank": 2}, {"d": 4000, "steps": 500}):
        with pytest.raises(InputError):
            PowerMethod(**wrong)
