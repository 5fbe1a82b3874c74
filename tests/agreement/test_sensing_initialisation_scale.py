"""Theory against simulation: which of the matrices that fit is found."""

from __future__ import annotations

import pytest

from giantstep.claims.sensing.initialisation_scale import InitialisationScale
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement
SMALL = {"d": 20, "true_rank": 2, "rank": 40, "tolerance": 0.02}


@pytest.mark.parametrize("paired", [False, True])
def test_asymmetric(paired: bool, seed: int) -> None:
    point = InitialisationScale(**SMALL, paired=paired)
    results = Study(point, scale=[1e-6, 0.03, 1], seeds=12, seed=seed).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_symmetric() -> None:
    point = InitialisationScale(d=30, true_rank=2, rank=40, model="symmetric", tolerance=0.02)
    results = Study(point, scale=[1e-6, 0.03], seeds=12).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_a_large_start_is_lazy_only_in_pairs() -> None:
    """Without pairs U_0 V_0' must be unlearned: the error is far above that of predicting nothing."""
    plain, paired = (
        InitialisationScale(**SMALL, scale=1, paired=p).run(seeds=2, workers=1).cells[0] for p in (False, True)
    )
    assert all(m["test_error"] > 5 for m in plain.measurements)
    assert all(m["test_error"] < 1.5 for m in paired.measurements)


def test_what_makes_no_sense_is_refused() -> None:
    for wrong in (
        {"rank": 4},
        {"oversampling": 1},
        {"oversampling": 20},
        {"paired": True, "rank": 41},
        {"paired": True, "model": "symmetric", "true_rank": 2, "d": 40},
        {"d": 400},
    ):
        with pytest.raises(InputError):
            InitialisationScale(**wrong)
