"""The bars of a spectrum, without drawing: where its bulk ends, which values lie beyond, how wide the bins are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from giantstep.arrays import Array
from giantstep.figures.data import SpectrumPicture

_SLACK = 0.04  # of the bulk's width: finite size blurs an edge, which makes no outlier
_FEW_OUTLIERS = 0.02  # share of values up to which outliers are single ticks rather than bars


@dataclass(frozen=True)
class Bulk:
    """The stretch of the axis on which the bulk lies."""

    low: float
    high: float

    @property
    def width(self) -> float:
        return self.high - self.low

    def outside(self, values: Array) -> Any:
        slack = _SLACK * self.width
        return (values < self.low - slack) | (values > self.high + slack)


@dataclass(frozen=True, eq=False)
class Histograms:
    """The bars of a picture's two samples, heights per value; None for a sample that it has not."""

    bulk: Bulk
    edges: Array
    heights: Array | None
    before: Array | None
    outliers: Array
    outliers_are_few: bool

    @classmethod
    def of(cls, picture: SpectrumPicture) -> Self:
        values = _finite(picture.values)
        before = None if picture.before is None else _finite(picture.before)
        bulk = _bulk(picture, values, before)
        beyond = bulk.outside(values)
        few = bool(np.count_nonzero(beyond) <= _FEW_OUTLIERS * values.size)
        edges = _bins(bulk, values[~beyond] if few else values)
        heights = _heights(values, edges) if values.size else None
        behind = None if before is None else _heights(before, edges)
        return cls(bulk, edges, heights, behind, values[beyond], few)


def _finite(values: Any) -> Array:
    array = np.asarray(() if values is None else values, dtype=np.float64)
    return array[np.isfinite(array)]


def _heights(values: Array, bins: Array) -> Array:
    counts, _ = np.histogram(values, bins)
    return np.asarray(counts / (values.size * np.diff(bins)), dtype=np.float64)


def _bulk(picture: SpectrumPicture, values: Array, before: Array | None) -> Bulk:
    """The stretch that the density covers; without a density, up to the stated edges, else all values."""
    edges = [position for position, _, kind in picture.spikes if kind == "edge"]
    if picture.density_x is not None and picture.density_y is not None:
        x, y = np.asarray(picture.density_x), np.nan_to_num(np.asarray(picture.density_y))
        covered = x[y > 0] if np.any(y > 0) else x
        low, high = float(covered.min()), float(covered.max())
    else:
        sample = values if before is None else np.concatenate([values, before])
        low, high = float(sample.min()), float(sample.max())
        if edges and max(edges) > low:
            high = max(edges)
    if 0 < low < 0.02 * high and values.min(initial=0.0) >= 0:
        low = 0.0  # a grid that starts just above zero: bins should not reach below
    if high - low <= 1e-9 * max(abs(low), abs(high)):  # all values equal
        half = 0.1 * abs(low) or 0.5
        low, high = low - half, high + half
    return Bulk(low, high)


def _bins(bulk: Bulk, covered: Array) -> Array:
    """Bins of one width, ending on the bulk's edges (Rice's rule, 2 n^(1/3)), that cover all of `covered`."""
    count = 2 * int(np.clip(covered.size ** (1 / 3), 5, 32)) + 1
    width = bulk.width / count
    more_left = max(0, int(np.ceil((bulk.low - covered.min(initial=bulk.low)) / width - 1e-9)))
    more_right = max(0, int(np.ceil((covered.max(initial=bulk.high) - bulk.high) / width - 1e-9)))
    limit = 6 * count  # very wide outliers would ask for very many bins
    left, right = min(more_left, limit), min(more_right, limit)
    return np.asarray(bulk.low + width * np.arange(-left, count + right + 1), dtype=np.float64)
