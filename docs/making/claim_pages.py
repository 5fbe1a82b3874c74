"""The pages of claims as the site has them: the page of the repository, and what stored simulations say."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path

from giantstep.claims import Claim, ListedClaim, claim_class, listed_claims
from giantstep.lab.questions import QUESTIONS, questions_of
from giantstep.sources import SOURCES
from making.corrections import corrections_table
from making.evidence import Evidence, file_name, preset_command, preset_key
from making.front import anchor
from making.marks import folded, raw, typeset
from making.papers import cited, claims_list, folder_of
from making.staging import DOCS, Stage

MOST_RELATED = 6


def write_claim_pages(stage: Stage, evidence: Mapping[str, Evidence], pictures: Path) -> None:
    """All pages of claims; the files in `pictures` that they show become part of the site."""
    claims = listed_claims()
    for file in sorted(pictures.glob("*.svg")):
        stage.copy(file, f"pictures/claims/{file.name}")
    for one in claims:
        file = DOCS / "claims" / f"{one.name}.md"
        if file.exists():
            stage.write(f"claims/{one.name}.md", whole_page(file.read_text(encoding="utf-8"), one, claims, evidence))


def whole_page(page: str, one: ListedClaim, claims: Sequence[ListedClaim], evidence: Mapping[str, Evidence]) -> str:
    """The page of a claim with its verdict and picture, its code, what is related and how it is cited."""
    before, mark, after = page.partition("## Run it\n")
    cls = claim_class(one.name)
    shown = seen(one.name, evidence.get(one.name))
    parts = [before, *shown, mark + after, *presets(cls, evidence), *code(cls), *related(one, claims), "## Cite", ""]
    parts += cited(one.paper, SOURCES[one.paper]) if one.paper else []
    return "\n".join(parts) + "\n"


def seen(name: str, told: Evidence | None) -> list[str]:
    """The verdict that the claim had when the site was built, and its picture."""
    lines = ["## Theory against simulation", ""]
    if told is None:
        command = f"`python docs/gallery.py --only {name}`"
        return [*lines, f"This site was built without stored simulations of this claim; {command} makes them.", ""]
    lines += [f"[{told.status}]{{.badge .{told.status}}} {typeset(told.sentence)}", ""]
    lines += [typeset(told.sharpness), ""] if told.sharpness else []
    for number in range(1, told.sheets + 1):
        lines += [f"![What theory and simulations show]({_picture(name, str(number))})", ""]
    lines += [] if told.sheets else [f"![What theory and simulations show]({_picture(name, 'small')})", ""]
    lines += [line for table in ("quantities", "judgements") for line in raw(told.tables.get(table, ""))]
    if told.corrections:
        lines += ["**As printed, and corrected:**", "", *corrections_table(told.corrections)]
    if "provenance" in told.tables:
        return [*lines, *folded(f"Provenance: {judged(told)}", raw(told.tables["provenance"]))]
    more = f"`python docs/gallery.py --only {name}`, then `make docs` has all panels and numbers here."
    return [*lines, f"{judged(told).capitalize()}. This is the small picture; {more}", ""]


def judged(told: Evidence) -> str:
    """With which seeds, and where."""
    return f"{told.seeds}, version {told.version} of the claim" + (f", commit {told.commit}" if told.commit else "")


def _picture(name: str, which: str) -> str:
    return f"../../pictures/claims/{file_name(name)}-{which}.svg"


def presets(cls: type[Claim], evidence: Mapping[str, Evidence]) -> list[str]:
    """The points of papers and talks that were simulated: the picture of each, its verdict and its command."""
    name = cls.info.name
    told = {preset: evidence[f"{name}:{preset}"] for preset in cls.presets if f"{name}:{preset}" in evidence}
    lines = ["", "::::{container} cards"] if told else []
    for preset, one in told.items():
        picture = f"![The preset {preset}: theory and simulations]({_picture(f'{name}:{preset}', 'small')})"
        lines += [":::{container} card", f"({preset_key(name, preset)})=", "", picture, ""]
        lines += [f"**{preset}** [{one.status}]{{.badge .{one.status}}}", ""]
        lines += [f"{typeset(one.sentence)} ({one.seeds})", ""]
        lines += [f"`{preset_command(name, preset, one)}`", ":::"]
    return [*lines, "::::", ""] if lines else []


def code(cls: type[Claim]) -> list[str]:
    """What predicts and what simulates, one click away."""
    lines = ["## Code", ""]
    for words, names in {"predict: what theory says": ("predict",), "measure: what is simulated": MEASURES}.items():
        functions = [vars(cls).get(name) for name in names]
        functions = [getattr(one, "__func__", one) for one in functions if one is not None]
        if functions:
            text = "\n\n".join(inspect.cleandoc(inspect.getsource(one)) for one in functions)
            lines += folded(words, ["```python", *text.splitlines(), "```"])
    return [*lines, f"The whole claim: `{cls.__module__.replace('.', '/')}.py`", ""]


MEASURES = ("measure", "measure_path")


def related(one: ListedClaim, claims: Sequence[ListedClaim]) -> list[str]:
    """The questions that it answers, and claims that answer the same ones."""
    keys = questions_of(one)
    asked = [f"[{q.words}](../../index.md#{anchor(q)})" for q in QUESTIONS if q.key in keys]

    def shared(other: ListedClaim) -> int:
        return 2 * len(set(keys) & set(questions_of(other))) + (folder_of(other.name) == folder_of(one.name))

    others = sorted((other for other in claims if other.name != one.name), key=shared, reverse=True)
    lines = ["## See also", ""]
    lines += [f"It answers: {' '.join(asked)}", ""] if asked else []
    return [*lines, *claims_list(others[:MOST_RELATED], "../")]
