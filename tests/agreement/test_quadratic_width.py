"""Theory against simulation: quadratic networks of any width at their minimum."""

from __future__ import annotations

import pytest

from giantstep.claims.quadratic.width import Width
from giantstep.errors import InputError

pytestmark = pytest.mark.agreement


def test_both_branches_at_a_small_size(seed: int) -> None:
    small = {"d": 48, "samples": 1150}
    for neurons in (2, 10, 48):
        results = Width(neurons=neurons, **small).run(seeds=4, seed=seed, workers=1)
        assert results.verdict.status != "fails", results.verdict.sentence


def test_too_many_samples_are_refused() -> None:
    with pytest.raises(InputError, match="too many"):
        Width(d=500, samples=1_000_000)
