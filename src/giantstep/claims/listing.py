"""The list of claims as data: what each states and what it costs to verify, without loading any of them.

`make docs` writes `listing.json` from the claims; a test compares the two. A claim that is not in it yet is loaded.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from giantstep.claims.base import Claim, statement
from giantstep.claims.registry import claim_class, claim_names
from giantstep.sources import SOURCES

LISTING = Path(__file__).with_name("listing.json")


@dataclass(frozen=True)
class ListedClaim:
    """One line of the list.

    Args:
        name: folder and file, `bes22/weight-spike`.
        kind: theorem, proposition, lemma, conjecture, example or figure.
        paper: its key in `giantstep.sources.SOURCES`.
        statement: what the claim states, in a sentence.
        flagship: whether `verify --flagship` takes it.
        flops: floating-point operations of its verification, estimated; NaN where nobody has.
    """

    name: str
    kind: str
    paper: str
    statement: str
    flagship: bool
    flops: float

    @classmethod
    def of(cls, claim: type[Claim], flops: float = math.nan) -> ListedClaim:
        """The line of a `claim` whose verification takes so many `flops`."""
        info = claim.info
        paper = next((key for key, source in SOURCES.items() if source == info.source), "")
        return cls(info.name, info.kind, paper, statement(claim), info.flagship, flops)

    def speaks_of(self, words: str) -> bool:
        """Whether each of `words` occurs in its name, kind, statement or paper."""
        told = " ".join((self.name, self.kind, self.statement, self.paper, self.source)).lower()
        return all(word in told for word in words.lower().split())

    def is_of_paper(self, words: str) -> bool:
        """Whether `words` are the key of its paper, its folder, or a part of the paper's authors, title or year."""
        given = words.lower()
        return given in (self.paper, self.name.split("/")[0]) or given in self.source.lower()

    @property
    def source(self) -> str:
        """The paper: authors, title, year."""
        return str(SOURCES[self.paper]) if self.paper else ""


@cache
def listed_claims() -> tuple[ListedClaim, ...]:
    """All claims, in the order of their names."""
    lines = json.loads(LISTING.read_text(encoding="utf-8")) if LISTING.exists() else []
    known = {line["name"]: ListedClaim(**line) for line in lines}
    return tuple(known[name] if name in known else ListedClaim.of(claim_class(name)) for name in claim_names())


def listing_text(lines: list[ListedClaim]) -> str:
    """The list as `listing.json` holds it: a line a claim, from those in `lines`."""
    return "[\n" + ",\n".join(json.dumps(asdict(line), ensure_ascii=False) for line in lines) + "\n]\n"
