"""What a source prints and the claim corrects: as printed it fails on the stored simulations, corrected it holds."""

from __future__ import annotations

import pytest

from giantstep.claims import claim_class, claim_names
from giantstep.claims.printed import judge_as_printed
from giantstep.verdicts import judge
from tests.mutations.simulations import place_of, predicted, stored_cells

pytestmark = pytest.mark.slow

PRINTED = [name for name in claim_names() if place_of(name).exists() and claim_class(name).printed]


@pytest.mark.parametrize("name", PRINTED)
def test_as_printed_it_fails_and_corrected_it_holds(name: str) -> None:
    cls, cells = claim_class(name), predicted(stored_cells(name)[1])
    stated = cls().stated()
    verdict = judge(stated, cells)
    for found in judge_as_printed(cls.printed, stated, cells, verdict):
        assert (found.verdict.status, found.corrected) == ("fails", "holds"), f"{found.printed.says}: {found.sentence}"
