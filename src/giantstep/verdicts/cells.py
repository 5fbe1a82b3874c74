"""Cells: what theory says at one point of a study and what each seed showed there, and their first statistics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol, Self, TypeAlias

import numpy as np

from giantstep.arrays import Array
from giantstep.verdicts.html import html_table
from giantstep.verdicts.resolution import Resolution
from giantstep.verdicts.stating.quantity import Quantity
from giantstep.verdicts.stating.values import Curve, Measurement, Prediction, Value, number_text

# The columns of a judgement in a table.
ROW = ("quantity", "predicted", "for the draws", "measured", "std. error", "allowed", "notices", "")

Status: TypeAlias = Literal["holds", "fails", "undecided", "outside"]

MOST_SEEDS = 1_000_000  # nobody takes more to decide something
THREE_SIGMA = 0.0027  # two-sided probability of a normal deviation beyond three standard deviations


class Point(Protocol):
    """What is judged: a set of parameters with a name. Claims are points."""

    @property
    def name(self) -> str: ...

    def parameters(self) -> dict[str, Any]: ...

    def key(self, without: Sequence[str] = ()) -> str: ...

    def replace(self, **changes: Any) -> Self: ...

    def outside(self, quantity: str) -> str:
        """The hypothesis that is violated here and on which this quantity rests; empty if all are met."""


@dataclass(frozen=True, eq=False, repr=False)
class Cell:
    """One point of a study with its seeds: what theory says and what each seed showed.

    Args:
        point: the point of a claim.
        prediction: what theory says there.
        measurements: one for each seed.
        seeds: the seeds, in the order of the measurements; 0, 1, ... unless given.
    """

    point: Point
    prediction: Prediction
    measurements: Sequence[Measurement] = ()
    seeds: Sequence[int] = ()

    def __post_init__(self) -> None:
        if not self.seeds:
            object.__setattr__(self, "seeds", tuple(range(len(self.measurements))))
        if len(self.seeds) != len(self.measurements):
            raise ValueError(f"{len(self.measurements)} measurements have {len(self.seeds)} seeds")

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value}" for name, value in self.point.parameters().items())
        return f"Cell({self.point.name} at {values}; {len(self.seeds)} seeds)"

    def _repr_html_(self) -> str:
        rows = [(name, number_text(self.prediction.values.get(name)), *self._told(name)) for name in self._names()]
        return html_table(("quantity", "predicted", "measured", "std. error"), rows, above=repr(self))

    def _names(self) -> list[str]:
        measured = (name for measurement in self.measurements for name in measurement.values)
        return list(dict.fromkeys([*self.prediction.values, *measured]))

    def _told(self, name: str) -> tuple[str, str]:
        """The mean over seeds of the quantity `name` and its error, in words."""
        values = self.values_of(name)
        try:
            mean, error = mean_and_error(values) if values else (None, None)
        except ValueError:  # curves whose places differ from seed to seed have no mean
            return "curves", ""
        return number_text(mean), error_text(error)

    def values_of(self, name: str) -> list[Value]:
        """The values of one quantity, seed by seed."""
        return list(self.by_seed(name).values())

    def mean_for_draws(self, name: str) -> Value | None:
        """The mean over seeds of the prediction for each draw of the quantity `name`; None where there is none."""
        known = [m.finite[name] for m in self.measurements if name in m.finite]
        return mean_and_error(known)[0] if known else None

    def by_seed(self, name: str) -> dict[int, Value]:
        pairs = zip(self.seeds, self.measurements, strict=True)
        return {seed: m.values[name] for seed, m in pairs if name in m.values}


@dataclass(frozen=True, eq=False, repr=False)
class Judgement:
    """One quantity at one point, or along one axis: the numbers and what they say.

    Args:
        quantity: what is judged.
        status: holds, fails, undecided, or outside where a hypothesis of the claim is violated.
        sentence: the numbers that say so.
        predicted: what theory says in the limit.
        measured: the mean over seeds.
        stderr: its standard error.
        gap: measured minus predicted.
        allowance: what finite size was granted, in the quantity's unit, at its worst place.
        point: the parameters where it was judged; along an axis, all but that of the axis.
        predicted_finite: the mean over seeds of the prediction for each draw, where there is one.
        gap_finite: the mean over seeds of measured minus predicted for the draw.
        gap_error: the standard error of `gap_finite`.
        counts: whether the verdict depends on it.
        key: the quantity's name among all of the claim, see `keyed`.
        seeds_needed: where it is undecided, about how many seeds would decide; None where nobody can tell.
        resolve: finds the resolution, when it is asked for.
    """

    quantity: Quantity
    status: Status
    sentence: str
    predicted: Value | None = None
    measured: Value | None = None
    stderr: Value | None = None
    gap: Value | None = None
    allowance: float = 0.0
    point: Mapping[str, Any] = field(default_factory=dict)
    predicted_finite: Value | None = None
    gap_finite: Value | None = None
    gap_error: Value | None = None
    counts: bool = True
    key: str = ""
    seeds_needed: int | None = None
    resolve: Callable[[], Resolution | None] | None = None

    @cached_property
    def resolution(self) -> Resolution | None:
        """The smallest error of theory that would have been noticed; None unless it holds and the verdict counts it."""
        return self.resolve() if self.resolve and self.counts and self.status == "holds" else None

    @property
    def reference(self) -> Value | None:
        """What the measurement is compared with: the prediction for the draws, or the limit."""
        on_draws = self.quantity.against == "finite" or self.predicted is None
        return self.predicted_finite if on_draws else self.predicted

    @property
    def for_draws(self) -> Value | None:
        """The prediction for the draws, where it is what the measurement is compared with; not the limit."""
        return self.predicted_finite if self.reference is self.predicted_finite else None

    @property
    def word(self) -> str:
        """What a table says of it: its status, or `reported` if the claim states nothing of it here."""
        return self.status if self.counts or self.status == "outside" else "reported"

    def __repr__(self) -> str:
        return f"Judgement({self.status}: {self.sentence})"

    @property
    def error_text(self) -> str:
        """Its standard error as a table shows it."""
        return error_text(self.stderr)

    def row(self) -> tuple[str, ...]:
        """What a table shows of it: the quantity, prediction, measurement and error, what is allowed and noticed."""
        values = (*map(number_text, (self.predicted, self.for_draws, self.measured)), self.error_text)
        allowed = f"{self.allowance:.3g}" if self.counts else ""
        notices = "" if self.resolution is None else str(self.resolution)
        return (self.key or self.quantity.name, *values, allowed, notices, self.word)

    def _repr_html_(self) -> str:
        return html_table(ROW, [self.row()], below=(self.sentence,))


def error_text(error: Value | None) -> str:
    """A standard error as a table shows it: one seed has none."""
    one_seed = error is not None and np.isinf(numbers(error)).any()
    return "needs 2 seeds" if one_seed else number_text(error)


def chance_factor(seeds: int, places: int = 1) -> float:
    """How many standard errors chance is granted: Student's t at three sigma, shared among `places`."""
    import scipy

    return float(scipy.special.stdtrit(seeds - 1, 1 - THREE_SIGMA / (2 * places))) if seeds > 1 else float("inf")


def enough_seeds(error: float, seeds: int, room: float, places: int = 1) -> int | None:
    """About how many seeds would bring chance within `room`; None if that takes more than a million.

    The standard `error` of the mean of so many `seeds` falls like the root of their number; chance is shared among so
    many `places`.

    >>> enough_seeds(0.1, 4, room=0.25)
    11
    """
    scatter = error * np.sqrt(seeds)
    count = 2
    while count <= MOST_SEEDS:
        if chance_factor(count, places) * scatter <= room * np.sqrt(count):
            return count
        count = max(count + 1, round(1.05 * count))
    return None


def tally(statuses: Sequence[str]) -> str:
    """How many of the claims with these `statuses` hold, are undecided, fail or lie outside; all four are always told.

    >>> tally(["holds", "undecided", "holds"])
    '2 hold, 1 undecided, 0 fail, 0 outside'
    """
    counts = {status: sum(one == status for one in statuses) for status in ("holds", "undecided", "fails", "outside")}
    verbs = {"holds": "holds" if counts["holds"] == 1 else "hold", "fails": "fails" if counts["fails"] == 1 else "fail"}
    return ", ".join(f"{count} {verbs.get(status, status)}" for status, count in counts.items())


def mean_and_error(values: Sequence[Value]) -> tuple[Value, Value]:
    """The mean over seeds of `values`, one a seed, and its error; infinite for one seed or an infinite mean."""
    first = values[0]
    if isinstance(first, Curve) and not all(_same_places(first, v) for v in values):
        raise ValueError("curves of different seeds must have the same places")
    rows = np.array([v.y if isinstance(v, Curve) else v for v in values], dtype=float)
    mean = rows.mean(axis=0)
    with np.errstate(invalid="ignore"):
        error = rows.std(axis=0, ddof=1) / np.sqrt(len(rows)) if len(rows) > 1 else np.full_like(mean, np.inf)
    error = np.where(np.isinf(mean), np.inf, error)
    if isinstance(first, Curve):
        return Curve(first.x, mean, first.x_name), Curve(first.x, error, first.x_name)
    return float(mean), float(error)


def difference(measured: Value, reference: Value) -> Value:
    """`measured` minus `reference`; a reference that is a curve is read at the places that were measured."""
    if isinstance(measured, Curve) and isinstance(reference, Curve) and not _same_places(measured, reference):
        inside = (measured.x >= reference.x.min()) & (measured.x <= reference.x.max())
        read = np.interp(measured.x, reference.x, reference.y)
        return Curve(measured.x, np.where(inside, measured.y - read, np.nan), measured.x_name)
    return like(measured, numbers(measured) - numbers(reference))


def numbers(value: Value) -> Array:
    """`value` as an array: a number is an array of one, a curve that of its values."""
    return np.atleast_1d(value.y if isinstance(value, Curve) else np.asarray(value, dtype=float))


def like(value: Value, array: Array) -> Value:
    """An array as the kind of value that another is."""
    return Curve(value.x, array, value.x_name) if isinstance(value, Curve) else float(array[0])


def _same_places(a: Curve, b: Value) -> bool:
    if not isinstance(b, Curve) or a.x.shape != b.x.shape:
        return False
    return a.x is b.x or np.array_equal(a.x, b.x) or bool(np.allclose(a.x, b.x))  # the last is slow and seldom needed


def shown(value: Value, error: Value | None) -> str:
    """`value` with its standard `error`, if it has one, as a sentence needs it."""
    if isinstance(value, Curve):
        return f"{value}"
    if error is None or not np.isfinite(numbers(error)).all():
        return f"{value:.4g}"
    return f"{value:.4g} ± {float(numbers(error)[0]):.2g}"
