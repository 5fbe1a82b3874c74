"""Finite-size scaling: how the gap between theory and simulation shrinks as the problem grows.

The gap of a quantity is fitted by c size^(-a), by weighted least squares on the signed means: their standard errors
are the weights, so that a size at which nothing can be seen pulls at nothing.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.claims import statement
from giantstep.errors import InputError
from giantstep.figures import CurvePicture, PanelPicture, Picture, Series
from giantstep.studies.results import Results
from giantstep.verdicts import Cell, difference, mean_and_error, numbers
from giantstep.verdicts.stating import Curve, Quantity

RESOLVED = 2.0  # standard errors from which on a gap is taken for one
STEEPEST = 10.0  # no finite-size effect falls faster than this power


@dataclass(frozen=True, eq=False, repr=False)
class SizeScaling:
    """The gap of one quantity at several sizes, and its exponent where the gap can be seen.

    Args:
        quantity: its name.
        size: the parameter along which the problem grows.
        sizes: values of that parameter, rising, (k,).
        gaps: measured minus predicted at each size, (k,), in the quantity's unit.
        errors: their standard errors, (k,).
        scale: the largest prediction in absolute value.
        exponent: a of the fit c (size / sizes[0])^(-a); None where no gap is seen beyond chance.
        exponent_error: its standard error.
        constant: c, the gap of the fit at the smallest size.
    """

    quantity: str
    size: str
    sizes: Array
    gaps: Array
    errors: Array
    scale: float
    exponent: float | None = None
    exponent_error: float | None = None
    constant: float | None = None

    @property
    def sentence(self) -> str:
        if not len(self.sizes):
            return f"{self.quantity}: no sizes"
        last = f"{self.gaps[-1]:+.2g} ± {self.errors[-1]:.1g} at {self.size} = {self.sizes[-1]:g}"
        if self.exponent is None or self.exponent_error is None:
            most = float(np.max(np.abs(self.gaps) + RESOLVED * self.errors))
            return f"{self.quantity}: no gap is seen beyond chance ({last}; nowhere more than {most:.2g})"
        decided = abs(self.exponent) > RESOLVED * self.exponent_error
        kind = "shrinks" if self.exponent > 0 else "grows"
        return (
            f"{self.quantity}: the gap {kind if decided else 'goes'} like {self.size}^"
            f"({-self.exponent:.2f} ± {self.exponent_error:.2f}), {last}"
        )

    def __repr__(self) -> str:
        return f"SizeScaling({self.sentence})"

    def line(self, places: Array) -> Array:
        """|gap| of the fit at some sizes (`places`)."""
        assert self.constant is not None
        assert self.exponent is not None
        return np.asarray(abs(self.constant) * (places / self.sizes[0]) ** -self.exponent)


def scalings(results: Results, size: str) -> list[SizeScaling]:
    """The finite-size scaling of every number that the claim predicts, along one axis of a study.

    Args:
        results: the study, with two seeds or more at two sizes or more.
        size: the parameter that is the size, of positive numbers.
    """
    if not isinstance(getattr(results.claim, size, None), int | float):
        raise InputError(f"'{size}' is no size: name a numeric parameter of {results.claim.name}")
    cells = sorted((c for c in results.cells if c.measurements), key=lambda c: float(getattr(c.point, size)))
    if len({getattr(c.point, size) for c in cells}) < 2:
        raise InputError(f"a gap can only be seen to shrink at two or more values of '{size}'")
    if getattr(cells[0].point, size) <= 0:
        raise InputError(f"'{size}' is no size: it must be positive, and begins at {getattr(cells[0].point, size)}")
    found = []
    stated = {q.name: q for q in results.claim.stated() if q.relation == "equal"}
    for name, quantity in stated.items():
        pairs = [(float(getattr(c.point, size)), *_gap(c, quantity)) for c in cells if _can_be_compared(c, quantity)]
        if len(pairs) >= 2:
            sizes, gaps, errors, levels = (np.array(column) for column in zip(*pairs, strict=True))
            found.append(_fitted(SizeScaling(name, size, sizes, gaps, errors, float(np.abs(levels).max()))))
    if not found:
        raise InputError(f"{results.claim.name} predicts no number to be met in the limit: nothing can converge")
    return found


def _can_be_compared(cell: Cell, quantity: Quantity) -> bool:
    known = quantity.name in cell.prediction.values or all(quantity.name in m.finite for m in cell.measurements)
    return known and quantity.speaks_at(cell.point) and len(cell.values_of(quantity.name)) >= 2


def _gap(cell: Cell, quantity: Quantity) -> tuple[float, float, float]:
    """Measured minus predicted, its standard error, and the prediction; a curve is averaged over its places."""
    name = quantity.name
    limit = cell.prediction.values.get(name)
    rows = []
    for m in cell.measurements:
        reference = limit if limit is not None else m.finite[name]
        rows.append(float(np.nanmean(numbers(difference(m.values[name], reference)))))
    mean, error = mean_and_error([float(r) for r in rows])
    level = limit if limit is not None else cell.measurements[0].finite[name]
    shown = float(np.mean(numbers(level))) if isinstance(level, Curve) else float(level)
    assert isinstance(mean, float)
    assert isinstance(error, float)
    return mean, error, shown


def _fitted(raw: SizeScaling) -> SizeScaling:
    """The exponent, if at least two sizes show a gap beyond chance."""
    errors = np.maximum(raw.errors, 1e-15 * max(raw.scale, 1e-300))
    seen = np.abs(raw.gaps) > RESOLVED * errors
    if seen.sum() < 2:
        return raw
    relative = raw.sizes / raw.sizes[0]
    slope, level = np.polyfit(np.log(relative[seen]), np.log(np.abs(raw.gaps[seen])), 1)
    start = (float(np.sign(raw.gaps[seen][0]) * np.exp(level)), float(np.clip(-slope, -STEEPEST, STEEPEST)))
    try:
        with warnings.catch_warnings():  # an exponent that the gaps do not determine has an infinite error
            warnings.simplefilter("ignore", scipy.optimize.OptimizeWarning)
            (constant, exponent), covariance = scipy.optimize.curve_fit(
                lambda x, c, a: c * x**-a, relative, raw.gaps, p0=start, sigma=errors, absolute_sigma=True
            )
    except RuntimeError:
        return raw
    error = float(np.sqrt(covariance[1, 1]))
    c, a = float(constant), float(exponent)
    if not np.isfinite([c, a, error]).all() or abs(a) > STEEPEST:
        return raw
    return replace(raw, exponent=a, exponent_error=error, constant=c)


def scaling_picture(results: Results, found: list[SizeScaling]) -> Picture:
    """Every gap against size on logarithmic axes, with the fitted power.

    Args:
        results: the study that was scaled.
        found: what `scalings` found in it.
    """
    panels = tuple(_panel(one) for one in found if (one.gaps != 0).any())
    if not panels:
        raise InputError("every gap is exactly zero: there is nothing to draw")
    title = f"Finite-size scaling. {statement(type(results.claim))}"
    return panels[0] if len(panels) == 1 else PanelPicture(title, panels)


def _panel(one: SizeScaling) -> CurvePicture:
    marks = Series("|measured - predicted|", one.sizes, np.abs(one.gaps), one.errors, kind="simulation", group="gap")
    series = [marks, Series("two standard errors", one.sizes, RESOLVED * one.errors, kind="reference")]
    if one.exponent is not None:
        places = np.geomspace(one.sizes.min(), one.sizes.max(), 41)
        label = f"{one.size}^({-one.exponent:.2f} ± {one.exponent_error:.2f})"
        series.append(Series(label, places, one.line(places), kind="theory", group="gap"))
    name = one.quantity.replace("_", " ")
    return CurvePicture(name, one.size, f"gap of {name}", tuple(series), log_x=True, log_y=True)
