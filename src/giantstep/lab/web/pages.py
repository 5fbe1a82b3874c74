"""The built page: one document for every address of it, and the files that it loads."""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi import Path as ParameterOfPath
from starlette.responses import FileResponse, HTMLResponse, Response

from giantstep.figures import look_data
from giantstep.lab.refusals import Refusal
from giantstep.lab.storybook import tours

router = APIRouter()
ADDRESSES = ("/", "/claims/{paper}/{name}", "/analyze", "/playground", "/tours/{name}", "/studies", "/studies/{name}")
NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>giantstep lab</title>
<p>The page of the lab is not built here: run <code>make page</code>.</p></html>
"""
FOREVER = {"cache-control": "public, max-age=31536000, immutable"}
COMPRESSED = (".js", ".css", ".svg", ".json")
KINDS = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".woff": "font/woff",
    ".ttf": "font/ttf",
    ".json": "application/json",
}


@router.get("/api/look")
async def look() -> dict[str, object]:
    """The colours of pictures, on light and on dark ground."""
    return look_data()


@router.get("/api/tours")
async def all_tours() -> dict[str, Any]:
    """The tours."""
    return {"tours": [tour.card() for tour in tours().values()]}


@router.get("/api/tours/{name}")
async def one_tour(name: Annotated[str, ParameterOfPath(max_length=100)]) -> dict[str, Any]:
    """One tour with its stations."""
    if name not in tours():
        raise Refusal(f"there is no tour '{name[:60]}'; there are: {', '.join(tours())}", "not found")
    return tours()[name].data()


@router.get("/assets/{name}", include_in_schema=False)
async def asset(request: Request, name: str) -> Response:
    """A file of the built page; its name changes with its content."""
    return _file(request, request.app.state.static / "assets", name, FOREVER)


@router.get("/favicon.svg", include_in_schema=False)
async def favicon(request: Request) -> Response:
    """The sign of the lab."""
    return _file(request, request.app.state.static, "favicon.svg", {})


def _file(request: Request, folder: Path, name: str, headers: dict[str, str]) -> Response:
    """A file that stands in this very folder; a name that leads elsewhere is not found there."""
    file = folder / name
    if file.suffix not in KINDS or file.name != name or not file.is_file():
        raise Refusal("there is no such file", "not found")
    kind = KINDS[file.suffix]
    if file.suffix in COMPRESSED and "gzip" in request.headers.get("accept-encoding", ""):
        told = {**headers, "content-encoding": "gzip", "vary": "accept-encoding"}
        return Response(_compressed(file, file.stat().st_mtime_ns), media_type=kind, headers=told)
    return FileResponse(file, media_type=kind, headers=headers)


@lru_cache(maxsize=64)
def _compressed(file: Path, _: int) -> bytes:
    """A file as it is sent; made once, and again when it was written since."""
    return gzip.compress(file.read_bytes())


async def page(request: Request, status: int = 200) -> Response:
    """The document; the page reads its own address."""
    file: Path = request.app.state.static / "index.html"
    return HTMLResponse(file.read_text(encoding="utf-8") if file.exists() else NOT_BUILT, status)


async def _page(request: Request) -> Response:
    return await page(request)


for _address in ADDRESSES:
    router.add_api_route(_address, _page, methods=["GET"], include_in_schema=False, response_class=HTMLResponse)
