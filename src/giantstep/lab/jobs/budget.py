"""What a simulation may cost in the lab, from the claim's own estimate; the terminal does what is larger."""

from __future__ import annotations

from typing import Any

from giantstep.errors import TooLargeError
from giantstep.studies import ResourceEstimate, Study, span

MOST_SECONDS = 180.0  # of one simulation, all its seeds together
MOST_BYTES = 4e9


def cost_of(study: Study) -> dict[str, Any]:
    """Time and memory of a study, and the sentence of its refusal if it is too large."""
    try:
        needed = study.refuse_what_cannot_fit(1)
    except TooLargeError as refused:
        return {"seconds": None, "bytes": None, "sentence": "", "refusal": str(refused)}
    return {
        "seconds": needed.seconds,
        "bytes": needed.bytes,
        "sentence": f"{needed.tasks} simulation{'' if needed.tasks == 1 else 's'}: about {span(needed.seconds)} and "
        f"{needed.memory} of memory",
        "refusal": refusal(study, needed),
    }


def refusal(study: Study, needed: ResourceEstimate) -> str:
    """Why the lab does not simulate something of this size; empty if it does."""
    name = study.base.name
    if needed.seconds > MOST_SECONDS:
        return (
            f"{name} would take about {span(needed.seconds)} here, and the lab gives a simulation {span(MOST_SECONDS)} "
            "at most; lower its size or the number of seeds, or let the terminal do it"
        )
    if needed.bytes > MOST_BYTES:
        return (
            f"{name} would take about {needed.memory} of memory, and the lab gives a simulation "
            f"{MOST_BYTES / 1e9:.0f} GB at most; lower its size, or let the terminal do it"
        )
    return ""
