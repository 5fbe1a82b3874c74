"""Where tasks are performed: an executor yields (task number, outcome) pairs in any order."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from types import ModuleType
from typing import Protocol

from giantstep.claims.values import no_progress
from giantstep.errors import InputError
from giantstep.studies.tasks import Outcome, Task, perform

BLAS_THREAD_VARIABLES = (
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


class Executor(Protocol):
    """Anything that performs tasks: this process, local processes, a cluster."""

    def perform_all(
        self, tasks: Sequence[Task], progress: Callable[[float], None]
    ) -> Iterator[tuple[int, Outcome]]: ...


@dataclass(frozen=True)
class InProcess:
    """One task after the other, here; each may use several threads."""

    threads: int = 1

    def perform_all(
        self, tasks: Sequence[Task], progress: Callable[[float], None] = no_progress
    ) -> Iterator[tuple[int, Outcome]]:
        for number, task in enumerate(tasks):
            yield number, perform(task, self.threads, progress)


@dataclass(frozen=True)
class LocalProcesses:
    """Several tasks at a time, each in a process of its own with one BLAS thread."""

    workers: int

    def perform_all(
        self,
        tasks: Sequence[Task],
        progress: Callable[[float], None] = no_progress,  # noqa: ARG002  (a task in another process is reported when done)
    ) -> Iterator[tuple[int, Outcome]]:
        pool = self._pool(any(type(p).__module__ == "__main__" for task in tasks for p in task.points))
        try:
            waiting = {pool.submit(perform, task): number for number, task in enumerate(tasks)}
            while waiting:
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield waiting.pop(future), future.result()
        except BrokenProcessPool:
            raise InputError(
                "a worker process died, most likely for lack of memory; use fewer workers or a smaller size"
            ) from None
        finally:
            _stop(pool)

    def _pool(self, needs_main: bool) -> ProcessPoolExecutor:
        with _one_blas_thread_in_children(), _main_kept_from_children(not needs_main):
            pool = ProcessPoolExecutor(self.workers, mp_context=get_context("spawn"), initializer=_quiet)
            for started in [pool.submit(os.getpid) for _ in range(self.workers)]:
                started.result()
        return pool


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
def _main_kept_from_children(wanted: bool) -> Iterator[None]:
    """Keep a new process from running the user's script again, so that scripts need no `if __name__` guard.

    A spawned process imports the main module of its parent. Tasks need it only if their claim is defined there.
    """
    main = sys.modules["__main__"]
    if wanted:
        sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _quiet() -> None:
    """Ctrl-C is for the main process, which then stops the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _stop(pool: ProcessPoolExecutor) -> None:
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()


def cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
