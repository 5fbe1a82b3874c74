"""Theory against simulation: the imbalance of two factors along gradient descent."""

from __future__ import annotations

import pytest

from giantstep.claims.sensing.balance import Balance
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement
SMALL = {"d": 16, "columns": 12, "rank": 6}


@pytest.mark.parametrize("seed", [0, 500])
def test_the_lemma_and_the_growth(seed: int) -> None:
    results = Study(Balance(**SMALL, step=0.2), scale=[1e-4, 1e-3, 0.1], seeds=24, seed=seed).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_the_slides_conclusion_fails_for_steps_beyond_the_square_of_the_scale() -> None:
    grows, stays = (Balance(**SMALL, scale=s, step=0.2).run(seeds=4, workers=1).cells[0] for s in (1e-4, 0.1))
    assert all(m["imbalance_ratio"] > 100 for m in grows.measurements)
    assert all(m["imbalance_ratio"] < 1.05 for m in stays.measurements)


def test_what_makes_no_sense_is_refused() -> None:
    for wrong in ({"columns": 2}, {"rank": 1}, {"scale": 1}, {"d": 1000, "columns": 1000}, {"oversampling": 1}):
        with pytest.raises(InputError):
            Balance(**wrong)
