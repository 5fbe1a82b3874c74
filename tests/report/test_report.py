"""The report: complete, self-contained, every link leads somewhere."""

from __future__ import annotations

import base64
import csv
import hashlib
import html
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.claims.toy import Bare, NoisyLevel

from giantstep.claims import claim, claim_class, claim_names, formula_of, parameter_table, parameters, quantity
from giantstep.errors import InputError
from giantstep.figures import formula_mathml
from giantstep.figures.text import typeset
from giantstep.report import write_report
from giantstep.report.fragments import formula, prose, table
from giantstep.report.judgements import closeness, judgements_table
from giantstep.report.script import FILTER, SAVE
from giantstep.report.style import MOST_COLUMNS
from giantstep.report.words import STORY, VERDICTS
from giantstep.studies import Study

pytestmark = pytest.mark.slow  # all look at one report, which takes a while to write


class Links(HTMLParser):
    """Everything that a page refers to, and whether its tags match."""

    void = ("meta", "link", "img", "br", "input")
    ended_by_others = ("td", "th", "tr", "thead", "tbody")  # by the next one, or by the end of their table

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.outward: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        links = [value for name, value in attributes if name in ("href", "src") and value]
        outward = [link for link in links if tag == "a" and link.startswith("https://")]  # where a reader may go
        self.outward += outward
        self.found += [link.split("#")[0] for link in links if link not in outward]
        if tag not in (*self.void, *self.ended_by_others):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.void:
            assert self.open.pop() == tag


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    studies = [Study.of_views(NoisyLevel()), Study(claim("bes22/weight-spike", d=32), seeds=2)]
    front = write_report([study.run(workers=1) for study in studies], folder)
    assert front == folder / "index.html"
    return folder


def test_every_page_is_well_formed_and_every_link_leads_somewhere(report: Path) -> None:
    pages = sorted(report.rglob("*.html"))
    assert {p.name for p in pages} == {
        "index.html",
        "findings.html",
        "guide.html",
        "papers.html",
        "toy-noisy-level.html",
        "bes22-weight-spike.html",
    }
    for page in pages:
        links = Links()
        links.feed(page.read_text(encoding="utf-8"))
        assert not links.open
        for link in links.found:
            assert not re.match(r"(https?:)?//", link), "the report must not need a network"
            assert (page.parent / link).exists(), link
    for picture in report.rglob("*.svg"):
        ElementTree.parse(picture)


def test_the_front_page_counts_all_and_can_be_searched(report: Path) -> None:
    text = (report / "index.html").read_text(encoding="utf-8")
    assert "<h1>2 claims: 1 holds, 1 undecided, 0 fail, 0 outside</h1>" in text
    assert text.count('data-status="holds"') == text.count('data-status="undecided"') == 1
    assert '<option value="bes22">' in text
    for word in VERDICTS:
        assert f'<span class="badge {word}">' in text, "the legend"


def test_only_the_reports_own_script_may_run(report: Path) -> None:
    for page in report.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
        assert scripts == ([FILTER] if page.name == "index.html" else [])
        files = re.findall(r'<script src="([^"]*)"></script>', text)
        assert files == (["../save.js"] if page.parent.name == "claims" else []), "one file for all pages"
        digests = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in scripts]
        (allowed,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
        wanted = "'self' file:" if files else f"'sha256-{digests[0]}'" if digests else "'none'"
        assert f"script-src {wanted};" in html.unescape(allowed)
        assert "default-src 'none'" in html.unescape(allowed)


def test_the_script_that_saves_pictures_is_beside_the_pages(report: Path) -> None:
    assert (report / "save.js").read_text(encoding="utf-8") == SAVE


def test_the_guide_explains_words_and_gives_an_order(report: Path) -> None:
    text = (report / "guide.html").read_text(encoding="utf-8")
    words = ("bulk", "spike", "head", "ridge", "leap", "conjugate kernel", "information exponent", "allowance", "draw")
    assert [word for word in words if f"<dt>{word}</dt>" not in text] == []
    assert text.index("tell the story") < text.index("claims/bes22-weight-spike.html")
    assert set(STORY) <= set(claim_names())


def test_papers_have_links_and_bibtex(report: Path) -> None:
    text = (report / "papers.html").read_text(encoding="utf-8")
    assert 'id="bes22"' in text
    assert 'href="https://arxiv.org/abs/2205.01445"' in text
    assert "@misc{bes22," in text
    page = (report / "claims" / "bes22-weight-spike.html").read_text(encoding="utf-8")
    assert 'href="../papers.html#bes22"' in page
    assert "https://arxiv.org/abs/2205.01445" in page


def test_pictures_stand_in_their_page_and_data_beside_it(report: Path) -> None:
    text = (report / "claims" / "toy-noisy-level.html").read_text(encoding="utf-8")
    assert '<figure data-name="toy-noisy-level"><div class="picture"><svg role="img" aria-label="' in text
    assert re.findall(r'<button value="(\w+)" hidden>', text) == ["svg", "png"]
    assert "giantstep verify tests.claims.toy:NoisyLevel --seed 0 --report report --pictures pdf" in text
    assert sorted(place.name for place in (report / "figures").iterdir()) == [
        "bes22-weight-spike-small.svg",
        "toy-noisy-level-small.svg",
    ]


def read(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_numbers_are_a_row_a_point_and_curves_a_row_a_place(report: Path) -> None:
    results = Study.of_views(NoisyLevel()).run(workers=1)
    points, places = (read(report / "data" / f"toy-noisy-level{ending}.csv") for ending in ("", "-curves"))
    assert len(points) == len(results.cells) > 4
    assert "x" not in points[0]
    assert places[0]["x"] != places[1]["x"]
    assert {row["point"] for row in places} == {row["point"] for row in points}
    assert set(places[0]) & set(points[0]) == {"point"}
    for row in points:
        assert len(row["level_stderr"].lstrip("0.")) <= 2, "as many digits as on the page"
    tidy = results.means()
    levels = list(zip(*(tidy[name] for name in ("quantity", "measured", "stderr")), strict=True))
    for row, (_, measured, error) in zip(points, [one for one in levels if one[0] == "level"], strict=True):
        assert float(row["level"]) == pytest.approx(measured, abs=0.1 * error)
    judged = [j for j in results.verdict.judgements if j.counts and j.key == "level"]
    assert [float(row["level_allowed"]) for row in points] == pytest.approx([j.allowance for j in judged], rel=0.01)
    assert "level_verdict" not in points[0], "it holds everywhere"


def test_of_each_quantity_the_closest_judgement_is_told_and_all_that_do_not_hold(report: Path) -> None:
    results = Study.of_views(NoisyLevel()).run(workers=1)
    told = judgements_table(results, "here.csv")
    judged = [j for j in results.verdict.judgements if j.counts]
    assert f"<summary>{len(judged)} judgements, by quantity</summary>" in told
    levels = [j for j in judged if j.key == "level"]
    closest = max(levels, key=closeness)
    shown = {j.sentence: prose(j.sentence.removesuffix(": holds")) in told for j in levels}
    assert shown[closest.sentence]
    assert sum(shown.values()) == 1
    assert f"<td>level</td><td>{len(levels)} of {len(levels)} hold</td>" in told
    doubted = replace(levels[0], status="undecided", sentence="level 1: undecided")
    verdict = replace(results.verdict, judgements=(doubted, *results.verdict.judgements[1:]))
    vars(results)["verdict"] = verdict
    assert '<span class="undecided">level 1: undecided</span>' in judgements_table(results, "")


def test_tables_say_their_labels_once_and_the_style_sheet_sets_them(report: Path) -> None:
    made = table(("quantity", "", 'it\'s "so" \\'), [("<b>a</b>", "1", "2")])
    assert """<table style="--c1:'quantity';--c3:'it\\'s &quot;so&quot; \\\\'">""" in made
    assert "<td><b>a</b></td><td>1</td>" in made
    sheet = (report / "style.css").read_text(encoding="utf-8")
    assert "td:nth-child(3)::before { content: var(--c3); }" in sheet
    told = [int(n) for page in report.rglob("*.html") for n in re.findall(r"--c(\d+):", page.read_text("utf-8"))]
    assert 8 <= max(told) <= MOST_COLUMNS


def test_pictures_are_files_too_if_they_are_asked_for(tmp_path: Path) -> None:
    results = [Study.of_views(NoisyLevel()).run(workers=1)]
    write_report(results, tmp_path, "pdf, PNG,svg")
    text = (tmp_path / "claims" / "toy-noisy-level.html").read_text(encoding="utf-8")
    for kind, start in (("pdf", b"%PDF"), ("png", b"\x89PNG"), ("svg", b"<svg")):
        assert (tmp_path / "figures" / f"toy-noisy-level.{kind}").read_bytes().startswith(start)
        assert f'<a href="../figures/toy-noisy-level.{kind}">{kind.upper()}</a>' in text
    assert "<button" not in text
    assert "--pictures pdf" not in text
    with pytest.raises(InputError, match="cannot be written as 'jpg'; kinds are svg, pdf, png"):
        write_report(results, tmp_path, ("jpg",))


def test_a_report_of_a_claim_is_small(report: Path) -> None:
    """All claims are to fit into 4 MB: 45 kB for each, which has a page, a thumbnail and its numbers."""
    sizes = [place.stat().st_size for place in report.rglob("*bes22-weight-spike*")]
    assert len(sizes) >= 3
    assert sum(sizes) < 40_000


def test_a_narrow_screen_shows_panels_one_below_the_other(report: Path) -> None:
    """Windows on the picture that the page has anyway: its key, entry by entry, and each panel."""
    text = (report / "claims" / "bes22-weight-spike.html").read_text(encoding="utf-8")
    (picture,) = re.findall(r'<svg role="img".*?</g></svg>(?=<div class="parts")', text, re.DOTALL)
    (key, panels) = re.findall(r'<div class="parts" aria-hidden="true"><div>(.*?)</div>(.*?)</div>', text)[0]
    letters = re.findall(r">\(([a-z])\)", picture)
    assert len(re.findall("<svg ", panels)) == len(letters) > 2
    assert len(re.findall("<svg ", key)) >= 2
    assert set(re.findall(r'href="([^"]*)"', key + panels)) == {"#p1-"}
    assert picture.count('<g id="p1-">') == 1
    _, _, width, height = (float(n) for n in re.findall(r'viewBox="([^"]*)"', picture)[0].split())
    for box in re.findall(r'viewBox="([^"]*)"', key + panels):
        left, top, wide, high = map(float, box.split())
        assert left >= 0 <= top
        assert left + wide <= width
        assert top + high <= height
    sheet = (report / "style.css").read_text(encoding="utf-8")
    assert ".parts { display: none; }" in sheet


def test_pages_lead_to_the_next_and_the_one_before(report: Path) -> None:
    first = (report / "claims" / "toy-noisy-level.html").read_text(encoding="utf-8")
    second = (report / "claims" / "bes22-weight-spike.html").read_text(encoding="utf-8")
    assert '<a rel="next" href="bes22-weight-spike.html">' in first
    assert '<a rel="prev" href="toy-noisy-level.html">' in second
    assert 'rel="prev"' not in first


def test_no_page_shows_raw_backticks() -> None:
    assert prose("see `run` & go") == "see <code>run</code> &amp; go"


def test_a_claim_page_says_everything(report: Path) -> None:
    text = (report / "claims" / "bes22-weight-spike.html").read_text(encoding="utf-8")
    for needed in ("Finding", "Quantities", "Parameters", "Provenance", "giantstep verify bes22/weight-spike --seed 0"):
        assert needed in text
    assert "J. Ba" in text
    assert "samples_per_dim" in text
    assert text.count("<math") > 3


def test_a_claim_page_says_what_it_would_notice(report: Path) -> None:
    text = (report / "claims" / "toy-noisy-level.html").read_text(encoding="utf-8")
    assert (
        "This would notice a theory off by 4.3 % (the median of 2 quantities; the bluntest, wave, would notice" in text
    )
    assert "Besides: power (slope in size) 0.1; height margin 1;" in text
    assert "<th>notices" in text


def test_findings_are_gathered(report: Path) -> None:
    text = (report / "findings.html").read_text(encoding="utf-8")
    assert "bes22/weight-spike" in text
    assert "toy/noisy-level" in text


def test_a_folder_that_cannot_be_written_gets_one_sentence(tmp_path: Path) -> None:
    taken = tmp_path / "file"
    taken.write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_report([NoisyLevel().run(seeds=2)], taken)


SMALLER = r"\psi_1 = n/d < 1"


def test_formulas_are_set_by_the_browser_and_hold_their_latex() -> None:
    drawn = formula(SMALLER)
    ElementTree.fromstring(drawn)
    assert drawn.startswith(f'<math alttext="{html.escape(SMALLER)}">')
    assert "<mo>&lt;</mo>" in drawn
    assert 'display="block"' in formula(r"\frac{1}{2}", display=True)


@pytest.mark.parametrize("tex", [r"\nonsense{<", "a & b", "x^^2", "$", r"\\zeta"])
def test_what_is_no_formula_is_shown_as_it_is_written(tex: str) -> None:
    assert formula(tex) == f"<code>{html.escape(tex)}</code>"


def test_every_formula_and_symbol_can_be_set() -> None:
    for name in claim_names():
        cls = claim_class(name)
        told = formula_of(cls)
        lines = (*told.lines, *told.words.split("$")[1::2]) if told else ()
        symbols = [about["symbol"] for about in parameter_table(cls).values()] + [q.symbol for q in cls().stated()]
        for tex in filter(None, (*lines, *symbols)):
            links = Links()
            links.feed(formula_mathml(tex, display=True))
            assert not links.open
            assert r"\$" not in typeset(f"${tex}$"), "pictures show it too"


def test_a_formula_stands_under_the_statement(report: Path) -> None:
    text = (report / "claims" / "bes22-weight-spike.html").read_text(encoding="utf-8")
    assert text.index("<h1>") < text.index('<div class="display">') < text.index("<h2>Quantities")
    assert r'<math alttext="s_1 \to \sqrt{' in text
    assert 'class="display"' not in (report / "claims" / "toy-noisy-level.html").read_text(encoding="utf-8")


def test_what_stands_between_backticks_is_code_on_every_page(tmp_path: Path) -> None:
    quoted = "Words of `some_code`"
    info = replace(NoisyLevel.info, finding=quoted, where=quoted, text=f"{quoted}.\n\n{quoted}.")
    field = parameters.own(1.0, quoted)
    body = {"info": info, "convention": quoted, "__module__": NoisyLevel.__module__, "other": field}
    body |= {"__annotations__": {"other": "float"}, "quantities": (quantity.equal("level", 1, quoted, help=quoted),)}
    write_report([Study(type("Quoted", (NoisyLevel,), body | {"views": ()})(), seeds=2).run(workers=1)], tmp_path)
    for page in tmp_path.rglob("*.html"):
        words = re.sub(r"<(script|style|svg).*?</\1>|<[^>]+>", " ", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert "`" not in words
    assert (tmp_path / "claims" / "toy-noisy-level.html").read_text().count("<code>some_code</code>") >= 6


def test_a_claim_without_a_picture_has_a_page_without_one(tmp_path: Path) -> None:
    front = write_report([Study(Bare(), seeds=2).run(workers=1)], tmp_path)
    assert "toy-bare" in front.read_text()
    assert "<figure>" not in (tmp_path / "claims" / "toy-bare.html").read_text()


HOSTILE = '</title><script>alert("1")</script><img src=x onerror=alert(2)>'


def test_hostile_words_stay_words(tmp_path: Path) -> None:
    """Whatever a claim calls itself: its words are shown, its files lie in the folder, and nothing runs."""
    info = replace(NoisyLevel.info, name=f"../../{HOSTILE}", finding=HOSTILE, where=HOSTILE)
    quantities = (quantity.reported("level", help=HOSTILE),)
    body = {"__doc__": f"{HOSTILE}.", "__module__": NoisyLevel.__module__, "info": info, "quantities": quantities}
    body["views"] = ()
    hostile = type("Hostile", (NoisyLevel,), body | {"address": classmethod(lambda cls: HOSTILE)})
    folder = tmp_path / "a" / "report"
    write_report([Study(hostile(), seeds=2).run(workers=1)], folder)
    pages = sorted(tmp_path.rglob("*.html"))
    assert len(pages) == 5
    assert all(folder in page.parents for page in pages)
    for page in pages:
        text = page.read_text()
        assert text.count("<script") == text.count("<script>" + FILTER) == ("index" in page.name)
        assert "<img src=x" not in text
        assert "Content-Security-Policy\" content=\"default-src 'none';" in text


def test_every_page_forbids_what_it_does_not_need(report: Path) -> None:
    for page in report.rglob("*.html"):
        text = page.read_text()
        assert text.index("Content-Security-Policy") < text.index("stylesheet")
        assert not re.search(r"javascript:|\son\w+=", text)
