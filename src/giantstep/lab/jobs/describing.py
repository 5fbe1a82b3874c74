"""One claim described for its page: statement, formula, controls, presets, tabs, quantities."""

from __future__ import annotations

from typing import Any

from giantstep.claims import Claim, ListedClaim, described, story
from giantstep.lab.jobs.controls import controls
from giantstep.lab.jobs.listed import Tell
from giantstep.lab.jobs.points import own_claim
from giantstep.lab.jobs.tabs import tabs_of
from giantstep.lab.jobs.theory import is_a_dot, known_prediction, theory_panels
from giantstep.lab.questions import questions_of
from giantstep.sources import source_key
from giantstep.studies import views_at


def describe(given: dict[str, Any], _: Tell) -> dict[str, Any]:
    """All that the page of the claim `given["claim"]` shows before anything is computed at another point."""
    cls = own_claim(given["claim"])
    point = cls()
    told = described(cls)
    quantities = told.pop("quantities")
    for word in ("parameters", "views"):
        del told[word]
    return {
        **told,
        "paper": cls.info.name.split("/")[0],
        "story": story(cls),
        "url": cls.info.source.link,
        "bibtex": cls.info.source.bibtex(source_key(cls.info.source)),
        "default_seeds": cls.default_seeds,
        "controls": controls(cls),
        "presets": [{"name": name, "values": dict(values)} for name, values in cls.presets.items()],
        "views": tabs_of(point, known_prediction(point)),
        "quantities": [{"key": key, **words} for key, words in quantities.items()],
        "questions": questions_of(ListedClaim.of(cls)),
    }


def thumbnail(cls: type[Claim]) -> dict[str, Any] | None:
    """The first panel of theory at the claim's own point; None where theory has none to show."""
    point = cls()
    prediction = known_prediction(point)
    dots: list[dict[str, Any]] = []
    for shown in views_at(point, maps=True):
        panels, _ = theory_panels(point, prediction, shown)
        if panels and not is_a_dot(panels[0]):
            return panels[0]
        dots += panels[:1]
    return dots[0] if dots else None
