"""Studies over the wire: begun here they are those of the terminal, and the other way round."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import giantstep
from giantstep.claims import claim_class
from giantstep.lab.jobs.points import verify_command, verify_lines
from giantstep.lab.web.judging import Verdicts, by_claim
from giantstep.lab.workers import Crew, Work
from giantstep.studies import Store, Study
from tests.lab.client import PATIENCE, Client, eventually, running

SWEEP = {"claim": "bes22/weight-spike", "parameters": {"step": "2,6", "d": 32}, "seeds": 2}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A lab of its own, whose store is empty."""
    with running(tmp_path_factory.mktemp("studies")) as client:
        yield client


def finished(lab: Client, name: str) -> dict[str, Any]:
    """The study of this name once it is complete, as those hear of it who watch the list."""
    ends = time.monotonic() + PATIENCE
    with lab.stream("/api/studies/watch", None) as events:
        for _, told in events:
            for study in told["studies"]:
                if study["name"] == name and study["state"] == "finished":
                    return dict(study)
            assert time.monotonic() < ends
    raise AssertionError("the stream ended")


def test_a_study_is_planned_begun_watched_and_shown(lab: Client) -> None:
    plan = lab.post("/api/studies", {**SWEEP, "dry_run": True}).data
    assert (plan["points"], plan["records"]) == (2, 4)
    assert plan["name"] == "bes22-weight-spike-step-d32"
    assert lab.get("/api/studies").data == {"studies": []}
    begun = lab.post("/api/studies", SWEEP).data
    assert begun["command"] == (
        "giantstep sweep bes22/weight-spike --d 32 --step 2,6 --seeds 2 --name bes22-weight-spike-step-d32"
    )
    assert finished(lab, plan["name"])["done"] == 4
    shown = lab.get(f"/api/studies/{plan['name']}").data
    same = Study("bes22/weight-spike", step=[2, 6], seeds=2).base.replace(d=32)
    results = Study(same, step=[2, 6], seeds=2).run(workers=1)
    assert shown["verdict"]["told"] == str(results.verdict)
    assert shown["panels"][0]["series"][-1]["kind"] == "simulation"
    assert shown["table"]["columns"][0] == "step"
    assert lab.get(f"/api/studies/{plan['name']}/data.csv").body.startswith(b"activation,target,d,")
    assert len(lab.get(f"/api/studies/{plan['name']}/data.json").data) == 4 * 5
    eventually(lambda: lab.get("/api/verdicts").data["all"])
    assert lab.get("/api/verdicts").data["verdicts"]["bes22/weight-spike"]["study"] == plan["name"]
    card = next(c for c in lab.get("/api/claims").data["claims"] if c["name"] == "bes22/weight-spike")
    assert card["verdict"]["status"] == results.verdict.status


def test_a_study_of_the_terminal_is_listed_and_a_module_is_not_loaded(lab: Client) -> None:
    place = lab.laboratory.store
    Study("dklps23/transition", d=[64, 128], seeds=2, name="by-hand", store=place).run(workers=1)
    assert "by-hand" in {study["name"] for study in lab.get("/api/studies").data["studies"]}
    assert lab.get("/api/studies/by-hand").data["axes"] == {"d": "64,128"}


def test_what_cannot_be_a_study_is_told(lab: Client) -> None:
    wrong = lab.post("/api/studies", {**SWEEP, "parameters": {"step": "1:2"}})
    assert (wrong.status, wrong.data["field"]) == (400, "step")
    own = lab.post("/api/studies", {**SWEEP, "claim": "os:path"})
    assert own.status == 404
    missing = lab.get("/api/studies/none")
    assert missing.status == 404
    assert str(lab.laboratory.store.parent) not in missing.data["sentence"]
    assert lab.post("/api/studies/none/stop", {}).status == 404


def test_a_card_has_the_verdict_of_all_views_though_a_sweep_came_later(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    claim = claim_class("dls22/csq-bound")()
    whole = Study.of_views(claim, seeds=2, name="whole", store=store)
    whole.run(workers=1)
    Study(claim, seeds=2, name="later", store=store).run(workers=1)
    with Store(store) as kept:
        entries = kept.studies()
    assert [entry.name for entry in entries] == ["later", "whole"]
    assert [entry.name for entry in by_claim(entries)["dls22/csq-bound"]] == ["whole", "later"]


def test_verdicts_come_one_by_one_and_only_what_has_changed_is_judged_again(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    Study("dls22/csq-bound", seeds=2, name="first", store=store).run(workers=1)
    Study("lazy/least-squares", d=50, seeds=2, name="second", store=store).run(workers=1)
    judged: list[str] = []

    class Heard(Crew):
        async def result(self, asked: Work) -> bytes:
            judged.append(asked.given["name"])
            return await super().result(asked)

    async def look() -> None:
        crew = Heard(1, 10)
        verdicts = Verdicts(store, crew)
        while not await verdicts.are_all_known():
            pass
        assert verdicts.known.keys() == {"dls22/csq-bound", "lazy/least-squares"}
        Study("lazy/least-squares", d=50, seeds=3, name="second", store=store).run(workers=1)
        while not await verdicts.are_all_known():
            pass
        assert sorted(judged) == ["first", "second", "second"]
        same = Study("lazy/least-squares", d=50, seeds=3).run(workers=1)
        assert verdicts.known["lazy/least-squares"]["sentence"] == same.verdict.sentence
        await crew.close()

    asyncio.run(look())


def test_command_and_python_of_a_verification_are_those_of_the_study() -> None:
    claim = claim_class("dls22/csq-bound")()
    kept = Study.of_views(claim, seeds=3, seed=40)
    assert verify_command(kept) == "giantstep verify dls22/csq-bound --seeds 3 --seed 40"
    assert verify_command(Study.of_views(claim)) == "giantstep verify dls22/csq-bound"
    made = verify_lines(kept).split("results = ")[1].split(".run()")[0]
    again = eval(made, {"giantstep": giantstep})
    assert again.spec == kept.spec
    assert [point.key() for point, _ in again.points] == [point.key() for point, _ in kept.points]
