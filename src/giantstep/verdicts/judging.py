"""One judge for all claims: predictions and measurements in, a verdict with numbers out.

A quantity measured with K seeds has a mean m, a standard error e and a prediction p. The distance |m - p| may have two
honest causes: finite size, for which the claim states an allowance A and its reason, and chance, for which the judge
grants t e, where t is the Student quantile with K - 1 degrees of freedom at the level of three standard deviations,
shared among everything judged at the same time (Bonferroni). Beyond A + t e the quantity fails. If t e at a
single place exceeds both A and a quarter of p, the measurement is too noisy and the quantity is undecided; so it is
where only the sharing saves a place from failing and the shared t e exceeds them.
A quantity of which the claim speaks but which was not measured or not predicted fails.
Where a point violates a hypothesis on which the quantity rests, the numbers are told and the word is "outside": what a
theorem does not speak of cannot refute it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from giantstep.verdicts.along_axes import judge_line, lines_along
from giantstep.verdicts.at_points import judge_point
from giantstep.verdicts.cells import ROW, Cell, Judgement, Point, Status, numbers
from giantstep.verdicts.html import html_table
from giantstep.verdicts.rejudging import resolution_along, resolution_at
from giantstep.verdicts.stating.quantity import Quantity, keyed

MOST_ROWS = 30  # of judgements in a notebook's table


@dataclass(frozen=True, eq=False, repr=False)
class Verdict:
    """Holds, fails, undecided or outside, with the sentence that says why.

    Args:
        status: holds, fails, undecided, or outside where every point violates a hypothesis of the claim.
        sentence: the judgement that decides, with its numbers.
        judgements: everything that was judged.

    >>> Verdict("holds", "spike 2.486 ± 0.004, predicted 2.472")
    Verdict(holds: spike 2.486 ± 0.004, predicted 2.472; 0 judgements)
    """

    status: Status
    sentence: str
    judgements: tuple[Judgement, ...] = ()

    def __str__(self) -> str:
        return f"{self.status}: {self.sentence}"

    def __repr__(self) -> str:
        return f"Verdict({self}; {len(self.judgements)} judgements)"

    def _repr_html_(self) -> str:
        shown = self.judgements[:MOST_ROWS]
        left = len(self.judgements) - len(shown)
        below = (f"and {left} more",) if left else ()
        return html_table(ROW, [judgement.row() for judgement in shown], above=str(self), below=below)


def judge(quantities: Sequence[Quantity], cells: Sequence[Cell], base: Point | None = None) -> Verdict:
    """The verdict on a claim from the cells of its study.

    Args:
        quantities: what the claim states.
        cells: the points of the study, each with its seeds.
        base: the claim's own point; other places are named in the sentence.
    """
    measured = [c for c in cells if c.measurements]
    stated = [q for q in quantities if q.relation != "reported"]
    places = max(1, len(measured)) * max(1, len(stated))
    judgements: list[Judgement] = []
    told = {q.name for q in quantities if not q.is_along_an_axis}
    for key, quantity in keyed(quantities).items():
        if not quantity.is_along_an_axis:
            judgements += _at_points(key, quantity, measured, places)
        elif lines := lines_along(measured, quantity):
            judgements += [_along(key, quantity, line, places) for line in lines]
        elif quantity.name not in told:  # its axis was not run: the values are told all the same
            alone = replace(quantity, relation="reported", along="", exponent=None, when=None)
            judgements += _at_points(quantity.name, alone, measured, places)
        told.add(quantity.name)
    decisive = [j for j in judgements if j.counts]
    beyond = [j for j in judgements if j.status == "outside"]
    if beyond and not decisive:
        return Verdict("outside", beyond[0].sentence + _place(beyond[0], measured, base), tuple(judgements))
    if not decisive:
        return Verdict("undecided", _why_nothing(stated, measured), tuple(judgements))
    for status in ("fails", "undecided"):
        bad = [j for j in decisive if j.status == status]
        if bad:
            worst = max(bad, key=_seeds_needed if status == "undecided" else _severity)
            return Verdict(status, worst.sentence + _place(worst, measured, base), tuple(judgements))
    first = decisive[0]
    more = f"; {len(decisive) - 1} more agree" if len(decisive) > 1 else ""
    return Verdict("holds", first.sentence + _place(first, measured, base) + more, tuple(judgements))


def _at_points(key: str, quantity: Quantity, cells: Sequence[Cell], places: int) -> list[Judgement]:
    found = [(c, judge_point(c, quantity, places)) for c in cells]
    return [
        _outside(replace(j, key=key, resolve=partial(resolution_at, c, quantity, places)), c.point)
        for c, j in found
        if j
    ]


def _outside(judged: Judgement, point: Point) -> Judgement:
    """The same, unless the point violates a hypothesis on which the quantity rests."""
    supposed = point.outside(judged.quantity.name) if judged.counts else ""
    if not supposed:
        return judged
    numbers_told = judged.sentence.rpartition(f": {judged.status}")[0] or judged.sentence
    sentence = f"{numbers_told}: outside, theory supposes that {supposed}"
    return replace(judged, status="outside", sentence=sentence, counts=False, seeds_needed=None)


def _along(key: str, quantity: Quantity, line: Sequence[Cell], places: int) -> Judgement:
    resolve = partial(resolution_along, line, quantity, places)
    return replace(judge_line(line, quantity, places), key=key, resolve=resolve)


def _why_nothing(stated: Sequence[Quantity], measured: Sequence[Cell]) -> str:
    """Why no quantity decides."""
    if not measured:
        return "nothing was measured"
    if not any(m.values for cell in measured for m in cell.measurements):
        return "nothing is measured here, theory speaks alone"
    axes = dict.fromkeys(q.along for q in stated if q.is_along_an_axis)
    along = f"; it speaks of what happens along {', '.join(axes)}: sweep one of them" if axes else ""
    return f"the claim states nothing at this point alone{along}"


def _severity(judgement: Judgement) -> float:
    gap = judgement.gap_finite if judgement.quantity.against == "finite" else judgement.gap
    return 0.0 if gap is None else float(np.max(np.abs(numbers(gap)))) / max(judgement.allowance, 1e-300)


def _seeds_needed(judgement: Judgement) -> tuple[float, float]:
    """Of what is undecided, that is told which needs most: so many seeds decide the others too."""
    return (judgement.seeds_needed or 0, _severity(judgement))


def _place(judgement: Judgement, cells: Sequence[Cell], base: Point | None) -> str:
    """Where among several points this was seen."""
    if base is not None and judgement.point == base.parameters():
        return ""
    place = place_of(judgement, cells)
    return f" (at {place})" if place else ""


def place_of(judgement: Judgement, cells: Sequence[Cell]) -> str:
    """The parameters that vary among the `cells` of a study, with their values where `judgement` was made."""
    points = [c.point.parameters() for c in cells]
    varying = [k for k, v in judgement.point.items() if any(p.get(k) != v for p in points)]
    return ", ".join(f"{k}={judgement.point[k]}" for k in varying)
