"""Answers that take time: given up when nobody waits for them any more, or sent event by event."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from giantstep.lab.jobs import json_bytes
from giantstep.lab.refusals import Refusal

BEAT_SECONDS = 5.0  # a comment so often keeps a silent stream alive, and shows when nobody reads it
Found = TypeVar("Found")


class JsonBytes(Response):
    """JSON that is encoded already."""

    media_type = "application/json"


async def unless_gone(request: Request, work: Coroutine[Any, Any, Found]) -> Found:
    """The result of `work`; if whoever made the `request` leaves, or the lab is closed, it is cancelled."""
    task = asyncio.ensure_future(work)
    ends = _ends(request.scope, request.receive)
    try:
        await asyncio.wait({task, *ends}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Refusal("nobody waits for this answer any more", "busy")
        return task.result()
    finally:
        await _cancelled(task, *ends)


def _ends(scope: Scope, receive: Receive) -> set[asyncio.Future[Any]]:
    """What makes an answer vain: its reader has left, or the lab is about to close."""
    leaving: asyncio.Event = scope["app"].state.laboratory.leaving
    return {asyncio.ensure_future(_gone(receive)), asyncio.ensure_future(leaving.wait())}


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _cancelled(*tasks: asyncio.Future[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class Events(Response):
    """A stream of server-sent events, closed when it ends, when its reader leaves or when the lab is closed."""

    def __init__(self, events: AsyncGenerator[tuple[str, bytes], None]) -> None:
        self.status_code, self.background = 200, None  # and no body, of which nobody knows the length
        self._events = events
        self.raw_headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        pump, ends = asyncio.ensure_future(self._pump(send)), _ends(scope, receive)
        try:
            await asyncio.wait({pump, *ends}, return_when=asyncio.FIRST_COMPLETED)
            if pump.done():
                pump.result()
        finally:
            await _cancelled(pump, *ends)
            await self._events.aclose()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _pump(self, send: Send) -> None:
        queue: asyncio.Queue[bytes | None] = asyncio.Queue(1)
        feed = asyncio.ensure_future(self._feed(queue))
        try:
            while True:
                try:
                    async with asyncio.timeout(BEAT_SECONDS):  # `wait_for` of Python 3.11 may lose a wish to stop
                        block = await queue.get()
                except TimeoutError:
                    block = b": beat\n\n"
                if block is None:
                    break
                await send({"type": "http.response.body", "body": block, "more_body": True})
        finally:
            await _cancelled(feed)

    async def _feed(self, queue: asyncio.Queue[bytes | None]) -> None:
        try:
            async for name, content in self._events:
                await queue.put(event_block(name, content))
        except Refusal as refused:
            await queue.put(event_block("error", json_bytes(refused.data())))
        await queue.put(None)


def event_block(name: str, content: bytes) -> bytes:
    """One event as it is written; JSON on one line."""
    return b"event: " + name.encode() + b"\ndata: " + content + b"\n\n"
