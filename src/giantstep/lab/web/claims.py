"""Claims: the list of the front page, one claim, its theory at a point, its simulation."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from giantstep.lab.refusals import Refusal
from giantstep.lab.web.asking import Lab, answered, claim_work
from giantstep.lab.web.catalogue import front_page
from giantstep.lab.web.models import (
    DescribedClaim,
    Jobs,
    Predicted,
    PredictionAsked,
    SimulationAsked,
    Stopped,
    TextAnswer,
    TextAsked,
)
from giantstep.lab.web.streams import Events, JsonBytes, unless_gone
from giantstep.lab.workers import Work

router = APIRouter(prefix="/api")
Part = Annotated[str, Path(max_length=100, pattern=r"^[a-z0-9-]+$")]

SLOW = "theory takes longer than a minute here; the terminal waits for it"
MOST_SIMULATION_SECONDS = 900.0


@router.get("/claims")
async def all_claims(lab: Lab) -> dict[str, Any]:
    """Every claim as a card, by paper and by question, and the tours."""
    return front_page(lab)


@router.get("/claims/{paper}/{name}", response_model=DescribedClaim)
async def one_claim(request: Request, lab: Lab, paper: Part, name: Part) -> Response:
    """One claim: words, controls, presets, tabs."""
    full = f"{paper}/{name}"
    if full not in lab.described:
        work = Work(**claim_work("describe", paper, name), too_long=SLOW, command=f"giantstep show {full}")
        lab.described[full] = await unless_gone(request, lab.quick.result(work))
    return JsonBytes(lab.described[full])


@router.post("/claims/{paper}/{name}/predict", response_model=Predicted)
async def predict(request: Request, paper: Part, name: Part, asked: PredictionAsked) -> Response:
    """What theory says at a point, as numbers and as the panels of one view."""
    given = claim_work("predict", paper, name, **asked.model_dump())
    return await answered(request, Work(**given, too_long=SLOW, command=f"giantstep predict {paper}/{name}"))


@router.post(
    "/claims/{paper}/{name}/simulate",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {}}, "description": "start, progress, seed ..., end or error"}},
)
async def simulate(request: Request, lab: Lab, paper: Part, name: Part, asked: SimulationAsked) -> Response:
    """Simulate a point or a view, and stream panels and verdict after each seed; leaving ends it."""
    given = claim_work("simulate", paper, name, **asked.model_dump(), store=str(lab.own_store))
    work = Work(**given, seconds=MOST_SIMULATION_SECONDS, command=f"giantstep run {paper}/{name}")
    events = lab.listened(f"simulate {paper}/{name}", work)

    try:
        first = await unless_gone(request, anext(events))
    except StopAsyncIteration:
        raise Refusal("the simulation ended before it began", "broken") from None
    except BaseException:
        await events.aclose()
        raise
    return Events(events, first)


@router.post("/jobs/{job}/stop")
async def stop(lab: Lab, job: Part) -> Stopped:
    """End a simulation; its stream tells what is there by then."""
    lab.stop(job)
    return Stopped(stopped=True)


@router.get("/jobs")
async def jobs(lab: Lab) -> Jobs:
    """What the lab is at."""
    return lab.jobs()


@router.post("/check", response_model=TextAnswer)
async def check(request: Request, asked: TextAsked) -> Response:
    """Whether a text can be read, in the words of its parser."""
    if bool(asked.claim) != bool(asked.field):
        raise Refusal("give both a claim and one of its fields, or neither", "input")
    return await answered(request, Work("check", asked.model_dump(), 10.0, "this text takes too long to read"))
