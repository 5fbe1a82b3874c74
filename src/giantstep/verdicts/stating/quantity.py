"""How a quantity's prediction and measurement should relate, and how far finite size may move them apart.

A claim states its quantities with the functions here: `quantity.equal("spike", Allowance(0.02), "why")`. What all of
them take besides is written once, in `Quantity`: `help`, `symbol`, `when`, ...
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from giantstep.verdicts.stating.allowances import Allowance, AllowanceRule, Function, as_rule
from giantstep.verdicts.stating.values import Curve, Value

Relation: TypeAlias = Literal["equal", "at least", "at most", "slope", "increasing", "decreasing", "reported"]
Allowed: TypeAlias = AllowanceRule | Function | float
"""An allowance in any way that a claim may write it."""

ALONG_AN_AXIS: frozenset[str] = frozenset({"slope", "increasing", "decreasing"})
NOTHING = Allowance(0)


@dataclass(frozen=True, repr=False, kw_only=True)
class Quantity:
    """A named number, curve or slope of a claim, and what the claim says about it.

    Args:
        name: its name in `Prediction.values` and `Measurement.values`.
        relation: how the measured value relates to the predicted one.
        allowance: the systematic distance that finite size may cause; the judge adds chance to it.
        reason: why finite size does so.
        help: what the quantity is, in a few words.
        symbol: its symbol in the papers, as LaTeX.
        against: `"limit"`, or `"finite"` to compare each seed with the prediction for its own draw; the mean is then
            held against the limit too, where one is predicted.
        limit: the allowance of the mean against the limit, if not `allowance`.
        along: for a slope or a trend, the parameter along which it is seen.
        exponent: for a slope, the predicted exponent at a point.
        is_exponent: whether a bound is one of an exponent, which is kept by a difference and not by a factor.
        over: for a curve, the parameter whose values are its places, at which the allowance is asked.
        when: at which points the claim speaks at all: there the quantity must be both predicted and measured,
            elsewhere it is only shown.

    >>> slope("risk", "d", -0.5, 0.1, "corrections of relative order 1/d")
    Quantity(risk: slope in d)
    """

    name: str
    relation: Relation
    allowance: AllowanceRule = NOTHING
    reason: str = ""
    help: str = ""
    symbol: str = ""
    against: Literal["limit", "finite"] = "limit"
    limit: AllowanceRule | None = None
    along: str = ""
    exponent: Callable[[Any], float] | None = None
    is_exponent: bool = False
    over: str = ""
    when: Callable[[Any], bool] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "allowance", as_rule(self.allowance))
        if self.limit is not None or self.against == "finite":
            object.__setattr__(self, "limit", self.allowance if self.limit is None else as_rule(self.limit))

    @property
    def is_along_an_axis(self) -> bool:
        return self.relation in ALONG_AN_AXIS

    def speaks_at(self, point: Any) -> bool:
        """Whether the claim says anything about this quantity at this point."""
        return self.when is None or self.when(point)

    def granted(self, point: Any, predicted: Value) -> Value:
        """How far finite size may move this prediction at a point, in its unit: for a curve, at each of its places.

        Where the claim does not speak nothing is granted; of a slope it is the exponent that may move.
        """
        if self.relation == "reported" or not self.speaks_at(point):
            return 0.0
        if self.exponent:
            return self.allowance(point, self.exponent(point))
        if not isinstance(predicted, Curve):
            return self.allowance(point, float(predicted))
        points = self.points_along(point, predicted)
        granted = [self.allowance(p, float(y)) for p, y in zip(points, predicted.y, strict=True)]
        return Curve(predicted.x, np.array(granted), predicted.x_name)

    def points_along(self, point: Any, curve: Curve) -> list[Any]:
        """The points at which the allowance is asked: along a curve over a parameter, those with its values."""
        return [point.replace(**{self.over: place}) if self.over else point for place in curve.x]

    def __repr__(self) -> str:
        return f"Quantity({self.name}: {self.relation}{f' in {self.along}' if self.along else ''})"

    def in_words(self, point: Any) -> str:
        """The relation as a reader wants it: `slope -0.5 in d`."""
        exponent = f" {self.exponent(point):g}" if self.exponent else ""
        return f"{self.relation}{exponent}{f' in {self.along}' if self.along else ''}"


def equal(name: str, allowance: Allowed, reason: str, **more: Any) -> Quantity:
    """Measured and predicted values are the same, up to finite size.

    `name` is the quantity's, `allowance` what finite size may do to it, `reason` why; `more` are fields of `Quantity`.
    """
    return Quantity(name=name, relation="equal", allowance=as_rule(allowance), reason=reason, **more)


def equals(told: Mapping[str, tuple[str, str]], allowance: Allowed, reason: str, **more: Any) -> tuple[Quantity, ...]:
    """Several quantities of which the same is said: `told` has for each name what it is and its symbol.

    `allowance`, `reason` and the fields of `Quantity` in `more` hold for all of them.

    >>> equals({"left": ("left overlap", "u"), "right": ("right overlap", "v")}, 0.1, "of order 1/d")[1].symbol
    'v'
    """
    return tuple(
        equal(name, allowance, reason, help=help, symbol=symbol, **more) for name, (help, symbol) in told.items()
    )


def at_least(name: str, allowance: Allowed, reason: str, **more: Any) -> Quantity:
    """The measured value is not below the predicted one by more than finite size may do.

    `name` is the quantity's, `allowance` what finite size may do to it, `reason` why; `more` are fields of `Quantity`.
    """
    return Quantity(name=name, relation="at least", allowance=as_rule(allowance), reason=reason, **more)


def at_most(name: str, allowance: Allowed, reason: str, **more: Any) -> Quantity:
    """The measured value is not above the predicted one by more than finite size may do.

    `name` is the quantity's, `allowance` what finite size may do to it, `reason` why; `more` are fields of `Quantity`.
    """
    return Quantity(name=name, relation="at most", allowance=as_rule(allowance), reason=reason, **more)


def slope(
    name: str, along: str, value: float | Callable[[Any], float], allowance: Allowed, reason: str, **more: Any
) -> Quantity:
    """The quantity `name` is a power of the parameter `along`; the exponent `value` may depend on the point.

    `allowance` is how far finite size may move the exponent, `reason` why; `more` are fields of `Quantity`.
    """
    # -2 times an exponent of 0 is -0.0, which is added to 0.0 here so that nobody reads "slope -0".
    exponent = (lambda point: value(point) + 0.0) if callable(value) else lambda point: value + 0.0
    return Quantity(
        name=name, relation="slope", along=along, exponent=exponent, allowance=as_rule(allowance), reason=reason, **more
    )


def increasing(name: str, along: str, reason: str, **more: Any) -> Quantity:
    """The quantity `name` grows from the first to the last value of the parameter `along`, at no place falling.

    `reason` says why finite size needs no allowance here; `more` are fields of `Quantity`.
    """
    return Quantity(name=name, relation="increasing", along=along, reason=reason, **more)


def decreasing(name: str, along: str, reason: str, **more: Any) -> Quantity:
    """The quantity `name` falls from the first to the last value of the parameter `along`, at no place growing.

    `reason` says why finite size needs no allowance here; `more` are fields of `Quantity`.
    """
    return Quantity(name=name, relation="decreasing", along=along, reason=reason, **more)


def reported(name: str, **more: Any) -> Quantity:
    """The quantity `name` is shown beside the others, but the verdict does not depend on it.

    `more` are fields of `Quantity`: `help` and `symbol`.
    """
    return Quantity(name=name, relation="reported", **more)


def keyed(quantities: Sequence[Quantity]) -> dict[str, Quantity]:
    """The `quantities` by a name that no other has: one number may be judged in several ways.

    >>> risk = equal("risk", 0.1, "")
    >>> list(keyed([risk, at_least("risk", 0, ""), increasing("risk", "d", "")]))
    ['risk', 'risk (at least)', 'risk (increasing in d)']
    """
    found: dict[str, Quantity] = {}
    for quantity in quantities:
        how = f"{quantity.name} ({quantity.relation}{f' in {quantity.along}' if quantity.along else ''})"
        names = (*([] if quantity.along else [quantity.name]), how, *(f"{how} {i}" for i in range(2, 9)))
        found[next(name for name in names if name not in found)] = quantity
    return found
