"""Theory against simulation: quadratic networks along their samples."""

from __future__ import annotations

import pytest

from giantstep.claims.quadratic.scaling import Scaling
from giantstep.errors import InputError

pytestmark = pytest.mark.agreement


def test_the_risk_in_both_phases(seed: int) -> None:
    for changes in ({}, {"samples": 4000, "rule": "edge", "noise": 0.5, "decay": 1.0}):
        results = Scaling(d=48, **changes).run(seeds=4, seed=seed, workers=1)
        assert results.verdict.status != "fails", results.verdict.sentence


def test_the_edge_needs_noise() -> None:
    with pytest.raises(InputError, match="noise"):
        Scaling(rule="edge")
