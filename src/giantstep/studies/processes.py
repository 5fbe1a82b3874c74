"""Local worker processes that may die: the pool is built again, and what they were doing is done again."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from types import ModuleType

from giantstep.claims import Claim
from giantstep.studies.tasks import Outcome, Task, perform
from giantstep.verdicts import no_progress

BLAS_THREAD_VARIABLES = (
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
AHEAD = 2  # tasks handed out per worker: one at work and one waiting, so that no worker is idle
DEATHS = 2  # a task whose worker dies this often while it runs alone is given up
DIED = "its worker process died each time, most likely for lack of memory; use a smaller size"


@dataclass(frozen=True)
class LocalProcesses:
    """Several tasks at a time, each in a process of its own with one BLAS thread.

    When a worker dies, nobody knows which of the tasks handed out was to blame: these are repeated one at a time, and
    one that kills its worker again is recorded as failed. `workers` is how many processes there are.
    """

    workers: int

    def perform_all(
        self,
        tasks: Iterable[Task],
        progress: Callable[[float], None] = no_progress,  # noqa: ARG002  (a task in another process is reported when done)
    ) -> Iterator[tuple[int, Outcome]]:
        crew = _Crew(self.workers)
        ahead = iter(enumerate(tasks))
        suspects: deque[tuple[int, Task]] = deque()
        deaths: dict[int, int] = {}
        working = True
        try:
            while working:
                alone = bool(suspects)
                yield from crew.work(_emptied(suspects), 1) if alone else crew.work(ahead, AHEAD * self.workers)
                lost = crew.bury()
                for number, task in lost:
                    deaths[number] = deaths.get(number, 0) + alone
                    if deaths[number] >= DEATHS:
                        yield number, Outcome((), 0.0, DIED)
                    else:
                        suspects.append((number, task))
                working = alone or bool(lost)  # else all were handed out and came back
        finally:
            crew.dismiss()


def _emptied(waiting: deque[tuple[int, Task]]) -> Iterator[tuple[int, Task]]:
    while waiting:
        yield waiting.popleft()


class _Crew:
    """Worker processes and the tasks in their hands."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._at_work: dict[Future[Outcome], tuple[int, Task]] = {}
        self._lost: list[tuple[int, Task]] = []
        self._pool = self._hire()

    def _hire(self) -> ProcessPoolExecutor:
        pool = ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"))
        with _one_blas_thread_in_children(), _main_kept_from_children():
            try:
                with _interrupts_for_us_alone():
                    started = [pool.submit(os.getpid) for _ in range(self._workers)]
                for one in started:
                    one.result()
            except BaseException:
                _end(pool)
                raise
        return pool

    def work(self, source: Iterator[tuple[int, Task]], most: int) -> Iterator[tuple[int, Outcome]]:
        """Hand out tasks, at most so many at a time, until all are done or a worker dies."""
        while not self._lost:
            for number, task in islice(source, most - len(self._at_work)):
                self._hand_out(number, task)
            if not self._at_work:
                return
            done, _ = wait(self._at_work, return_when=FIRST_COMPLETED)
            for future in done:
                given = self._at_work.pop(future)
                try:
                    outcome = future.result()
                except BrokenProcessPool:
                    self._lost.append(given)
                else:
                    yield given[0], outcome

    def _hand_out(self, number: int, task: Task) -> None:
        try:
            self._at_work[self._pool.submit(perform, task)] = (number, task)
        except BrokenProcessPool:
            self._lost.append((number, task))

    def bury(self) -> list[tuple[int, Task]]:
        """After a death: a new pool, and the tasks that were lost; nothing if nobody died."""
        if not self._lost:
            return []
        lost = [*self._lost, *self._at_work.values()]
        self._at_work, self._lost = {}, []
        self.dismiss()
        self._pool = self._hire()
        return lost

    def dismiss(self) -> None:
        _end(self._pool)


def _end(pool: ProcessPoolExecutor) -> None:
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()


@contextmanager
def _one_blas_thread_in_children() -> Iterator[None]:
    """BLAS reads these variables when it is loaded, so they must stand before a worker starts."""
    before = {name: os.environ.get(name) for name in BLAS_THREAD_VARIABLES}
    os.environ.update(dict.fromkeys(BLAS_THREAD_VARIABLES, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _main_kept_from_children() -> Iterator[None]:
    """Keep a new process from running the user's script again, so that scripts need no `if __name__` guard.

    A spawned process imports the main module of its parent. Tasks need it only if a claim is defined there.
    """
    main = sys.modules["__main__"]
    own = [
        v for v in vars(main).values() if isinstance(v, type) and issubclass(v, Claim) and v.__module__ == "__main__"
    ]
    if not own:
        sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _interrupts_for_us_alone() -> Iterator[None]:
    """Ctrl-C is for the main process, which then stops the workers: they start, and stay, with it blocked."""
    mask = getattr(signal, "pthread_sigmask", None)
    before = mask(signal.SIG_BLOCK, {signal.SIGINT}) if mask else None
    try:
        yield
    finally:
        if mask:
            mask(signal.SIG_SETMASK, before)
