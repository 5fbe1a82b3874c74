"""Theory against simulation: risk and alignment along a trajectory of gradient steps."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.bes22.training_curve import TrainingCurve
from giantstep.errors import InputError
from giantstep.learners import top_direction
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


def mean(cell, name: str) -> np.ndarray:
    return np.mean([v.y for v in cell.values_of(name)], axis=0)


@pytest.mark.parametrize(("preset", "seeds"), [("small", 24), ("large", 8), ("fresh", 24), ("large-fresh", 8)])
def test_presets(preset: str, seeds: int, seed: int) -> None:
    point = TrainingCurve.preset(preset, activation="erf", target="erf(x1)", d=120)
    results = Study(point, seeds=seeds, seed=seed).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence
    risk, alignment = (mean(results.cells[0], name) for name in ("risk", "alignment"))
    assert (np.diff(risk) < 0).all()
    assert alignment[0] < 0.05
    assert alignment[-1] > 0.4


def test_feedback_decides_for_large_steps(seed: int) -> None:
    """On one batch the alignment would stay at its first value if the output did not pull back."""
    point = TrainingCurve.preset("large", activation="erf", target="erf(x1)", d=120)
    alignment = mean(point.run(seeds=8, seed=seed).cells[0], "alignment")
    assert alignment[6] > alignment[1] + 0.1
    assert abs(alignment[6] - point.predict()["alignment"].y[6]) < 0.06
    assert "would be 0.6" in point.predict().notes[-1]


def test_reference_limits() -> None:
    """Reference: tanh, psi = (2, 1.5), noise 0.2, lambda 0.1, eta 1: the limits after t = 1, 2, 3, 4, 6 steps."""
    for batch, expected in {
        "same": [0.1485, 0.1330, 0.1194, 0.1101, 0.1003],
        "fresh": [0.1485, 0.1315, 0.1138, 0.0994, 0.0810],
    }.items():
        risk = TrainingCurve(batch=batch, d=400).predict()["risk"].y
        np.testing.assert_allclose(risk[[1, 2, 3, 4, 6]], expected, atol=1.1e-4)


def test_reference_risks() -> None:
    """Reference of eight seeds, d = 400: .1468, .1306, .1166, .1071, .0966 on the same batch. Risks scatter by 5 %."""
    point = TrainingCurve(d=400)
    risk = mean(point.run(seeds=3, seed=20).cells[0], "risk")[[1, 2, 3, 4, 6]]
    np.testing.assert_allclose(risk, [0.1468, 0.1306, 0.1166, 0.1071, 0.0966], rtol=4 * 0.05 * (1 / 3 + 1 / 8) ** 0.5)


def test_a_path_agrees_with_single_points() -> None:
    point = TrainingCurve(d=32, batch="fresh")
    together = Study(point, steps=[0, 2, 3], ridge=[0.1, 1.0], seeds=2).run(workers=1)
    for cell in together.cells:
        alone = cell.point.run(seeds=2).cells[0]
        for a, b in zip(cell.measurements, alone.measurements, strict=True):
            assert len(a["risk"].y) == cell.point.steps + 1
            for name, value in a.values.items():
                np.testing.assert_allclose(value.y, b.values[name].y, rtol=1e-9, atol=1e-12)


def test_both_kinds_of_batch_begin_alike() -> None:
    same, fresh = (
        TrainingCurve(d=32, steps=2, batch=b).run(seeds=1).cells[0].measurements[0] for b in ("same", "fresh")
    )
    np.testing.assert_array_equal(same["risk"].y[:2], fresh["risk"].y[:2])
    assert same["risk"].y[2] != fresh["risk"].y[2]


@pytest.mark.parametrize("shape", [(30, 20), (20, 30)])
def test_top_direction(shape) -> None:
    weights = np.random.default_rng(0).standard_normal(shape)
    right = np.linalg.svd(weights)[2][0]  # rows are neurons: the input space is on the right of this product
    assert abs(top_direction(weights) @ right) == pytest.approx(1.0)


def test_overshooting_steps_have_no_predicted_alignment() -> None:
    point = TrainingCurve(step=4, step_exponent=0.5, d=32, steps=2)
    assert "alignment" not in point.predict().values
    assert any("overshoots" in note for note in point.predict().notes)
    assert all(j.counts is False for j in point.run(seeds=2).verdict.judgements if j.quantity.name == "alignment")


def test_refusals() -> None:
    with pytest.raises(InputError, match="'same' or 'fresh'"):
        TrainingCurve(batch="none")
    with pytest.raises(InputError, match="steps = -1 is not allowed; it must be at least 0"):
        TrainingCurve(steps=-1)
