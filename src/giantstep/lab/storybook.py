"""The tours: stories told in stations, each a state of the page. They are data (`tours/*.json`), tested as data.

A station shows a claim at a point in one view, the analyser, or the playground; its address follows from that. Its
`statement` is what the reader shall see, and `expect` what the judge, or theory, must say for it to be true.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode

from pydantic import BaseModel, ConfigDict, Field

FOLDER = Path(__file__).parent / "tours"
ORDER = ("one-giant-step", "staircase", "lazy-or-not", "structure-in-data", "where-the-slides-were-wrong")


class Expected(BaseModel):
    """What must be so for a station's statement to be true.

    Args:
        predicted: by quantity, the range in which theory at the station's point lies.
        verdict: what the judge says after `seeds` seeds at the station's point, with changes that make it cheap.
        seeds: how many.
        changes: written `with`.
        as_printed: what the judge says of the formula that the source prints.
        notes: sentences that theory tells at the point.
        stop: where the analysis of the station's target says that the staircase ends.
        levels: the least risks on the levels of the playground's target.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    predicted: dict[str, tuple[float, float]] = Field(default_factory=dict)
    verdict: Literal["holds", "fails", "undecided", "outside"] | None = None
    seeds: int = 0
    changes: dict[str, Any] = Field(default_factory=dict, alias="with")
    as_printed: str = ""
    notes: tuple[str, ...] = ()
    stop: str = ""
    levels: tuple[float, ...] = ()


class Station(BaseModel):
    """One station: words, a state of the page, and what must be true of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    text: tuple[str, ...]
    look: str
    statement: str
    expect: Expected
    claim: str = ""
    parameters: dict[str, Any] = Field(default_factory=dict)
    view: int = 0
    scope: Literal["point", "view"] = "point"
    seeds: int = 0
    analyze: dict[str, Any] | None = None
    playground: dict[str, Any] | None = None

    @property
    def address(self) -> str:
        """The page in this state."""
        if self.analyze is not None:
            return f"/analyze?{urlencode(self.analyze)}"
        if self.playground is not None:
            return f"/playground?{urlencode(self.playground)}"
        words = {"view": self.view, "scope": self.scope, "seeds": self.seeds}
        return f"/claims/{self.claim}?{urlencode({**self.parameters, **words})}"

    def data(self) -> dict[str, Any]:
        """As the page takes it."""
        told = self.model_dump(mode="json", exclude={"expect"})
        return {**told, "address": self.address, "simulate": bool(self.seeds), "verdict": self.expect.verdict}


class Tour(BaseModel):
    """A story in five to eight stations."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    title: str
    summary: str
    stations: tuple[Station, ...]

    def card(self) -> dict[str, Any]:
        """What a list tells of it."""
        return {"name": self.name, "title": self.title, "summary": self.summary, "stations": len(self.stations)}

    def data(self) -> dict[str, Any]:
        """As the page takes it."""
        return {**self.card(), "stations": [station.data() for station in self.stations]}


@cache
def tours() -> dict[str, Tour]:
    """All tours by name, in the order in which they are best walked."""
    found = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in FOLDER.glob("*.json")}
    names = sorted(found, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))
    return {name: Tour(name=name, **found[name]) for name in names}
