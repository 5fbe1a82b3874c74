"""The front page of the site: claims by the question that they answer."""

from __future__ import annotations

from collections.abc import Collection

from giantstep.claims import ListedClaim, listed_claims
from giantstep.lab.questions import QUESTIONS, Question, answered
from making.evidence import file_name
from making.marks import folded, plain, typeset
from making.papers import claims_list
from making.staging import FRONT, Stage, contents

SECTIONS = (
    "Guides <guides>",
    "Claims <claims/index>",
    "Tutorials <tutorials/index>",
    "Theory <theory/index>",
    "Findings <findings>",
    "Gallery <gallery>",
    "Reference <reference/index>",
    "About <readme>",
    "Contributing <contributing>",
    "Changelog <changelog>",
)
SHOWN = 4  # claims of a question that are not folded away
OPENING = """# See how gradient descent learns features

giantstep makes theorems on two-layer networks executable: what mathematics predicts, what a simulation shows, in one
picture with a verdict. {count} claims of {papers} papers and talks are here. Which one answers your question?

```
pip install '.[plot]'            # from a checkout
giantstep run bes22/weight-spike --step 6 --figure spike.svg
```
"""


def write_front(stage: Stage, evidence: Collection[str]) -> None:
    """The front page, with a picture for each question: that of one of its claims, if there is `evidence` of it."""
    claims = {one.name: one for one in listed_claims()}
    by_question = answered()
    papers = len({one.paper for one in claims.values()})
    lines = [OPENING.format(count=len(claims), papers=papers)]
    lines += [" · ".join(f"[{q.words}](#{anchor(q)})" for q in QUESTIONS), ""]
    for question in QUESTIONS:
        lines += _section(question, [claims[name] for name in by_question[question.key]], evidence)
    asked = {name for names in by_question.values() for name in names}
    rest = [one for name, one in claims.items() if name not in asked]
    if rest:
        lines += ["## And more", "", *claims_list(rest, "claims/")]
    stage.write(FRONT, "\n".join(lines) + contents(list(SECTIONS)))


def anchor(question: Question) -> str:
    """Where the front page speaks of a question."""
    return f"question-{question.key}"


def _section(question: Question, claims: list[ListedClaim], evidence: Collection[str]) -> list[str]:
    """The question with its answer and its claims, and a picture beside them."""
    first = sorted(claims, key=lambda one: (one.name != question.picture, not one.flagship))
    lines = [f"({anchor(question)})=", "", f"## {question.words}", "", "::::{container} question", ":::{container}"]
    lines += [typeset(question.answer), "", *claims_list(first[:SHOWN], "claims/")]
    rest = first[SHOWN:]
    lines += [*(folded(f"{len(rest)} more", claims_list(rest, "claims/")) if rest else []), ":::"]
    picture = f"pictures/claims/{file_name(question.picture)}-small.svg"
    if question.picture in evidence:
        (shown,) = (one for one in claims if one.name == question.picture)
        link = f"[![{plain(shown.statement)}]({picture})](claims/{shown.name}.md)"
        lines += [":::{container} shown", link, "", typeset(shown.statement), ":::"]
    return [*lines, "::::", ""]
