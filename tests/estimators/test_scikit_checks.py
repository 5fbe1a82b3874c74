"""scikit-learn's own checks of everything that has its face."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from giantstep import estimators

SMALL: dict[str, Any] = {"n_directions": 1, "permutations": 0, "random_state": 0}
FOUND = (
    "LinearDirection",
    "SlicedInverseRegression",
    "SlicedAverageVariance",
    "DirectionalRegression",
    "HessianDirections",
    "SpectralDirections",
    "OneStepDirections",
    "GradientOuterProduct",
    "StaircaseDirections",
)
ESTIMATORS = [
    estimators.Whitening(),
    estimators.LinearDirection(random_state=0),
    *(getattr(estimators, name)(**SMALL) for name in FOUND),
]


REPEATED = (
    "a weight says how much a row counts, not that it was seen several times: repeated rows are no more evidence, and "
    "the shrinkage, the permutations and the folds count the rows that there are"
)


def expected(estimator: Any) -> dict[str, str]:
    """Checks that do not apply, and why."""
    del estimator
    return {"check_sample_weight_equivalence_on_dense_data": REPEATED}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.DataConversionWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected)
def test_scikit_learn_finds_nothing_wrong(estimator: Any, check: Any) -> None:
    check(estimator)
