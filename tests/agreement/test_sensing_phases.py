"""Theory against simulation: the times of the phases."""

from __future__ import annotations

import pytest

from giantstep.claims.sensing.phases import Phases
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


def test_times_to_the_iteration(seed: int) -> None:
    point = Phases(d=60, true_rank=3, rank=8)
    results = Study(point, scale=[1e-6, 1e-4, 1e-2], seeds=8, seed=seed).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence
    small = results.cells[0]
    for measured in small.measurements:
        assert {k: measured[k] for k in measured.finite} == measured.finite


def test_times_with_finitely_many_measurements() -> None:
    results = Phases(d=60, true_rank=3, rank=8, measured="gaussian", scale=1e-4).run(seeds=8, workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence


def test_the_slides_total_is_a_bound_but_its_first_term_is_not() -> None:
    """The measured first phase is longer than ln(2 sqrt(d/r))/mu, the whole shorter than the sum of the three."""
    measured = Phases(d=200, rank=10).run(seeds=4, workers=1).cells[0]
    assert all(m["t_align"] > 8.8 for m in measured.measurements)
    assert all(m["t_refine"] < 0.93 * measured.prediction["slide_total"] for m in measured.measurements)


def test_steps_that_are_not_small() -> None:
    """At mu = 0.9 the signal overshoots: the slide's 28 iterations are less than a third of what is needed."""
    results = Phases(step=0.9, d=100).run(seeds=6, workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence
    needed = [m["total"] for m in results.cells[0].measurements]
    assert min(needed) > 3 * results.cells[0].prediction["slide_total"]
    with pytest.raises(InputError, match="take a smaller step"):
        Phases(step=1.0)
    with pytest.raises(InputError, match="take a smaller step"):
        Phases(step=0.9, measured="gaussian")


def test_what_makes_no_sense_is_refused() -> None:
    for wrong in ({"rank": 5}, {"scale": 0.5}, {"true_rank": 200}):
        with pytest.raises(InputError):
            Phases(**wrong)
