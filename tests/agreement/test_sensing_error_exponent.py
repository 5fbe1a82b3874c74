"""Theory against simulation: the exponent of the final error in the size of the start."""

from __future__ import annotations

import pytest

from giantstep.claims.sensing.error_exponent import ErrorExponent
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


def test_exponents_on_both_sides_of_the_theorem(seed: int) -> None:
    point = ErrorExponent(d=32, true_rank=2, rank=8, decades=2)
    results = Study(point, oversampling=[8, 30], seeds=6, seed=seed).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence
    low, high = ([m["exponent"] for m in cell.measurements] for cell in results.cells)
    assert sum(low) / len(low) < 21 / 16 - 0.05
    assert sum(high) / len(high) > 21 / 16 + 0.2


def test_asymmetric() -> None:
    point = ErrorExponent(d=24, true_rank=2, rank=8, decades=2, model="asymmetric", oversampling=30)
    results = point.run(seeds=6, workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence


@pytest.mark.parametrize("model", ["symmetric", "asymmetric"])
def test_infinitely_many_measurements_give_two(model: str) -> None:
    measured = ErrorExponent(d=40, measured="population", model=model).run(seeds=2, workers=1).cells[0]
    assert all(m["exponent"] == pytest.approx(2.0, abs=0.01) for m in measured.measurements)
    assert measured.prediction["exponent"] == pytest.approx(2.0)


def test_what_makes_no_sense_is_refused() -> None:
    for wrong in ({"rank": 2}, {"scale": 0.5}, {"oversampling": 1}, {"model": "asymmetric", "oversampling": 4}):
        with pytest.raises(InputError):
            ErrorExponent(**wrong)
