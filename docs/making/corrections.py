"""What a source prints beside what holds instead, and the measurement that decides between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from giantstep.report.fragments import with_error
from giantstep.studies import Results
from giantstep.verdicts import Judgement
from giantstep.verdicts.stating import Value, number_text
from making.marks import typeset

BOUNDS = {"at least": "≥ ", "at most": "≤ "}


@dataclass(frozen=True)
class Correction:
    """One printed statement at the place where it is farthest from what was measured.

    Args:
        quantity: its name.
        says: the statement as printed.
        printed: the number that it gives.
        corrected: the number that holds instead.
        measured: the number that was measured, with its standard error.
        as_printed: the verdict on the printed statement.
        as_corrected: the verdict on its correction.
        where: how that place differs from the claim's own point.
    """

    quantity: str
    says: str
    printed: str
    corrected: str
    measured: str
    as_printed: str
    as_corrected: str
    where: str


def corrections_of(results: Results) -> tuple[Correction, ...]:
    """The printed statements of a claim, as its study judges them."""
    own, found = results.claim.parameters(), []
    for one in results.as_printed():
        told = one.worst
        if told is None:
            continue
        numbers = (_number(told, told.predicted), _number(one.own, one.own.reference) if one.own else "")
        measured = with_error(told.measured, told.stderr)
        apart = {name: value for name, value in told.point.items() if own.get(name) != value}
        where = ", ".join(f"{name} = {value}" for name, value in apart.items())
        words = (one.verdict.status, one.corrected, where)
        found.append(Correction(one.printed.name, one.printed.says, *numbers, measured, *words))
    return tuple(found)


def _number(judged: Judgement, value: Value | None) -> str:
    """What is stated: a number, or a bound with its sign."""
    sign = BOUNDS.get(judged.quantity.relation, "")
    return f"{sign}{number_text(value)}" if value is not None else ""


def corrections_table(found: Sequence[Correction]) -> list[str]:
    """Rows of a page: what is printed, both numbers and the measured one, and where that is."""
    lines = ["| quantity | said, and where this was measured | printed | corrected | measured |", "| --- " * 5 + "|"]
    for one in found:
        where = f"<br>`{one.where}`".replace("|", "\\|") if one.where else ""
        lines.append(f"| `{one.quantity}` | {typeset(one.says)}{where} | {' | '.join(numbers_told(one))} |")
    return [*lines, ""]


def numbers_told(one: Correction) -> tuple[str, str, str]:
    """The printed, the corrected and the measured number in one line each, the first two with their verdicts."""
    told = (one.printed, one.corrected, one.measured)
    printed, corrected, measured = (typeset(number).replace(" ", "\u00a0") for number in told)
    return (
        f"[{printed or one.as_printed}]{{.{one.as_printed}}}",
        f"[{corrected or one.as_corrected}]{{.{one.as_corrected}}}",
        measured,
    )
