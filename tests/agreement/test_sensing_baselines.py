"""Theory against simulation: what factors of many columns fit."""

from __future__ import annotations

import pytest

from giantstep.claims.sensing.baselines import Baselines

pytestmark = pytest.mark.agreement


@pytest.mark.parametrize("rank", [3, 10, 16])
def test_more_columns_than_rows_fit_no_more(rank: int, seed: int) -> None:
    """r (2d - r) beyond r = d would fall again: 16 columns of 10 rows would leave .73 of labels of which they leave
    .57."""
    point = Baselines(d=10, true_rank=3, rank=rank, oversampling=7.8, descents=False)
    results = point.run(seeds=24, seed=seed)
    assert {j.quantity.name: j.status for j in results.verdict.judgements}["unfitted"] != "fails", (
        results.verdict.sentence
    )
    wrong = 1 - rank * (20 - rank) / point.measurements
    assert (results.at().prediction["unfitted"] == pytest.approx(wrong)) == (rank <= 10)
