"""Processes of our own: they are started with one BLAS thread, without the user's script, and end when we do."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import ModuleType

from giantstep.claims import Claim

ONE_BLAS_THREAD = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
)
# Simulations make and drop arrays of a megabyte or so all the time. Unless told to keep them, glibc gives each back to
# the system, which clears a new one page by page: a third of the time of small simulations (benchmarks/kept_memory.py).
KEPT_MEMORY = {
    "MALLOC_MMAP_THRESHOLD_": str(2**25),
    "MALLOC_TOP_PAD_": str(2**25),
    "MALLOC_TRIM_THRESHOLD_": str(2**28),
}
PR_SET_PDEATHSIG = 1  # from <linux/prctl.h>


def start_child(work: Callable[[Connection, int], None]) -> tuple[BaseProcess, Connection]:
    """A new process that calls `work` with its end of a pipe and our number; it and our end of the pipe.

    The child alone holds its end: when it dies, ours says so. `work` begins with `die_with`.
    """
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, os.getpid()), daemon=True)
    try:
        with _environment_of_children(), _main_kept_from_children(), _signals_for_us_alone():
            process.start()
    finally:
        theirs.close()
    return process, ours


def die_with(driver: int) -> None:
    """Have this process killed when the one whose number is `driver` ends, on systems that can do so."""
    if sys.platform != "linux":
        return
    import ctypes

    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != driver:  # it was gone before it could be asked for
        os._exit(1)


@contextmanager
def _environment_of_children() -> Iterator[None]:
    """BLAS and the C library read their variables when they are loaded, so they must stand before a worker starts."""
    theirs = {**{name: os.environ.get(name, value) for name, value in KEPT_MEMORY.items()}, **ONE_BLAS_THREAD}
    before = {name: os.environ.get(name) for name in theirs}
    os.environ.update(theirs)
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
def _signals_for_us_alone() -> Iterator[None]:
    """Ctrl-C and a closed terminal are for the main process, which then ends the workers: these start, and stay, deaf.

    The tracker of multiprocessing is started before, for it would take the signals out of the mask again.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing.resource_tracker import ensure_running

    ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
