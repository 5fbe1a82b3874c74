"""Judging one quantity at one point: the distance between prediction and measurement, finite size and chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.verdicts.cells import (
    Cell,
    Judgement,
    Point,
    Status,
    chance_factor,
    difference,
    enough_seeds,
    mean_and_error,
    numbers,
    shown,
)
from giantstep.verdicts.stating.allowances import AllowanceRule
from giantstep.verdicts.stating.quantity import Quantity
from giantstep.verdicts.stating.values import Curve, Value

MOST_REASONABLE = 2000  # seeds; nobody takes more, and a larger problem scatters less
NOISY = 0.25  # chance may hide this fraction of a prediction; beyond it (and the allowance) nothing is decided


def judge_point(cell: Cell, quantity: Quantity, places: int = 1) -> Judgement | None:
    """Judge one quantity at one point; None if the claim does not speak of it there and nothing was measured."""
    values = cell.values_of(quantity.name)
    predicted = cell.prediction.values.get(quantity.name)
    facts: dict[str, Any] = {"predicted": predicted, "point": cell.point.parameters()}
    counts = quantity.relation != "reported" and quantity.speaks_at(cell.point)
    finite = [m.finite[quantity.name] for m in cell.measurements if quantity.name in m.finite]
    if not values:
        if counts and not cell.measurements:  # stopped before the first seed was done
            return Judgement(quantity, "undecided", f"{quantity.name} was not measured yet: undecided", **facts)
        if counts:
            return Judgement(quantity, "fails", f"{quantity.name} was not measured: fails", **facts)
        if finite and predicted is None:
            facts["predicted_finite"] = mean = mean_and_error(finite)[0]
            told = f"{quantity.name} for these draws {shown(mean, None)}"
            return Judgement(quantity, "holds", told, counts=False, **facts)
        told = f"{quantity.name} predicted {shown(predicted, None)}" if predicted is not None else ""
        return Judgement(quantity, "holds", told, counts=False, **facts) if told else None
    facts["measured"], facts["stderr"] = measured, stderr = mean_and_error(values)
    if predicted is not None:
        facts["gap"] = difference(measured, predicted)
    if len(finite) == len(values):
        # Seed by seed the draw's own fluctuation cancels: the error that counts is that of the differences.
        pairs = [difference(v, f) for v, f in zip(values, finite, strict=True)]
        facts["gap_finite"], facts["gap_error"] = mean_and_error(pairs)
        facts["predicted_finite"] = mean_and_error(finite)[0]
    if not counts:
        return Judgement(quantity, "holds", f"{quantity.name} {shown(measured, stderr)}", counts=False, **facts)
    on_draws = quantity.against == "finite"
    reference = facts.get("predicted_finite") if on_draws else predicted
    if reference is None:
        return Judgement(quantity, "fails", f"{quantity.name} was not predicted: fails", **facts)
    return _compared(cell.point, quantity, facts, reference, on_draws, len(values), places)


def _compared(
    point: Point, quantity: Quantity, facts: dict[str, Any], reference: Value, on_draws: bool, seeds: int, places: int
) -> Judgement:
    gap, error = (facts["gap_finite"], facts["gap_error"]) if on_draws else (facts["gap"], facts["stderr"])
    allowances = _allowances(point, quantity, quantity.allowance, reference, gap)
    status, worst = _status(quantity, gap, error, allowances, reference, seeds, places)
    facts["allowance"] = float(allowances[worst])
    sentence = _sentence(quantity, facts, worst, on_draws, status)
    if status == "undecided":
        facts["seeds_needed"] = _enough(quantity, gap, error, allowances, reference, seeds, places)
        sentence += remedy(seeds, facts["seeds_needed"])
    if on_draws and quantity.limit is not None and facts["predicted"] is not None:
        # The draw decides sharply; the limit itself must not be missed by more than its own allowance and chance.
        wide = _allowances(point, quantity, quantity.limit, facts["predicted"], facts["gap"])
        far, place = _status(quantity, facts["gap"], facts["stderr"], wide, facts["predicted"], seeds, places)
        if far == "fails":
            status = "fails"
            facts["seeds_needed"] = None
            facts["allowance"] = float(wide[place])
            sentence = _sentence(quantity, facts, place, False, status)
    return Judgement(quantity, status, sentence, **facts)


def _status(
    quantity: Quantity, gap: Value, error: Value, allowance: Array, reference: Value, seeds: int, places: int
) -> tuple[Status, int]:
    """The status over all places of a value, and the place that is worst."""
    gaps = numbers(gap)
    excess = {"equal": np.abs(gaps), "at least": -gaps, "at most": gaps}[quantity.relation]
    worst = int(np.argmax(np.where(np.isfinite(excess), excess - allowance, np.inf)))
    if not np.isfinite(excess).all() or np.isnan(allowance).any():
        return "fails", worst
    if seeds < 2:
        return "undecided", worst
    errors = np.broadcast_to(numbers(error), gaps.shape)
    chance = chance_factor(seeds, places * len(gaps)) * errors
    if (excess > allowance + chance).any():
        return "fails", worst
    # What is within the allowance beyond chance is decided, however noisy the measurement.
    settled = excess + chance <= allowance
    scale = np.abs(numbers(reference)) if _fits(gap, reference) else np.zeros_like(gaps)
    alone = chance_factor(seeds) * errors
    # Where a single place would fail by itself, only a sharp measurement may put it down to the number of places.
    broken = excess > allowance + alone
    room = _room(quantity, excess, allowance, scale, broken)
    too_noisy = np.where(settled, -np.inf, np.where(broken, chance, alone) - room)
    return ("undecided", int(np.argmax(too_noisy))) if (too_noisy > 0).any() else ("holds", worst)


def _room(quantity: Quantity, excess: Array, allowance: Array, scale: Array, broken: NDArray[np.bool_]) -> Array:
    """How far chance may reach at each place before nothing is decided there.

    A bound that is `broken` at one place by more than chance at that place never holds for there being many places:
    chance must come below the excess itself, and then it fails, unless more seeds show that it is not broken.
    """
    room = np.maximum(allowance, NOISY * scale)
    return room if quantity.relation == "equal" else np.where(broken, excess - allowance, room)


def _enough(
    quantity: Quantity, gap: Value, error: Value, allowance: Array, reference: Value, seeds: int, places: int
) -> int | None:
    """About how many seeds would decide at every place of a value; None where nobody can tell."""
    if seeds < 2:
        return None
    gaps = numbers(gap)
    excess = {"equal": np.abs(gaps), "at least": -gaps, "at most": gaps}[quantity.relation]
    scale = np.abs(numbers(reference)) if _fits(gap, reference) else np.zeros_like(gaps)
    errors = np.broadcast_to(numbers(error), gaps.shape)
    broken = excess > allowance + chance_factor(seeds) * errors
    rooms = _room(quantity, excess, allowance, scale, broken)
    needed, sharing = 2, places * len(gaps)
    for over, allowed, room, e, shared in zip(excess, allowance, rooms, errors, broken, strict=True):
        if over + chance_factor(seeds, sharing) * e <= allowed:
            continue
        found = enough_seeds(float(e), seeds, float(room), sharing if shared else 1)
        if found is None:
            return None
        needed = max(needed, found)
    return needed


def remedy(seeds: int, needed: int | None) -> str:
    """Why nothing is decided, and what would decide it."""
    if seeds < 2:
        return ", for one seed has no standard error; take several"
    if needed and needed > MOST_REASONABLE:
        return (
            f", {seeds} seeds are too few, and no reasonable number would do (about {_rounded(needed)}): "
            "another point, such as a larger size, may decide"
        )
    return f", {seeds} seeds are too few" + (f", about {needed} would do" if needed else "")


def _rounded(count: int) -> int:
    """Two digits: nobody knows more of it."""
    return int(float(f"{count:.2g}"))


def _fits(gap: Value, reference: Value) -> bool:
    return numbers(gap).shape == numbers(reference).shape


def _allowances(point: Point, quantity: Quantity, allowance: AllowanceRule, reference: Value, gap: Value) -> Array:
    """The allowance at each place: along a curve over a parameter, that of the point with this parameter's value."""
    values = numbers(reference)
    if isinstance(gap, Curve) and isinstance(reference, Curve) and not _fits(gap, reference):
        values = np.interp(gap.x, reference.x, reference.y)
    points = quantity.points_along(point, gap) if isinstance(gap, Curve) else [point] * len(values)
    return np.array([allowance(p, float(v)) for p, v in zip(points, values, strict=True)])


def _sentence(quantity: Quantity, facts: Mapping[str, Any], worst: int, on_draws: bool, status: Status) -> str:
    measured, gap = facts["measured"], facts["gap_finite" if on_draws else "gap"]
    m, e, g = (float(numbers(v)[worst]) for v in (measured, facts["stderr"], gap))
    at = f" at {measured.x_name} = {measured.x[worst]:.4g}" if isinstance(measured, Curve) else ""
    relation = "predicted" if quantity.relation == "equal" else quantity.relation
    p = m - g
    comparable = abs(p) > 1e-12 and abs(p) > 0.1 * abs(g)
    size = f"{100 * g / p:+.1f} %" if comparable else f"{g:+.2g}"
    draws = " for these draws" if on_draws else ""
    return f"{quantity.name}{at} {shown(m, e)}, {relation} {p:.4g}{draws}, gap {size}: {status}"
