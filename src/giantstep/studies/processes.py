"""Local worker processes that may die: each is replaced, and what it was doing is done again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import wait

from giantstep.errors import InputError
from giantstep.studies.children import start_child
from giantstep.studies.tasks import Outcome, Task
from giantstep.studies.worker import READY, serve
from giantstep.verdicts.stating import no_progress

DEATHS = 2  # a task whose worker dies this often while it runs alone is given up
STARTS = 5  # worker processes that die one after the other before any of them has begun to work
LEAVE_SECONDS = 5.0  # for a process that was asked to end
DIED = "its worker process died each time, most likely for lack of memory; use a smaller size"

Given = tuple[int, Task]  # a task and its number


@dataclass(frozen=True)
class LocalProcesses:
    """Several tasks at a time, each in a process of its own with one BLAS thread.

    A worker that dies is replaced. The task it was at may have been to blame, or the memory that all took together: it
    is repeated when nothing else runs, and recorded as failed if it kills its worker again. `workers` is how many
    processes there are.
    """

    workers: int

    def perform_all(
        self,
        tasks: Iterable[Task],
        progress: Callable[[float], None] = no_progress,  # noqa: ARG002  (a task in another process is reported when done)
    ) -> Iterator[tuple[int, Outcome]]:
        crew = _Crew()
        try:
            crew.hire(self.workers)
            yield from _Shift(crew, iter(enumerate(tasks))).work()
        finally:
            crew.dismiss()


class _Worker:
    """A worker process, the pipe to it, and the task in its hand."""

    def __init__(self) -> None:
        self.process, self.pipe = start_child(serve)
        self.hand: Given | None = None
        self.ready = False

    def give(self, given: Given) -> None:
        self.hand = given
        try:
            self.pipe.send(given[1])
        except OSError:
            pass  # it has died: this is heard of next, with the task in its hand
        except Exception as error:
            raise InputError(
                f"{given[1].points[0].name} cannot be sent to another process ({error}); write it into a module of its "
                "own, or run it in this process with workers=1"
            ) from None


class _Crew:
    """Worker processes, each replaced when it dies."""

    def __init__(self) -> None:
        self.workers: list[_Worker] = []
        self._stillborn = 0

    def hire(self, workers: int) -> None:
        for _ in range(workers):
            self.workers.append(self._new())

    def _new(self) -> _Worker:
        while True:
            try:
                return _Worker()
            except BrokenPipeError:  # killed before it had heard what it is for
                self._count_stillborn()

    def _count_stillborn(self) -> None:
        self._stillborn += 1
        if self._stillborn >= STARTS:
            raise InputError(
                f"{STARTS} worker processes died one after the other while they started, most likely for lack of "
                "memory; with --workers 1 everything runs in this process"
            )

    def hear(self) -> Iterator[tuple[_Worker, Outcome | None]]:
        """Wait for news: a worker with its outcome, or with None when it has died and another stands in its place."""
        talking = {worker.pipe: worker for worker in self.workers}
        for pipe in wait(list(talking)):
            worker = talking[pipe]  # type: ignore[index]
            try:
                said = worker.pipe.recv()
            except (EOFError, OSError):
                self._replace(worker)
                yield worker, None
                continue
            if said == READY:
                worker.ready, self._stillborn = True, 0
            else:
                yield worker, said

    def _replace(self, dead: _Worker) -> None:
        if not dead.ready:
            self._count_stillborn()
        _end([dead])
        self.workers[self.workers.index(dead)] = self._new()

    def dismiss(self) -> None:
        _end(self.workers)
        self.workers = []


class _Shift:
    """The work of a crew: whoever is free gets the next task; those suspected of killing come last, alone."""

    def __init__(self, crew: _Crew, source: Iterator[Given]) -> None:
        self._crew, self._source = crew, source
        self._ahead: deque[Given] = deque()  # fetched while all are at work, so that nobody waits for theory
        self._suspects: deque[Given] = deque()
        self._alone = False
        self._deaths: dict[int, int] = {}

    def work(self) -> Iterator[tuple[int, Outcome]]:
        """Numbers of tasks and their outcomes, until all are done."""
        while True:
            self._ahead.extend(islice(self._source, max(0, len(self._crew.workers) - len(self._ahead))))
            self._hand_out()
            if not (self._ahead or self._suspects or self._busy()):
                return
            for worker, outcome in self._crew.hear():
                given, worker.hand = worker.hand, None
                if given is None:
                    continue  # somebody who had nothing to do has died
                if outcome is None:
                    outcome = self._mourn(given)
                self._hand_out()
                if outcome is not None:
                    yield given[0], outcome

    def _busy(self) -> bool:
        return any(worker.hand for worker in self._crew.workers)

    def _hand_out(self) -> None:
        if self._busy() and (self._suspects or self._alone):
            return
        free = [worker for worker in self._crew.workers if worker.ready and worker.hand is None]
        self._alone = bool(self._suspects)
        tasks = self._suspects if self._alone else self._ahead
        for worker in free[:1] if self._alone else free:
            if tasks:
                worker.give(tasks.popleft())

    def _mourn(self, given: Given) -> Outcome | None:
        """What is to be said of a task whose worker has died; None if it is tried once more."""
        number, _ = given
        self._deaths[number] = self._deaths.get(number, 0) + self._alone
        if self._deaths[number] >= DEATHS:
            return Outcome((), 0.0, DIED)
        self._suspects.append(given)
        return None


def _end(workers: list[_Worker]) -> None:
    """End processes, and wait until they are gone."""
    for worker in workers:
        worker.pipe.close()
        if worker.process.pid is not None:
            worker.process.terminate()
    for worker in workers:
        worker.process.join(LEAVE_SECONDS)
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()
        worker.process.close()
