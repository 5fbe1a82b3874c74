"""Sums over numbered blocks of work: threaded, bounded in memory, the same bits for any number of threads.

Two things make a sum over blocks depend on the machine's load: the order in which it is taken, and the BLAS
library, which splits a product differently for one and for two threads. So each block is worked on with
one BLAS thread, and the results are added in the order of their numbers.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.checks import whole_number
from giantstep.errors import InputError

Progress = Callable[[float], None]
Results = tuple[NDArray[Any], ...]


@cache
def _blas() -> Any:
    import scipy.linalg  # noqa: F401  (SciPy brings a BLAS of its own: it must be loaded before they are counted)
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")


class _OneThread:
    """BLAS threads are set per process: the first user sets one, the last to leave restores what was.

    threadpoolctl lets only the thread that set a limit lift it, and our first and last user may be different
    threads. So a thread of its own, the keeper, holds the limit in between.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.users = 0
        self.release = threading.Event()
        self.keeper: threading.Thread | None = None
        self.nested: Any = None

    def enter(self) -> None:
        with self.lock:
            if self.users == 0:
                ready, self.release = threading.Event(), threading.Event()
                self.keeper = threading.Thread(target=self._keep, args=(ready, self.release), daemon=True)
                self.keeper.start()
                ready.wait()
                if any(library["num_threads"] != 1 for library in _blas().info()):
                    # The caller is inside a limit of its own, which hides the keeper's: limit within it.
                    self.nested = _blas().limit(limits=1)
            self.users += 1

    def leave(self) -> None:
        with self.lock:
            self.users -= 1
            if self.users == 0 and self.keeper is not None:
                if self.nested is not None:
                    self.nested.restore_original_limits()
                    self.nested = None
                self.release.set()
                self.keeper.join()
                self.keeper = None

    @staticmethod
    def _keep(ready: threading.Event, release: threading.Event) -> None:
        with _blas().limit(limits=1):
            ready.set()
            release.wait()


_one_thread = _OneThread()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Within this context every BLAS call of the process uses one thread; may be nested, from any thread."""
    _one_thread.enter()
    try:
        yield
    finally:
        _one_thread.leave()


def sum_over_blocks(
    count: int,
    work: Callable[[int], Results],
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> Results:
    """sum_{i < count} work(i), component by component, accumulated in float64 in the order of i.

    Args:
        count: the number of blocks.
        work: gives the arrays of block i, of the same shapes for all.
        threads: how many blocks are worked on at a time, with one BLAS thread each; at most threads + 1 results exist.
        progress: called with the fraction done after each block; an exception raised by it (or by the work) ends
            the sum.
    """
    threads = whole_number("threads", threads)
    if count < 1:
        raise InputError(f"the number of blocks = {count} is not allowed; it must be 1 or more")
    totals: Results | None = None
    with one_blas_thread():
        for done, result in enumerate(_in_order(count, work, min(threads, count)), start=1):
            if totals is None:
                # A copy in double precision, C ordered; the block's own arrays may be float32 or views.
                totals = tuple(np.array(part, dtype=np.float64) for part in result)
            else:
                for total, part in zip(totals, result, strict=True):
                    np.add(total, part, out=total)
            del result
            if progress is not None:
                progress(done / count)
    assert totals is not None
    return totals


def _in_order(count: int, work: Callable[[int], Results], threads: int) -> Iterator[Results]:
    if threads == 1:
        for number in range(count):
            yield work(number)
        return
    pool = ThreadPoolExecutor(threads, thread_name_prefix="giantstep-block")
    waiting: deque[Future[Results]] = deque()
    try:
        for number in range(count):
            waiting.append(pool.submit(work, number))
            if len(waiting) > threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
