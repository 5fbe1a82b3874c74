"""The application: routes, what guards them, and one form for every answer that is not what was asked for."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from giantstep.lab.refusals import Refusal
from giantstep.lab.web import claims, pages, playing, studies
from giantstep.lab.web.guard import Door, Guard
from giantstep.lab.web.laboratory import Laboratory, LabSettings
from giantstep.lab.web.models import Sentence
from giantstep.version import __version__

STATIC = Path(__file__).parent.parent / "static"
REFUSED: dict[int | str, dict[str, Any]] = {
    status: {"model": Sentence, "description": words}
    for status, words in {
        400: "something that was given is not allowed",
        403: "it does not come from the lab's own page",
        404: "there is no such thing",
        413: "too large for the lab",
        500: "a computation broke down",
        503: "busy, or given up",
    }.items()
}


def create_app(settings: LabSettings | None = None) -> FastAPI:
    """The lab as an ASGI application.

    Args:
        settings: how it is opened; on loopback, with the user's own store, if None.
    """
    settings = settings or LabSettings()
    folder = settings.static or STATIC
    laboratory = Laboratory(settings)

    @asynccontextmanager
    async def open_while_running(_: FastAPI) -> AsyncIterator[None]:
        laboratory.open()
        try:
            yield
        finally:
            await laboratory.close()

    app = FastAPI(
        title="giantstep lab",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=open_while_running,
        responses=REFUSED,
    )
    app.state.laboratory = laboratory
    app.state.static = folder
    for part in (claims, playing, studies, pages):
        app.include_router(part.router)
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(RequestValidationError, _not_read)
    app.add_exception_handler(HTTPException, _not_there)
    app.add_exception_handler(Exception, _broken)
    app.add_middleware(Guard, door=Door(settings.host, settings.token), hashes=_style_hashes(folder))
    return app


def _style_hashes(folder: Path) -> list[str]:
    """Hashes of style elements that the page's libraries make; written when it was built."""
    file = folder / "style-hashes.json"
    return [str(one) for one in json.loads(file.read_text(encoding="utf-8"))] if file.exists() else []


def _answer(refusal: Refusal) -> Response:
    return JSONResponse(refusal.data(), refusal.status)


async def _refused(_: Request, error: Exception) -> Response:
    return _answer(Refusal.of(error))


async def _not_read(_: Request, error: Exception) -> Response:
    """What was wrong with the body of a request, in one sentence."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:])
    field = str(first["loc"][2]) if len(first["loc"]) > 2 and first["loc"][1] == "parameters" else place
    sentence = f"{place or 'the request'} is not allowed: {first['msg']}"
    return _answer(Refusal(sentence[:400], "input", field if field.isidentifier() else ""))


async def _not_there(request: Request, error: Exception) -> Response:
    """A sentence; whoever asks with a browser gets the page, which says it and knows the ways to others."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        return JSONResponse(Refusal("this address does not take such requests").data(), 405, error.headers)
    if "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/"):
        return await pages.page(request, 404)
    if error.status_code == 400:
        return _answer(Refusal("the request cannot be read; send JSON that is not nested deeply", "input"))
    return _answer(Refusal("there is nothing at this address", "not found"))


async def _broken(_: Request, error: Exception) -> Response:
    return _answer(Refusal.of(error))
