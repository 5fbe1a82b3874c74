"""What a claim predicts and what a run of it measures: numbers, curves and spectra under the same names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from giantstep.streams import Streams

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Curve:
    """A quantity that is a function of something the run itself goes through, such as time."""

    x: Array
    y: Array
    x_name: str = "x"

    def __post_init__(self) -> None:
        object.__setattr__(self, "x", np.asarray(self.x, dtype=float))
        object.__setattr__(self, "y", np.asarray(self.y, dtype=float))
        if self.x.shape != self.y.shape or self.x.ndim != 1:
            raise ValueError(f"a curve needs as many values as places, got {self.x.shape} and {self.y.shape}")

    def __repr__(self) -> str:
        return f"Curve({len(self.x)} points, {self.x_name} {self.x[0]:.4g}..{self.x[-1]:.4g})"


Value: TypeAlias = float | Curve


@dataclass(frozen=True, eq=False)
class Density:
    """A predicted spectrum: the density of the bulk and the places of isolated values."""

    x: Array
    y: Array
    spikes: tuple[float, ...] = ()
    edges: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class Prediction:
    """What theory says, with the regime in which it says it.

    >>> Prediction({"spike": 2.5}, regime="n, N, d to infinity together")["spike"]
    2.5
    """

    values: Mapping[str, Value]
    regime: str
    notes: tuple[str, ...] = ()
    thresholds: Mapping[str, float] = field(default_factory=dict)  # by parameter: where its effect sets in
    densities: Mapping[str, Density] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Value:
        return self.values[name]

    def __repr__(self) -> str:
        inside = ", ".join(f"{k}={v:.6g}" if isinstance(v, float) else f"{k}={v}" for k, v in self.values.items())
        return f"Prediction({inside}; {self.regime})"


@dataclass(frozen=True, eq=False)
class Measurement:
    """What one simulation with one seed shows.

    `finite` holds, for quantities whose theory is conditional on what was drawn (the weights, say), the
    prediction for this very draw; the judge then compares pairs, seed by seed.
    `spectra` holds whole samples of singular values or eigenvalues, for the pictures; `paths` ways through a plane, by
    the name of their kind.
    """

    values: Mapping[str, Value]
    finite: Mapping[str, Value] = field(default_factory=dict)
    spectra: Mapping[str, Array] = field(default_factory=dict)
    paths: Mapping[str, Sequence[Curve]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Value:
        return self.values[name]


def no_progress(fraction: float) -> None:
    """Where nobody is watching."""


@dataclass(frozen=True)
class Run:
    """What a measurement is given: its random streams, the threads it may use, where to report progress.

    The result must depend on `streams` alone.
    """

    streams: Streams
    threads: int = 1
    progress: Callable[[float], None] = no_progress


@dataclass(frozen=True)
class Cost:
    """What one seed at one point needs, estimated: operations, the peak of memory, and the operations of each further
    point that the same simulation serves (along a path parameter)."""

    flops: float
    bytes: float
    path_flops: float = 0.0
