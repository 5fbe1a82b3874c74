"""scikit-learn's own checks of everything that predicts."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from giantstep.estimators import GiantStepClassifier, GiantStepRegressor, LazyRegressor, RecursiveFeatureRegressor

SMALL = {"neurons": 10, "random_state": 0}
GIVEN = {**SMALL, "step": 1.0, "steps": 1, "ridge": 0.1, "split": False, "inputs": "standardised"}
ESTIMATORS = [
    LazyRegressor(),
    LazyRegressor("exp", ridge=0.1),
    GiantStepRegressor(**SMALL, steps=2),
    GiantStepRegressor(**GIVEN),
    GiantStepClassifier(**SMALL, steps=1),
    GiantStepClassifier(**GIVEN),
    RecursiveFeatureRegressor(rounds="auto", random_state=0, cv=2),
    RecursiveFeatureRegressor("gaussian", rounds=1, ridge=0.01, random_state=0, cv=2),
]

EQUIVALENCE = "check_sample_weight_equivalence_on_dense_data"
CHOSEN = (
    "what is chosen by leaving rows out depends on what a row is: a copy of a row that is left out betrays it, a "
    "weight of 2 does not. With everything given (the second of each pair here) weights and copies are the same"
)


def expected(estimator: Any) -> dict[str, str]:
    """Checks that do not apply, and why."""
    return {EQUIVALENCE: CHOSEN} if estimator.ridge == "loo" else {}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.DataConversionWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected)
def test_scikit_learn_finds_nothing_wrong(estimator: Any, check: Any) -> None:
    check(estimator)
