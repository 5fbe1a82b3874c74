"""The mean-field limit of a point, once for its prediction and for what is allowed and said."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from giantstep.problems import Target
from giantstep.theory.meanfield import law_after

known_law = lru_cache(maxsize=64)(law_after)


@lru_cache(maxsize=64)
def labelled_points(target: Target, samples: int, reach: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """x_k = reach k/n and their labels."""
    x = reach * np.arange(1, samples + 1) / samples
    return tuple(x.tolist()), tuple(np.asarray(target(x[:, None])).tolist())
