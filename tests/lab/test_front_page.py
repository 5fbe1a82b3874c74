"""What the front page is made of: questions that leave no claim out, small pictures that are those of the claims."""

from __future__ import annotations

import json

import pytest

from giantstep.claims import claim_class, claim_names, listed_claims
from giantstep.lab.jobs.describing import thumbnail
from giantstep.lab.questions import questions_of
from giantstep.lab.small_pictures import card_of, small_pictures


def test_every_claim_stands_under_a_question() -> None:
    homeless = [claim.name for claim in listed_claims() if not questions_of(claim)]
    assert homeless == [], "give them a question: a word of a pattern or a folder in giantstep/lab/questions.py"


def test_every_claim_has_the_small_picture_of_its_version() -> None:
    versions = {name: claim_class(name).info.version for name in claim_names()}
    drawn = {name: card["version"] for name, card in small_pictures().items()}
    assert drawn == versions, "run 'make docs'"


@pytest.mark.parametrize("name", ["bes22/weight-spike", "dklps23/transition"])
def test_a_small_picture_is_what_theory_says(name: str) -> None:
    cls = claim_class(name)
    drawn = json.loads(json.dumps(card_of(cls.info.version, bool(cls.info.finding), thumbnail(cls))))
    kept = small_pictures()[name]
    assert drawn["panel"]["type"] == kept["panel"]["type"]
    assert _numbers(drawn) == pytest.approx(_numbers(kept), rel=2e-3, abs=1e-6)


def _numbers(value: object) -> list[float]:
    if isinstance(value, dict):
        return [number for one in value.values() for number in _numbers(one)]
    if isinstance(value, list):
        return [number for one in value for number in _numbers(one)]
    return [float(value)] if isinstance(value, int | float) else []
