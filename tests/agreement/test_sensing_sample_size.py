"""Theory against simulation: measurements that are needed grow like the rank, not like its square."""

from __future__ import annotations

import pytest

from giantstep.claims.sensing.sample_size import SampleSize
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement
SMALL = {"d": 14, "columns": 10}


def test_measurements_against_the_rank() -> None:
    results = Study(SampleSize(**SMALL), true_rank=[1, 4], seeds=12, seed=500).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_what_makes_no_sense_is_refused() -> None:
    for wrong in ({"true_rank": 8}, {"rank": 1}, {"d": 80, "columns": 80, "true_rank": 20}):
        with pytest.raises(InputError):
            SampleSize(**wrong)
