"""Theory against simulation: how far a step moves weights and features."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.bes22.step_size_regimes import StepSizeRegimes
from giantstep.errors import InputError
from giantstep.streams import Streams
from giantstep.studies import Study
from giantstep.verdicts.stating import Run

pytestmark = pytest.mark.agreement


def test_three_norms_two_regimes(seed: int) -> None:
    point = StepSizeRegimes(activation="erf", target="erf(x1)")
    results = Study(point, d=[96, 192, 384], step_exponent=[0, 0.5], seeds=24, seed=seed).run()
    assert results.verdict.status != "fails", results.verdict.sentence
    for judgement in results.verdict.judgements:
        if judgement.quantity.relation == "equal":
            assert judgement.status == "holds", judgement.sentence
        if judgement.quantity.relation == "slope" and judgement.predicted != 0:
            assert judgement.status == "holds", judgement.sentence


@pytest.mark.parametrize(
    "case",
    [
        {"activation": "tanh", "step_exponent": 0.5, "step": 4},
        {"activation": "centered(relu)", "target": "relu(x1) + 1", "step_exponent": 0.25},
        {"activation": "softplus", "target": "tanh(x1)", "noise": 0.5, "step_exponent": 0.5, "neurons_per_dim": 2},
    ],
)
def test_other_students_and_teachers(case: dict[str, object]) -> None:
    """Large steps, an uncentred activation and a target with mean, which tilts the step along the weights."""
    results = StepSizeRegimes(d=192, **case).run(seeds=12, seed=3)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_features_change_as_fresh_inputs_see_it() -> None:
    """The exact mean squares against a sample of inputs, which knows nothing of Gaussian kernels."""
    point = StepSizeRegimes(d=64, activation="tanh", step=2.0)
    first = point.first_gradient(Run(Streams(5)))
    x = np.random.default_rng(0).standard_normal((20_000, 64))
    before, moved = first.start.features(x), first.after(point.eta).features(x)
    sampled = ((moved - before) ** 2).mean(axis=0) / (before**2).mean()
    assert first.feature_changes(point.eta) == pytest.approx(sampled, rel=0.12, abs=1e-4)
    assert np.mean(first.feature_changes(point.eta)) == pytest.approx(np.mean(sampled), rel=0.03)


@pytest.mark.parametrize(("d", "frobenius"), [(100, 0.0337), (800, 0.0120)])
def test_reference_values(d: int, frobenius: float) -> None:
    """References (tanh, psi = (2, 2)): 0.19 in operator norm at eta = 1, 0.477 to 0.480 in Frobenius norm at sqrt N."""
    small = StepSizeRegimes(d=d, neurons_per_dim=2, step_exponent=0).predict()
    assert small["operator_change"] == pytest.approx(0.19, abs=0.005)
    assert small["frobenius_change"] == pytest.approx(frobenius, rel=0.02)
    large = StepSizeRegimes(d=d, neurons_per_dim=2, step_exponent=0.5).predict()
    assert large["frobenius_change"] == pytest.approx(0.478, abs=0.005)


def test_the_path_gives_what_single_points_give() -> None:
    points = [StepSizeRegimes(d=48, step=s, step_exponent=a) for s, a in ((1.0, 0.0), (3.0, 0.5))]
    together = StepSizeRegimes.measure_path(points, Run(Streams(2)))
    for point, measured in zip(points, together, strict=True):
        alone = point.measure(Run(Streams(2)))
        assert dict(alone.values) == pytest.approx(dict(measured.values), rel=1e-9)
        assert dict(alone.finite) == pytest.approx(dict(measured.finite), rel=1e-9)


def test_the_least_moved_neuron_hardly_moves() -> None:
    measured = StepSizeRegimes(d=192, step_exponent=0.5).run(seeds=4).cells[0].measurements
    assert all(m["least_feature_change"] < 0.05 * float(m["feature_change"]) for m in measured)  # type: ignore[arg-type]


def test_refusals() -> None:
    with pytest.raises(InputError, match="step_exponent"):
        StepSizeRegimes(step_exponent=0.8)
    with pytest.raises(InputError, match="step = 0"):
        StepSizeRegimes(step=0)
