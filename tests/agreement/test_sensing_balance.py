"""Theory against simulation: the imbalance of two factors along gradient descent."""

from __future__ import annotations

import pytest

from giantstep.claims.sensing.balance import Balance
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement
SMALL = {"d": 60, "columns": 8, "rank": 6}


def test_the_lemma_and_the_growth(seed: int) -> None:
    results = Study(Balance(**SMALL, step=0.2), scale=[1e-4, 1e-3, 0.1], seeds=24, seed=seed).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_the_slides_conclusion_fails_for_steps_beyond_the_square_of_the_scale() -> None:
    grows, stays = (Balance(**SMALL, scale=s, step=0.2).run(seeds=4, workers=1).cells[0] for s in (1e-4, 0.1))
    assert all(m["imbalance_ratio"] > 100 for m in grows.measurements)
    assert all(m["imbalance_ratio"] < 1.05 for m in stays.measurements)


def test_the_crossover_is_at_thousands_of_the_square_of_the_scale() -> None:
    """Below it the imbalance is conserved although mu >> alpha^2, above it is not; both are predicted."""
    below, above = (Balance(**SMALL, scale=0.01, step=0.1), Balance(**SMALL, scale=2e-3, step=0.4))
    for point, least, most in ((below, 0.0, 0.1), (above, 1.0, 20.0)):
        measured = point.run(seeds=8, workers=1).cells[0].measurements
        excess = sum(m["excess"] for m in measured) / 8
        assert least <= excess <= most
        assert excess == pytest.approx(sum(m.finite["excess"] for m in measured) / 8, rel=0.2, abs=0.02)


def test_the_drift_of_several_signals_is_outside() -> None:
    results = Balance(**SMALL, true_rank=2).run(seeds=2, workers=1)
    assert {j.status for j in results.verdict.judgements if j.quantity.name == "drift"} == {"outside"}


def test_what_makes_no_sense_is_refused() -> None:
    for wrong in (
        {"columns": 2, "true_rank": 2},
        {"rank": 1, "true_rank": 2},
        {"scale": 1},
        {"d": 1000, "columns": 1000},
        {"oversampling": 1},
    ):
        with pytest.raises(InputError):
            Balance(**wrong)
