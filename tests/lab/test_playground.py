"""The playground and the analyser over the wire."""

from __future__ import annotations

from typing import Any

import pytest

from giantstep.lab.jobs import playing
from giantstep.lab.jobs.playground_settings import PRESETS, Settings, controls, settings_of
from giantstep.lab.refusals import Refusal
from tests.lab.client import Client

SMALL = {"d": 2000, "samples": 8000, "neurons": 8, "step": 8.0}


def begun(lab: Client, **settings: Any) -> dict[str, Any]:
    found: dict[str, Any] = lab.post("/api/playground", {"settings": {**SMALL, **settings}}).data
    return found


def test_a_network_learns_one_direction_after_the_other(lab: Client) -> None:
    start = begun(lab)
    place = f"/api/playground/{start['id']}"
    assert [direction["name"] for direction in start["directions"]] == ["x1", "x2"]
    assert [level["risk"] for level in start["levels"]] == [3.0, 2.0, 0.0]
    after = lab.post(f"{place}/step", {"steps": 3}).data
    first, second = ([entry["overlaps"][k]["mean"] for entry in after["history"]] for k in (0, 1))
    assert first[0] < 0.1 < 0.4 < first[1]
    assert second[1] < 0.1 < second[3]
    risks = [entry["risk"] for entry in after["history"]]
    assert risks[0] == pytest.approx(3.0, abs=0.1)
    assert risks[3] < risks[1] < risks[0]
    assert (after["step"], len(after["neurons"]["cosines"])) == (3, 8)

    back = lab.post(f"{place}/back", {"steps": 2}).data
    assert (back["step"], back["history"]) == (1, after["history"][:2])
    again = lab.post(f"{place}/step", {"steps": 1}).data
    assert again["history"][2] == after["history"][2]
    lab.post(f"{place}/back", {"steps": 1})
    other = lab.post(f"{place}/step", {"steps": 1, "settings": {"step": 1.0}}).data
    assert other["history"][2] != after["history"][2]
    assert other["settings"]["step"] == 1.0

    heard: dict[str, Any] = {}
    exec(other["python"].replace("print(number, seen.residual_norm2)", "last = seen.residual_norm2"), heard)
    assert heard["last"] == pytest.approx(other["history"][2]["loss"])
    assert lab.ask("DELETE", place).data == {"ended": True}
    assert lab.get(place).status == 404


@pytest.mark.parametrize(
    ("change", "field"),
    [({"d": 3000}, "d"), ({"step": -1}, "step"), ({"eta": 1}, "eta"), ({"target": "x1 +"}, "target")],
)
def test_what_cannot_change_in_flight_is_told(lab: Client, change: dict[str, Any], field: str) -> None:
    start = begun(lab)
    found = lab.post(f"/api/playground/{start['id']}/step", {"settings": change})
    assert (found.status, found.data["field"]) == (400, field)
    assert lab.get(f"/api/playground/{start['id']}").data["step"] == 0


def test_going_back_too_far_and_too_many_samples_are_told(lab: Client) -> None:
    start = begun(lab, samples=10_000_000, neurons=256)
    place = f"/api/playground/{start['id']}"
    assert "cannot go back" in lab.post(f"{place}/back", {"steps": 1}).data["sentence"]
    refused = lab.post(f"{place}/step", {"steps": 50})
    assert (refused.status, "lower 'samples'" in refused.data["sentence"]) == (413, True)


def test_a_dimension_of_a_million_costs_no_more() -> None:
    settings = settings_of({"d": 1_000_000, "samples": 2000, "neurons": 4})
    states: list[Any] = []
    told = playing.start({"settings": settings.model_dump(mode="json")}, lambda _, state: states.append(state))
    assert states[0]["axes"] <= 4 + 2
    assert told["frames"][0]["entry"]["overlaps"][0]["mean"] < 0.01


def test_settings_are_controls_and_presets_load() -> None:
    told = {control["name"]: control for control in controls()}
    assert list(told) == list(Settings.model_fields)
    assert told["d"]["slider"] == {"from": 100, "to": 1_000_000, "log": True}
    assert (told["d"]["minimum"], told["d"]["maximum"]) == (16, 1_000_000)
    assert {name for name, one in told.items() if one["in_flight"]} == {"samples", "step", "noise", "ridge"}
    for _, values in PRESETS.values():
        settings_of(values)
    for wrong in ({"neurons": 3}, {"target": "1"}, {"target": "x1*x2*x3*x4*x5*x6*x7*x8*x9"}, {"second_layer": "x"}):
        with pytest.raises(Refusal):
            settings_of(wrong)


def test_the_analyser_explains_each_direction(lab: Client) -> None:
    told = lab.post("/api/analyze", {"target": "x1 + He2(x1)*x2", "activation": "relu"}).data
    assert told["picture"]["type"] == "staircase"
    assert [direction["step"] for direction in told["directions"]] == [1, None]
    assert "mu3 = 0" in told["directions"][1]["sentence"]
    assert told["stop"] == "both directions are learned after 2 steps of n ~ d samples"
    assert {"claim", "address", "words"} == set(told["run"][0])
    assert told["command"].startswith("giantstep analyze 'x1 + He2(x1)*x2'")
    alone = lab.post("/api/analyze", {"target": "x1 + He2(x1)*x2"}).data
    assert [direction["step"] for direction in alone["directions"]] == [1, 2]
    stuck = lab.post("/api/analyze", {"target": "x1*x2*x3"}).data
    assert all("n ~ d^3 samples" in direction["sentence"] for direction in stuck["directions"])
    wrong = lab.post("/api/analyze", {"target": "x1 +"})
    assert (wrong.status, wrong.data["field"]) == (400, "target")
    assert lab.post("/api/analyze", {"target": "1"}).data["directions"] == []
