"""The page in a real browser: every page at every width, its controls, its pictures and the ways between."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from giantstep.errors import TextError
from giantstep.lab.storybook import Tour, tours
from giantstep.problems import Target
from tests.lab.browser import HOW, SPIKE, Watched, found_browser, ready
from tests.lab.client import eventually

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(found_browser() is None, reason=HOW)]

FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
PAGES = {
    "/": "Theorems about feature learning",
    f"{SPIKE}?d=64": "After one step of constant size",
    "/claims/structured/phase-diagram": "A stronger or better aligned spike",
    "/analyze?target=x1%2Bx1*x2": "What does it take to learn this?",
    "/playground?d=2000&samples=8000&neurons=8&at=2": "Watch a network learn",
    "/tours/one-giant-step": "Before the step",
    "/studies": "Studies",
}
AXE = Path(__file__).parent.parent.parent / "page" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="module")
def opened(chromium: Watched) -> Iterator[Callable[[str], Any]]:
    """Each page, opened once and looked at by several tests."""
    with ExitStack() as stack:

        @cache
        def open_page(address: str) -> Any:
            page = stack.enter_context(chromium.page(address, reduced_motion="reduce"))
            return ready(page)

        yield open_page


def curves(page: Any) -> list[str]:
    found: list[str] = page.locator("svg.plot [data-mark=line] path").evaluate_all(
        "all => all.map(one => one.getAttribute('d'))"
    )
    return found


@pytest.mark.parametrize("address", PAGES)
def test_each_page_opens_at_every_width(web: Watched, opened: Callable[[str], Any], address: str) -> None:
    page = opened(address)
    sync_api.expect(page.get_by_role("heading", level=1).first).to_contain_text(PAGES[address])
    for width in (1440, 1000, 390):
        page.set_viewport_size({"width": width, "height": 900})
        # pictures are drawn again at their new width: the page fits as soon as that is done
        eventually(lambda: page.evaluate(FITS))


def test_present_mode_gives_the_picture_the_room(web: Watched) -> None:
    with web.page(f"{SPIKE}?d=64&present=1", viewport={"width": 1440, "height": 900}) as page:
        drawn = page.locator("svg.plot").first
        drawn.wait_for()
        box = drawn.bounding_box()
        assert box["width"] > 700
        assert box["y"] + box["height"] < 1300
        sync_api.expect(page.get_by_role("region", name="formula")).to_be_visible()


WRONG = "/analyze?target=x1%2By"  # a text that cannot be read
SMALL = "/claims/sensing/signal-and-noise"  # a slider at 1e-5, and no numbers beforehand
LONG = "/claims/bes22/large-step"  # symbols that are wider than their column


@pytest.mark.skipif(not AXE.exists(), reason="axe is not here: `make page` brings it")
@pytest.mark.parametrize("address", [*PAGES, WRONG, SMALL, LONG])
def test_axe_finds_nothing_serious(web: Watched, opened: Callable[[str], Any], address: str) -> None:
    page = opened(address)
    page.evaluate(AXE.read_text())
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate("axe.run().then(found => found.violations)")
        serious = [one for one in found if one["impact"] in ("serious", "critical")]
        assert not serious, [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in serious]


def test_the_cards_have_pictures_and_can_be_searched(web: Watched) -> None:
    with web.page("/") as page:
        cards = page.locator("a.card")
        cards.first.locator("svg").wait_for()
        page.get_by_role("searchbox", name="Search claims").fill("weight-spike")
        sync_api.expect(cards.locator(".card-name").first).to_have_text("bes22/weight-spike")
        ways = page.get_by_role("group", name="ways to the groups").get_by_role("button")
        page.get_by_role("button", name="By paper").click()
        sync_api.expect(cards).to_have_count(1)
        sync_api.expect(ways).to_have_count(0)
        page.get_by_role("searchbox", name="Search claims").fill("")
        ways.last.click()
        sync_api.expect(page.locator(".group h3").last).to_be_focused()
        sync_api.expect(page.locator(".group h3").last).to_be_in_viewport()
        page.get_by_role("searchbox", name="Search claims").fill("weight-spike")
        cards.click()
        page.wait_for_url("**/claims/bes22/weight-spike")


def test_a_slider_moves_the_curve_and_the_address(web: Watched) -> None:
    with web.page(f"{SPIKE}?d=64&view=1") as page:
        page.locator("svg.plot").first.wait_for()
        before = curves(page)
        slider = page.get_by_role("slider", name=re.compile("^samples_per_dim"))
        slider.focus()
        for _ in range(3):
            slider.press("ArrowRight")
        eventually(lambda: curves(page) != before)
        page.wait_for_url(re.compile(r"samples_per_dim="))
        value = page.get_by_role("spinbutton", name="samples_per_dim").input_value()
        sync_api.expect(page.get_by_label("Command", exact=True)).to_contain_text(f"--samples-per-dim {value}")


def test_bad_text_shows_the_sentence_of_the_parser(web: Watched) -> None:
    with pytest.raises(TextError) as wrong:
        Target("x1 + y")
    with web.page(f"{SPIKE}?d=64") as page:
        page.locator("svg.plot").first.wait_for()
        page.get_by_role("textbox", name="target").fill("x1 + y")
        field = page.locator("[data-field=target]")
        sync_api.expect(field.locator(".complaint")).to_have_text(f"target: {wrong.value}")
        sync_api.expect(page.get_by_role("textbox", name="target")).to_have_attribute("aria-invalid", "true")
        page.get_by_role("textbox", name="target").fill("x1")
        sync_api.expect(field.locator(".complaint")).to_be_empty()
        page.get_by_role("spinbutton", name="step").fill("-1")
        sync_api.expect(page.locator("[data-field=step] .complaint")).to_have_text("step must be at least 0")


def test_each_wrong_field_of_an_address_has_its_own_sentence(web: Watched) -> None:
    with web.page(f"{SPIKE}?d=abc&step=-1") as page:
        for name, allowed in {"d": "it must be a whole number", "step": "it must be at least 0"}.items():
            complaint = page.locator(f"[data-field={name}] .complaint")
            sync_api.expect(complaint).to_have_text(re.compile(f"^{name} = .* is not allowed; {allowed}$"))


def test_a_claim_opens_where_theory_draws_until_a_tab_is_chosen(web: Watched) -> None:
    with web.page("/claims/sensing/power-method") as page:
        page.locator("svg.plot").first.wait_for()
        tabs = page.get_by_role("tab")
        sync_api.expect(page.get_by_role("tab", selected=True)).to_contain_text("spectrum")
        tabs.first.click()
        sync_api.expect(page.locator(".silence")).to_contain_text("press Simulate")
        page.wait_for_url(re.compile("view=0"))
        page.reload()
        sync_api.expect(page.locator(".silence")).to_contain_text("press Simulate")
        sync_api.expect(tabs.first).to_have_attribute("aria-selected", "true")


def test_tabs_stay_in_their_place_and_words_take_the_room_of_the_picture(web: Watched) -> None:
    with web.page("/claims/bes22/step-size-regimes?view=0", viewport={"width": 1440, "height": 900}) as page:
        page.locator(".sheet[data-columns='2'] svg.plot").first.wait_for()
        where = "all => all.map(one => [one.offsetLeft, one.offsetTop])"
        before = page.get_by_role("tab").evaluate_all(where)
        page.get_by_role("tab").nth(1).click()
        said = page.locator(".sheet[data-columns='1'] .silence")
        said.wait_for()
        assert page.get_by_role("tab").evaluate_all(where) == before
        assert said.bounding_box()["width"] > 0.95 * page.locator(".picture").bounding_box()["width"]


def test_the_tab_of_an_address_is_in_sight_on_a_phone(web: Watched) -> None:
    with web.page(f"{SPIKE}?d=64&view=2", viewport={"width": 390, "height": 844}) as page:
        page.locator("svg.plot").first.wait_for()
        row = page.get_by_role("tablist").bounding_box()

        def inside() -> bool:
            tab = page.get_by_role("tab", selected=True).bounding_box()
            return bool(row["x"] - 1 <= tab["x"] and tab["x"] + tab["width"] <= row["x"] + row["width"] + 1)

        eventually(inside)


@pytest.mark.parametrize("tour", tours().values(), ids=tours())
def test_every_tour_can_be_walked(web: Watched, tour: Tour) -> None:
    with web.page(f"/tours/{tour.name}", reduced_motion="reduce") as page:
        for number, station in enumerate(tour.stations, 1):
            page.locator(".dot[aria-current]", has_text=str(number)).wait_for()
            shown = page.locator(".station-page")
            shown.locator("svg.plot, canvas, .silence").first.wait_for()
            assert len(page.locator(".station h1").text_content()) >= len(
                re.sub(r"\$[^$]*\$", "", station.title).strip()
            )
            assert shown.locator(".complaint:not(:empty)").count() == 0
            if number < len(tour.stations):
                page.get_by_role("button", name="Next").press("Enter")
        page.get_by_role("link", name="All tours").click()
        page.wait_for_url("**/")


def test_the_analyser_explains_a_direction_and_leads_to_a_claim(web: Watched) -> None:
    with web.page("/analyze?target=x1%2Bx1*x2") as page:
        page.locator("svg.plot").first.wait_for()
        assert page.locator("svg.plot [data-mark^=x-axis]").count() == 0, "stairs have names, not numbers"
        page.get_by_role("button", name="x2 step 2").click()
        sync_api.expect(page.locator(".explained")).to_contain_text("x2 is learned in step 2")
        assert page.locator(".complaint:not(:empty)").count() == 0
        page.get_by_role("textbox", name="target").fill("He3(x1)")
        sync_api.expect(page.locator(".stop")).to_contain_text("the target has no linear part")
        page.wait_for_url(re.compile(r"target=He3"))
        page.get_by_role("link", name=re.compile("^Run it")).first.click()
        page.wait_for_url(re.compile(r"/claims/.*target=He3"))
        sync_api.expect(page.get_by_role("textbox", name="target")).to_have_value("He3(x1)")


READ = {
    f"{SPIKE}?d=64&view=1": r"(theory|as printed): [\d.]+step η: [\d.]+",
    f"{SPIKE}?d=64": r"theory: density [\d.]+singular value of the weights: [\d.]+",
    "/claims/structured/phase-diagram": r"power of d in the samples that suffice,\s?predicted: [\d.]+strength .* γ₂",
    "/claims/lazy/neurons?scale=0.01&run=1&seeds=1": r"v [<>] 0w₁.*: −?[\d.]+w₂.*: −?[\d.]+",
    "/analyze?target=x1%2Bx1*x2": r"linear: 1level \d: ",
}


@pytest.mark.parametrize("address", READ)
def test_values_are_read_with_the_pointer_and_with_the_arrow_keys(web: Watched, address: str) -> None:
    with web.page(address, viewport={"width": 1440, "height": 1200}, reduced_motion="reduce") as page:
        if "run=1" in address:
            page.locator(".verdict[data-status=none]").wait_for(state="detached")
            page.locator(".simulation[data-running=false]").wait_for()
        drawn = page.locator("svg.plot").first
        shown = drawn.locator("[aria-label=tip]")
        drawn.focus()
        heard = []
        for key in ("ArrowRight", "ArrowRight", "ArrowUp", "ArrowDown"):
            drawn.press(key)
            heard.append(shown.text_content().replace("\u200b", ""))
        assert any(re.match(READ[address], words) for words in heard), heard
        assert len(set(heard)) > 1
        live = drawn.locator("xpath=following-sibling::*[@aria-live]").text_content()
        below = re.sub(r"_(\d)", lambda found: chr(0x2080 + int(found[1])), live)
        assert "".join(below.split()) == "".join(heard[-1].split()), "a long label takes two lines"
        drawn.press("Escape")
        sync_api.expect(shown).to_be_empty()
        box = drawn.bounding_box()
        for part in range(5, 95, 5):
            page.mouse.move(box["x"] + box["width"] * part / 100, box["y"] + box["height"] * (0.9 - part / 200))
            if re.match(READ[address], (shown.text_content() or "").replace("\u200b", "")):
                break
        else:
            raise AssertionError("the pointer reads nothing")


def test_a_picture_can_be_taken_away(web: Watched) -> None:
    with web.page(f"{SPIKE}?d=64&view=1") as page:
        page.locator("svg.plot").first.wait_for()
        taken = {}
        for form in ("SVG", "PNG", "CSV", "JSON"):
            with page.expect_download() as download:
                page.get_by_role("button", name=f"Take the picture as {form}").click()
            taken[form] = Path(download.value.path()).read_bytes()
    assert b"<svg" in taken["SVG"][:200]
    assert taken["PNG"].startswith(b"\x89PNG")
    assert taken["CSV"].startswith(b"series,kind,")
    assert json.loads(taken["JSON"])["claim"] == "bes22/weight-spike"


def test_the_colours_of_a_heat_map_follow_its_values(web: Watched) -> None:
    """Along the lowest row of the phase diagram the exponent falls from 3 to 1: on light ground it grows lighter."""
    with web.page("/claims/structured/phase-diagram", color_scheme="light") as page:
        page.locator("svg.plot image").first.wait_for()
        shades = page.locator("svg.plot image").first.evaluate(
            """async image => {
              const picture = new Image();
              picture.src = image.getAttribute("href") ?? image.getAttribute("xlink:href");
              await picture.decode();
              const canvas = document.createElement("canvas");
              [canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
              const context = canvas.getContext("2d", { willReadFrequently: true });
              context.drawImage(picture, 0, 0);
              return Array.from({ length: 9 }, (_, i) =>
                context.getImageData(((i + 0.5) * canvas.width) / 9, canvas.height - 2, 1, 1).data[0]);
            }"""
        )
    assert shades == sorted(shades)
    assert len(set(shades)) == 9


def test_the_way_back_leads_to_the_station_before_and_down_the_page(web: Watched) -> None:
    with web.page("/", reduced_motion="reduce") as page:
        cards = page.locator("a.card")
        cards.nth(30).scroll_into_view_if_needed()
        down = page.evaluate("scrollY")
        assert down > 0
        cards.nth(30).click()
        page.wait_for_url("**/claims/**")
        page.go_back()
        eventually(lambda: abs(page.evaluate("scrollY") - down) < 200)
        page.evaluate("scrollTo(0, 0)")
        page.get_by_role("link", name="The staircase").click()
        page.get_by_role("button", name="Next").click()
        page.wait_for_url(re.compile("station=2"))
        page.go_back()
        page.locator(".dot[aria-current]", has_text="1").wait_for()
        assert "/tours/staircase" in page.url
