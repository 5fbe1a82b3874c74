"""The page of findings: where a talk or paper does not hold as printed, what is true, and how to see it."""

from __future__ import annotations

from collections.abc import Mapping

from giantstep.claims import Claim, claim_class, claim_names
from making.evidence import Evidence
from making.marks import folded, plain, raw
from making.papers import folder_of, title_of
from making.staging import Stage

OPENING = """# Findings

Executing a statement finds what reading it does not: a factor two between a slide and its figure, a condition that was
left out, a conjecture that a simulation decides. Here is every statement that does not hold as it is printed: *said*,
what the source says; *true*, what holds instead, with the numbers; *see it*, one command that judges both on the same
simulations. Most are slips of presentation, and none takes away from the ideas. Corrections of these corrections are
welcome.

{printed} printed statements of {claims} claims are corrected here; [what the others add](#what-was-added) follows.
"""
ADDED = """## What was added

Statements that hold, and what their simulations showed besides: a constant, a rate, the sizes at which a limit is seen.
"""


def write_findings(stage: Stage, evidence: Mapping[str, Evidence]) -> None:
    """The page, from what the claims say of themselves."""
    classes = [claim_class(name) for name in claim_names()]
    corrected = [cls for cls in classes if cls.printed]
    lines = [OPENING.format(printed=sum(len(cls.printed) for cls in corrected), claims=len(corrected))]
    for folder in dict.fromkeys(folder_of(cls.info.name) for cls in corrected):
        lines += [f"## {title_of(folder)}", ""]
        for cls in corrected:
            if folder_of(cls.info.name) == folder:
                lines += _correction(cls, evidence.get(cls.info.name))
    lines.append(ADDED)
    for cls in classes:
        if cls.info.finding and not cls.printed:
            lines += folded(cls.info.name, [f"{plain(cls.info.finding)} {_link(cls)}"])
    stage.write("findings.md", "\n".join(lines))


def _link(cls: type[Claim]) -> str:
    return f"[{cls.info.name}](claims/{cls.info.name}.md)"


def _correction(cls: type[Claim], told: Evidence | None) -> list[str]:
    place = f", {cls.info.where}" if cls.info.where else ""
    lines = [f"### {_link(cls)}", "", f"*{plain(str(cls.info.source))}{plain(place)}*", ""]
    for one in cls.printed:
        lines += [f"**Said** (`{one.name}`): {plain(one.says)}", ""]
    lines += [f"**True:** {plain(cls.info.finding)}", ""] if cls.info.finding else []
    lines += raw(told.tables["printed"]) if told and told.tables["printed"] else []
    return [*lines, f"**See it:** `giantstep run {cls.info.name} --as-printed`", ""]
