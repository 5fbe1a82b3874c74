"""Theory against simulation: kernels before training and the bound that none of them beats."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.bes22.kernel_lower_bound import RISKS, KernelLowerBound
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement

REFERENCE = {
    "tanh": (0.1523, 0.0798, 0.0784),
    "erf": (0.1059, 0.0557, 0.0530),
    "relu": (0.2399, 0.1176, 0.0835),
    "relu-target": (0.2042, 0.1304, 0.1304),
}
LINEAR = {"tanh": 0.0791, "erf": 0.0531, "relu": 0.0791, "relu-target": 0.1307}


@pytest.mark.parametrize("preset", list(REFERENCE))
def test_presets(preset: str, seed: int) -> None:
    point = KernelLowerBound.preset(preset, d=80)
    results = Study(point, ridge=[0.01, 0.1, 1.0], seeds=24, seed=seed).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence
    for cell in results.cells:
        assert min(m["lower_bound"] for m in cell.measurements) > cell.prediction["lower_bound"]


@pytest.mark.parametrize("preset", list(REFERENCE))
def test_smallest_risks_of_the_reference_table(preset: str) -> None:
    """The smallest risks over a grid of penalties; linear regression has its own scale of them."""
    point = KernelLowerBound.preset(preset)
    predictions = [point.replace(ridge=float(r)).predict() for r in np.geomspace(1e-3, 1e2, 11)]
    for name, expected in zip(RISKS[:3], REFERENCE[preset], strict=True):
        assert min(p[name] for p in predictions) == pytest.approx(expected, rel=3e-3)
    scaled = point.neurons / point.d * np.geomspace(1e-3, 1e2, 11)
    linear = min(point.replace(ridge=float(r)).predict()["risk_linear"] for r in scaled)
    assert linear == pytest.approx(LINEAR[preset], rel=1e-2)


def test_a_path_agrees_with_single_points() -> None:
    together = Study(KernelLowerBound(d=40), ridge=[0.01, 1.0], seeds=2).run(workers=1)
    for cell in together.cells:
        alone = cell.point.run(seeds=2).cells[0]
        for a, b in zip(cell.measurements, alone.measurements, strict=True):
            assert all(a.values[k] == pytest.approx(b.values[k], rel=1e-9, abs=1e-12) for k in a.values)


def test_a_target_of_several_directions() -> None:
    """All kernels but that of infinite width are simulated; the prediction says so."""
    point = KernelLowerBound(d=60, target="x1 + 0.5*x1*x2")
    results = point.run(seeds=16, workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence
    assert "risk_ck_infinite" not in results.cells[0].measurements[0].values
    assert any("not simulated" in note for note in point.predict().notes)


def test_refusals() -> None:
    with pytest.raises(InputError, match="mu1"):
        KernelLowerBound(activation="He2")
