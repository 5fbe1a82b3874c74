"""A verdict as plain data: its sentence, how sharp it is, what was judged, and what the source prints."""

from __future__ import annotations

from typing import Any

from giantstep.studies import Results

MOST_JUDGEMENTS = 60


def verdict_data(results: Results, *, sharp: bool = True) -> dict[str, Any]:
    """The verdict on some results, in the words of the terminal; not `sharp`, it does not say how sharp it is.

    That is found by judging again and again, too slow for a verdict which the next seed changes.
    """
    verdict = results.verdict
    return {
        "status": verdict.status,
        "sentence": verdict.sentence,
        "told": str(verdict),
        "sharpness": results.sharpness().in_words() if sharp else "",
        "judgements": [
            {"quantity": one.key or one.quantity.name, "status": one.status, "sentence": one.sentence}
            for one in verdict.judgements[:MOST_JUDGEMENTS]
        ],
        "as_printed": [one.to_dict() for one in results.as_printed()],
    }
