"""Theory against simulation: what a large start fits of generic labels."""

from __future__ import annotations

import pytest

from giantstep.claims.sensing.large_start import LargeStart
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


def test_the_share_that_is_left(seed: int) -> None:
    study = Study(LargeStart(d=12, columns=8, steps=1000), rank=[1, 4, 8], seeds=6, seed=seed)
    results = study.run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_what_makes_no_sense_is_refused() -> None:
    for wrong in ({"rank": 15}, {"oversampling": 100}):
        with pytest.raises(InputError):
            LargeStart(**wrong)
