"""Writing the report: a front page, one page a claim, and a page of findings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from giantstep.claims import statement, story
from giantstep.errors import InputError
from giantstep.report.fragments import (
    badge,
    escape,
    judgements_table,
    kind_and_source,
    page,
    parameters_table,
    printed_table,
    provenance_table,
    quantities_table,
    regime,
    sharpness_line,
    told,
)
from giantstep.sources import Source
from giantstep.studies import Results
from giantstep.version import __version__


def write_report(found: Sequence[Results], folder: Path) -> Path:
    """Write the pages of a report, and give the path of the first.

    Args:
        found: the results of the claims, one study each, in the order of the pages.
        folder: where the pages go; made if it is not there.
    """
    try:
        for name in ("claims", "figures"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        pictured = {_file(results): _write_pictures(results, folder / "figures") for results in found}
        for name, results in zip(pictured, found, strict=True):
            page_of_it = _claim_page(results, pictured[name])
            (folder / "claims" / f"{name}.html").write_text(page_of_it, encoding="utf-8")
        (folder / "findings.html").write_text(_findings_page(found), encoding="utf-8")
        front = folder / "index.html"
        front.write_text(_front_page(found, pictured), encoding="utf-8")
    except OSError as error:
        raise InputError(f"the report cannot be written to '{folder}': {error.strerror}") from None
    return front


def _file(results: Results) -> str:
    """The name of its files: letters, digits and a few marks, whatever the claim calls itself."""
    return re.sub(r"[^A-Za-z0-9._-]", "-", results.claim.name)


def _write_pictures(results: Results, folder: Path) -> bool:
    """The whole picture, and the first view alone as a thumbnail; says whether there is one."""
    if not any(cell.measurements for cell in results.cells):
        return False
    try:
        whole, small = results.figure(), results.thumbnail()
    except InputError:  # a claim without views has nothing to draw
        return False
    (folder / f"{_file(results)}.svg").write_text(whole.svg(), encoding="utf-8")
    (folder / f"{_file(results)}-small.svg").write_text(small.svg(), encoding="utf-8")
    return True


def _front_page(found: Sequence[Results], pictured: Mapping[str, bool]) -> str:
    held = sum(r.verdict.status == "holds" for r in found)
    papers: dict[Source, list[Results]] = {}
    for results in found:
        papers.setdefault(results.claim.info.source, []).append(results)
    sections = "".join(
        f'<h2>{escape(str(source))}</h2><div class="cards">{"".join(_card(r, pictured[_file(r)]) for r in group)}</div>'
        for source, group in papers.items()
    )
    findings = sum(bool(r.claim.info.finding) for r in found)
    made = datetime.now(UTC).strftime("%d %B %Y")
    return page(
        f"giantstep: {held} of {len(found)} claims hold",
        f"<h1>{held} of {len(found)} claims hold</h1>"
        f'<p class="soft">Theory against simulation, giantstep {__version__}, {made}. '
        f'<a href="findings.html">{findings} findings</a> correct or complete what a source prints.</p>{sections}',
        "",
    )


def _card(results: Results, pictured: bool) -> str:
    image = f'<img class="picture" src="figures/{_file(results)}-small.svg" alt="" loading="lazy">'
    return (
        f'<a class="card" href="claims/{_file(results)}.html"><header><h3>{escape(results.claim.name)}</h3>'
        f"{badge(results.verdict.status)}</header><p>{escape(statement(type(results.claim)))}</p>"
        f'<div class="thumbnail">{image if pictured else ""}</div>'
        f'<p class="soft">{escape(results.verdict.sentence)}</p></a>'
    )


def _claim_page(results: Results, pictured: bool) -> str:
    claim = results.claim
    picture = (
        f'<figure><a href="../figures/{_file(results)}.svg"><img class="picture" src="../figures/{_file(results)}.svg" '
        f'alt="{escape(statement(type(claim)))}"></a></figure>'
        if pictured
        else ""
    )
    finding = f'<p class="finding"><b>Finding.</b> {escape(claim.info.finding)}</p>' if claim.info.finding else ""
    convention = f"<p>Convention: {escape(claim.convention)}.</p>" if claim.convention else ""
    _, _, rest = story(type(claim)).partition("\n\n")
    return page(
        f"{claim.name}: {results.verdict.status}",
        f'<p class="soft">{escape(claim.name)} {badge(results.verdict.status)}</p>'
        f"<h1>{escape(statement(type(claim)))}</h1>"
        f'<p class="{results.verdict.status}">{escape(results.verdict.sentence)}</p>{sharpness_line(results)}'
        f"{told(rest) if rest else ''}{finding}{printed_table(results)}{picture}"
        f"<h2>Quantities</h2>{quantities_table(results)}{judgements_table(results)}{regime(results)}{convention}"
        f"<h2>Parameters</h2>{parameters_table(results)}"
        f"<h2>Again</h2><pre>giantstep verify {escape(claim.address())} --seed {results.provenance['seed']}</pre>"
        f'<h2>Provenance</h2>{provenance_table(results)}<p class="soft">{kind_and_source(results)}</p>',
        "../",
    )


def _findings_page(found: Sequence[Results]) -> str:
    known = [r for r in found if r.claim.info.finding]
    parts = "".join(
        f'<h2><a href="claims/{_file(r)}.html">{escape(r.claim.name)}</a> {badge(r.verdict.status)}</h2>'
        f'<p>{escape(statement(type(r.claim)))}</p><p class="finding">{escape(r.claim.info.finding)}</p>'
        f'{printed_table(r)}<p class="soft">{kind_and_source(r)}</p>'
        for r in known
    )
    words = "Where a source's statement had to be corrected or completed, and the measurement that shows it."
    return page("giantstep: findings", f"<h1>Findings</h1><p>{words}</p>{parts or '<p>None here.</p>'}", "")
