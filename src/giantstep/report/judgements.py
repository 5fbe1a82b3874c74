"""What was judged, quantity by quantity: how often, what came closest to failing, and everything that does not hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from giantstep.report.fragments import escape, prose
from giantstep.studies import Results
from giantstep.verdicts import Judgement, numbers

CHANCE = 3  # standard errors, by which gaps are compared here; a verdict has its own count


def judgements_table(results: Results, data: str) -> str:
    """The judgements of a claim that a reader needs, behind a click; the others are numbers of a table.

    Args:
        results: of the study of the claim.
        data: the link to the table of numbers, which has every judgement at a point; nothing if there is none.
    """
    by_quantity: dict[str, list[Judgement]] = {}
    judged = [j for j in results.verdict.judgements if j.counts]
    for j in judged:
        by_quantity.setdefault(j.key, []).append(j)
    own = results.base_cell.point.parameters()
    rows = ""
    for name, found in by_quantity.items():
        told = "<br>".join(_told(j, own) for j in _shown(found))
        rows += f"<tr><td>{escape(name)}</td><td>{_count(found)}</td><td>{told}</td></tr>"
    words = (
        "<p>Of each quantity what came closest to failing, and all that does not hold; in brackets parameters that "
        f"differ from those below.{f' Each point and what is allowed there: {data}.' if data else ''}</p>"
    )
    count = f"{len(judged)} judgement{'' if len(judged) == 1 else 's'}"
    return f'<details><summary>{count}, by quantity</summary>{words}<table class="judged">{rows}</table></details>'


def _count(found: Sequence[Judgement]) -> str:
    holding = sum(j.status == "holds" for j in found)
    return f"{holding} of {len(found)} hold"


def _shown(found: Sequence[Judgement]) -> list[Judgement]:
    """All along an axis, of which there are few; at points those that do not hold, and the closest of the others."""
    if found[0].quantity.is_along_an_axis:
        return list(found)
    holding = [j for j in found if j.status == "holds"]
    return [*(j for j in found if j.status != "holds"), *([max(holding, key=closeness)] if holding else [])]


def closeness(judged: Judgement) -> float:
    """How far a measurement went towards what would refute it, in units of what is granted; below 0 beyond a bound."""
    on_draws = judged.quantity.against == "finite"
    gap, error = (judged.gap_finite, judged.gap_error) if on_draws else (judged.gap, judged.stderr)
    if gap is None:
        return 0.0
    gaps = numbers(gap)
    excess = {"at least": -gaps, "at most": gaps}.get(judged.quantity.relation, np.abs(gaps))
    granted = judged.allowance + CHANCE * (numbers(error) if error is not None else 0.0)
    ratios = np.asarray(excess / np.maximum(granted, 1e-300))
    return float(np.max(ratios[np.isfinite(ratios)], initial=-np.inf))


def _told(judged: Judgement, own: Mapping[str, Any]) -> str:
    """A judgement in words, with what differs from the claim's own point."""
    place = ", ".join(f"{name} = {value}" for name, value in judged.point.items() if own.get(name) != value)
    told = prose(judged.sentence.removesuffix(": holds"))  # other sentences end in their status
    told = told if judged.status == "holds" else f'<span class="{judged.status}">{told}</span>'
    return f"{told} ({escape(place)})" if place else told
