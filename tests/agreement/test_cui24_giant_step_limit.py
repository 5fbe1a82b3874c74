"""Theory against simulation: the risk after one giant step, and the lengths of rows."""

from __future__ import annotations

import pytest

from giantstep.claims.cui24.giant_step_limit import NOT_ODD, GiantStepRisk
from giantstep.claims.printed import judge_as_printed
from giantstep.errors import InputError
from giantstep.studies import Study

pytestmark = pytest.mark.agreement


def test_lengths_of_rows_decide_against_the_published_form(seed: int) -> None:
    point = GiantStepRisk(activation=NOT_ODD, step=2, neurons_per_dim=2, d=120)
    results = Study(point, seeds=10, seed=seed).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence
    for found in judge_as_printed(point.printed, point.stated(), results.cells, results.verdict):
        assert (found.verdict.status, found.corrected) == ("fails", "holds"), found.sentence


def test_noise_a_target_that_is_not_odd_and_few_samples_in_the_step(seed: int) -> None:
    point = GiantStepRisk(target="x1 + He2(x1)/2 + 1/4", noise=0.7, step_samples_per_dim=2, step=1.5, d=120)
    results = Study(point, samples_per_dim=[2, 6], seeds=20, seed=seed).run(workers=1)
    assert results.verdict.status == "holds", results.verdict.sentence


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"activation": "relu"}, "E s'' = "),
        ({"activation": "cos(z)"}, "learns nothing"),
        ({"target": "x1 + x2**2"}, "one direction"),
        ({"target": "0"}, "nothing to learn"),
        ({"d": 4000, "neurons_per_dim": 20}, "operations"),
    ],
)
def test_what_is_refused(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        GiantStepRisk(**changes)


def test_lengths_that_change_features_much_are_outside() -> None:
    """Features of sin(2z) change by half as lengths scatter at d = 240: the ratio has second orders."""
    point = GiantStepRisk(activation="sin(2*z)", noise=0.3, d=240)
    assert "lengths scatter" in str(point.outside("length_ratio"))
    assert not point.outside("risk")
    assert not GiantStepRisk(activation="sin(z)", noise=0.3, d=240).outside("length_ratio")
