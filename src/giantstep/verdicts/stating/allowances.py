"""How far finite size may move a quantity, as data that can be read, added and told in words.

Most allowances are a power of a size: `Allowance(0.02, of="prediction", at=500, power=-0.5)`. They may be added, the
larger of two taken, and a number put before them. Where that does not suffice, the amount is a function of the point,
or the whole allowance one of the point and of the predicted number (`Computed`), each with words that say what it is.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias

Function: TypeAlias = Callable[[Any, float], float]
"""An allowance as a function of the point and of the predicted number there."""


class AllowanceRule(ABC):
    """How far finite size may move a quantity: called with the point and the predicted number, it says so."""

    @abstractmethod
    def __call__(self, point: Any, predicted: float) -> float: ...

    @abstractmethod
    def in_words(self) -> str:
        """The rule: `2 % of the prediction at d = 500, falling like d^(-1/2)`."""

    @abstractmethod
    def granted(self, point: Any, predicted: float | None) -> str:
        """What the rule comes to at a point: `1.4 %`; empty if it needs a predicted number and there is none."""

    @property
    def varies(self) -> bool:
        """Whether what it comes to is not already told by the rule itself."""
        return True

    def sizes(self) -> frozenset[str]:
        """The attributes of a point that are asked for as sizes."""
        return frozenset()

    def told(self, point: Any, predicted: float | None = None) -> str:
        """The rule, and what it comes to at a point: `2 % at d = 500, falling like d^(-1/2): 1.4 % here`."""
        here = self.granted(point, predicted) if self.varies else ""
        return ": ".join(part for part in (self.in_words(), f"{here} here" if here else "") if part)

    def __str__(self) -> str:
        return self.in_words()

    def __add__(self, other: AllowanceRule | Function) -> AllowanceRule:
        return Sum((*_terms(self, Sum), *_terms(as_rule(other), Sum)))

    def __rmul__(self, factor: float) -> AllowanceRule:
        return self.times(factor)

    @abstractmethod
    def times(self, factor: float) -> AllowanceRule:
        """The rule that allows so many times as much."""


@dataclass(frozen=True)
class Allowance(AllowanceRule):
    """A power of a size: amount (size/at)^power, times |prediction| if it is a part of that.

    Args:
        amount: what is allowed where the size is `at`: a part of the prediction, or in the quantity's own unit; or a
            function of the point that gives it, whose docstring begins with words that tell it.
        of: `"prediction"` for a part of the predicted number; absent for an amount of its own.
        at: the size at which it is `amount`.
        power: the power of the size with which it changes, usually negative; 0 for the same at every size.
        size: the attribute of a point that is the size, such as `neurons` or `samples`; of several, the smallest.

    >>> Allowance(0.02, of="prediction", at=500, power=-0.5).in_words()
    '2 % of the prediction at d = 500, falling like d^(-1/2)'
    >>> print(Allowance(0.3, power=-1, size="neurons") + Allowance(0.05, of="prediction"))
    0.3/neurons + 5 % of the prediction
    """

    amount: float | Callable[[Any], float]
    of: Literal["", "prediction"] = ""
    at: float = 1
    power: float = 0
    size: str | tuple[str, ...] = "d"

    def __post_init__(self) -> None:
        if self.of not in ("", "prediction"):
            raise TypeError(f"an allowance is of the 'prediction', or absolute; not of '{self.of}'")
        if callable(self.amount):
            if self.power:
                raise TypeError("an allowance that is a function of the point has no power of a size besides")
        elif self.at <= 0 or self.amount < 0:
            raise TypeError(f"an allowance needs a positive size and no negative amount, got {self.at}, {self.amount}")

    def amount_at(self, point: Any) -> float:
        """The amount, or the part of the prediction, that is allowed at a point."""
        if callable(self.amount):
            return float(self.amount(point))
        if not self.power:
            return self.amount
        return self.amount * float((min(getattr(point, size) for size in self.sizes()) / self.at) ** self.power)

    def sizes(self) -> frozenset[str]:
        if not self.power:
            return frozenset()
        return frozenset((self.size,) if isinstance(self.size, str) else self.size)

    def __call__(self, point: Any, predicted: float) -> float:
        amount = self.amount_at(point)
        return float(amount * abs(predicted) if self.of else amount)

    def in_words(self) -> str:
        part = " of the prediction" if self.of else ""
        if callable(self.amount):
            return _words_of(self.amount) + (", as a part of the prediction" if self.of else "")
        if not self.amount:
            return "nothing"
        if not self.power:
            return f"{_amount(self.amount, self.of)}{part}"
        size = self.size if isinstance(self.size, str) else f"min({', '.join(self.size)})"
        if self.at == 1:  # a factor before the power, rather than what is allowed in one dimension
            factor = "" if self.amount == 1 else f"{self.amount:.3g}"
            return f"{_power(factor, size, self.power)}{part}"
        how = "falling" if self.power < 0 else "growing"
        law = f"{how} like {_power('', size, self.power)}"
        return f"{_amount(self.amount, self.of)}{part} at {size} = {self.at:g}, {law}"

    def granted(self, point: Any, predicted: float | None) -> str:  # noqa: ARG002  (a part of it needs no prediction)
        return _amount(self.amount_at(point), self.of)

    @property
    def varies(self) -> bool:
        return callable(self.amount) or bool(self.power and self.amount)

    def times(self, factor: float) -> Allowance:
        return replace(self, amount=_scaled(self.amount, factor) if callable(self.amount) else factor * self.amount)


@dataclass(frozen=True)
class Computed(AllowanceRule):
    """An allowance that is no power of a size: a `function` of the point and of the predicted number, and its `words`.

    A function whose docstring begins with the words needs none.

    >>> shift = Computed(lambda point, predicted: 2 * abs(predicted - 1), "twice the distance from 1")
    >>> shift(None, 1.5), shift.told(None, 1.5)
    (1.0, 'twice the distance from 1: 1 here')
    """

    function: Function
    words: str = ""

    def __post_init__(self) -> None:
        try:
            inspect.signature(self.function).bind(None, 0.0)
        except TypeError:
            raise TypeError("an allowance is a function of two things, the point and the predicted number") from None

    def __call__(self, point: Any, predicted: float) -> float:
        return float(self.function(point, predicted))

    def in_words(self) -> str:
        return self.words or _words_of(self.function)

    def granted(self, point: Any, predicted: float | None) -> str:
        return "" if predicted is None else _amount(self(point, predicted), "")

    def times(self, factor: float) -> Computed:
        words = f"{factor:g} x ({self.in_words()})" if self.in_words() else ""
        return Computed(lambda point, predicted: factor * self.function(point, predicted), words)


@dataclass(frozen=True)
class _Several(AllowanceRule):
    """What rules of several parts share."""

    parts: tuple[AllowanceRule, ...]

    @property
    def varies(self) -> bool:
        return any(part.varies for part in self.parts)

    def sizes(self) -> frozenset[str]:
        return frozenset().union(*(part.sizes() for part in self.parts))

    def times(self, factor: float) -> AllowanceRule:
        return type(self)(tuple(part.times(factor) for part in self.parts))


class Sum(_Several):
    """Allowances for several effects, added; made by `+`."""

    def __call__(self, point: Any, predicted: float) -> float:
        return sum(part(point, predicted) for part in self.parts)

    def in_words(self) -> str:
        return _joined([part.in_words() for part in self.parts], " + ")

    def granted(self, point: Any, predicted: float | None) -> str:
        return _joined([part.granted(point, predicted) for part in self.parts], " + ")


class Largest(_Several):
    """At each point the largest of several allowances; made by `largest`."""

    def __call__(self, point: Any, predicted: float) -> float:
        return max(part(point, predicted) for part in self.parts)

    def in_words(self) -> str:
        words = _joined([part.in_words() for part in self.parts], " or ")
        return f"the {'larger' if len(self.parts) == 2 else 'largest'} of {words}" if words else ""

    def granted(self, point: Any, predicted: float | None) -> str:
        if predicted is None:
            return _joined([part.granted(point, predicted) for part in self.parts], " or ")
        return max(self.parts, key=lambda part: part(point, predicted)).granted(point, predicted)


def largest(*allowances: AllowanceRule) -> AllowanceRule:
    """The largest of several `allowances`, at each point the one that is largest there.

    >>> rule = largest(Allowance(6, power=-1), Allowance(6, power=-1, size="neurons"))
    >>> rule.in_words()
    'the larger of 6/d or 6/neurons'
    """
    return Largest(tuple(part for rule in allowances for part in _terms(rule, Largest)))


def as_rule(allowance: AllowanceRule | Function | float) -> AllowanceRule:
    """An allowance in any way that it may be written: a rule, a function, or an amount that is always the same."""
    if isinstance(allowance, AllowanceRule):
        return allowance
    return Computed(allowance) if callable(allowance) else Allowance(allowance)


def _words_of(function: Callable[..., float]) -> str:
    """The first sentence of a function's docstring, as a part of another sentence."""
    told = (function.__doc__ or "").strip().split("\n\n")[0]
    first = " ".join(told.split()).split(". ")[0].removesuffix(".")
    return first[:1].lower() + first[1:]


def _scaled(function: Callable[[Any], float], factor: float) -> Callable[[Any], float]:
    def scaled(point: Any) -> float:
        return factor * function(point)

    scaled.__doc__ = f"{factor:g} x ({_words_of(function)})"
    return scaled


def _terms(rule: AllowanceRule, kind: type[Sum] | type[Largest]) -> tuple[AllowanceRule, ...]:
    return rule.parts if isinstance(rule, Sum | Largest) and isinstance(rule, kind) else (rule,)


def _joined(parts: list[str], sign: str) -> str:
    return sign.join(parts) if all(parts) else ""


def _amount(amount: float, of: str) -> str:
    return f"{100 * amount:.3g} %" if of else f"{amount:.3g}"


def _power(factor: str, size: str, power: float) -> str:
    """A factor times a power, as it is written by hand.

    >>> _power("6", "d", -1), _power("0.3", "d", -0.5), _power("", "d", -2 / 3), _power("", "d", 0.37)
    ('6/d', '0.3 d^(-1/2)', 'd^(-2/3)', 'd^(0.37)')
    >>> _power("0.5", "step", 1)
    '0.5 step'
    """
    if power == 1:
        return f"{factor} {size}".strip()
    if power == -1:
        return f"{factor or 1}/{size}"
    near = Fraction(power).limit_denominator(6)
    return f"{factor} {size}^({near if abs(near - power) < 1e-9 else f'{power:g}'})".strip()
