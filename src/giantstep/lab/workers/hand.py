"""What a worker process of the lab does: one job after the other, each of which may be interrupted."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from queue import SimpleQueue
from types import FrameType, TracebackType
from typing import Any

from giantstep.lab.jobs import job_named, json_bytes
from giantstep.lab.refusals import Refusal
from giantstep.studies.children import die_with

# What goes to a worker: (number, name of the job, what it is given), or (number, STOP, {}). What comes back:
# (number, EVENT, name, JSON) any number of times, then (number, DONE, "", JSON) or (number, REFUSED, "", Refusal).
STOP, EVENT, DONE, REFUSED, READY = "stop", "event", "done", "refused", "ready"
AT_ONCE = ("predict", "start", "simulate")  # jobs that are loaded before anybody asks for one
LOADERS = ("importlib._bootstrap", "_frozen_importlib")
AGAIN_SECONDS = 0.02  # after which a wish to stop is repeated that came while a module was loaded
Order = tuple[int, str, dict[str, Any]]


def work(connection: Connection, driver: int) -> None:
    """Do the jobs that come through `connection` until the process `driver`, which sends them, is gone."""
    die_with(driver)
    _Hand(connection).work()


class _Hand:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._orders: SimpleQueue[Order] = SimpleQueue()
        self._current = -1
        # Held while something is sent, so that a wish to stop never cuts a message in two.
        self._sending = threading.Lock()
        signal.signal(_wake_signal(), self._interrupt)
        sys.excepthook = _end_if_dropped

    def work(self) -> None:
        threading.Thread(target=self._listen, daemon=True).start()
        self._send(-1, READY, "", None)
        for name in AT_ONCE:  # most of the time of a first answer is loading
            if self._orders.empty():
                job_named(name)
        while True:
            try:
                self._perform(*self._orders.get())
            except KeyboardInterrupt:  # it came when the job was done already
                continue

    def _perform(self, number: int, name: str, given: dict[str, Any]) -> None:
        self._current = number

        def tell(event: str, data: Any) -> None:
            self._send(number, EVENT, event, json_bytes(data))

        answer: tuple[str, Any]
        try:
            try:
                answer = DONE, json_bytes(job_named(name)(given, tell))
            except KeyboardInterrupt:
                answer = REFUSED, Refusal("it was stopped", "busy")
            except Exception as error:
                answer = REFUSED, Refusal.of(error)
        except KeyboardInterrupt:
            answer = REFUSED, Refusal("it was stopped", "busy")
        with self._sending:
            self._current = -1
        self._send(number, answer[0], "", answer[1])

    def _send(self, *message: Any) -> None:
        try:
            with self._sending:
                self._connection.send(message)
        except OSError:  # nobody holds the other end any more
            os._exit(1)

    def _listen(self) -> None:
        while True:
            try:
                order: Order = self._connection.recv()
            except (EOFError, OSError):
                os._exit(1)
            if order[1] == STOP:
                self._stop(order[0])
            else:
                self._orders.put(order)

    def _stop(self, number: int) -> None:
        with self._sending:
            if number == self._current:
                _wake_main()

    def _interrupt(self, _: int, frame: FrameType | None) -> None:
        """Stop the job, but never in the middle of an import: half a module would stay for all that follow."""
        if not _is_loading(frame):
            raise KeyboardInterrupt
        threading.Timer(AGAIN_SECONDS, self._stop, [self._current]).start()


def _is_loading(frame: FrameType | None) -> bool:
    """Whether a module is being loaded where this frame is, or further out."""
    while frame is not None and frame.f_globals.get("__name__") not in LOADERS:
        frame = frame.f_back
    return frame is not None


def _end_if_dropped(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """End the process where compiled code prints its interruption and goes on without what it was to prepare."""
    if issubclass(kind, KeyboardInterrupt):
        os._exit(1)
    sys.__excepthook__(kind, error, trace)


def _wake_signal() -> int:
    return int(getattr(signal, "SIGUSR1", signal.SIGINT))


def _wake_main() -> None:
    """Have the main thread interrupted, even where it waits for others."""
    kill: Callable[[int, int], None] | None = getattr(signal, "pthread_kill", None)
    if kill is None:
        import _thread

        _thread.interrupt_main()
    else:
        kill(threading.main_thread().ident or 0, _wake_signal())
