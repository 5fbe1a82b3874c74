"""The gallery: all pictures by paper and by kind, each with the command that makes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from giantstep.claims import ListedClaim, listed_claims
from giantstep.verdicts import tally
from making.evidence import Evidence, file_name, first_seed
from making.marks import plain, typeset
from making.papers import folder_of, title_of
from making.staging import Stage

KINDS = {
    "Spectrum": "Spectra",
    "Curve": "Curves against a parameter",
    "HeatMap": "Maps of two parameters",
    "Time": "Courses in time",
    "Trajectory": "Trajectories",
    "Plane": "Neurons in the plane",
}
EMPTY = """# Gallery

This site was built without stored simulations; `make gallery`, then `make docs` shows them.
"""
OPENING = """# Gallery

Lines are theory, marks are simulations. A picture leads to its claim; the command below it makes it again, with
verdict and numbers.

{count} of {all} claims are here: {statuses}. {presets} presets, points of figures in papers and talks
mostly, are on the pages of their claims.

By paper: {papers}

By kind: {kinds}
"""


def write_gallery(stage: Stage, evidence: Mapping[str, Evidence]) -> None:
    """The page, of the pictures that are there."""
    shown = [one for one in listed_claims() if one.name in evidence and evidence[one.name].kinds]
    if not shown:
        stage.write("gallery.md", EMPTY)
        return
    folders = list(dict.fromkeys(folder_of(one.name) for one in shown))
    kinds = list(dict.fromkeys(kind for one in shown for kind in evidence[one.name].kinds))
    papers = ", ".join(f"[{folder}](#gallery-{folder})" for folder in folders)
    by_kind = ", ".join(f"[{_words(kind)}](#kind-{kind.lower()})" for kind in kinds)
    statuses = tally([evidence[one.name].status for one in shown])
    presets = sum(":" in name for name in evidence)
    facts = {"count": len(shown), "all": len(listed_claims()), "statuses": statuses, "presets": presets}
    lines = [OPENING.format(papers=papers, kinds=by_kind, **facts)]
    for folder in folders:
        group = [one for one in shown if folder_of(one.name) == folder]
        lines += [f"(gallery-{folder})=", "", f"## {title_of(folder)}", "", *_cards(group, evidence)]
    for kind in kinds:
        group = [one for one in shown if kind in evidence[one.name].kinds]
        links = ", ".join(f"[{one.name}](claims/{one.name}.md)" for one in group)
        lines += [f"(kind-{kind.lower()})=", "", f"## {_words(kind)}", "", links, ""]
    stage.write("gallery.md", "\n".join(lines))


def _words(kind: str) -> str:
    return KINDS.get(kind, kind)


def _cards(group: Sequence[ListedClaim], evidence: Mapping[str, Evidence]) -> list[str]:
    lines = ["::::{container} cards"]
    for one in group:
        told, page = evidence[one.name], f"claims/{one.name}.md"
        picture = f"pictures/claims/{file_name(one.name)}-small.svg"
        lines += [":::{container} card", f"[![{plain(one.statement)}]({picture})]({page})", ""]
        lines += [f"[{one.name}]({page}) [{told.status}]{{.badge .{told.status}}}", "", typeset(one.statement), ""]
        lines += [f"`giantstep verify {one.name} --report report{first_seed(told)}`", ":::"]
    return [*lines, "::::", ""]
