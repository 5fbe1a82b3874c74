"""Views: the default studies of a claim, which `verify` runs and every page shows.

A claim writes them as `view.Curve("step", "0:8:9", ("spike",))`. What all views take is written once, in `View`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from giantstep.claims.axes import Axis


@dataclass(frozen=True, kw_only=True)
class View:
    """A study that belongs to a claim, and its picture.

    Args:
        at: parameters in which its points differ from the claim's own point.
        seeds: how many of them, if not as many as the claim has by default.
        title: what stands above the picture.
        log_x: whether its horizontal axis is logarithmic.
        log_y: whether its vertical axis is logarithmic.
    """

    at: Mapping[str, Any] = field(default_factory=dict)
    seeds: int | None = None
    title: str = ""
    log_x: bool = False
    log_y: bool = False

    @cached_property
    def axes(self) -> tuple[Axis, ...]:
        """The axes of its grid; none for a view of one point."""
        return ()


@dataclass(frozen=True, kw_only=True)
class BranchedView(View):
    """A view that is drawn once for each value of a parameter.

    Args:
        by: the parameter, if there is one.
        by_values: its values, as an axis is written.
    """

    by: str = ""
    by_values: Any = ()

    @cached_property
    def branches(self) -> tuple[Any, ...]:
        """The values of `by`; None alone where there is no such parameter."""
        return self.by_axis[0].values if self.by else (None,)

    @cached_property
    def by_axis(self) -> tuple[Axis, ...]:
        """The axis of `by`, if there is one."""
        return (Axis.read(self.by, self.by_values),) if self.by else ()

    @cached_property
    def axes(self) -> tuple[Axis, ...]:
        return self.by_axis


@dataclass(frozen=True)
class Curve(BranchedView):
    """Quantities against one parameter, theory as lines and simulation as marks, one pair for each value of `by`.

    Args:
        x: the parameter.
        values: its values, as an axis is written.
        quantities: their names.
        together: whether all quantities stand in one panel, instead of a panel each.
        bounds: predicted values that are drawn as limits.
        y_label: words on the vertical axis that the quantities of a panel share, if theirs would be too many.
        unjudged: what a line of theory is that marks are not held against: words of its legend that say why they differ
            from it, if there is more to say than what is judged instead.
        line_places: predictions that its picture may compute for a line besides those of the study, if not as many as
            the claim says: more where theory jumps and these points are cheap.
    """

    x: str
    values: Any
    quantities: tuple[str, ...]
    together: bool = field(default=False, kw_only=True)
    bounds: tuple[str, ...] = field(default=(), kw_only=True)
    y_label: str = field(default="", kw_only=True)
    unjudged: str = field(default="", kw_only=True)
    line_places: int | None = field(default=None, kw_only=True)

    @cached_property
    def x_axis(self) -> Axis:
        return Axis.read(self.x, self.values)

    @cached_property
    def axes(self) -> tuple[Axis, ...]:
        return (*self.by_axis, self.x_axis)


@dataclass(frozen=True)
class Spectrum(View):
    """The histogram of one spectrum with its predicted density and spike, at the claim's point.

    Args:
        spectrum: its name in `Measurement.spectra`.
        x_label: what its values are.
        before: the name of a second spectrum drawn behind, such as the one at initialisation.
    """

    spectrum: str
    x_label: str
    before: str = field(default="", kw_only=True)


@dataclass(frozen=True)
class HeatMap(View):
    """One quantity over two parameters.

    Args:
        x: the parameter of the horizontal axis.
        x_values: its values, as an axis is written.
        y: the parameter of the vertical axis.
        y_values: its values, as an axis is written.
        quantity: the name of the quantity.
    """

    x: str
    x_values: Any
    y: str
    y_values: Any
    quantity: str

    @cached_property
    def axes(self) -> tuple[Axis, ...]:
        return Axis.read(self.x, self.x_values), Axis.read(self.y, self.y_values)


@dataclass(frozen=True)
class Time(BranchedView):
    """Quantities that are curves themselves, such as a risk against time, one pair for each value of `by`.

    Args:
        quantities: their names.
    """

    quantities: tuple[str, ...]


@dataclass(frozen=True)
class Trajectory(BranchedView):
    """Paths in a plane that the first seed went along, one panel for each value of `by`. Saved as .gif it moves.

    Args:
        paths: their names in `Measurement.paths`.
        x_label: what their first coordinate is.
        y_label: what their second coordinate is.
        references: paths that are only drawn, as dashed lines.
    """

    paths: tuple[str, ...]
    x_label: str
    y_label: str
    references: tuple[str, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class Plane(BranchedView):
    """Points of the first seed in a plane, such as complex eigenvalues, with a predicted circle around 0 and a mark.

    Args:
        points: their name in `Measurement.paths`, one path that holds them all.
        x_label: what their first coordinate is.
        y_label: what their second coordinate is.
        circle: the quantity whose predicted value is the radius of the circle.
        mark: the quantity whose predicted value is marked on the first axis where it is beyond the circle.
    """

    points: str
    x_label: str
    y_label: str
    circle: str = field(default="", kw_only=True)
    mark: str = field(default="", kw_only=True)
