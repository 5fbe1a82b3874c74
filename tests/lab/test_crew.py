"""Jobs of worker processes that are left at the worst moment."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
from contextlib import aclosing
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi")

from giantstep.lab.workers import Crew, Work
from giantstep.lab.workers.hand import DONE, EVENT, _Hand


class _Talkative:
    """Stands for a worker: it says what the test lets it say, and stops when it is asked to."""

    def __init__(self) -> None:
        self.said: asyncio.Queue[tuple[Any, ...]] = asyncio.Queue()
        self.about = ""

    async def order(self, *_: Any) -> None:
        pass

    def stop(self, number: int) -> None:
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


@pytest.mark.parametrize("size", [1, 150_000])
def test_a_job_of_any_size_reaches_its_worker(size: int) -> None:
    """Also one that is longer than what a pipe takes at once."""

    async def ask() -> bytes:
        crew = Crew(1, 1)
        try:
            return await crew.result(Work("check", {"kind": "target", "text": "x1" + " " * size}))
        finally:
            await crew.close()

    assert json.loads(asyncio.run(ask()))["ok"] == (size == 1)  # the parser refuses a text that is so long


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="signals")
def test_a_module_that_is_being_loaded_is_loaded_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a module would stay with the worker, and break whatever comes next."""
    (tmp_path / "stopped_while_loading.py").write_text(
        "import os, signal\nos.kill(os.getpid(), signal.SIGUSR1)\nis_whole = True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    before = signal.getsignal(signal.SIGUSR1), sys.excepthook
    asked_again = threading.Event()
    try:
        hand = _Hand(Pipe()[0])
        monkeypatch.setattr(hand, "_stop", lambda _: asked_again.set())
        import stopped_while_loading  # type: ignore[import-not-found]

        assert stopped_while_loading.is_whole
        assert asked_again.wait(60)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, before[0])
        sys.excepthook = before[1]


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_worker_that_is_killed_while_idle_costs_nothing() -> None:
    async def ask_twice() -> None:
        crew = Crew(1, 1)
        try:
            for _ in range(2):
                assert b'"ok"' in await crew.result(Work("check", {"kind": "target", "text": "x1"}))
                (process,) = crew.processes
                os.kill(process, signal.SIGKILL)
                while crew._workers[0].is_alive():
                    await asyncio.sleep(0.01)
        finally:
            await crew.close()

    asyncio.run(ask_twice())
