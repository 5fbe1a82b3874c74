"""Judging a quantity along an axis: an exponent, or a direction of growth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from giantstep.arrays import Array
from giantstep.verdicts.at_points import NOISY, remedy
from giantstep.verdicts.cells import (
    Cell,
    Judgement,
    Status,
    chance_factor,
    enough_seeds,
    mean_and_error,
    numbers,
    shown,
)
from giantstep.verdicts.stating.quantity import Quantity


def lines_along(cells: Sequence[Cell], quantity: Quantity) -> list[list[Cell]]:
    """The lines of cells that differ in the axis' parameter only, in its order; empty if the axis was not run."""
    groups: dict[str, list[Cell]] = {}
    for cell in cells:
        inside = quantity.speaks_at(cell.point) and not cell.point.outside(quantity.name)
        if inside and cell.values_of(quantity.name):
            groups.setdefault(cell.point.key(without=(quantity.along,)), []).append(cell)
    lines = [sorted(g, key=lambda c: _coordinate(c, quantity.along)) for g in groups.values()]
    return [g for g in lines if len({_coordinate(c, quantity.along) for c in g}) >= 2]


def _coordinate(cell: Cell, along: str) -> float:
    return float(getattr(cell.point, along))


def judge_line(cells: Sequence[Cell], quantity: Quantity, places: int = 1) -> Judgement:
    """Judge an exponent or a direction of growth on one line of cells, in the order of the axis."""
    x = np.array([_coordinate(c, quantity.along) for c in cells])
    table = [c.by_seed(quantity.name) for c in cells]
    common = sorted(set.intersection(*(set(row) for row in table)))
    where = {k: v for k, v in cells[0].point.parameters().items() if k != quantity.along}
    if len(common) < 2:
        sentence = f"{quantity.name} along {quantity.along}: undecided{remedy(len(common), None)}"
        return Judgement(quantity, "undecided", sentence, point=where)
    rows = np.array([[numbers(row[seed]) for seed in common] for row in table], dtype=float)
    if rows.shape[2] != 1 or not np.isfinite(rows).all():
        what = "is a curve and has no single value" if rows.shape[2] != 1 else "has values that are not finite"
        return Judgement(quantity, "fails", f"{quantity.name} {what} along {quantity.along}: fails", point=where)
    judged = _slope if quantity.relation == "slope" else _trend
    return judged(cells[0], quantity, x, rows[:, :, 0], where, places)


def _slope(cell: Cell, quantity: Quantity, x: Array, rows: Array, where: dict[str, object], places: int) -> Judgement:
    """One least-squares exponent per seed: their scatter is the error of the mean exponent."""
    assert quantity.exponent is not None
    predicted = quantity.exponent(cell.point)
    if (rows <= 0).any() or (x <= 0).any():
        sentence = f"{quantity.name} is not positive everywhere along {quantity.along}, so it is no power: fails"
        return Judgement(quantity, "fails", sentence, predicted, point=where)
    slopes = np.polyfit(np.log(x), np.log(rows), 1)[0]
    measured, stderr = mean_and_error([float(s) for s in slopes])
    gap = float(numbers(measured)[0]) - predicted
    allowance = quantity.allowance(cell.point, predicted)
    chance = chance_factor(rows.shape[1], places) * float(numbers(stderr)[0])
    status: Status = "fails" if abs(gap) > allowance + chance else "holds"
    alone = chance_factor(rows.shape[1]) * float(numbers(stderr)[0])
    granted = chance if abs(gap) > allowance + alone else alone
    room, needed = max(allowance, NOISY * abs(predicted)), None
    sentence = f"exponent of {quantity.name} in {quantity.along} {shown(measured, stderr)}, predicted {predicted:g}: "
    if status == "holds" and granted > room:
        status, seeds = "undecided", rows.shape[1]
        needed = enough_seeds(float(numbers(stderr)[0]), seeds, room, places if granted > alone else 1)
        sentence += status + remedy(seeds, needed)
    else:
        sentence += status
    return Judgement(
        quantity, status, sentence, predicted, measured, stderr, gap, allowance, where, seeds_needed=needed
    )


def _trend(
    cell: Cell,  # noqa: ARG001  (the direction of growth is the same everywhere)
    quantity: Quantity,
    x: Array,
    rows: Array,
    where: dict[str, object],
    places: int,
) -> Judgement:
    """No step goes the wrong way beyond chance, and the whole change is beyond chance."""
    sign = 1.0 if quantity.relation == "increasing" else -1.0
    seeds = rows.shape[1]
    steps = sign * np.diff(rows, axis=0)
    means, errors = steps.mean(axis=1), steps.std(axis=1, ddof=1) / np.sqrt(seeds)
    total = sign * (rows[-1] - rows[0])
    total_error = float(total.std(ddof=1) / np.sqrt(seeds))
    wrong = (means < -chance_factor(seeds, places * len(means)) * errors).any()
    grown = total.mean() > chance_factor(seeds, places) * total_error
    status: Status = "fails" if wrong else "holds" if grown else "undecided"
    sentence = (
        f"{quantity.name} goes from {rows[0].mean():.4g} to {rows[-1].mean():.4g} along {quantity.along} "
        f"= {x[0]:g}..{x[-1]:g}, predicted {quantity.relation}: {status}"
    )
    change, needed = float(total.mean()), None
    if status == "undecided":
        needed = enough_seeds(total_error, seeds, change, places) if change > 0 else None
        sentence += remedy(seeds, needed)
    return Judgement(quantity, status, sentence, None, sign * change, total_error, point=where, seeds_needed=needed)
