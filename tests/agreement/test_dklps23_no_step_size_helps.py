"""Theory against simulation: what one step of any size can learn."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.dklps23.no_step_size_helps import NoStepSizeHelps, best_shares
from giantstep.errors import InputError
from giantstep.learners.engines import GiantStep, apply_gradient
from giantstep.streams import Streams
from giantstep.studies import Study
from giantstep.verdicts.stating import Run

pytestmark = pytest.mark.agreement


@pytest.mark.parametrize(
    "case",
    [
        {"target": "x1", "d": 256, "sample_exponent": 0.5},
        {"target": "x1", "d": 128, "sample_exponent": 1.25},
        {"target": "He2(x1)", "d": 64, "sample_exponent": 1.5},
        {"target": "He2(x1)", "activation": "tanh", "d": 32, "sample_exponent": 2.25},
    ],
)
def test_every_step_size(case: dict[str, object], seed: int) -> None:
    results = Study(NoStepSizeHelps(**case), step=[0.01, 1, 10, 10000], seeds=200, seed=seed).run()
    assert results.verdict.status == "holds", results.verdict.sentence


@pytest.mark.parametrize(("exponent", "trend"), [(0.5, "falls"), (1.25, "grows")])
def test_the_best_step_with_growing_dimension(exponent: float, trend: str) -> None:
    results = Study(NoStepSizeHelps(sample_exponent=exponent), d=[64, 512], seeds=120, seed=4).run()
    assert results.verdict.status == "holds", results.verdict.sentence
    small, large = (float(np.mean([m["best_share"] for m in c.measurements])) for c in results.cells)
    assert large < 0.5 * small if trend == "falls" else large > small + 0.08


@pytest.mark.parametrize("target", ["x1", "x1 + He2(x1) + x2 - He2(x2)"])
def test_the_best_share_is_the_supremum_over_all_steps(target: str) -> None:
    """A fine grid of step sizes of both signs comes close to it and never above."""
    point = NoStepSizeHelps(target=target, d=40, sample_exponent=1, neurons=8)
    start, seen = point.first_gradient(Run(Streams(3)))
    best = best_shares(start.local.weights, seen.gradient, start.directions)
    reached = np.zeros(8)
    for size in np.concatenate([np.logspace(-3, 4, 2000), -np.logspace(-3, 4, 2000)]):
        after = apply_gradient(start, seen, GiantStep(float(size)))
        reached = np.maximum(reached, (after.overlaps**2).sum(axis=1) / np.diag(after.gram))
    assert np.all(reached <= best * (1 + 1e-9))
    np.testing.assert_allclose(reached, best, rtol=1e-3)


def test_refusals() -> None:
    for case, words in (({"step": 0}, "step"), ({"neurons": 3}, "pairs"), ({"target": "2 + 0*x1"}, "constant")):
        with pytest.raises(InputError, match=words):
            NoStepSizeHelps(**case)
