"""The front page: every claim as a card, by paper and by question."""

from __future__ import annotations

from typing import Any

from giantstep.claims import listed_claims
from giantstep.lab.questions import QUESTIONS, answered, questions_of
from giantstep.lab.small_pictures import small_pictures
from giantstep.lab.storybook import tours
from giantstep.lab.web.laboratory import Laboratory
from giantstep.sources import SOURCES
from giantstep.version import __version__

UNDRAWN = {"corrected": False, "panel": None}  # a claim that `make docs` has not met yet


def front_page(lab: Laboratory) -> dict[str, Any]:
    """All that the front page shows."""
    by_question, cards = answered(), small_pictures()
    return {
        "version": __version__,
        "claims": [
            {
                "name": claim.name,
                "paper": claim.name.split("/")[0],
                "kind": claim.kind,
                "statement": claim.statement,
                "flagship": claim.flagship,
                "source": claim.source,
                "questions": questions_of(claim),
                "verdict": lab.verdicts.known.get(claim.name),
                "corrected": cards.get(claim.name, UNDRAWN)["corrected"],
                "thumbnail": cards.get(claim.name, UNDRAWN)["panel"],
            }
            for claim in listed_claims()
        ],
        "papers": _papers(),
        "questions": [
            {"key": q.key, "words": q.words, "answer": q.answer, "claims": by_question[q.key]} for q in QUESTIONS
        ],
        "tours": [tour.card() for tour in tours().values()],
    }


def _papers() -> list[dict[str, Any]]:
    """The papers that claims cite, each with its claims."""
    found: dict[str, list[str]] = {}
    for claim in listed_claims():
        found.setdefault(claim.paper, []).append(claim.name)
    return [
        {
            "key": key,
            "title": source.title,
            "authors": source.authors,
            "year": source.year,
            "cite": str(source),
            "url": source.link,
            "claims": found[key],
        }
        for key, source in SOURCES.items()
        if key in found
    ]
