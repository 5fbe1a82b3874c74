"""Numbers and words as JSON has them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from giantstep.estimators.diagnosis.estimates import Estimate


def plain(value: Any) -> Any:
    """Numbers as JSON has them: arrays as lists, what is not finite as None.

    >>> plain({"a": np.array([1.0, np.nan])})
    {'a': [1.0, None]}
    """
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, Estimate):
        return {"value": plain(value.value), "error": plain(value.error)}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    return value.item() if isinstance(value, np.generic) else value
