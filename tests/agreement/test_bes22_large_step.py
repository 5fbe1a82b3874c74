"""Theory against simulation: one large step, the crossing of the kernel bound, and where there is none."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.bes22.large_step import LargeStep
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


def mean(cell, name: str) -> float:
    return float(np.mean(cell.values_of(name)))


def judged(results, name: str) -> set[float]:
    """The exponents at which the claim spoke of a quantity."""
    return {j.point["step_exponent"] for j in results.verdict.judgements if j.quantity.name == name and j.counts}


@pytest.mark.parametrize("preset", ["slide", "tanh"])
def test_crossing(preset: str, seed: int) -> None:
    """Above the bound without a large step, below it with one, above the floor always."""
    results = Study(LargeStep.preset(preset, d=100), step_exponent=[0, 0.3, 0.5], seeds=12, seed=seed).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence
    assert judged(results, "crossing") == {0.5}
    assert judged(results, "lower_bound") == {0.0}
    small, _, large = (mean(c, "risk") for c in results.cells)
    bound = results.cells[0].prediction["lower_bound"]
    assert large < 0.9 * bound < 1.5 * bound < small
    assert mean(results.cells[-1], "risk_window") > 2 * bound


def test_relu_never_crosses_on_an_odd_target(seed: int) -> None:
    point = LargeStep.preset("no-crossing", d=80)
    results = Study(point, step_exponent=[0, 0.5], step=[1, 4], seeds=10, seed=seed).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence
    assert judged(results, "crossing") == set()
    assert judged(results, "lower_bound") == {0.0, 0.5}


def test_reference_risks() -> None:
    """Reference of four seeds, d = 200, erf: .0829, .0274 ± .0011 at exponents 0, 1/2; .0434 ± .0024 if psi1 = 4."""
    eight = Study(LargeStep(), step_exponent=[0, 0.5], seeds=5, seed=60).run(workers=1).cells
    four = Study(LargeStep(samples_per_dim=4), seeds=5, seed=60).run(workers=1).cells
    for cell, reference, error in zip([*eight, *four], (0.0829, 0.0274, 0.0434), (0.002, 0.0011, 0.0024), strict=True):
        own = float(np.std(cell.values_of("risk"), ddof=1)) / 5**0.5
        assert mean(cell, "risk") == pytest.approx(reference, abs=4 * np.hypot(own, error))


@pytest.mark.parametrize(
    ("samples_per_dim", "preset", "floor"),
    [(2, "slide", 0.0309), (4, "slide", 0.0227), (8, "slide", 0.0145), (16, "slide", 0.0084), (8, "tanh", 0.0097)],
)
def test_reference_floors(samples_per_dim: float, preset: str, floor: float) -> None:
    prediction = LargeStep.preset(preset, samples_per_dim=samples_per_dim).predict()
    assert prediction["unseen"] == pytest.approx(floor, abs=6e-5)
    assert 0 < float(prediction["floor"]) < floor / 2


def test_many_neurons_per_dimension_take_the_risk_below_what_one_direction_shows() -> None:
    """Reference of four seeds, d = 100: .0060 and .00309 at psi1 = 16 and 32, below .0084 and .0046."""
    point = LargeStep.preset("wide", d=64)
    results = Study(point, samples_per_dim=[16, 32], seeds=6, seed=40).run(workers=1)
    assert results.verdict.status in ("holds", "undecided"), results.verdict.sentence
    for cell in results.cells:
        assert cell.prediction["floor"] < mean(cell, "risk") < 0.9 * float(cell.prediction["unseen"])


def test_a_head_with_more_samples_of_its_own_is_better() -> None:
    few, many = (LargeStep(d=48, head_samples_per_dim=h).run(seeds=3).cells[0] for h in (4, 32))
    alone = LargeStep(d=48).run(seeds=3).cells[0]
    assert mean(many, "risk") < mean(alone, "risk") < mean(few, "risk")
    assert mean(many, "unseen") == mean(few, "unseen")


def test_predictions() -> None:
    """Reference: tau* of tanh on tanh is 9.45265e-5, with a free scale 2.4864e-5; the bound .0274153."""
    prediction = LargeStep.preset("tanh").predict()
    assert prediction["tau_star"] == pytest.approx(9.45265e-5, rel=1e-5)
    assert prediction["lower_bound"] == prediction["crossing"] == pytest.approx(0.02741532604)
    assert "2.486e-05" in prediction.notes[0]
    assert "risk" not in prediction.values


def test_a_given_penalty_is_never_better_than_the_oracle() -> None:
    cells = Study(LargeStep(d=40), ridge=[0.01, 0.1, 10.0], seeds=2).run(workers=1).cells
    best = LargeStep(d=40).run(seeds=2).cells[0].measurements
    for cell in cells:
        for given, tuned in zip(cell.measurements, best, strict=True):
            assert given["risk"] >= tuned["risk"] * (1 - 1e-3)  # a penalty between those of the grid may win by a hair
            assert given["risk_window"] == pytest.approx(tuned["risk_window"], rel=1e-9)


def test_a_path_agrees_with_single_points() -> None:
    together = Study(LargeStep(d=32), step_exponent=[0, 0.5], step=[1, 2], ridge=[0.1, 1.0], seeds=2).run(workers=1)
    for cell in together.cells:
        alone = cell.point.run(seeds=2).cells[0]
        for a, b in zip(cell.measurements, alone.measurements, strict=True):
            assert all(a.values[k] == pytest.approx(b.values[k], rel=1e-9, abs=1e-12) for k in a.values)
            assert a.finite["risk"] == pytest.approx(b.finite["risk"], rel=1e-9)


def test_refusals() -> None:
    with pytest.raises(InputError, match="not a function of one direction"):
        LargeStep(target="x1*x2")
    with pytest.raises(InputError, match="ridge = 0 is not allowed; it must be greater than 0"):
        LargeStep(ridge=0)
    with pytest.raises(InputError, match=r"step_exponent = 0\.6 is not allowed"):
        LargeStep(step_exponent=0.6)
    with pytest.raises(InputError, match="mu1"):
        LargeStep(activation="He2(z)")


def test_a_linear_target_leaves_nothing_unseen() -> None:
    judged = LargeStep(d=32, activation="tanh", target="x1").run(seeds=2).verdict.judgements
    assert {j.status for j in judged if j.quantity.name in ("unseen", "unseen_slopes")} == {"holds"}
