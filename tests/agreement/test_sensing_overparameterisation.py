"""Theory against simulation: what further columns of U change."""

from __future__ import annotations

import pytest

from giantstep.claims.sensing.overparameterisation import Overparameterisation
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


def test_only_the_first_phase_is_shortened(seed: int) -> None:
    results = Study(Overparameterisation(d=48, true_rank=3), rank=[5, 12, 48], seeds=12, seed=seed).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_phases_overlap() -> None:
    """Three times earlier alignment, but the saddle is left hardly earlier."""
    few, many = Study(Overparameterisation(d=60, true_rank=3), rank=[6, 60], seeds=5).run(workers=1).cells
    for one, other in zip(few.measurements, many.measurements, strict=True):
        assert other["t_align"] < 0.7 * one["t_align"]
        assert other["t_escape"] > 0.75 * one["t_escape"]


def test_what_makes_no_sense_is_refused() -> None:
    for wrong in ({"rank": 4}, {"scale": 0.05}, {"oversampling": 1}):
        with pytest.raises(InputError):
            Overparameterisation(**wrong)
