"""The pages beside those of the claims: how to read the report, findings, papers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from giantstep.claims import statement
from giantstep.report.fragments import badge, escape, kind_and_source, page, printed_table, prose, source_links
from giantstep.report.words import GLOSSARY, HOW_TO_READ, STORY, VERDICTS
from giantstep.sources import Source, source_key
from giantstep.studies import Results


def file_name(results: Results) -> str:
    """The name of its files: letters, digits and a few marks, whatever the claim calls itself."""
    return re.sub(r"[^A-Za-z0-9._-]", "-", results.claim.name)


def of_papers(found: Sequence[Results]) -> dict[Source, list[Results]]:
    """The results by their source."""
    papers: dict[Source, list[Results]] = {}
    for results in found:
        papers.setdefault(results.claim.info.source, []).append(results)
    return papers


def guide_page(found: Sequence[Results]) -> str:
    """How to read the report: its picture language, its verdicts, an order, its words."""
    known = {results.claim.name: results for results in found}
    order = "".join(
        f'<li><a href="claims/{file_name(known[name])}.html">{escape(name)}</a> {badge(known[name].verdict.status)}'
        f"<br>{prose(words)}</li>"
        for name, words in STORY.items()
        if name in known
    )
    lines = "".join(f"<li>{escape(line)}</li>" for line in HOW_TO_READ)
    verdicts = "".join(f"<dt>{badge(word)}</dt><dd>{escape(meaning)}</dd>" for word, meaning in VERDICTS.items())
    words = "".join(f"<dt>{escape(word)}</dt><dd>{escape(meaning)}</dd>" for word, meaning in GLOSSARY.items())
    story_of_it = f"<h2>Pictures that tell the story, in this order</h2><ol>{order}</ol>" if order else ""
    return page(
        "giantstep: how to read this",
        f"<h1>How to read this</h1><ol>{lines}</ol><h2>Verdicts</h2><dl>{verdicts}</dl>{story_of_it}"
        f"<h2>Glossary</h2><dl>{words}</dl>",
        "",
    )


def papers_page(found: Sequence[Results]) -> str:
    """Each paper with where it can be read, its BibTeX, and the claims that are made of it."""
    parts = "".join(
        f'<h2 id="{escape(source_key(source))}">{escape(source.title)}</h2>'
        f"<p>{escape(source.authors)}, {source.year}. {escape(source.venue)} {source_links(source)}</p>"
        f"<p>{', '.join(_claim_link(r) for r in group)}</p><pre>{escape(source.bibtex(source_key(source)))}</pre>"
        for source, group in of_papers(found).items()
    )
    return page("giantstep: papers", f"<h1>Papers</h1>{parts}", "")


def _claim_link(results: Results) -> str:
    return f'<a href="claims/{file_name(results)}.html">{escape(results.claim.name)}</a>'


def findings_page(found: Sequence[Results]) -> str:
    known = [r for r in found if r.claim.info.finding]
    parts = "".join(
        f"<h2>{_claim_link(r)} {badge(r.verdict.status)}</h2>"
        f'<p>{prose(statement(type(r.claim)))}</p><p class="finding">{prose(r.claim.info.finding)}</p>'
        f'{printed_table(r)}<p class="soft">{kind_and_source(r, "")}</p>'
        for r in known
    )
    words = "Where a source's statement had to be corrected or completed, and the measurement that shows it."
    return page("giantstep: findings", f"<h1>Findings</h1><p>{words}</p>{parts or '<p>None here.</p>'}", "")
