"""Half of a sample, drawn or read block by block like the whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.problems import Sample


@dataclass(frozen=True, eq=False)
class Half:
    """Every second row of a `sample`, from row `first` on, 0 or 1."""

    sample: Sample
    first: int

    @property
    def samples(self) -> int:
        return (self.sample.samples + 1 - self.first) // 2

    @property
    def d(self) -> int:
        return self.sample.d

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.sample.dtype

    @property
    def block_rows(self) -> int:
        return (self.sample.block_rows + 1) // 2

    def blocks(self) -> int:
        return self.sample.blocks()

    def block(self, number: int) -> tuple[NDArray[Any], Array]:
        x, y = self.sample.block(number)
        start = (self.first - number * self.sample.block_rows) % 2  # rows are counted through all blocks
        return x[start::2], y[start::2]
