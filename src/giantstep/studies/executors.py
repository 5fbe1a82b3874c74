"""Where tasks are performed: an executor takes them one by one and yields (task number, outcome) pairs in any order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from giantstep.studies.tasks import Outcome, Task, perform
from giantstep.verdicts.stating import no_progress


class Executor(Protocol):
    """Anything that performs tasks: this process, local processes, a cluster."""

    def perform_all(
        self, tasks: Iterable[Task], progress: Callable[[float], None]
    ) -> Iterator[tuple[int, Outcome]]: ...


@dataclass(frozen=True)
class InProcess:
    """One task after the other, here; each may use several `threads`."""

    threads: int = 1

    def perform_all(
        self, tasks: Iterable[Task], progress: Callable[[float], None] = no_progress
    ) -> Iterator[tuple[int, Outcome]]:
        for number, task in enumerate(tasks):
            yield number, perform(task, self.threads, progress)


def cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
