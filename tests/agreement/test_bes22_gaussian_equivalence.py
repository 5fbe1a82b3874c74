"""Theory against simulation: trained features and Gaussian ones, and where they part."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.bes22.gaussian_equivalence import GaussianEquivalence
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


def mean(cell, name: str) -> float:
    return float(np.mean(cell.values_of(name)))


@pytest.mark.parametrize("preset", ["slide", "fresh"])
def test_constant_steps(preset: str, seed: int) -> None:
    point = GaussianEquivalence.preset(preset, d=100)
    results = Study(point, steps=[1, 4], ridge=[0.05, 0.5], seeds=12, seed=seed).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence
    first, last = (mean(c, "risk_features") for c in (results.cells[0], results.cells[-2]))
    assert last < first


def test_large_steps_break_the_equivalence(seed: int) -> None:
    """Each risk follows its own equivalent; they part far beyond anything that finite size allows."""
    point = GaussianEquivalence.preset("break", d=100)
    results = Study(point, step_exponent=[0, 0.3, 0.5], seeds=12, seed=seed).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence
    counted = [j for j in results.verdict.judgements if j.quantity.name == "equivalence_ratio" and j.counts]
    assert sorted(j.quantity.relation for j in counted) == ["decreasing", "equal"]
    ratios = [mean(c, "equivalence_ratio") for c in results.cells]
    assert 0.94 < ratios[0] < 1.06
    assert ratios[2] < 0.65


def test_reference_risks_of_large_steps() -> None:
    """Reference of four seeds, d = 200: features .0551, .0284 and Gaussian .0587, .0518 at exponents 0.3 and 0.5."""
    results = Study(GaussianEquivalence.preset("break"), step_exponent=[0.3, 0.5], seeds=6, seed=40).run(workers=1)
    for cell, *expected in zip(results.cells, (0.0551, 0.0284), (0.0587, 0.0518), strict=True):
        for name, reference in zip(("risk_features", "risk_equivalent"), expected, strict=True):
            error = float(np.std(cell.values_of(name), ddof=1)) * np.sqrt(1 / 6 + 1 / 4)
            assert mean(cell, name) == pytest.approx(reference, abs=4 * error)
        assert mean(cell, "risk_exact_covariance") == pytest.approx(mean(cell, "risk_features"), rel=0.03)


def test_a_path_agrees_with_single_points() -> None:
    point = GaussianEquivalence(d=40, batch="fresh")
    together = Study(point, ridge=[0.1, 1.0], steps=[1, 3], step_exponent=[0, 0.25], seeds=2).run(workers=1)
    for cell in together.cells:
        alone = cell.point.run(seeds=2).cells[0]
        for a, b in zip(cell.measurements, alone.measurements, strict=True):
            assert all(a.values[k] == pytest.approx(b.values[k], rel=1e-9, abs=1e-12) for k in a.values)


def test_a_linear_activation_is_its_own_equivalent() -> None:
    """mu2 = 0: the Gaussian features are the features themselves, and so are both deterministic equivalents."""
    for m in GaussianEquivalence(activation="z", d=60, steps=2).run(seeds=2).cells[0].measurements:
        assert m["equivalence_ratio"] == pytest.approx(1.0, abs=1e-9)
        assert m["risk_deterministic"] == pytest.approx(m["risk_exact_covariance"], rel=1e-9)


def test_one_step_is_the_same_for_either_batch() -> None:
    same, fresh = (GaussianEquivalence(d=40, batch=b).run(seeds=1).cells[0].measurements[0] for b in ("same", "fresh"))
    assert same.values == fresh.values


def test_the_theorem_is_silent_beyond_constant_steps() -> None:
    values = GaussianEquivalence(step_exponent=0.1).predict().values
    assert "risk_features" not in values
    assert "equivalence_ratio" not in values


def test_refusals() -> None:
    with pytest.raises(InputError, match="'same' or 'fresh'"):
        GaussianEquivalence(batch="none")
