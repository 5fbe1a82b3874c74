"""Writing the report: a front page, one page a claim, how to read it, findings, papers; with pictures and data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from giantstep.claims import statement, story
from giantstep.errors import InputError
from giantstep.report.fragments import (
    badge,
    escape,
    formula_block,
    kind_and_source,
    page,
    parameters_table,
    printed_table,
    prose,
    provenance_table,
    quantities_table,
    regime,
    sharpness_line,
    source_links,
    told,
)
from giantstep.report.judgements import judgements_table
from giantstep.report.numbers import numbers_of
from giantstep.report.pages import file_name, findings_page, guide_page, of_papers, papers_page
from giantstep.report.pictures import Pictures, figure, picture_kinds, write_files
from giantstep.report.script import FILTER, SAVE, SAVE_FILE
from giantstep.report.style import STYLE
from giantstep.report.words import VERDICTS
from giantstep.sources import Source, source_key
from giantstep.studies import Results, write_frame
from giantstep.verdicts import tally
from giantstep.version import __version__


def write_report(found: Sequence[Results], folder: Path, pictures: str | Sequence[str] = ()) -> Path:
    """Write the pages of a report, and give the path of the first.

    Args:
        found: the results of the claims, one study each, in the order of the pages.
        folder: where the pages go; made if it is not there.
        pictures: as what files pictures are written besides, of `svg`, `pdf` and `png`; the pages hold them anyway.
    """
    kinds = picture_kinds(pictures)
    try:
        for name in ("claims", "figures", "data"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        pictured = {file_name(results): _pictures(results, folder / "figures", kinds) for results in found}
        data = {file_name(results): _numbers(results, folder / "data") for results in found}
        for number, results in enumerate(found):
            beside = (found[number - 1] if number else None, found[number + 1] if number + 1 < len(found) else None)
            (folder / "claims" / f"{file_name(results)}.html").write_text(
                _claim_page(results, pictured[file_name(results)], data[file_name(results)], beside, kinds),
                encoding="utf-8",
            )
        pages = {
            "findings": findings_page(found),
            "guide": guide_page(found),
            "papers": papers_page(found),
            "index": _front_page(found, pictured),
        }
        (folder / "style.css").write_text(STYLE, encoding="utf-8")
        (folder / SAVE_FILE).write_text(SAVE, encoding="utf-8")
        for name, text in pages.items():
            (folder / f"{name}.html").write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"the report cannot be written to '{folder}': {error.strerror}") from None
    return folder / "index.html"


def _pictures(results: Results, folder: Path, kinds: Sequence[str]) -> Pictures:
    """The sheets of its picture; the first plot goes to a file as a thumbnail, sheets too if they shall."""
    if not any(cell.measurements for cell in results.cells):
        return Pictures([])
    try:
        sheets = results.figures(caption=False)  # which the page says, where it can be read on a small screen too
    except InputError:  # a claim without views has nothing to draw
        return Pictures([])
    first, small = sheets[0].svg_and_first_panel()
    caption = f'<p class="soft">{prose(results.caption(sheets))}</p>'
    (folder / f"{file_name(results)}-small.svg").write_text(small, encoding="utf-8")
    for number, sheet in enumerate(results.figures() if kinds else (), 1):
        write_files(sheet, folder, _sheet(results, number), kinds)
    return Pictures([first, *(sheet.svg() for sheet in sheets[1:])], caption, [sheet.parts() for sheet in sheets])


def _numbers(results: Results, folder: Path) -> str:
    """Write the tables of its numbers, and give the links from its page to them."""
    links = []
    for ending, numbers in numbers_of(results).items():
        name = f"{file_name(results)}{ending}.csv"
        write_frame(numbers, "csv", folder / name)
        links.append(f'<a href="../data/{name}">{name}</a>')
    return " and ".join(links)


def _sheet(results: Results, number: int) -> str:
    """The name of the files of a sheet."""
    return file_name(results) if number == 1 else f"{file_name(results)}-{number}"


def _front_page(found: Sequence[Results], pictured: Mapping[str, Pictures]) -> str:
    papers = of_papers(found)
    sections = "".join(
        f'<section class="paper" data-paper="{escape(source_key(source))}" data-words="{escape(str(source).lower())}">'
        f'<h2>{escape(str(source))} <span class="soft">{source_links(source)}</span></h2>'
        f'<div class="cards">{"".join(_card(r, bool(pictured[file_name(r)].sheets)) for r in group)}</div></section>'
        for source, group in papers.items()
    )
    findings = sum(bool(r.claim.info.finding) for r in found)
    made = datetime.now(UTC).strftime("%d %B %Y").lstrip("0")
    count = tally([r.verdict.status for r in found])
    return page(
        f"giantstep: {count}",
        f"<h1>{_claims_in_words(len(found))}: {count}</h1>"
        f'<p class="soft">Theory against simulation, giantstep {__version__}, {made}. '
        f'<a href="guide.html">How to read this</a>, with a reading order and a glossary. '
        f'<a href="findings.html">{findings} finding{"" if findings == 1 else "s"}</a>: corrections of what a source '
        f"prints.</p>{_legend()}{_filter(papers)}{sections}"
        '<p id="none" hidden>No claim fits these words.</p>',
        "",
        script=FILTER,
    )


def _claims_in_words(count: int) -> str:
    return f"{count} claim{'' if count == 1 else 's'}"


def _legend() -> str:
    rows = "".join(f"<dt>{badge(word)}</dt><dd>{escape(meaning)}</dd>" for word, meaning in VERDICTS.items())
    return f'<details><summary>What the verdicts mean</summary><dl class="legend">{rows}</dl></details>'


def _filter(papers: Mapping[Source, Sequence[Results]]) -> str:
    """The fields by which cards are chosen; without a script they stay hidden, and all cards are shown."""
    options = "".join(f'<option value="{escape(source_key(s))}">{escape(s.short)}</option>' for s in papers)
    words = "".join(f"<option>{word}</option>" for word in VERDICTS)
    return (
        '<div id="filter" hidden>'
        '<input id="words" type="search" placeholder="Search claims" aria-label="Search claims">'
        f'<select id="paper" aria-label="Paper"><option value="">all papers</option>{options}</select>'
        f'<select id="status" aria-label="Verdict"><option value="">all verdicts</option>{words}</select></div>'
    )


def _card(results: Results, pictured: bool) -> str:
    image = f'<img class="picture" src="figures/{file_name(results)}-small.svg" alt="" loading="lazy">'
    status = results.verdict.status
    return (
        f'<a class="card" data-status="{status}" href="claims/{file_name(results)}.html">'
        f"<header><h3>{escape(results.claim.name)}</h3>{badge(status)}</header>"
        f"<p>{prose(statement(type(results.claim)))}</p>"
        + (f'<div class="thumbnail">{image}</div>' if pictured else "")
        + f'<p class="soft">{prose(results.verdict.sentence)}</p></a>'
    )


def _claim_page(
    results: Results,
    drawn: Pictures,
    data: str,
    beside: tuple[Results | None, Results | None],
    kinds: Sequence[str],
) -> str:
    claim = results.claim
    finding = f'<p class="finding"><b>Finding.</b> {prose(claim.info.finding)}</p>' if claim.info.finding else ""
    convention = f"<p>Convention: {prose(claim.convention)}.</p>" if claim.convention else ""
    _, _, rest = story(type(claim)).partition("\n\n")
    return page(
        f"{claim.name}: {results.verdict.status}",
        f'{_beside(beside)}<p class="soft">{escape(claim.name)} {badge(results.verdict.status)}</p>'
        f"<h1>{prose(statement(type(claim)))}</h1>{formula_block(type(claim))}"
        f'<p class="{results.verdict.status}">{prose(results.verdict.sentence)}</p>{sharpness_line(results)}'
        f"{told(rest) if rest else ''}{finding}{printed_table(results)}{_picture(results, drawn, data, kinds)}"
        f"<h2>Quantities</h2>{quantities_table(results)}{judgements_table(results, data)}"
        f"{regime(results)}{convention}"
        f"<h2>Parameters</h2>{parameters_table(results)}"
        f"<h2>Again</h2><pre>{_again(results)}</pre>"
        f'<h2>Provenance</h2>{provenance_table(results)}<p class="soft">{kind_and_source(results, "../")}</p>'
        f"{_beside(beside)}",
        "../",
        file=SAVE_FILE if drawn.sheets else "",
    )


def _again(results: Results) -> str:
    """The command that gives these verdicts and pictures again."""
    claim, facts = results.claim, results.provenance
    there = len(results.base_cell.measurements)
    usual = claim.default_seeds * facts.get("seeds_times", 1)  # more of them, where needed, are taken again by itself
    seeds = f" --seeds {there}" if there not in (0, usual) else ""
    return f"giantstep verify {escape(claim.address())} --seed {facts['seed']}{seeds}"


def _picture(results: Results, drawn: Pictures, data: str, kinds: Sequence[str]) -> str:
    """The picture, sheet by sheet, and where to find it in other forms and its numbers."""
    words = statement(type(results.claim))
    shown = ""
    for number, (svg, parts) in enumerate(zip(drawn.sheets, drawn.parts, strict=True), 1):
        own = _sheet(results, number)
        shown += figure(svg, own, words, [f"../figures/{own}.{kind}" for kind in kinds], number=number, parts=parts)
    again = f"{_again(results)} --report report --pictures pdf"
    files = f" As PDF beside these pages: <code>{again}</code>." if drawn.sheets and "pdf" not in kinds else ""
    numbers = f"All numbers of this page: {data}." if data else ""
    return f'{shown}{drawn.caption}<p class="soft">{numbers}{files}</p>'


def _beside(beside: tuple[Results | None, Results | None]) -> str:
    before, after = beside
    left = (
        f'<a rel="prev" href="{file_name(before)}.html">← {escape(before.claim.name)}</a>'
        if before
        else "<span></span>"
    )
    right = f'<a rel="next" href="{file_name(after)}.html">{escape(after.claim.name)} →</a>' if after else ""
    return f'<p class="beside">{left}{right}</p>'
