"""How routes reach the laboratory and its workers."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.responses import Response

from giantstep.lab.web.laboratory import Laboratory
from giantstep.lab.web.streams import JsonBytes, unless_gone
from giantstep.lab.workers import Work


def laboratory_of(request: Request) -> Laboratory:
    """The laboratory that a request is for."""
    found: Laboratory = request.app.state.laboratory
    return found


async def its_laboratory(request: Request) -> Laboratory:
    """The same for the routes; a plain function would be called in a thread of its own."""
    return laboratory_of(request)


Lab = Annotated[Laboratory, Depends(its_laboratory)]


async def answered(request: Request, work: Work) -> Response:
    """The answer of a quick worker; whoever leaves before it has the work given up."""
    return JsonBytes(await unless_gone(request, laboratory_of(request).quick.result(work)))


def claim_work(job: str, paper: str, name: str, **given: Any) -> dict[str, Any]:
    """What the workers are told of a claim."""
    return {"job": job, "given": {"claim": f"{paper}/{name}", **given}, "about": f"{paper}/{name}"}
