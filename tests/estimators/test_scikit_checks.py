"""scikit-learn's own checks of everything that has its face."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from giantstep import estimators

FIXED: dict[str, Any] = {"n_directions": 1, "permutations": 0, "shrinkage": 0.0, "random_state": 0}
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
    estimators.Whitening(shrinkage=0.0),
    estimators.LinearDirection(random_state=0),
    *(getattr(estimators, name)(**FIXED) for name in FOUND),
]


REPEATED = (
    "a weight says how much a row counts, not that it was seen several times: repeated rows are no more evidence, and "
    "the shrinkage, the permutations and the folds count the rows that there are. With everything given weights and "
    "copies are the same"
)
TIED = "the check has more columns than rows: the largest strengths are equal there, and no direction is the first"
OWN = {
    "HessianDirections": "how much of the linear part is noise, and is not taken off, depends on the number of rows",
    "GradientOuterProduct": "rows are left out one by one, and a copy of a row that is left out betrays it",
    "SlicedInverseRegression": TIED,
    "SlicedAverageVariance": TIED,
}


def expected(estimator: Any) -> dict[str, str]:
    """Checks that do not apply, and why."""
    why = OWN.get(type(estimator).__name__, REPEATED if estimator.shrinkage == "auto" else "")
    return {"check_sample_weight_equivalence_on_dense_data": why} if why else {}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.DataConversionWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected)
def test_scikit_learn_finds_nothing_wrong(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("name", [name for name in FOUND if OWN.get(name, TIED) == TIED])
def test_weights_are_copies_where_everything_is_given(name: str) -> None:
    """What the check asks, on a table with more rows than columns, where directions are one another's betters."""
    draw = np.random.default_rng(0)
    x, weight = draw.standard_normal((120, 4)), draw.integers(0, 4, 120)
    y = x[:, 0] + x[:, 0] * x[:, 1] + 0.3 * draw.standard_normal(120)
    weighted = getattr(estimators, name)(**FIXED).fit(x, y, sample_weight=weight)
    copied = getattr(estimators, name)(**FIXED).fit(np.repeat(x, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(weighted.directions_, copied.directions_, atol=1e-8)
    np.testing.assert_allclose(weighted.strengths_, copied.strengths_, atol=1e-8)
