"""The playground and the analyser over the wire."""

from __future__ import annotations

import shlex
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from giantstep.lab.jobs.playground_settings import PRESETS, controls
from giantstep.lab.web.asking import Lab, answered
from giantstep.lab.web.models import AnalysisAsked, Back, Ended, Network, NetworkAsked, Steps
from giantstep.lab.web.streams import unless_gone
from giantstep.lab.workers import Work

router = APIRouter(prefix="/api")
Name = Annotated[str, Path(max_length=20, pattern=r"^p[0-9]+$")]


@router.post("/analyze", response_model=dict[str, Any])
async def analyze(request: Request, asked: AnalysisAsked) -> Response:
    """What is in a target, and who can learn it when."""
    slow = "this target takes too long to analyse here; the terminal waits for it"
    command = f"giantstep analyze {shlex.quote(asked.target)}"
    return await answered(request, Work("analyze", asked.model_dump(), 30.0, slow, command))


@router.get("/playground")
async def settings(lab: Lab) -> dict[str, Any]:
    """The settings of a network as controls, and presets; whoever asks for them will soon ask for a network."""
    lab.quick.warm()
    presets = [{"name": name, "title": title, "values": values} for name, (title, values) in PRESETS.items()]
    return {"controls": controls(), "presets": presets}


@router.post("/playground")
async def begin(request: Request, lab: Lab, asked: NetworkAsked) -> Network:
    """A new network."""
    return Network(**await unless_gone(request, lab.playgrounds.begin(asked.settings)))


@router.get("/playground/{name}")
async def look(lab: Lab, name: Name) -> Network:
    """A network as it is."""
    return Network(**lab.playgrounds.get(name).told(0, 0.0))


@router.post("/playground/{name}/step")
async def step(request: Request, lab: Lab, name: Name, asked: Steps) -> Network:
    """Some giant steps more."""
    return Network(**await unless_gone(request, lab.playgrounds.go_on(name, asked.steps, asked.settings)))


@router.post("/playground/{name}/back")
async def back(lab: Lab, name: Name, asked: Back) -> Network:
    """The network as it was some steps before."""
    return Network(**lab.playgrounds.go_back(name, asked.steps))


@router.delete("/playground/{name}")
async def end(lab: Lab, name: Name) -> Ended:
    """Forget a network."""
    lab.playgrounds.end(name)
    return Ended(ended=True)
