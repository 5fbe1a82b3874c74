"""Theory against simulation: stationary points of low-rank sensing."""

from __future__ import annotations

import pytest

from giantstep.claims.sensing.landscape import LandscapeClaim
from giantstep.errors import InputError

pytestmark = pytest.mark.agreement


def test_nothing_but_saddles_and_the_truth(seed: int) -> None:
    results = LandscapeClaim(d=8, starts=2, oversampling=30).run(seeds=8, seed=seed, workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_what_makes_no_sense_is_refused() -> None:
    for wrong in ({"rank": 1}, {"rank": 9}, {"d": 40, "oversampling": 40}):
        with pytest.raises(InputError):
            LandscapeClaim(**wrong)
