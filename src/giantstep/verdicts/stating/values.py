"""What a claim predicts and what a run of it measures: numbers, curves and spectra under the same names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import UnknownNameError
from giantstep.streams import Streams
from giantstep.verdicts.html import html_table


@dataclass(frozen=True, eq=False)
class Curve:
    """A quantity that is a function of something the run itself goes through, such as time.

    Args:
        x: the places, (k,), growing.
        y: the values there, (k,).
        x_name: what the places are.
    """

    x: Array
    y: Array
    x_name: str = "x"

    def __post_init__(self) -> None:
        object.__setattr__(self, "x", np.asarray(self.x, dtype=float))
        object.__setattr__(self, "y", np.asarray(self.y, dtype=float))
        if self.x.shape != self.y.shape or self.x.ndim != 1:
            raise ValueError(f"a curve needs as many values as places, got {self.x.shape} and {self.y.shape}")

    def __repr__(self) -> str:
        ends = f" {self.x[0]:.4g}..{self.x[-1]:.4g}" if self.x.size else ""
        return f"Curve({len(self.x)} points, {self.x_name}{ends})"


Value: TypeAlias = float | Curve


def number_text(value: Value | None) -> str:
    """A value as a reader wants it: five digits of a number, the ends of a curve, nothing for `value` None."""
    if value is None or (isinstance(value, Curve) and not value.y.size):
        return ""
    return f"{value.y[0]:.4g} .. {value.y[-1]:.4g}" if isinstance(value, Curve) else f"{value:.5g}"


class BulkLaw(Protocol):
    """The law of a bulk of eigenvalues or singular values."""

    @property
    def edges(self) -> tuple[float, float]:
        """Where it begins and ends."""

    def density(self, place: Array, /) -> Array:
        """Its density at each place."""


@dataclass(frozen=True, eq=False, repr=False)
class Density:
    """A predicted spectrum: the density of the bulk and the places of isolated values.

    Args:
        x: the places, (k,), at which the density is given.
        y: the density there, (k,), with integral 1.
        spikes: isolated values.
        edges: where the bulk begins and ends, if that is marked.
    """

    x: Array
    y: Array
    spikes: tuple[float, ...] = ()
    edges: tuple[float, float] | None = None

    @classmethod
    def of(cls, law: BulkLaw, spikes: tuple[float, ...] = (), places: int = 300) -> Density:
        """The density of a `law` of eigenvalues or singular values at so many `places` between its edges, with isolated
        values, the `spikes`, beside it."""
        x = np.linspace(*law.edges, places)
        return cls(x, law.density(x), spikes, law.edges)

    def __repr__(self) -> str:
        spikes = ", ".join(f"{s:.4g}" for s in self.spikes) or "none"
        return f"Density({len(self.x)} places from {self.x[0]:.4g} to {self.x[-1]:.4g}, spikes: {spikes})"


@dataclass(frozen=True, eq=False)
class Prediction:
    """What theory says, with the regime in which it says it.

    Args:
        values: each quantity's predicted value, by its name.
        regime: where theory holds, in words.
        notes: what else theory tells at this point, in sentences.
        thresholds: by parameter, the value at which its effect sets in.
        densities: predicted spectra, under the names of the measured ones.

    >>> found = Prediction({"spike": 2.5}, regime="n, N, d to infinity together")
    >>> found, found["spike"]
    (Prediction(spike=2.5; n, N, d to infinity together), 2.5)
    >>> found["spik"]
    Traceback (most recent call last):
    giantstep.errors.UnknownNameError: there is no predicted quantity 'spik'; there are: spike
    """

    values: Mapping[str, Value]
    regime: str
    notes: tuple[str, ...] = ()
    thresholds: Mapping[str, float] = field(default_factory=dict)
    densities: Mapping[str, Density] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Value:
        return _named("predicted", self.values, name)

    def __repr__(self) -> str:
        return f"Prediction({_listed(self.values)}; {self.regime})"

    def _repr_html_(self) -> str:
        rows = [(name, number_text(value)) for name, value in self.values.items()]
        return html_table(("quantity", "predicted"), rows, below=(f"for {self.regime}", *self.notes))


@dataclass(frozen=True, eq=False, repr=False)
class Measurement:
    """What one simulation with one seed shows.

    Args:
        values: each quantity's measured value, by its name.
        finite: for quantities whose theory is conditional on what was drawn (the weights, say), the prediction for
            this very draw; the judge then compares pairs, seed by seed.
        spectra: whole samples of singular values or eigenvalues, for the pictures.
        paths: ways through a plane, by the name of their kind.

    >>> Measurement({"spike": 2.4817}, spectra={"weights": np.ones(100)})
    Measurement(spike=2.4817; with spectra)
    """

    values: Mapping[str, Value]
    finite: Mapping[str, Value] = field(default_factory=dict)
    spectra: Mapping[str, Array] = field(default_factory=dict)
    paths: Mapping[str, Sequence[Curve]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Value:
        return _named("measured", self.values, name)

    def __repr__(self) -> str:
        kept = [word for word in ("finite", "spectra", "paths") if getattr(self, word)]
        return f"Measurement({_listed(self.values)}" + (f"; with {', '.join(kept)})" if kept else ")")

    def _repr_html_(self) -> str:
        rows = [(name, *map(number_text, (value, self.finite.get(name)))) for name, value in self.values.items()]
        return html_table(("quantity", "measured", "predicted for the draw"), rows)


def _named(kind: str, values: Mapping[str, Value], name: str) -> Value:
    if name not in values:
        raise UnknownNameError(f"{kind} quantity", name, values)
    return values[name]


def _listed(values: Mapping[str, Value]) -> str:
    return ", ".join(f"{k}={v}" if isinstance(v, Curve) else f"{k}={v:.6g}" for k, v in values.items())


def no_progress(fraction: float) -> None:
    """Where nobody is watching: the `fraction` of the work that is done goes nowhere."""


@dataclass(frozen=True)
class Run:
    """What a measurement is given: its random streams, the threads it may use, where to report progress.

    Args:
        streams: the random streams of this seed; the result must depend on them alone.
        threads: how many threads it may use.
        progress: told the fraction of the work that is done.
    """

    streams: Streams
    threads: int = 1
    progress: Callable[[float], None] = no_progress


@dataclass(frozen=True)
class Cost:
    """What one seed at one point needs, estimated.

    Args:
        flops: floating-point operations.
        bytes: the peak of memory.
        path_flops: operations of each further point that the same simulation serves, along a path parameter.
    """

    flops: float
    bytes: float
    path_flops: float = 0.0
