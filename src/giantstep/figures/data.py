"""What a picture shows, as frozen descriptions: numbers and words, no drawing.

Numbers may be given as anything array-like; they are kept as read-only float64 arrays. NaN means "not
measured" or "not predicted": a gap in a line, a hatched cell in a heat map. Labels and captions may hold
`$...$` mathematics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from giantstep.errors import InputError
from giantstep.figures.ranked import RankingPicture
from giantstep.figures.series import Series, numbers, one_of, paired

SpikeKind = Literal["predicted", "measured", "edge"]


@dataclass(frozen=True, eq=False)
class CurvePicture:
    """Quantities along one axis.

    Args:
        title, x_label, y_label, caption: words; $...$ is mathematics.
        series: the rows of numbers, at least one.
        log_x, log_y: whether an axis is logarithmic; what is not positive is then left out.
        vertical_lines: (x, label) pairs, e.g. a threshold.
        equal_axes: whether one unit is as long on both axes.
    """

    title: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    log_x: bool = False
    log_y: bool = False
    caption: str = ""
    vertical_lines: Sequence[tuple[float, str]] = ()
    equal_axes: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "series", tuple(self.series))
        object.__setattr__(self, "vertical_lines", tuple(self.vertical_lines))
        if not self.series:
            raise InputError(f"the picture {self.title!r} has no series: give at least one")
        for place, label in self.vertical_lines:
            if not np.isfinite(place) or (self.log_x and place <= 0):
                raise InputError(f"the vertical line {label!r} at {place} has no place on the x axis: leave it out")
        columns = (series.columns(self.log_x, self.log_y) for series in self.series)
        if not any(np.isfinite(y).any() for _, y, _ in columns):
            positive = " and positive on a logarithmic axis" if self.log_x or self.log_y else ""
            raise InputError(f"the picture {self.title!r} has no point to show: values must be finite{positive}")


@dataclass(frozen=True, eq=False)
class SpectrumPicture:
    """A histogram of eigenvalues or singular values with the predicted density as a line.

    Densities are per value: all values, outliers included, have area one together.

    Args:
        title, x_label, caption: words; $...$ is mathematics.
        values: the sample, shape (K,), pooled over seeds; None where theory stands alone.
        density_x, density_y: the predicted density, both of one shape (M,).
        spikes: (position, label, kind): a `predicted` spike is a cross on the axis, a `measured` one an arrow, an
            `edge` a thin vertical line.
        before: a second sample, shape (L,), which stands behind in grey.
        values_label, before_label, density_label: what the legend calls them.
    """

    title: str
    x_label: str
    values: ArrayLike | None
    density_x: ArrayLike | None = None
    density_y: ArrayLike | None = None
    spikes: Sequence[tuple[float, str, SpikeKind]] = ()
    caption: str = ""
    before: ArrayLike | None = None
    values_label: str = "simulation"
    before_label: str = "before"
    density_label: str = "theory"

    def __post_init__(self) -> None:
        object.__setattr__(self, "spikes", tuple(self.spikes))
        for position, label, kind in self.spikes:
            one_of(kind, SpikeKind, f"the kind of spike {label!r}")
            if not np.isfinite(position):
                raise InputError(f"spike {label!r} stands at {position}: positions must be finite")
        for name in ("values", "before"):
            given = getattr(self, name)
            if given is not None:
                sample = numbers(given, f"{name} of {self.title!r}")
                if not np.isfinite(sample).any():
                    raise InputError(f"{name} of {self.title!r} holds no finite number: there is nothing to draw")
                object.__setattr__(self, name, sample)
        if self.values is None and self.density_x is None:
            raise InputError(f"the picture {self.title!r} has neither values nor a density: give one of them")
        if (self.density_x is None) != (self.density_y is None):
            raise InputError(f"the density of {self.title!r} needs both density_x and density_y")
        if self.density_x is not None and self.density_y is not None:
            x, y = paired(self.density_x, self.density_y, f"the density of {self.title!r}")
            object.__setattr__(self, "density_x", x)
            object.__setattr__(self, "density_y", y)


@dataclass(frozen=True, eq=False)
class HeatMapPicture:
    """One quantity over two axes.

    Args:
        title, x_label, y_label, caption: words; $...$ is mathematics.
        x, y: the places on the axes, shapes (K,) and (M,), increasing.
        values: the quantity, shape (M, K): `values[j, i]` belongs to (x[i], y[j]); NaN is hatched.
        value_label: the words at the colour bar.
        boundary: a predicted curve (bx, by), both of one shape.
        log_x, log_y: whether an axis is logarithmic.
        boundary_label: what the legend calls the curve.
    """

    title: str
    x_label: str
    y_label: str
    x: ArrayLike
    y: ArrayLike
    values: ArrayLike
    value_label: str
    boundary: tuple[ArrayLike, ArrayLike] | None = None
    caption: str = ""
    log_x: bool = False
    log_y: bool = False
    boundary_label: str = "theory"

    def __post_init__(self) -> None:
        for name, log in (("x", self.log_x), ("y", self.log_y)):
            axis = numbers(getattr(self, name), f"{name} of {self.title!r}")
            if not np.isfinite(axis).all() or np.any(np.diff(axis) <= 0):
                raise InputError(f"{name} of {self.title!r} must be finite and increasing")
            if log and axis[0] <= 0:
                raise InputError(f"{name} of {self.title!r} must be positive on a logarithmic axis")
            object.__setattr__(self, name, axis)
        values = numbers(self.values, f"values of {self.title!r}", dimensions=2)
        shape = (np.size(self.y), np.size(self.x))
        if values.shape != shape:
            raise InputError(f"values of {self.title!r} have shape {values.shape}; (len(y), len(x)) is {shape}")
        if not np.isfinite(values).any():
            raise InputError(f"values of {self.title!r} hold no finite number: there is nothing to draw")
        object.__setattr__(self, "values", values)
        if self.boundary is not None:
            object.__setattr__(self, "boundary", paired(*self.boundary, f"the boundary of {self.title!r}"))


@dataclass(frozen=True, eq=False)
class TrajectoryPicture:
    """Paths in a plane: each an open circle at the start, a dot at the end.

    Args:
        title, x_label, y_label, caption: words; $...$ is mathematics.
        paths: series: `theory` and `reference` paths are lines, `simulation` a thin line with small marks.
        marks: places (x, y, label).
        equal_axes: whether one unit is as long on both axes.
    """

    title: str
    x_label: str
    y_label: str
    paths: Sequence[Series]
    marks: Sequence[tuple[float, float, str]] = ()
    caption: str = ""
    equal_axes: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "paths", tuple(self.paths))
        object.__setattr__(self, "marks", tuple(self.marks))
        if not self.paths:
            raise InputError(f"the picture {self.title!r} has no path: give at least one")
        if not any(np.isfinite(path.columns()[1]).any() for path in self.paths):
            raise InputError(f"the picture {self.title!r} has no point to show: values must be finite")


@dataclass(frozen=True, eq=False)
class StaircasePicture:
    """Steps going down.

    Args:
        title, x_label, y_label, caption: words; $...$ is mathematics.
        levels: what is new on each of the T levels, in words.
        parts: shape (T, K), zero or more: the height of level t is the sum of `parts[t]`, stacked in shades.
        part_labels: what the legend calls the K parts.
        highlight: the label of the part that has a colour that stands out.
    """

    title: str
    x_label: str
    y_label: str
    levels: Sequence[str]
    parts: ArrayLike
    part_labels: Sequence[str]
    highlight: str = ""
    caption: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "levels", tuple(self.levels))
        object.__setattr__(self, "part_labels", tuple(self.part_labels))
        parts = numbers(self.parts, f"parts of {self.title!r}", dimensions=2)
        shape = (len(self.levels), len(self.part_labels))
        if parts.shape != shape:
            raise InputError(f"parts of {self.title!r} have shape {parts.shape}; (levels, part_labels) is {shape}")
        if not np.isfinite(parts).all() or np.any(parts < 0):
            raise InputError(f"parts of {self.title!r} must be finite and zero or more")
        object.__setattr__(self, "parts", parts)


SinglePicture: TypeAlias = (
    CurvePicture | SpectrumPicture | HeatMapPicture | TrajectoryPicture | StaircasePicture | RankingPicture
)


@dataclass(frozen=True, eq=False)
class PanelPicture:
    """Several pictures side by side, at most three in a row.

    Args:
        title, caption: words; the panels' captions follow its own.
        panels: the pictures, at least one.
        first: how many panels came before, on other sheets: letters go on from there.
    """

    title: str
    panels: Sequence[SinglePicture]
    caption: str = ""
    first: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "panels", tuple(self.panels))
        if not self.panels:
            raise InputError(f"the picture {self.title!r} has no panel: give at least one")
        for panel in self.panels:
            if not isinstance(panel, SinglePicture):
                raise InputError(
                    f"a panel of {self.title!r} is a {type(panel).__name__}; allowed are curve, spectrum, "
                    "heat map, trajectory, staircase and ranking pictures"
                )


Picture: TypeAlias = SinglePicture | PanelPicture
