"""Theory against simulation: the proof of balancedness holds line by line."""

from __future__ import annotations

import pytest

from giantstep.claims.sensing.balance_lemma import LIFTED, BalanceLemma
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement
SMALL = {"d": 16, "columns": 10, "rank": 4}


def test_all_lines(seed: int) -> None:
    results = Study(BalanceLemma(**SMALL, true_rank=2), scale=[1e-4, 0.1], seeds=12, seed=seed).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_the_lift_is_off_by_the_drift() -> None:
    results = BalanceLemma(**{**LIFTED, "columns": 6}).run(seeds=6, workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence
    assert {j.status for j in results.verdict.judgements if j.quantity.name == "lifted_error"} == {"holds"}


def test_with_a_large_step_the_last_line_is_outside_and_may_fail() -> None:
    results = BalanceLemma(**SMALL, step=0.9, oversampling=40).run(seeds=4, workers=1)
    assert {j.status for j in results.verdict.judgements if j.quantity.name == "step_share"} == {"outside"}
    assert min(m["descent_share"] for m in results.cells[0].measurements) < 0.5


def test_what_makes_no_sense_is_refused() -> None:
    for wrong in ({"columns": 2, "true_rank": 2}, {"scale": 1}, {"d": 1000, "columns": 1000}, {"oversampling": 1}):
        with pytest.raises(InputError):
            BalanceLemma(**wrong)
