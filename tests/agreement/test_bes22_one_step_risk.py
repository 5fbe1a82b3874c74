"""Theory against simulation: the risk before and after one step."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.bes22.one_step_risk import OneStepRisk
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


@pytest.mark.parametrize("preset", ["tanh", "erf", "slide"])
def test_presets(preset: str, seed: int) -> None:
    results = Study(OneStepRisk.preset(preset, d=200), ridge=[0.1, 0.3], step=[1, 2], seeds=20, seed=seed).run()
    assert results.verdict.status == "holds", results.verdict.sentence
    improvement = [np.mean([m["improvement"] for m in c.measurements]) for c in results.cells]
    assert min(improvement) > 0


def test_closed_form_values() -> None:
    """Reference: tanh, psi = (2, 1), noise 0.2, lambda = 0.1: R = .2055879 before, .1666586 after eta = 2."""
    risk = OneStepRisk(neurons_per_dim=1.0, noise=0.2, ridge=0.1, step=2.0).predict()
    assert risk["risk_initial"] == pytest.approx(0.2055879, abs=1e-7)
    assert risk["risk_trained"] == pytest.approx(0.1666586, abs=1e-7)


def test_a_path_agrees_with_single_points() -> None:
    point = OneStepRisk(d=64)
    together = Study(point, ridge=[0.01, 0.1, 1.0], step=[0, 3], seeds=2).run()
    for cell in together.cells:
        alone = cell.point.run(seeds=2).cells[0]
        for a, b in zip(cell.measurements, alone.measurements, strict=True):
            assert all(a.values[k] == pytest.approx(b.values[k], rel=1e-9, abs=1e-12) for k in a.values)


def test_without_a_step_nothing_improves() -> None:
    measured = OneStepRisk(d=64, step=0).run(seeds=2).cells[0].measurements
    assert all(m["improvement"] == pytest.approx(0.0, abs=1e-12) for m in measured)
