"""The one place that imports scikit-learn: without it the sentence says what to install."""

from __future__ import annotations

from typing import Any

import numpy as np

from giantstep.arrays import Array, Floats
from giantstep.errors import InputError

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, TransformerMixin
    from sklearn.model_selection import check_cv
    from sklearn.utils import check_random_state
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data
except ImportError:
    raise InputError("estimators need scikit-learn: pip install 'giantstep[sklearn]'") from None

__all__ = [
    "BaseEstimator",
    "ClassifierMixin",
    "RegressorMixin",
    "TransformerMixin",
    "check_classification_targets",
    "check_cv",
    "check_is_fitted",
    "checked_rows",
    "generator_of",
    "shares",
    "tell",
    "validate_data",
]


def generator_of(random_state: Any) -> np.random.Generator:
    """NumPy's generator for what scikit-learn calls a random state: None, a whole number or a `RandomState`."""
    return np.random.default_rng(check_random_state(random_state).randint(2**31, size=4))


def shares(sample_weight: Any, x: Floats) -> Array:
    """Weights of the rows of `x` that sum to 1, (n,); equal ones if none are given."""
    weight = np.asarray(_check_sample_weight(sample_weight, x, dtype=np.float64, ensure_non_negative=True))
    total = float(weight.sum())
    if not total > 0:
        raise InputError("sample_weight must have a positive sum; all weights are 0")
    return weight / total


def checked_rows(estimator: Any, x: Any) -> Floats:
    """New rows for a fitted estimator, in the precision in which they came; refused if the columns are others."""
    check_is_fitted(estimator)
    return np.asarray(validate_data(estimator, x, reset=False, dtype=[np.float64, np.float32]))


def tell(verbose: Any, sentence: str) -> None:
    """Print how far a long fit is, if it was asked for."""
    if verbose:
        print(sentence, flush=True)
