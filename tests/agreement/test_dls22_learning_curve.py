"""Theory against simulation: Algorithm 1 and the kernels that it leaves behind."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.dls22.learning_curve import LearningCurve
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


def test_kernels_random_features_and_alignment(seed: int) -> None:
    point = LearningCurve(d=10, neurons=200)
    results = Study(point, samples_per_square=[2, 4], seeds=10, seed=seed).run(workers=1)
    assert results.verdict.status != "fails", results.verdict.sentence
    kernels = [j for j in results.verdict.judgements if j.quantity.name in ("error_ntk", "error_kernel", "error_rf")]
    assert len(kernels) == 6
    assert all(j.status == "holds" for j in kernels), [j.sentence for j in kernels]


def test_the_network_is_below_the_floor_of_all_kernels() -> None:
    point = LearningCurve.preset("below-all-kernels", neurons=200)
    assert 0.4 < float(point.predict()["error_nn"]) < 0.42  # type: ignore[arg-type]
    assert point.run(seeds=4, workers=1).verdict.status == "holds"


def test_kernels_are_below_the_asymptotic_plateau_at_small_d() -> None:
    """0.7 is the energy above degree 2; n = 12 d^2 samples at d = 10."""
    point = LearningCurve(d=10, samples_per_square=12, neurons=20)
    assert float(point.predict()["error_ntk"]) < 0.65  # type: ignore[arg-type]
    cell = Study(point, seeds=2).run(workers=1).cells[0]
    assert max(float(m["error_ntk"]) for m in cell.measurements) < 0.7  # type: ignore[arg-type]


def test_preprocessing_helps_the_alignment() -> None:
    with_it, without = LearningCurve(d=32), LearningCurve(d=32, preprocess=False)
    assert with_it.alignment() > without.alignment() + 0.08
    results = Study(without, seeds=8, seed=3).run(workers=1)
    (judged,) = [j for j in results.verdict.judgements if j.quantity.name == "alignment"]
    assert judged.status == "holds", judged.sentence


def test_gradient_descent_gives_what_ridge_gives() -> None:
    """10000 steps at the penalty that ridge has chosen."""
    found = {}
    for head in ("ridge", "gradient"):
        cell = Study(LearningCurve(d=32, neurons=60, head=head), seeds=2).run(workers=1).cells[0]
        found[head] = [float(m["error_nn"]) for m in cell.measurements]  # type: ignore[arg-type]
    np.testing.assert_allclose(found["gradient"], found["ridge"], rtol=0.15)


def test_what_makes_no_sense_is_refused() -> None:
    for wrong in ({"neurons": 7}, {"target": "tanh(x1)"}, {"target": "x1 + 2"}, {"samples_per_square": 0.01}):
        with pytest.raises(InputError, match="not allowed"):
            LearningCurve(**wrong)
    with pytest.raises(InputError, match="polynomial of"):
        LearningCurve(target="x1*x2*x5")
