"""Views: the default studies of a claim, which `verify` runs and every page shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True)
class CurveView:
    """Quantities against one parameter, theory as lines and simulation as marks; `by` draws one pair per value."""

    x: str
    values: Any
    quantities: tuple[str, ...]
    by: str = ""
    by_values: Any = ()
    at: Mapping[str, Any] = field(default_factory=dict)
    seeds: int | None = None
    log_x: bool = False
    log_y: bool = False
    title: str = ""
    together: bool = False  # all quantities in one panel, instead of a panel each
    bounds: tuple[str, ...] = ()  # predicted values drawn as limits

    @property
    def axes(self) -> dict[str, Any]:
        return {self.by: self.by_values, self.x: self.values} if self.by else {self.x: self.values}


@dataclass(frozen=True)
class SpectrumView:
    """The histogram of one spectrum with its predicted density and spike, at the claim's point."""

    spectrum: str
    x_label: str
    at: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    before: str = ""  # the name of a second spectrum drawn behind, such as the one at initialisation


@dataclass(frozen=True)
class HeatMapView:
    """One quantity over two parameters."""

    x: str
    x_values: Any
    y: str
    y_values: Any
    quantity: str
    at: Mapping[str, Any] = field(default_factory=dict)
    seeds: int | None = None
    log_x: bool = False
    log_y: bool = False
    title: str = ""

    @property
    def axes(self) -> dict[str, Any]:
        return {self.x: self.x_values, self.y: self.y_values}


@dataclass(frozen=True)
class TimeView:
    """Quantities that are curves themselves, such as a risk against time; `by` draws one pair per value."""

    quantities: tuple[str, ...]
    by: str = ""
    by_values: Any = ()
    at: Mapping[str, Any] = field(default_factory=dict)
    seeds: int | None = None
    log_x: bool = False
    log_y: bool = False
    title: str = ""

    @property
    def axes(self) -> dict[str, Any]:
        return {self.by: self.by_values} if self.by else {}


@dataclass(frozen=True)
class TrajectoryView:
    """Paths in a plane that the first seed went along (`Measurement.paths`), one panel for each value of `by`.

    Saved as .gif it moves. `references` are paths that are only drawn, as dashed lines.
    """

    paths: tuple[str, ...]
    x_label: str
    y_label: str
    references: tuple[str, ...] = ()
    by: str = ""
    by_values: Any = ()
    at: Mapping[str, Any] = field(default_factory=dict)
    seeds: int | None = None
    title: str = ""

    @property
    def axes(self) -> dict[str, Any]:
        return {self.by: self.by_values} if self.by else {}


View: TypeAlias = CurveView | SpectrumView | HeatMapView | TimeView | TrajectoryView
