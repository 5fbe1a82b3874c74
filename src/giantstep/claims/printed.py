"""Statements as their sources print them: a second theory beside the corrected one, judged on the same simulations.

A claim whose source had to be corrected says what is printed there as `printed = (Printed("spike", says, value), ...)`.
Run, it tells both: "as printed: fails, corrected: holds".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from giantstep.verdicts import Cell, Judgement, Status, Verdict
    from giantstep.verdicts.stating import AllowanceRule, Quantity, Relation, Value


@dataclass(frozen=True)
class Printed:
    """What a source prints of one quantity, where that had to be corrected.

    It is judged as the claim judges its own prediction: with the same allowance (that of the limit, where the claim
    itself compares draw by draw), unless another is given.

    Args:
        name: the name of the quantity, which the claim measures.
        says: the statement as printed, in one sentence.
        value: the printed value at a point; None where it prints none. For a slope, left out.
        exponent: for a slope, the printed exponent at a point.
        relation: how the measured value should relate to it, if not as in the claim's own quantity.
        allowance: what finite size may do to it, if not as in the claim's own quantity.
    """

    name: str
    says: str
    value: Callable[[Any], Value | None] | None = None
    exponent: Callable[[Any], float] | None = None
    relation: Relation | None = None
    allowance: AllowanceRule | None = None

    def quantity(self, stated: Sequence[Quantity]) -> Quantity:
        """The quantity by which it is judged, made from the claim's own one of this name among those `stated`."""
        named = [q for q in stated if q.name == self.name and bool(q.exponent) == bool(self.exponent)]
        if not named:
            raise ValueError(f"the claim states nothing of {self.name} that its source could have printed otherwise")
        own = named[0]
        return replace(
            own,
            relation=self.relation or own.relation,
            allowance=self.allowance or own.limit or own.allowance,
            exponent=self.exponent,
            against="limit",
            limit=None,
            when=lambda point: own.speaks_at(point) and (self.value is None or self.value(point) is not None),
        )

    def at(self, cell: Cell) -> Cell:
        """The `cell` with the printed value instead of the corrected one."""
        value = self.value(cell.point) if self.value else None
        values = {} if value is None else {self.name: value}
        return replace(cell, prediction=replace(cell.prediction, values=values))


@dataclass(frozen=True, eq=False, repr=False)
class PrintedVerdict:
    """A printed statement and its correction, judged on the same simulations.

    Args:
        printed: the statement.
        verdict: the verdict on it as printed.
        corrected: the status of the claim's own prediction of the same quantity, over the same points.
        worst: the judgement that decides against the printed statement, or the first one if all hold.
        own: the claim's own judgement at that place, None if there is none.
    """

    printed: Printed
    verdict: Verdict
    corrected: Status
    worst: Judgement | None
    own: Judgement | None

    @property
    def sentence(self) -> str:
        """Both words, with the numbers that decide."""
        if self.verdict.status == self.corrected == "holds":
            return f"as printed: holds, corrected: holds; no difference is seen here ({self.verdict.sentence})"
        return f"as printed: {self.verdict.status}, corrected: {self.corrected} ({self.verdict.sentence})"

    def __repr__(self) -> str:
        return f"PrintedVerdict({self.printed.name}: {self.sentence})"

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "quantity": self.printed.name,
            "says": self.printed.says,
            "as_printed": self.verdict.status,
            "corrected": self.corrected,
            "sentence": self.verdict.sentence,
        }


def judge_as_printed(
    printed: Sequence[Printed], stated: Sequence[Quantity], cells: Sequence[Cell], verdict: Verdict
) -> tuple[PrintedVerdict, ...]:
    """The printed statements of a claim on the cells of its study, each beside its correction.

    Args:
        printed: the statements as printed.
        stated: the quantities that the claim states.
        cells: the points of the study, each with its seeds.
        verdict: the verdict on the claim's own predictions.
    """
    return tuple(_judged(one, one.quantity(stated), cells, verdict) for one in printed)


def _judged(printed: Printed, quantity: Quantity, cells: Sequence[Cell], verdict: Verdict) -> PrintedVerdict:
    from giantstep.verdicts import judge  # most who load a claim want no verdict

    measured = [cell for cell in cells if cell.values_of(printed.name)]
    found = judge([quantity], [printed.at(cell) for cell in measured])
    counted = [j for j in found.judgements if j.counts]
    worst = next((j for j in counted if j.status == found.status), None)
    own = [
        j
        for j in verdict.judgements
        if j.counts and j.quantity.name == printed.name and bool(j.quantity.exponent) == bool(printed.exponent)
    ]
    there = [j for j in own if worst is not None and j.point == worst.point]
    statuses: list[Status] = [s for s in _WORST_FIRST if any(j.status == s for j in own)]
    return PrintedVerdict(printed, found, statuses[0] if statuses else "undecided", worst, there[0] if there else None)


_WORST_FIRST: tuple[Status, ...] = ("fails", "undecided", "outside", "holds")
