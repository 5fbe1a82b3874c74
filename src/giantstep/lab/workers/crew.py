"""Worker processes for a server that must never wait: jobs queue for a free one, may be stopped, and may kill it."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import threading
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any

from giantstep.lab.refusals import Refusal
from giantstep.lab.workers.hand import DONE, EVENT, REFUSED, STOP, work
from giantstep.studies.children import start_child

FITTING_BYTES = 16_384  # a pipe takes some 64 kB before whoever writes to it must wait
GRACE_SECONDS = 2.0  # for a worker that was asked to stop what it does
DIED = "the process that computed it died, most likely for lack of memory; use a smaller size, or try again"


@dataclass(frozen=True)
class Work:
    """A job for a crew.

    Args:
        job: its name among `giantstep.lab.jobs`.
        given: what it is told, plain data.
        seconds: it is stopped after so long, and refused with `too_long`.
        too_long: the sentence for this case.
        command: the line for the terminal that would do it.
        about: what it is about, a claim say: a worker that did such work last is preferred, for it remembers.
    """

    job: str
    given: dict[str, Any] = field(default_factory=dict)
    seconds: float = 60.0
    too_long: str = "this takes too long for the lab"
    command: str = ""
    about: str = ""


class _Worker:
    """A process, the pipe to it, and a thread that hears what it says."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.process, self._pipe = start_child(work)
        self.said: asyncio.Queue[tuple[Any, ...] | None] = asyncio.Queue()  # None when it has died
        self.about = ""
        threading.Thread(target=_hear, args=(self._pipe, loop, self.said), daemon=True).start()

    async def order(self, number: int, name: str, given: dict[str, Any]) -> None:
        """Send a job; one that fits into the pipe goes at once, for a thread would take longer than the sending."""
        message = bytes(ForkingPickler.dumps((number, name, given)))
        if len(message) <= FITTING_BYTES:
            self._send(message)
        else:
            await asyncio.to_thread(self._send, message)

    def stop(self, number: int) -> None:
        """Ask for a job to be stopped."""
        self._send(bytes(ForkingPickler.dumps((number, STOP, {}))))

    def _send(self, message: bytes) -> None:
        with contextlib.suppress(OSError):  # it has died, which is heard of next
            self._pipe.send_bytes(message)

    def is_alive(self) -> bool:
        """Whether the process is still there."""
        return self.process.is_alive()

    def end(self) -> None:
        """End the process; nothing that it does is worth keeping."""
        with contextlib.suppress(ValueError):  # it has been ended before
            self.process.kill()
            self.process.join()
            self.process.close()
        self._pipe.close()


def _hear(pipe: Connection, loop: asyncio.AbstractEventLoop, said: asyncio.Queue[tuple[Any, ...] | None]) -> None:
    with contextlib.suppress(RuntimeError):  # the server has ended, and its loop
        while True:
            try:
                message = pipe.recv()
            except (EOFError, OSError, TypeError):  # the last if the pipe is closed while it is read
                loop.call_soon_threadsafe(said.put_nowait, None)
                return
            loop.call_soon_threadsafe(said.put_nowait, message)


class Crew:
    """At most `size` worker processes, started when they are needed; at most `most_waiting` jobs wait for one.

    Args:
        size: how many jobs run at a time.
        most_waiting: how many more may wait; others are refused as busy.
    """

    def __init__(self, size: int, most_waiting: int) -> None:
        self._size, self._most_waiting = size, most_waiting
        self._workers: list[_Worker] = []
        self._idle: list[_Worker] = []
        self._waiting: dict[int, asyncio.Future[_Worker]] = {}  # by the identity of their work, in its order
        self._at_work: dict[int, tuple[_Worker, int]] = {}
        self._numbers = itertools.count()
        self._recovering: set[asyncio.Task[None]] = set()

    @property
    def running(self) -> int:
        """Jobs at work."""
        return len(self._at_work)

    @property
    def waiting(self) -> int:
        """Jobs that wait for a worker."""
        return len(self._waiting)

    @property
    def processes(self) -> list[int]:
        """The numbers of its processes."""
        return [worker.process.pid or 0 for worker in self._workers]

    def warm(self) -> None:
        """Start a worker before anybody asks, if there is room for one and none is free."""
        if not self._idle and len(self._workers) < self._size:
            self._idle.append(self._hire())

    async def result(self, asked: Work) -> bytes:
        """The answer of a job, as JSON; a `Refusal` if there is none. Cancelled, it stops the job."""
        async with contextlib.aclosing(self.stream(asked)) as stream:
            async for kind, content in stream:
                if kind == DONE:
                    return content
        raise Refusal(DIED, "broken", "", asked.command)

    async def stream(self, asked: Work) -> AsyncGenerator[tuple[str, bytes], None]:
        """The events of a job as they come, pairs of a name and JSON, and its answer under the name `done`.

        Whoever leaves it before its end closes it (`contextlib.aclosing`), which stops the job.
        """
        worker = await self._free(asked)
        number = next(self._numbers)
        self._at_work[id(asked)] = (worker, number)
        over = False
        ends = asyncio.get_running_loop().time() + asked.seconds
        try:
            await worker.order(number, asked.job, asked.given)
            while not over:
                async with asyncio.timeout_at(ends):  # `wait_for` of Python 3.11 loses a cancellation beside a message
                    message = await worker.said.get()
                if message is None:
                    raise Refusal(DIED, "broken", "", asked.command)
                which, kind, name, content = message
                if which != number:
                    continue
                over = kind in (DONE, REFUSED)
                if kind == REFUSED:
                    raise content
                yield (name if kind == EVENT else kind), content
        except TimeoutError:
            raise Refusal(asked.too_long, "too large", "", asked.command) from None
        finally:
            del self._at_work[id(asked)]
            if over:
                self._release(worker)
            else:
                self._recover(worker, number)

    def stop(self, asked: Work) -> None:
        """Ask for a job to be stopped; whoever listens to it hears its end."""
        if id(asked) in self._at_work:
            worker, number = self._at_work[id(asked)]
            worker.stop(number)
        elif (waiting := self._waiting.pop(id(asked), None)) and not waiting.done():
            waiting.set_exception(Refusal("it was stopped before it began", "busy"))

    async def _free(self, asked: Work) -> _Worker:
        for worker in [one for one in self._idle if not one.is_alive()]:  # killed while nobody needed it
            self._idle.remove(worker)
            self._workers.remove(worker)
            worker.end()
        if self._idle:
            fitting = [worker for worker in self._idle if worker.about == asked.about]
            worker = fitting[-1] if fitting else self._idle[-1]
            self._idle.remove(worker)
        elif len(self._workers) < self._size:
            worker = self._hire()
        elif len(self._waiting) >= self._most_waiting:
            raise Refusal("the lab is busy with other requests; try again in a moment", "busy")
        else:
            worker = await self._next_free(id(asked))
        worker.about = asked.about
        return worker

    async def _next_free(self, who: int) -> _Worker:
        waiting: asyncio.Future[_Worker] = asyncio.get_running_loop().create_future()
        self._waiting[who] = waiting
        try:
            return await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled() and waiting.exception() is None:
                self._release(waiting.result())  # it came at the very moment of leaving
            raise
        finally:
            self._waiting.pop(who, None)

    def _hire(self) -> _Worker:
        worker = _Worker(asyncio.get_running_loop())
        self._workers.append(worker)
        return worker

    def _release(self, worker: _Worker) -> None:
        while self._waiting:
            waiting = self._waiting.pop(next(iter(self._waiting)))
            if not waiting.done():
                waiting.set_result(worker)
                return
        self._idle.append(worker)

    def _recover(self, worker: _Worker, number: int) -> None:
        """Have a job stopped that nobody waits for any more; a worker that cannot stop, or has died, is replaced."""

        async def recover() -> None:
            try:
                async with asyncio.timeout(GRACE_SECONDS):
                    worker.stop(number)
                    while (message := await worker.said.get()) is not None:
                        if message[0] == number and message[1] in (DONE, REFUSED):
                            self._release(worker)
                            return
            except TimeoutError:
                pass
            await asyncio.to_thread(worker.end)
            self._workers.remove(worker)
            self._release(self._hire())  # also if nobody waits: whoever comes next need not wait for it to begin

        task = asyncio.get_running_loop().create_task(recover())
        self._recovering.add(task)
        task.add_done_callback(self._recovering.discard)

    async def settled(self) -> None:
        """Wait until jobs that were given up have ended."""
        while self._recovering:
            await asyncio.gather(*self._recovering, return_exceptions=True)

    async def close(self) -> None:
        """End all workers."""
        for task in self._recovering:
            task.cancel()
        workers, self._workers, self._idle = self._workers, [], []
        await asyncio.gather(*(asyncio.to_thread(worker.end) for worker in workers))
