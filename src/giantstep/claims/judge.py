"""One judge for all claims: predictions and measurements in, a verdict with numbers out.

A quantity measured with K seeds has a mean m, a standard error e and a prediction p. The distance |m - p| may have two
honest causes: finite size, for which the claim states an allowance A and its reason, and chance, for which the judge
grants t e, where t is the Student quantile with K - 1 degrees of freedom at the level of three standard deviations,
shared among the places judged at the same time (Bonferroni). Beyond A + t e the quantity fails. If e exceeds both A
and a tenth of p, the measurement is too noisy to say anything and the quantity is undecided: more seeds are needed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from giantstep.claims.base import Claim
from giantstep.claims.quantities import Quantity
from giantstep.claims.values import Array, Curve, Measurement, Prediction, Value

Status: TypeAlias = Literal["holds", "fails", "undecided"]

NOISY = 0.1  # a standard error above this fraction of the prediction leaves it untested
THREE_SIGMA = 0.0027  # two-sided probability of a normal deviation beyond three standard deviations


@dataclass(frozen=True, eq=False)
class Cell:
    """One point of a study: what theory says and what each seed showed."""

    point: Claim
    prediction: Prediction
    measurements: Sequence[Measurement] = ()

    def seeds_of(self, name: str) -> list[Value]:
        return [m.values[name] for m in self.measurements if name in m.values]


@dataclass(frozen=True, eq=False)
class Judgement:
    """One quantity at one point, or along one axis: the numbers and what they say.

    `gap` is measured minus predicted; `gap_finite` and its error `gap_error` compare each seed with the prediction for
    its own draw, where there is one.
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


@dataclass(frozen=True, eq=False)
class Verdict:
    """Holds, fails or undecided, with the sentence that says why."""

    status: Status
    sentence: str
    judgements: tuple[Judgement, ...] = ()

    def __str__(self) -> str:
        return f"{self.status}: {self.sentence}"


def chance_factor(seeds: int, places: int = 1) -> float:
    """How many standard errors chance is granted: Student's t at three sigma, shared among `places`."""
    return float(stdtrit(seeds - 1, 1 - THREE_SIGMA / (2 * places))) if seeds > 1 else float("inf")


def mean_and_error(values: Sequence[Value]) -> tuple[Value, Value]:
    """Mean over seeds and its standard error (infinite for one seed)."""
    first = values[0]
    rows = np.array([v.y if isinstance(v, Curve) else v for v in values], dtype=float)
    mean = rows.mean(axis=0)
    error = rows.std(axis=0, ddof=1) / np.sqrt(len(rows)) if len(rows) > 1 else np.full_like(mean, np.inf)
    if isinstance(first, Curve):
        return Curve(first.x, mean, first.x_name), Curve(first.x, error, first.x_name)
    return float(mean), float(error)


def _numbers(value: Value) -> Array:
    return np.atleast_1d(value.y if isinstance(value, Curve) else np.asarray(value, dtype=float))


def _like(value: Value, numbers: Array) -> Value:
    return Curve(value.x, numbers, value.x_name) if isinstance(value, Curve) else float(numbers[0])


def judge_point(cell: Cell, quantity: Quantity, places: int = 1) -> Judgement | None:
    """Judge one quantity at one point; None if it was not measured there (a reported one may be predicted only)."""
    seeds = cell.seeds_of(quantity.name)
    if not seeds:
        known = cell.prediction.values.get(quantity.name)
        if known is None or quantity.relation != "reported":
            return None
        sentence = f"{quantity.name} predicted {_shown(known, None)}"
        return Judgement(quantity, "holds", sentence, known, point=cell.point.parameters())
    measured, stderr = mean_and_error(seeds)
    predicted = cell.prediction.values.get(quantity.name)
    finite = [m.finite[quantity.name] for m in cell.measurements if quantity.name in m.finite]
    paired = len(finite) == len(seeds)
    facts: dict[str, Any] = {
        "predicted": predicted,
        "measured": measured,
        "stderr": stderr,
        "gap": None if predicted is None else _like(measured, _numbers(measured) - _numbers(predicted)),
        "point": cell.point.parameters(),
    }
    if paired:
        # Seed by seed the draw's own fluctuation cancels: the error that counts is that of the differences.
        pairs = zip(seeds, finite, strict=True)
        facts["gap_finite"], facts["gap_error"] = mean_and_error(
            [_like(s, _numbers(s) - _numbers(f)) for s, f in pairs]
        )
        facts["predicted_finite"] = mean_and_error(finite)[0]
    on_draws = quantity.against == "finite" and paired
    reference = facts["predicted_finite"] if on_draws else predicted
    if reference is None or quantity.relation == "reported":
        return Judgement(quantity, "holds", f"{quantity.name} {_shown(measured, stderr)}", **facts)
    gaps = _numbers(facts["gap_finite"] if on_draws else facts["gap"])
    errors = np.broadcast_to(_numbers(facts["gap_error"] if on_draws else stderr), gaps.shape)
    allowances = _allowances(cell.point, quantity, reference)
    excess = {"equal": np.abs(gaps), "at least": -gaps, "at most": gaps}[quantity.relation]
    chance = chance_factor(len(seeds), places * len(gaps)) * errors if len(seeds) > 1 else np.full_like(gaps, np.inf)
    coarse = errors > np.maximum(allowances, NOISY * np.abs(_numbers(reference)))
    status = _status(excess, allowances, chance, coarse, one_sided=quantity.relation != "equal")
    worst = int(np.argmax(excess - allowances))
    facts["allowance"] = float(allowances[worst])
    return Judgement(quantity, status, _point_sentence(quantity, facts, worst, on_draws, status), **facts)


def _allowances(point: Claim, quantity: Quantity, reference: Value) -> Array:
    """The allowance at each place: along a curve over a parameter, that of the point with this parameter's value."""
    numbers = _numbers(reference)
    points = [point] * len(numbers)
    if quantity.over and isinstance(reference, Curve):
        points = [point.replace(**{quantity.over: place}) for place in reference.x]
    return np.array([quantity.allowance(p, float(v)) for p, v in zip(points, numbers, strict=True)])


def _status(excess: Array, allowance: Array, chance: Array, coarse: NDArray[np.bool_], *, one_sided: bool) -> Status:
    if not np.isfinite(excess).all():
        return "fails"
    if (excess > allowance + chance).any():
        return "fails"
    # A bound that is kept with room to spare beyond chance is decided, however noisy the measurement.
    settled = (excess + chance <= allowance) if one_sided else np.zeros_like(excess, dtype=bool)
    return "holds" if (settled | ~coarse).all() else "undecided"


def judge_axis(cells: Sequence[Cell], quantity: Quantity) -> Judgement | None:
    """Judge a relation along an axis: an exponent, or a direction of growth; None if the axis was not run."""
    along = quantity.along
    groups: dict[str, list[Cell]] = {}
    for cell in cells:
        if quantity.name in cell.prediction.values or cell.seeds_of(quantity.name):
            others = {k: v for k, v in cell.point.parameters().items() if k != along}
            groups.setdefault(repr(sorted(others.items())), []).append(cell)
    lines = [g for g in groups.values() if len({_coordinate(c, along) for c in g}) >= 2]
    if not lines:
        return None
    judged = [_judge_line(sorted(g, key=lambda c: _coordinate(c, along)), quantity, len(lines)) for g in lines]
    order = {"fails": 0, "undecided": 1, "holds": 2}
    return min(judged, key=lambda j: order[j.status])


def _coordinate(cell: Cell, along: str) -> float:
    return float(cell.point.parameters()[along])


def _judge_line(cells: Sequence[Cell], quantity: Quantity, places: int) -> Judgement:
    x = np.array([_coordinate(c, quantity.along) for c in cells])
    table = [np.array([float(_numbers(v)[0]) for v in c.seeds_of(quantity.name)]) for c in cells]
    count = min(len(row) for row in table)
    rows = np.array([row[:count] for row in table])  # (places along the axis, seeds)
    where = {k: v for k, v in cells[0].point.parameters().items() if k != quantity.along}
    if count < 2:
        sentence = f"{quantity.name} along {quantity.along}: one seed cannot decide"
        return Judgement(quantity, "undecided", sentence, point=where)
    if quantity.relation == "slope":
        assert quantity.exponent is not None
        predicted = quantity.exponent(cells[0].point)
        # One least-squares exponent per seed: their scatter is the error of the mean exponent.
        slopes = np.polyfit(np.log(x), np.log(np.abs(rows)), 1)[0]
        measured, stderr = mean_and_error([float(s) for s in slopes])
        gap = float(_numbers(measured)[0]) - predicted
        allowance = quantity.allowance(cells[0].point, predicted)
        chance = chance_factor(count, places) * _numbers(stderr)
        coarse = _numbers(stderr) > max(allowance, NOISY * abs(predicted))
        status = _status(np.array([abs(gap)]), np.array([allowance]), chance, coarse, one_sided=False)
        sentence = (
            f"exponent of {quantity.name} in {quantity.along} {_shown(measured, stderr)}, "
            f"predicted {predicted:g}: {status}"
        )
        return Judgement(quantity, status, sentence, predicted, measured, stderr, gap, allowance, where)
    sign = 1.0 if quantity.relation == "increasing" else -1.0
    steps = sign * np.diff(rows, axis=0)
    means, errors = steps.mean(axis=1), steps.std(axis=1, ddof=1) / np.sqrt(count)
    chance = chance_factor(count, places * len(means)) * errors
    total = sign * (rows[-1] - rows[0])
    total_error = total.std(ddof=1) / np.sqrt(count)
    grown = total.mean() > chance_factor(count, places) * total_error
    trend: Status = "fails" if (means < -chance).any() else "holds" if grown else "undecided"
    sentence = (
        f"{quantity.name} goes from {rows[0].mean():.4g} to {rows[-1].mean():.4g} along {quantity.along} "
        f"= {x[0]:g}..{x[-1]:g}, predicted {quantity.relation}: {trend}"
    )
    change = float(sign * total.mean())
    return Judgement(quantity, trend, sentence, None, change, float(total_error), point=where)


def judge(quantities: Sequence[Quantity], cells: Sequence[Cell]) -> Verdict:
    """The verdict on a claim from the cells of its study."""
    measured = [c for c in cells if c.measurements]
    judgements: list[Judgement] = []
    for quantity in quantities:
        if quantity.is_along_an_axis:
            found = judge_axis(measured, quantity)
            judgements += [found] if found else []
        else:
            at_points = [judge_point(c, quantity, places=max(1, len(measured))) for c in measured]
            judgements += [j for j in at_points if j]
    decisive = [j for j in judgements if j.quantity.relation != "reported"]
    if not decisive:
        return Verdict("undecided", "nothing was measured", tuple(judgements))
    for status in ("fails", "undecided"):
        bad = [j for j in decisive if j.status == status]
        if bad:
            worst = max(bad, key=_severity)
            return Verdict(status, worst.sentence + _place(worst, measured), tuple(judgements))
    first = decisive[0]
    more = f"; {len(decisive) - 1} more agree" if len(decisive) > 1 else ""
    return Verdict("holds", first.sentence + _place(first, measured) + more, tuple(judgements))


def _severity(judgement: Judgement) -> float:
    gap = judgement.gap_finite if judgement.quantity.against == "finite" else judgement.gap
    return 0.0 if gap is None else float(np.max(np.abs(_numbers(gap)))) / max(judgement.allowance, 1e-300)


def _place(judgement: Judgement, cells: Sequence[Cell]) -> str:
    """Where among several points this was seen: only the parameters that vary in the study are named."""
    points = [c.point.parameters() for c in cells]
    varying = [k for k, v in judgement.point.items() if any(p.get(k) != v for p in points)]
    return f" (at {', '.join(f'{k}={judgement.point[k]}' for k in varying)})" if varying else ""


def _shown(value: Value, error: Value | None) -> str:
    if isinstance(value, Curve):
        return f"{value}"
    if error is None or not np.isfinite(_numbers(error)).all():
        return f"{value:.4g}"
    return f"{value:.4g} ± {float(_numbers(error)[0]):.2g}"


def _point_sentence(quantity: Quantity, facts: Mapping[str, Any], worst: int, on_draws: bool, status: Status) -> str:
    def at_worst(value: Value) -> float:
        return float(_numbers(value)[worst if isinstance(value, Curve) else 0])

    measured = facts["measured"]
    at = f" at {measured.x_name} = {measured.x[worst]:.4g}" if isinstance(measured, Curve) else ""
    relation = "predicted" if quantity.relation == "equal" else quantity.relation
    reference = at_worst(facts["predicted_finite" if on_draws else "predicted"])
    gap = at_worst(facts["gap_finite" if on_draws else "gap"])
    comparable = abs(reference) > 1e-12 and abs(reference) > 0.1 * abs(gap)
    size = f"{100 * gap / reference:+.1f} %" if comparable else f"{gap:+.2g}"
    draws = " for these draws" if on_draws else ""
    shown = _shown(at_worst(measured), at_worst(facts["stderr"]))
    return f"{quantity.name}{at} {shown}, {relation} {reference:.4g}{draws}, gap {size}: {status}"
