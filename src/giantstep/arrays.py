"""The array types that every room speaks of."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[np.float64]
"""Numbers in double precision."""
Floats: TypeAlias = NDArray[np.floating[Any]]
"""Numbers in the precision in which they came: float32 stays float32."""

__all__ = ["Array", "ArrayLike", "Floats"]
