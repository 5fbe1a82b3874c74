"""Judging again with theory made wrong: the smallest error that the same measurement would have refuted.

The prediction p is made wrong on purpose, p (1 + e) or p + e, its allowance asked anew, and the same numbers are judged
again by the same judge: the smallest e at which they fail is found by bisection. Only "fails" counts as noticed. If
"undecided" did too, the noisiest measurements would seem the sharpest: a prediction a little smaller is soon less than
four times the noise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from giantstep.verdicts.along_axes import judge_line
from giantstep.verdicts.at_points import judge_point
from giantstep.verdicts.cells import Cell, Judgement, mean_and_error, numbers
from giantstep.verdicts.resolution import MOST_ERROR, MOST_FACTOR, Resolution
from giantstep.verdicts.stating.quantity import Quantity
from giantstep.verdicts.stating.values import Curve, Value

LEAST_ERROR = 1e-9
PRECISION = 1.001  # of the bisection, as a ratio
NIL = 1e-9  # a prediction that is so small a part of what is measured or allowed is 0 but for rounding


def resolution_at(cell: Cell, quantity: Quantity, places: int = 1) -> Resolution | None:
    """The resolution of a quantity at a point, with its prediction and those for each draw wrong by the same part.

    None where the quantity is not judged there, or does not hold.

    Args:
        cell: the point with what its seeds showed.
        quantity: what is judged there: the whole of it is scaled if it is a curve.
        places: among how many judgements chance was shared.
    """
    judged = judge_point(cell, quantity, places)
    if judged is None or not judged.counts or judged.status != "holds":
        return None

    def fails(scale: float, shift: float) -> bool:
        try:
            wrong = judge_point(_altered(cell, quantity.name, scale, shift), quantity, places)
        except ZeroDivisionError:  # an allowance that divides by the prediction allows anything where that is 0
            return False
        return wrong is not None and wrong.status == "fails"

    unit = _unit_if_predicted_nothing(judged)
    if unit or (quantity.is_exponent and quantity.relation != "equal"):
        unit = unit or 1.0
        up = unit * _smallest(lambda e: fails(1, unit * e), MOST_FACTOR)
        down = unit * _smallest(lambda e: fails(1, -unit * e), MOST_FACTOR)
        return Resolution(up, down, "absolute" if quantity.relation == "equal" else "margin")
    if quantity.relation == "equal":
        up = _smallest(lambda e: fails(1 + e, 0), MOST_ERROR)
        down = _smallest(lambda e: fails(1 - e, 0), MOST_ERROR)
        return Resolution(up, down, "relative")
    up = 1 + _smallest(lambda e: fails(1 + e, 0), MOST_FACTOR)
    down = 1 + _smallest(lambda e: fails(1 / (1 + e), 0), MOST_FACTOR)
    return Resolution(up, down, "factor")


def resolution_along(line: Sequence[Cell], quantity: Quantity, places: int = 1) -> Resolution | None:
    """The resolution of an exponent or of a trend along a line of cells; None if it does not hold.

    Args:
        line: the cells in the order of the axis.
        quantity: a slope, or a trend.
        places: among how many judgements chance was shared.
    """
    judged = judge_line(line, quantity, places)
    if judged.status != "holds":
        return None
    if quantity.exponent is None:
        assert isinstance(judged.measured, float)
        step_back = max(_least_step_back(line, quantity, places, i, judged.measured) for i in range(1, len(line)))
        return Resolution(step_back, step_back, "reversal")
    exponent = quantity.exponent

    def fails(shift: float) -> bool:
        wrong = replace(quantity, exponent=lambda point: exponent(point) + shift)
        return judge_line(line, wrong, places).status == "fails"

    return Resolution(_smallest(fails, MOST_ERROR), _smallest(lambda e: fails(-e), MOST_ERROR), "absolute")


def _least_step_back(line: Sequence[Cell], quantity: Quantity, places: int, at: int, change: float) -> float:
    """The smallest step back before the cell number `at` that would be seen, as a part of the whole `change`."""
    name = quantity.name
    before, after = (mean_and_error(cell.values_of(name))[0] for cell in line[at - 1 : at + 1])
    step = float(numbers(after)[0] - numbers(before)[0])

    def fails(part: float) -> bool:
        moved = [_moved(cell, name, -step - part * change) for cell in line[at:]]
        return judge_line([*line[:at], *moved], quantity, places).status == "fails"

    return _smallest(fails, MOST_ERROR)


def _moved(cell: Cell, name: str, shift: float) -> Cell:
    """The cell, had each seed shown so much more."""
    changed = [replace(m, values={**m.values, name: _changed(m.values[name], 1, shift)}) for m in cell.measurements]
    return replace(cell, measurements=changed)


def _altered(cell: Cell, name: str, scale: float, shift: float) -> Cell:
    """The cell with a wrong prediction of one quantity: in the limit and for each draw."""
    theory = replace(cell.prediction, values=_with_changed(cell.prediction.values, name, scale, shift))
    shown = [
        replace(m, finite=_with_changed(m.finite, name, scale, shift)) if name in m.finite else m
        for m in cell.measurements
    ]
    return replace(cell, prediction=theory, measurements=shown)


def _with_changed(values: Any, name: str, scale: float, shift: float) -> Any:
    return {**values, name: _changed(values[name], scale, shift)} if name in values else values


def _changed(value: Value, scale: float, shift: float) -> Value:
    if isinstance(value, Curve):
        return Curve(value.x, scale * value.y + shift, value.x_name)
    return scale * value + shift


def _unit_if_predicted_nothing(judged: Judgement) -> float:
    """Where the prediction is 0, the size of what is measured or allowed, in which errors are looked for; else 0."""
    assert judged.reference is not None
    assert judged.measured is not None
    assert judged.stderr is not None
    unit = judged.allowance + max(float(np.max(np.abs(numbers(v)))) for v in (judged.measured, judged.stderr))
    predicted = float(np.max(np.abs(numbers(judged.reference))))
    return (unit or 1.0) if predicted <= NIL * unit else 0.0


def _smallest(fails: Callable[[float], bool], most: float) -> float:
    """The smallest error, up to `most`, that fails: looked for in steps of a factor 4, one of which is 1, then halved.

    Steps from below, since a very wide allowance that grows with the prediction may excuse what is entirely wrong.

    >>> round(_smallest(lambda e: e > 0.37, 10), 3), _smallest(lambda e: False, 10)
    (0.37, inf)
    """
    low, high = LEAST_ERROR, 4.0**-5
    while not fails(high):
        if high >= most:
            return float("inf")
        low, high = high, min(4 * high, most)
    while high > PRECISION * low:
        middle = float(np.sqrt(low * high))
        low, high = (low, middle) if fails(middle) else (middle, high)
    return high
