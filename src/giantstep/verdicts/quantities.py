"""How a quantity's prediction and measurement should relate, and how far finite size may move them apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Relation: TypeAlias = Literal["equal", "at least", "at most", "slope", "increasing", "decreasing", "reported"]

# An allowance is a function of the point and of the predicted number there.
Allowance: TypeAlias = Callable[[Any, float], float]

ALONG_AN_AXIS: frozenset[str] = frozenset({"slope", "increasing", "decreasing"})


def relative(fraction: float) -> Allowance:
    """Finite size may move the quantity by this fraction of its predicted value."""
    return lambda point, predicted: fraction * abs(predicted)


def absolute(amount: float) -> Allowance:
    """Finite size may move the quantity by this much."""
    return lambda point, predicted: amount


@dataclass(frozen=True, repr=False)
class Quantity:
    """A named number, curve or slope of a claim, and what the claim says about it.

    `allowance` is the systematic distance that finite size may cause, and `reason` says why; statistical
    error is added to it by the judge. `against="finite"` compares each seed with the prediction for its own draw; the
    mean is then still held against the limit, with the allowance `limit`. `when` says at which points the claim speaks
    at all: there the quantity must be both predicted and measured, elsewhere it is only shown.

    >>> slope("risk", "d", -0.5, 0.1, "corrections of relative order 1/d")
    Quantity(risk: slope in d)
    """

    name: str
    relation: Relation
    allowance: Allowance
    reason: str
    help: str = ""
    symbol: str = ""
    against: Literal["limit", "finite"] = "limit"
    along: str = ""
    exponent: Callable[[Any], float] | None = None
    over: str = ""  # for a curve: the parameter whose values are its places, at which the allowance is asked
    limit: Allowance | None = None
    when: Callable[[Any], bool] | None = None

    @property
    def is_along_an_axis(self) -> bool:
        return self.relation in ALONG_AN_AXIS

    def speaks_at(self, point: Any) -> bool:
        """Whether the claim says anything about this quantity at this point."""
        return self.when is None or self.when(point)

    def __repr__(self) -> str:
        return f"Quantity({self.name}: {self.relation}{f' in {self.along}' if self.along else ''})"

    def in_words(self, point: Any) -> str:
        """The relation as a reader wants it: `slope -0.5 in d`."""
        exponent = f" {self.exponent(point):g}" if self.exponent else ""
        return f"{self.relation}{exponent}{f' in {self.along}' if self.along else ''}"


def equal(
    name: str,
    allowance: Allowance,
    reason: str,
    *,
    help: str = "",
    symbol: str = "",
    against: Literal["limit", "finite"] = "limit",
    over: str = "",
    limit: Allowance | None = None,
    when: Callable[[Any], bool] | None = None,
) -> Quantity:
    """Measured and predicted values are the same, up to finite size; `over` names the parameter a curve runs along."""
    return Quantity(name, "equal", allowance, reason, help, symbol, against, over=over, limit=limit, when=when)


def at_least(
    name: str,
    allowance: Allowance,
    reason: str,
    *,
    help: str = "",
    symbol: str = "",
    when: Callable[[Any], bool] | None = None,
) -> Quantity:
    """The measured value is not below the predicted one."""
    return Quantity(name, "at least", allowance, reason, help, symbol, when=when)


def at_most(
    name: str,
    allowance: Allowance,
    reason: str,
    *,
    help: str = "",
    symbol: str = "",
    when: Callable[[Any], bool] | None = None,
) -> Quantity:
    """The measured value is not above the predicted one."""
    return Quantity(name, "at most", allowance, reason, help, symbol, when=when)


def slope(
    name: str,
    along: str,
    value: float | Callable[[Any], float],
    allowance: float | Allowance,
    reason: str,
    *,
    help: str = "",
    symbol: str = "",
    when: Callable[[Any], bool] | None = None,
) -> Quantity:
    """The quantity is a power of the parameter `along`, with this exponent (which may depend on the point)."""
    exponent = value if callable(value) else lambda point: value
    tilt = allowance if callable(allowance) else absolute(allowance)
    return Quantity(name, "slope", tilt, reason, help, symbol, "limit", along, exponent, when=when)


def increasing(
    name: str,
    along: str,
    reason: str,
    *,
    help: str = "",
    symbol: str = "",
    when: Callable[[Any], bool] | None = None,
) -> Quantity:
    """The quantity grows from the first to the last value of the parameter `along`, at no place falling."""
    return Quantity(name, "increasing", absolute(0.0), reason, help, symbol, "limit", along, when=when)


def decreasing(
    name: str,
    along: str,
    reason: str,
    *,
    help: str = "",
    symbol: str = "",
    when: Callable[[Any], bool] | None = None,
) -> Quantity:
    """The quantity falls from the first to the last value of the parameter `along`, at no place growing."""
    return Quantity(name, "decreasing", absolute(0.0), reason, help, symbol, "limit", along, when=when)


def reported(name: str, *, help: str = "", symbol: str = "") -> Quantity:
    """Shown beside the others, but the verdict does not depend on it."""
    return Quantity(name, "reported", absolute(0.0), "", help, symbol)


def keyed(quantities: Sequence[Quantity]) -> dict[str, Quantity]:
    """Quantities by a name that no other has: one number may be judged in several ways.

    >>> risk = equal("risk", absolute(0.1), "")
    >>> list(keyed([risk, at_least("risk", absolute(0.0), ""), increasing("risk", "d", "")]))
    ['risk', 'risk (at least)', 'risk (increasing in d)']
    """
    found: dict[str, Quantity] = {}
    for quantity in quantities:
        how = f"{quantity.name} ({quantity.relation}{f' in {quantity.along}' if quantity.along else ''})"
        names = (*([] if quantity.along else [quantity.name]), how, *(f"{how} {i}" for i in range(2, 9)))
        found[next(name for name in names if name not in found)] = quantity
    return found
