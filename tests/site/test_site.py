"""The site as a reader gets it: built with warnings as errors, opened as files in a real browser."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest

import giantstep as gs
from giantstep.claims import claim_class
from giantstep.cli.main import status
from giantstep.cli.notebook import tutorials
from tests.site.pages import FLAGS, Page, browser

pytest.importorskip("sphinx")

ROOT = Path(__file__).parents[2]
KINDS = (
    "index",
    "guides",
    "verdicts",
    "claims/index",
    "claims/bes22/index",
    "claims/bes22/weight-spike",
    "claims/dklps23/transition",
    "findings",
    "gallery",
    "tutorials/engines",
    "tutorials/figures",
    "theory/spectra",
    "theory/conventions",
    "theory/symbols",
    "reference/index",
    "reference/giantstep.theory.spectra",
    "readme",
    "changelog",
)


@pytest.mark.slow
def test_the_site_builds_and_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    site, pictures = tmp_path / "site", tmp_path / "pictures"
    draw_some("dklps23/transition", "exponent-2", pictures)
    command = [ROOT / "docs" / "make_site.py", "--to", site, "--work", tmp_path / "work", "--pictures", pictures]
    command += ["--rooms", "theory"]
    done = subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pages = {file.resolve(): Page(file.resolve()) for file in site.rglob("*.html")}
    told = (site / "claims" / "dklps23" / "transition.html").read_text(encoding="utf-8")
    assert "seeds 700 to 701" in told, "a page says with which seeds its claim was judged"
    assert "dklps23-transition--exponent-2-small.svg" in told, "a preset has its picture"
    command_told = r"giantstep run dklps23/transition --preset exponent-2( --seeds \d+)? --seed 700"
    assert re.search(command_told, re.sub("<[^>]+>", "", told)), "a preset has its command"
    check_links(pages)
    check_that_nothing_is_loaded_from_elsewhere(pages)
    check_in_a_browser(site, [f"{kind}.html" for kind in KINDS])


@pytest.mark.slow
def test_every_exported_name_has_its_place_in_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from making.reference import exports, package_page, packages

    known = packages()
    for package in known:
        page = package_page(package, known)
        missing = [name for file, name in exports(package) if file and f" {name}" not in page]
        assert not missing, f"{package}: {missing}"


def test_what_is_kept_of_the_gallery_is_small_and_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from making.evidence import file_name
    from making.kept import FOLDER, kept

    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < 3e6
    assert [name for name in kept() if not (FOLDER / f"{file_name(name)}-small.svg").exists()] == []


def test_a_correction_tells_both_numbers_and_the_measured_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from making.corrections import corrections_of, numbers_told

    study = gs.Study(gs.claim("bes22/weight-spike", d=200), noise=[0.0, 1.5], seeds=8)
    noise, *_ = corrections_of(study.run(workers=1))
    assert (noise.quantity, noise.as_printed, noise.as_corrected) == ("spike", "fails", "holds")
    measured, error = map(float, noise.measured.split("\u00a0±\u00a0"))
    assert abs(measured - float(noise.corrected)) < abs(measured - float(noise.printed)), "hence the correction"
    assert 0 < error < 0.1
    assert noise.where == "noise = 1.5"
    assert numbers_told(noise) == (f"[{noise.printed}]{{.fails}}", f"[{noise.corrected}]{{.holds}}", noise.measured)


def test_every_figure_of_the_talks_has_its_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from making.kept import kept
    from making.lessons import FIGURES, ROW, own_figures, with_pictures

    text, rows = tutorials()["figures"], list(ROW.finditer(tutorials()["figures"]))
    assert sum(line.startswith("| *") for line in text.splitlines()) == len(rows), "each row is understood"
    assert sorted(own_figures()) == sorted(file.stem for file in FIGURES.glob("*.svg"))
    assert sum(file.stat().st_size for file in FIGURES.iterdir()) < 3e5
    # The gallery keeps no picture of an older version of a claim: a row may then lead to the claim alone, but not many.
    assert with_pictures(text, kept()).count("](../pictures/") >= len(rows) - 3


def test_a_preset_that_states_nothing_alone_is_swept_and_gets_the_seeds_that_decide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from making.evidence import Evidence, preset_axis, preset_command, preset_study, with_enough_seeds

    assert preset_axis(gs.claim("dklps23/transition", preset="unseen")) == {}
    name = "meanfield/parity"
    study = preset_study(name, "annealed", tmp_path / "store.sqlite", seed=700)
    assert [point.stretch_exponent for point, _ in study.points] == [0, 0.5, 1]
    command = preset_command(name, "annealed", Evidence("", 1, "seeds 700 to 719", "holds", "", "", 0))
    assert command == f"giantstep sweep {name} --preset annealed --stretch-exponent 0,0.5,1 --seeds 20 --seed 700"
    assert status([*command.split()[1:], "--dry-run"]) == 0
    open_one = SimpleNamespace(counts=True, status="undecided", seeds_needed=40)
    told: Any = SimpleNamespace(verdict=SimpleNamespace(judgements=[open_one]))
    longer = with_enough_seeds(study, told, longest=1e6)
    assert longer is not None
    assert (longer.name, longer.record_count) == (study.name, 3 * 50), "a quarter more than would do"
    assert with_enough_seeds(study, told, longest=1e-3) is None, "not for ever"
    open_one.seeds_needed = None
    assert with_enough_seeds(study, told, longest=1e6) is None, "nobody knows how many"


def test_what_was_drawn_of_a_preset_is_left_out_once_it_has_other_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from making.evidence import Evidence, read

    cls = claim_class("bes22/tau-star")
    told = asdict(Evidence("", cls.info.version, "seed 0", "holds", "", "", 0, point=dict(cls.presets["small-step"])))
    assert set(read([{"name": "bes22/tau-star:small-step", **told}])) == {"bes22/tau-star:small-step"}
    assert read([{"name": "bes22/tau-star:tanh", **told}]) == {}, "other values"
    assert read([{"name": "bes22/tau-star:gone", **told}]) == {}, "no such preset"
    assert read([{"name": "bes22/tau-star:small-step", **told, "version": 0}]) == {}, "another version"
    assert set(read([{"name": "bes22/tau-star", **told, "point": {}}])) == {"bes22/tau-star"}


def test_docstrings_have_their_mathematics_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from making.docstrings import marked_down

    lines = marked_down("The edge, mu1^2 of `x^2`.\n\nArgs:\n    psi1: n/d, or theta1^2.")
    assert lines[0] == "The edge, μ<sub>1</sub><sup>2</sup> of `x^2`."
    assert "- **psi1**: n/d, or θ<sub>1</sub><sup>2</sup>." in lines


def test_findings_name_claims_that_have_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from making.findings import NOT_NEEDED, SEEN_WITH, STATED

    for name in (*STATED, *NOT_NEEDED):
        cls = claim_class(name)
        assert cls.info.finding, name
        assert not cls.printed, f"{name} has its printed statement judged: it needs no words here"
    for name, commands in SEEN_WITH.items():
        assert claim_class(name).printed, name
        for command in commands:
            assert status([*command.split(), "--as-printed", "--dry-run"]) == 0, command


# Cells that a reader of a phone would have to look for: beyond the edge of a table that scrolls.
BEYOND = """width => [...document.querySelectorAll(".bd-article td[data-label]")]
    .filter(cell => width < 700 && cell.getBoundingClientRect().right > width).map(cell => cell.textContent)"""

COPIED = "() => ['copied', 'selected'].includes(document.querySelector('.highlight-bibtex button.copy').textContent)"


def draw_some(name: str, preset: str, folder: Path) -> None:
    """Small stored studies of a claim and its preset, drawn as by `make gallery`; once more, they are up to date."""
    from making.evidence import draw_all, preset_study

    store = folder.with_suffix(".sqlite")
    kept = f"verify-{name.replace('/', '-')}"
    gs.Study(gs.claim(name, d=64), seeds=2, seed=700, name=kept, store=store).run(workers=1)
    study = preset_study(name, preset, store, seed=700, longest=0.1)
    assert 1 <= study.record_count < gs.claim(name).default_seeds, "as many seeds as the time allows"
    study.run(workers=1)
    assert draw_all([name], store, folder) == 2
    assert draw_all([name], store, folder) == 0


def check_links(pages: dict[Path, Page]) -> None:
    broken = [
        (page.file.name, target.name, anchor)
        for page in pages.values()
        for target, anchor in page.inner_links
        if not target.exists() or (anchor and target in pages and anchor not in pages[target].anchors)
    ]
    assert not broken


def check_that_nothing_is_loaded_from_elsewhere(pages: dict[Path, Page]) -> None:
    foreign = {address for page in pages.values() for address in page.loaded if urlsplit(address).netloc}
    assert not foreign


def foreign(address: str) -> bool:
    """Whether an address is neither a file nor data of the page itself."""
    return urlsplit(address).scheme not in ("file", "data", "blob")


def lost(asked: Any) -> bool:
    """Whether a request got no answer; one that is given up because the next page is opened does not count."""
    return asked.failure != "net::ERR_ABORTED"


def check_in_a_browser(site: Path, names: list[str]) -> None:
    """Each page, wide and narrow, light and dark: no error on the console, no request but for files of the site."""
    if browser() is None:
        return
    from playwright.sync_api import sync_playwright

    faults: list[str] = []
    with sync_playwright() as player:
        chromium = player.chromium.launch(executable_path=browser(), args=list(FLAGS))
        for width, scheme in ((1200, "light"), (390, "dark")):
            page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            page.on("console", lambda told: faults.append(told.text) if told.type == "error" else None)
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.on("requestfailed", lambda asked: faults.append(f"no answer: {asked.url}") if lost(asked) else None)
            page.on("request", lambda asked: faults.append(asked.url) if foreign(asked.url) else None)
            for name in names:
                page.goto((site / name).as_uri())
                assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} is wider than {width}"
                assert page.evaluate("document.documentElement.dataset.theme") == scheme
                assert page.evaluate(BEYOND, width) == [], f"{name}: cells of tables that nobody sees"
            page.goto((site / "claims" / "bes22" / "weight-spike.html").as_uri())
            page.locator(".highlight-bibtex button.copy").click()
            page.wait_for_function(COPIED)
            page.goto((site / "search.html").as_uri() + "?q=marchenko")
            page.wait_for_selector("#search-results ul.search li a")  # from a file, without a server
        chromium.close()
    assert not faults
