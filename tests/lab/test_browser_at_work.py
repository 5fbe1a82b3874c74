"""The page in a real browser while the lab works: simulations, verdicts, networks that learn, studies."""

from __future__ import annotations

import re
from typing import Any

import pytest

from giantstep.claims import claim
from giantstep.studies import Store
from tests.lab.browser import HOW, SPIKE, Watched, found_browser
from tests.lab.client import Client, eventually

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(found_browser() is None, reason=HOW)]


def verdict(page: Any) -> Any:
    return page.get_by_role("status").and_(page.get_by_test_id("verdict"))


def test_a_simulation_streams_and_ends_with_the_verdict_of_the_terminal(web: Watched) -> None:
    with web.page(f"{SPIKE}?d=48&step=6.5&view=1") as page:
        page.locator("svg.plot").first.wait_for()
        page.get_by_role("spinbutton", name="seeds").fill("5")
        verdict(page).evaluate(
            "line => { window.heard = []; new MutationObserver(() => heard.push(line.textContent))"
            ".observe(line, { childList: true, subtree: true }); }"
        )
        page.get_by_role("button", name="Simulate").press("Enter")
        told = str(claim("bes22/weight-spike", d=48, step=6.5).run(seeds=5).verdict)
        sync_api.expect(verdict(page)).to_have_text(told)
        assert len(set(page.evaluate("heard"))) > 1, "the verdict came at once"
        assert page.locator("svg.plot [data-mark=dot] *").count() > 0

        page.get_by_role("button", name="More seeds").click()
        more = str(claim("bes22/weight-spike", d=48, step=6.5).run(seeds=10).verdict)
        sync_api.expect(verdict(page)).to_have_text(more)
        page.wait_for_url(re.compile("run=1"))

        page.get_by_role("spinbutton", name="noise").fill("0.5")
        sync_api.expect(verdict(page)).to_contain_text("Press Simulate")


def test_a_shared_link_restores_the_state(web: Watched) -> None:
    with web.page(f"{SPIKE}?d=48&view=1&seeds=3") as page:
        page.get_by_role("spinbutton", name="step").fill("7.25")
        sync_api.expect(page.get_by_label("Command", exact=True)).to_contain_text("--step 7.25")
        page.get_by_role("button", name="Pin").click()
        page.get_by_role("spinbutton", name="step").fill("6.5")
        page.get_by_role("button", name="Simulate").click()
        page.wait_for_url(re.compile("run=1"))
        page.locator(".simulation[data-running=false]").wait_for()
        told, link = verdict(page).text_content(), page.url.removeprefix(web.origin)
    with web.page(link) as friend:
        sync_api.expect(verdict(friend)).to_have_text(told)
        assert friend.get_by_role("spinbutton", name="step").input_value() == "6.5"
        assert friend.get_by_role("spinbutton", name="seeds").input_value() == "3"
        sync_api.expect(friend.get_by_role("tab", selected=True)).to_contain_text("against step")
        sync_api.expect(friend.locator(".legend").first).to_contain_text("pinned: d = 48, step = 7.25")


def test_what_is_there_when_it_is_stopped_is_judged(web: Watched) -> None:
    with web.page(f"{SPIKE}?d=700&seeds=100&seed=3007") as page:
        page.get_by_role("button", name="Simulate").click()
        page.locator(".verdict[data-status=none]").wait_for(state="detached")
        page.get_by_role("button", name="Stop").press("Enter")
        page.locator(".simulation[data-running=false]").wait_for()
        sync_api.expect(page.get_by_role("button", name="Simulate")).to_be_focused()
        seeds = int(re.match(r"(\d+) seeds?, stopped", page.get_by_test_id("progress").text_content())[1])
        assert 1 <= seeds < 100
        told = claim("bes22/weight-spike", d=700).run(seeds=seeds, seed=3007).verdict
        sync_api.expect(verdict(page)).to_have_text(str(told))
        # the address and the lines to copy give what is shown
        page.wait_for_url(re.compile(rf"seeds={seeds}\b"))
        sync_api.expect(page.get_by_label("Command", exact=True)).to_contain_text(f"--seeds {seeds} ")
        sync_api.expect(page.get_by_test_id("progress")).to_contain_text("stopped")


def test_a_refusal_shows_the_command_for_the_terminal(web: Watched) -> None:
    with web.page(f"{SPIKE}?d=6000&seeds=100&present=1") as page:
        offered = page.get_by_role("group", name="In the terminal", exact=True)
        sync_api.expect(offered).to_have_text("giantstep run bes22/weight-spike --d 6000 --seeds 100")
        page.get_by_role("button", name="Simulate").click()
        sync_api.expect(verdict(page)).to_contain_text("let the terminal do it")
        sync_api.expect(offered).to_be_visible()
        page.get_by_role("spinbutton", name="d", exact=True).fill("64")
        sync_api.expect(offered).to_be_hidden()


@pytest.mark.parametrize("leave", ["close", "move", "stop"])
def test_a_job_ends_with_its_tab_its_point_or_by_hand(web: Watched, lab: Client, leave: str) -> None:
    first = {"close": 7, "move": 1007, "stop": 2007}[leave]  # seeds are kept: each case has its own
    with web.page(f"{SPIKE}?d=700&seeds=100&seed={first}") as page:
        page.get_by_role("button", name="Simulate").click()
        sync_api.expect(page.get_by_role("button", name="Stop")).to_be_enabled()
        eventually(lambda: bool(lab.laboratory.running))
        if leave == "close":
            page.close()
        elif leave == "move":
            page.get_by_role("spinbutton", name="step").fill("7")
        else:
            page.locator(".verdict[data-status=none]").wait_for(state="detached")
            page.get_by_role("button", name="Stop").click()
            sync_api.expect(page.get_by_test_id("progress")).to_contain_text("stopped")
        eventually(lambda: not lab.laboratory.running and not lab.laboratory.long.running)


def test_a_value_stays_read_while_seeds_arrive(web: Watched) -> None:
    with web.page(f"{SPIKE}?d=400&view=1&seeds=4&seed=4007", reduced_motion="reduce") as page:
        drawn = page.locator("svg.plot").first
        drawn.focus()
        drawn.press("ArrowRight")
        drawn.evaluate("svg => { window.drawn = svg; }")
        page.get_by_role("button", name="Simulate").evaluate("button => button.click()")
        eventually(lambda: page.evaluate("!window.drawn.isConnected"))
        page.locator(".simulation[data-running=false]").wait_for()
        sync_api.expect(page.locator("svg.plot").first).to_be_focused()
        sync_api.expect(drawn.locator("[aria-label=tip]")).to_contain_text("step η")


def test_a_neuron_is_read_with_the_pointer_and_with_the_arrow_keys(web: Watched) -> None:
    with web.page("/playground?d=2000&samples=8000&neurons=8&at=1", reduced_motion="reduce") as page:
        sync_api.expect(page.locator(".play-status")).to_contain_text("step 1:")
        plane = page.get_by_role("img", name=re.compile("^neurons in the plane"))
        plane.press("ArrowRight")
        words = r"; neuron 1; x1: −?[\d.]+; x2: −?[\d.]+; second layer: −?[\d.]+; length: [\d.]+$"
        sync_api.expect(plane).to_have_attribute("aria-label", re.compile(words))
        told = plane.get_attribute("aria-label").replace("−", "-")
        across, up = (float(re.search(rf"{name}: (-?[\d.]+)", told)[1]) for name in ("x1", "x2"))
        plane.press("Escape")
        sync_api.expect(plane).to_have_attribute("aria-label", "neurons in the plane of two directions")
        box = plane.bounding_box()
        middle, radius = box["width"] / 2, box["width"] / 2 - 13 * 1.9
        page.mouse.move(box["x"] + middle + radius * across, box["y"] + middle - radius * up)
        sync_api.expect(plane).to_have_attribute("aria-label", re.compile("; neuron "))
        chart = page.get_by_role("img", name=re.compile("^test risk"))
        chart.press("ArrowRight")
        sync_api.expect(chart).to_have_attribute("aria-label", re.compile(r"; step 0; risk: [\d.]+$"))


def test_the_playground_steps_and_goes_back(web: Watched, lab: Client) -> None:
    with web.page("/playground?d=2000&samples=8000&neurons=8", reduced_motion="reduce") as page:
        status = page.locator(".play-status")
        sync_api.expect(status).to_contain_text("step 0")
        page.get_by_role("button", name="Step", exact=True).click()
        sync_api.expect(status).to_contain_text("step 1:")
        page.get_by_role("spinbutton", name="step").fill("2")
        page.get_by_role("button", name="Step", exact=True).click()
        sync_api.expect(status).to_contain_text("step 2:")
        page.wait_for_url(re.compile("at=2"))
        page.get_by_role("button", name="Back").click()
        sync_api.expect(status).to_contain_text("step 1:")


def test_what_the_playground_cannot_take_is_said_under_its_control(web: Watched) -> None:
    with web.page("/playground?d=2000&samples=8000&neurons=8", reduced_motion="reduce") as page:
        status = page.locator(".play-status")
        sync_api.expect(status).to_contain_text("step 0")
        for name, text, sentence in (
            ("neurons", "7", "neurons must be an even number: they come in pairs so that f = 0"),
            ("samples", "1e9", "samples must be at most 1e7"),
        ):
            page.get_by_role("spinbutton", name=name).fill(text)
            page.get_by_role("button", name="Restart").click()
            sync_api.expect(status).to_have_text(sentence)
            sync_api.expect(page.locator(f"[data-field={name}] .complaint")).to_have_text(sentence)
            page.get_by_role("spinbutton", name=name).fill("8" if name == "neurons" else "8000")
        page.get_by_role("button", name="Restart").click()
        sync_api.expect(status).to_contain_text("step 0")
        sync_api.expect(page.locator(".complaint:not(:empty)")).to_have_count(0)


def test_a_study_is_begun_on_a_claims_page_and_watched(web: Watched, lab: Client) -> None:
    with web.page(f"{SPIKE}?d=32&seeds=2") as page:
        page.get_by_text("Make it a study").click()
        form = page.locator(".study-form")
        form.get_by_label("values", exact=True).fill("2,4")
        form.get_by_label("seeds of the study").fill("2")
        form.get_by_role("button", name="Start the study").click()
        link = form.get_by_role("link")
        name, address = link.text_content(), link.get_attribute("href")
    # the page is closed: the study goes on, and the terminal sees it in the store
    with web.page(address) as page:
        sync_api.expect(page.locator(".study-state")).to_contain_text("finished 4 of 4 records")
        with Store(lab.laboratory.store) as store:
            entry = next(one for one in store.studies() if one.name == name)
        assert (entry.state, entry.done) == ("finished", 4)
        assert page.locator("svg.plot").count() > 0
        assert page.get_by_role("region", name="table").get_by_role("row").count() > 1
        sync_api.expect(verdict(page)).to_contain_text(re.compile("^(holds|undecided|fails)"))
