"""The questions under which the front page lists claims; a claim belongs to those that its statement answers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from giantstep.claims import ListedClaim, listed_claims


@dataclass(frozen=True)
class Question:
    """A question, and which claims answer it: those whose statement has one of its words, or that are of its folders.

    Args:
        key: its name in addresses.
        words: the question.
        pattern: a regular expression that is looked for in statements.
        folders: folders of claims that all belong to it.
    """

    key: str
    words: str
    pattern: str
    folders: frozenset[str] = frozenset()

    def is_answered_by(self, name: str, told: str) -> bool:
        """Whether a claim of this name, which states what is `told`, answers it."""
        return name.split("/")[0] in self.folders or bool(re.search(self.pattern, told, re.IGNORECASE))


QUESTIONS = (
    Question("samples", "How many samples?", r"\bsamples?\b|\bmeasurements\b|n ~ d|n = d|n >= d|\bnoisy by\b"),
    Question("step", "How large a step?", r"\bsteps? of (constant|size)|\bgiant step|\bstep size|\bsteps?\b"),
    Question("lazy", "Lazy or not?", r"\bkernels?\b|\blinearis|\bstart\b|\brandom features\b", frozenset({"lazy"})),
    Question(
        "helps", "What helps?", r"\bspike\b|\beasier\b|\bpreprocess|\bfewer\b|\bbiases\b", frozenset({"structured"})
    ),
)


def questions_of(claim: ListedClaim) -> list[str]:
    """The keys of the questions that a claim answers."""
    return [q.key for q in QUESTIONS if q.is_answered_by(claim.name, claim.statement)]


def answered() -> dict[str, list[str]]:
    """By the key of each question, the names of the claims that answer it."""
    found = {claim.name: questions_of(claim) for claim in listed_claims()}
    return {q.key: [name for name, keys in found.items() if q.key in keys] for q in QUESTIONS}
