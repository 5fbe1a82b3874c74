"""Claims over the wire: cards, a claim's page, theory at a point, simulations with the terminal's verdict."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from giantstep.claims import claim, claim_class, claim_names, view
from giantstep.lab.jobs import theory
from giantstep.lab.jobs.controls import controls
from giantstep.lab.jobs.points import asked_point, python_lines
from giantstep.lab.jobs.tabs import nothing_seen, tabs_of
from tests.lab.client import Client

SPIKE = "/api/claims/bes22/weight-spike"
POINT = {"step": 6.5, "d": 64}


def test_the_front_page_has_every_claim_by_paper_and_by_question(lab: Client) -> None:
    told = lab.get("/api/claims").data
    assert [card["name"] for card in told["claims"]] == list(claim_names())
    assert {name for paper in told["papers"] for name in paper["claims"]} == set(claim_names())
    assert {name for question in told["questions"] for name in question["claims"]} >= {
        "bes22/weight-spike", "lazy/linearisation", "structured/phase-diagram", "dklps23/transition"
    }  # fmt: skip


def test_a_claim_has_controls_made_from_its_fields(lab: Client) -> None:
    told = lab.get(SPIKE).data
    found = {control["name"]: control for control in told["controls"]}
    assert list(found) == list(claim("bes22/weight-spike").parameters())
    assert found["step"]["slider"] == {"from": 0.0, "to": 12.0, "log": False}
    assert found["step"]["path"]
    assert found["d"]["kind"] == "integer"
    assert found["d"]["slider"]["log"]
    assert found["target"]["kind"] == "target"
    assert [view["kind"] for view in told["views"]] == ["spectrum", "curve", "curve"]
    assert told["formula"]["latex"]
    assert {preset["name"] for preset in told["presets"]} == {"slide", "slide-figure", "no-linear-part"}


def test_what_the_page_sends_at_first_is_the_claims_own_point() -> None:
    """Fields travel as text; those that need no value are left out."""
    for name in claim_names():
        cls = claim_class(name)
        sent = {one["name"]: _as_text(one["default"]) for one in controls(cls) if one["default"] is not None}
        assert asked_point({"claim": name, "parameters": sent}) == cls(), name


def _as_text(value: Any) -> Any:
    return value if isinstance(value, bool) else str(value)


def test_theory_follows_the_point(lab: Client) -> None:
    told = lab.post(f"{SPIKE}/predict", {"parameters": POINT, "view": 1}).data
    point = claim("bes22/weight-spike", **POINT)
    (spike,) = [q for q in told["quantities"] if q["name"] == "spike"]
    assert spike["predicted"] == pytest.approx(point.predict()["spike"])
    line = told["panels"][0]["series"][0]
    assert line["kind"] == "theory"
    assert dict(zip(line["x"], line["y"], strict=True))[6.5] == pytest.approx(point.predict()["spike"], rel=1e-6)
    assert told["command"] == "giantstep run bes22/weight-spike --d 64 --step 6.5"
    spaces: dict[str, Any] = {}
    exec(told["python"].replace(".run()", ".run(seeds=1)"), spaces)
    assert spaces["point"] == point


def test_a_draft_is_the_same_line_from_fewer_predictions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each prediction of a slow line costs time while the hand moves."""
    monkeypatch.setattr(theory, "DRAFT_SECONDS", np.inf)
    given = {"claim": "bes22/one-step-risk", "parameters": {"d": 64, "samples_per_dim": 3.3}, "view": 0}
    lines, counts = [], []
    for draft in (True, False):
        theory.THEORY.clear()
        told = theory.predict({**given, "draft": draft}, lambda *_: None)
        counts.append(len(theory.THEORY))
        lines.append(told["panels"][0]["series"][0])
    assert counts[0] < 15 < 50 < counts[1]
    there = np.interp(lines[1]["x"], lines[0]["x"], lines[0]["y"])
    assert there == pytest.approx(lines[1]["y"], rel=0.02)


def test_a_target_of_ones_own_shows_its_own_directions(lab: Client) -> None:
    address = "/api/claims/dklps23/staircase/predict"
    told = lab.post(address, {"parameters": {"target": "x1 + He2(x1)*x2", "d": 200}, "view": 0}).data
    assert 0 in told["tabs"]
    assert told["titles"]["0"] == "energy x1, energy x2"
    assert len(told["panels"]) == 2
    own = lab.post(address, {"parameters": {"d": 200}, "panels": False}).data
    assert "0" not in own["titles"]


def test_the_cost_is_that_of_the_seeds_and_of_the_picture_asked_for(lab: Client) -> None:
    asked = [{}, {"seeds": 3}, {"seeds": 3, "scope": "view", "view": 1}]
    told = [lab.post(f"{SPIKE}/predict", {"parameters": POINT, "panels": False, **more}).data["cost"] for more in asked]
    counts = [int(one["sentence"].split()[0]) for one in told]
    assert counts[:2] == [claim("bes22/weight-spike").default_seeds, 3]
    assert told[2]["seconds"] > told[1]["seconds"]


def test_an_unknown_address_shows_the_page_to_a_browser_and_a_sentence_to_others(lab: Client) -> None:
    page, told = lab.get("/nowhere", Accept="text/html,*/*"), lab.get("/nowhere")
    assert (page.status, told.status) == (404, 404)
    assert page.body == lab.get("/").body
    assert told.data["reason"] == "not found"
    assert lab.get("/api/nowhere", Accept="text/html").data["reason"] == "not found"


def test_a_spectrum_is_shown_before_anything_is_simulated(lab: Client) -> None:
    (panel,) = lab.post(f"{SPIKE}/predict", {"parameters": POINT, "view": 0}).data["panels"]
    assert panel["type"] == "spectrum"
    assert panel["bins"] is None
    assert [spike["kind"] for spike in panel["spikes"]] == ["predicted", "edge"]


@pytest.mark.parametrize("strength", [0.375, 0.4])
def test_one_point_stands_in_the_map_that_theory_draws(lab: Client, strength: float) -> None:
    """Also where it is none of the map's places; the map does not become one measured place among many empty ones."""
    address, parameters = "/api/claims/structured/phase-diagram", {"strength_exponent": strength}
    (before,) = lab.post(f"{address}/predict", {"parameters": parameters, "view": 1}).data["panels"]
    assert before["marks"] == [{"x": strength, "y": 0.25, "label": "this point"}]
    asked = {"parameters": parameters, "view": 1, "seeds": 2}
    with lab.stream(f"{address}/simulate", asked) as events:
        (after,) = list(events)[-1][1]["panels"]
    assert after["values"] == before["values"]
    assert after["marks"][0]["label"].startswith("this point, measured 0.3")


def test_a_simulation_streams_and_ends_with_the_verdict_of_the_terminal(lab: Client) -> None:
    with lab.stream(f"{SPIKE}/simulate", {"parameters": POINT, "view": 1, "seeds": 4}) as events:
        heard = list(events)
    names = [name for name, _ in heard]
    assert names[0] == "start"
    assert names[-1] == "end"
    assert "seed" in names
    end = heard[-1][1]
    assert end["verdict"]["sharpness"]
    results = claim("bes22/weight-spike", **POINT).run(seeds=4)
    assert end["verdict"]["told"] == str(results.verdict)
    assert (end["seeds"], end["reason"]) == (4, "complete")
    marks = [one for one in end["panels"][0]["series"] if one["kind"] == "simulation"]
    assert marks[0]["x"][-1] == 6.5

    with lab.stream(f"{SPIKE}/simulate", {"parameters": POINT, "view": 1, "seeds": 5}) as events:
        more = list(events)
    assert more[0][1]["known"] == 4
    assert more[-1][1]["verdict"]["told"] == str(claim("bes22/weight-spike", **POINT).run(seeds=5).verdict)


@pytest.mark.parametrize(
    ("data", "status", "words", "field"),
    [
        ({"parameters": {"step": -1}}, 400, "step = -1 is not allowed; it must be at least 0", "step"),
        ({"parameters": {"eta": 1}}, 400, "did you mean 'step'?", ""),
        ({"parameters": {"target": "x1 +"}}, 400, "ends too early", "target"),
        ({"preset": "slides"}, 400, "has no preset 'slides'", ""),
        ({"view": 99}, 404, "has no view 99", "view"),
        ({"nonsense": 1}, 400, "nonsense", "nonsense"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(
    lab: Client, data: dict[str, Any], status: int, words: str, field: str
) -> None:
    found = lab.post(f"{SPIKE}/predict", data)
    assert found.status == status
    assert words in found.data["sentence"]
    assert found.data["field"] == field


def test_what_is_too_large_is_refused_with_the_command_that_does_it(lab: Client) -> None:
    found = lab.post(f"{SPIKE}/simulate", {"parameters": {"d": 6000}, "seeds": 100})
    assert found.status == 413
    assert found.data["command"] == "giantstep run bes22/weight-spike --d 6000 --seeds 100"


def test_texts_are_read_as_their_parser_reads_them(lab: Client) -> None:
    good = lab.post("/api/check", {"text": "x1 + He2(x1)*x2"}).data
    assert good["ok"]
    assert "He" in good["latex"]
    bad = lab.post("/api/check", {"text": "x1 + y"}).data
    assert (bad["ok"], bad["position"]) == (False, 5)
    assert not lab.post("/api/check", {"kind": "kernel", "text": "import os"}).data["ok"]
    refused = lab.post("/api/check", {"claim": "bes22/weight-spike", "field": "d", "text": "12.5"}).data
    assert "whole number" in refused["sentence"]


def test_python_lines_write_numbers_as_numbers_and_ranges_as_they_were_typed() -> None:
    lines = python_lines(claim("bes22/weight-spike", d=32), {"step": "2,4", "noise": "0:1:3"}, 2)
    assert "giantstep.Study(point, step=[2.0, 4.0], noise='0:1:3', seeds=2)" in lines
    activations = python_lines(claim("bes22/weight-spike"), {"activation": "tanh,erf"})
    assert "activation=['tanh(z)', 'erf(z)']" in activations


FIRST = {
    "bes22/weight-spike": 0,
    "sensing/power-method": 1,  # its curves are judged against what is measured; the spectrum has a law
    "lazy/neurons": 1,  # the paths of neurons are those of a simulation
    "meanfield/parity": 0,  # theory draws nothing at all
}


@pytest.mark.parametrize("name", FIRST)
def test_a_claim_opens_on_the_first_tab_of_which_theory_draws_something(lab: Client, name: str) -> None:
    found = lab.post(f"/api/claims/{name}/predict", {"view": None}).data
    assert found["view"] == FIRST[name]
    assert bool(found["panels"]) == (name != "meanfield/parity")
    assert bool(found["silence"]) == (name == "meanfield/parity")


@pytest.mark.slow
def test_no_two_tabs_of_a_claim_have_one_name() -> None:
    for name in claim_names():
        point = claim(name)
        titles = [tab["title"] for tab in tabs_of(point, theory.known_prediction(point))]
        assert len(set(titles)) == len(titles), (name, titles)


def test_a_simulation_without_a_picture_says_where_the_claim_draws_one() -> None:
    point = claim("scaling/power-law-features")
    shown = next(one for one in point.views if isinstance(one, view.Trajectory))
    assert nothing_seen(point, shown) == (
        "nothing in this view is measured at this point; the claim draws it at preset phase-one"
    )
    there = point.replace(**dict(shown.at))
    assert nothing_seen(there, shown) == "nothing in this view is measured at this point"
