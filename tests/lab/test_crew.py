"""Jobs of worker processes that are left at the worst moment."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

import pytest

pytest.importorskip("fastapi")

from giantstep.lab.workers import Crew, Work
from giantstep.lab.workers.hand import DONE, EVENT, STOP


class _Talkative:
    """Stands for a worker: it says what the test lets it say, and stops when it is asked to."""

    def __init__(self) -> None:
        self.said: asyncio.Queue[tuple[Any, ...]] = asyncio.Queue()
        self.about = ""

    async def begin(self, *_: Any) -> None:
        pass

    def order(self, number: int, name: str, _: dict[str, Any]) -> None:
        if name == STOP:
            self.said.put_nowait((number, DONE, "", b"null"))


@pytest.mark.parametrize("turns", range(6))
def test_a_job_ends_when_its_listener_leaves_near_an_event(turns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many turns of the loop lie between an event and the wish to leave, neither is lost."""

    async def leave() -> None:
        crew, worker, heard = Crew(1, 1), _Talkative(), []
        monkeypatch.setattr(crew, "_hire", lambda: worker)

        async def listen() -> None:
            async with aclosing(crew.stream(Work("simulate"))) as stream:
                async for event in stream:
                    heard.append(event)

        listener = asyncio.create_task(listen())
        worker.said.put_nowait((0, EVENT, "progress", b"1"))
        while not heard:
            await asyncio.sleep(0)
        await asyncio.sleep(0)  # it waits for the next event by now
        worker.said.put_nowait((0, EVENT, "progress", b"2"))
        for _ in range(turns):
            await asyncio.sleep(0)
        listener.cancel()
        await asyncio.sleep(0.05)
        assert listener.cancelled()
        assert crew.running == 0
        await crew.settled()

    asyncio.run(leave())
