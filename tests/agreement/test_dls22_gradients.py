"""Theory against simulation: the expected gradient, its concentration, and the family of the lower bound."""

from __future__ import annotations

import numpy as np
import pytest

from giantstep.claims.dls22.csq_bound import CsqBound
from giantstep.claims.dls22.expected_gradient import ExpectedGradient
from giantstep.claims.dls22.gradient_concentration import GradientConcentration
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


@pytest.mark.parametrize("preset", list(ExpectedGradient.presets))
def test_expected_gradients(preset: str) -> None:
    point = ExpectedGradient.preset(preset).replace(d=48, samples_per_square=3)
    assert point.run(seeds=24, seed=3).verdict.status == "holds"


def test_preprocessing_halves_the_noise_and_uncovers_the_hessian() -> None:
    with_it = ExpectedGradient.preset("rank-one").predict()["alignment"]
    without = ExpectedGradient.preset("without-preprocessing").predict()["alignment"]
    assert isinstance(with_it, float)
    assert isinstance(without, float)
    assert with_it > without + 0.05
    # The noises differ by the factor 2 exactly: twice the samples do the same.
    doubled = ExpectedGradient.preset("without-preprocessing").replace(samples_per_square=16).predict()["alignment"]
    assert doubled == pytest.approx(with_it, rel=1e-3)


def test_the_notes_expansion_is_refuted() -> None:
    """With the coefficients of phi' in place of those of phi the term c_2 H w would vanish; it is H w/sqrt(2pi)."""
    results = ExpectedGradient(target="He2(x1)", d=64, samples_per_square=2).run(seeds=16)
    measured = [m["coefficient"] for m in results.cells[0].measurements]
    assert np.mean(measured) == pytest.approx(1 / np.sqrt(2 * np.pi), rel=0.1)


def test_the_closed_form_needs_the_label_norm_before_preprocessing() -> None:
    """A mean and a linear part stay in the noise although they are subtracted."""
    point = ExpectedGradient.preset("linear-part")
    bare = point.replace(target="He2(x2)/2").predict()["share"]
    results = point.run(seeds=16)
    assert results.verdict.status == "holds", results.verdict.sentence
    assert isinstance(bare, float)
    assert np.mean([m["share"] for m in results.cells[0].measurements]) < bare - 0.1


def test_concentration(seed: int) -> None:
    point = GradientConcentration(target="x1*x2 + He3(x1)/2", samples=1024)
    results = Study(point, d=[32, 128, 512], bias=[-0.5, 0.5], seeds=12, seed=seed).run()
    assert results.verdict.status == "holds", results.verdict.sentence


def test_the_largest_dimension_runs() -> None:
    assert GradientConcentration.preset("large", samples=4096).run(seeds=4).verdict.status == "holds"


def test_the_family_of_the_lower_bound(seed: int) -> None:
    results = Study(CsqBound(vectors=200, samples=200_000), degree=[2, 3], d=[128, 1024], seeds=12, seed=seed).run()
    assert results.verdict.status == "holds", results.verdict.sentence


def test_one_query_reaches_half_of_the_lemma() -> None:
    """A sum of 1/tau^2 functions tells about so many apart: the lemma's 2/tau^2 is never reached."""
    point = CsqBound(d=100_000, tolerance=0.1, samples=1000)
    counts = [m["ruled_out"] for m in point.run(seeds=4).cells[0].measurements]
    assert 95 <= np.mean(counts) <= 101


@pytest.mark.parametrize(
    ("cls", "values", "words"),
    [
        (ExpectedGradient, {"target": "He3(x1)"}, "no leading term"),
        (ExpectedGradient, {"target": "tanh(x1)"}, "polynomial"),
        (ExpectedGradient, {"d": 16}, "19 or more"),
        (ExpectedGradient, {"samples_per_square": 1e-4}, "more than the 16 neurons"),
        (GradientConcentration, {"target": "x1 - x1"}, "zero"),
        (GradientConcentration, {"samples": 10**10, "batches": 1000}, "too many"),
        (CsqBound, {"overlap": 1.5}, "at most 1"),
        (CsqBound, {"d": 10**18}, "at most 1e"),
    ],
)
def test_refusals(cls: type, values: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        cls(**values)
