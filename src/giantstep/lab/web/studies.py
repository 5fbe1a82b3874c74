"""Studies over the wire: the list and how it changes, what one shows, and new ones."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request
from starlette.responses import FileResponse, Response

from giantstep.lab.jobs import json_bytes
from giantstep.lab.jobs.kept import entry_data
from giantstep.lab.web.asking import Lab, answered
from giantstep.lab.web.laboratory import Laboratory
from giantstep.lab.web.models import Planned, Stopped, Studies, StudyAsked
from giantstep.lab.web.streams import Events, unless_gone
from giantstep.lab.workers import Work
from giantstep.studies import Store

router = APIRouter(prefix="/api")
Name = Annotated[str, Path(max_length=100, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]

WATCH_SECONDS = 1.0
SLOW = "this study takes long to judge; the terminal waits for it"


async def listed(lab: Laboratory) -> dict[str, Any]:
    """The studies of the store, the latest first."""

    def read() -> list[dict[str, Any]]:
        if not lab.store.exists():
            return []
        with Store(lab.store) as store:
            return [entry_data(entry) for entry in store.studies()]

    return {"studies": [{**one, "mine": one["name"] in lab.studies} for one in await asyncio.to_thread(read)]}


@router.get("/studies")
async def studies(lab: Lab) -> Studies:
    """The studies of the store, and how far they are."""
    return Studies(**await listed(lab))


@router.get("/studies/watch", response_class=Response)
async def watch(lab: Lab) -> Response:
    """The same list, sent again whenever it changes."""

    async def changes() -> AsyncGenerator[tuple[str, bytes], None]:
        before = b""
        while True:
            now = json_bytes(await listed(lab))
            if now != before:
                before = now
                yield "studies", now
            await asyncio.sleep(WATCH_SECONDS)

    return Events(changes())


@router.get("/studies/{name}", response_model=dict[str, Any])
async def one_study(request: Request, lab: Lab, name: Name) -> Response:
    """What a study shows by now."""
    given = {"name": name, "store": str(lab.store)}
    return await answered(request, Work("study", given, 60.0, SLOW, f"giantstep results {name}"))


@router.get("/studies/{name}/data.{form}", response_class=FileResponse)
async def data(request: Request, lab: Lab, name: Name, form: Literal["csv", "json"]) -> Response:
    """All rows of a study, as `giantstep results --format` gives them."""
    output = lab.folder / f"{name}.{form}"
    given = {"name": name, "store": str(lab.store), "form": form, "output": str(output)}
    await unless_gone(request, lab.quick.result(Work("table", given, 60.0, SLOW, f"giantstep results {name}")))
    kinds = {"csv": "text/csv", "json": "application/json"}
    return FileResponse(output, media_type=kinds[form], filename=f"{name}.{form}")


@router.post("/studies")
async def begin(request: Request, lab: Lab, asked: StudyAsked) -> Planned:
    """Begin a study, or with `dry_run` say what it would be."""
    given = asked.model_dump(exclude={"dry_run"})
    plan = Planned.model_validate_json(await unless_gone(request, lab.quick.result(Work("plan", given))))
    if not asked.dry_run:
        await lab.studies.begin(asked.claim, plan.model_dump(), asked.seeds, asked.seed)
    return plan


@router.post("/studies/{name}/stop")
async def stop(lab: Lab, name: Name) -> Stopped:
    """End a study that was begun here; what was measured is kept, and the same command goes on."""
    await lab.studies.stop(name)
    return Stopped(stopped=True)


@router.get("/verdicts")
async def verdicts(lab: Lab) -> dict[str, Any]:
    """The verdicts that studies of the store have come to, by claim; others are looked for if these are not all."""
    complete = await lab.verdicts.are_all_known()
    return {"verdicts": lab.verdicts.known, "all": complete}
