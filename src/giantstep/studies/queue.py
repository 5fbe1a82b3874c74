"""Studies as one queue: whoever is free takes the next simulation, of whichever study it is.

A pool of workers for each study would leave cores idle at its end, and start anew for the next one.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack

from giantstep.errors import InputError
from giantstep.learners.engines import one_blas_thread
from giantstep.studies.deciding import with_more_seeds
from giantstep.studies.estimate import refuse_what_cannot_fit
from giantstep.studies.executors import Executor, InProcess, cores
from giantstep.studies.processes import LocalProcesses
from giantstep.studies.results import Results
from giantstep.studies.running import StudyRun
from giantstep.studies.study import Study, worker_count
from giantstep.studies.tasks import Outcome, Task
from giantstep.studies.watching import Standing, Unwatched, Watcher

Told = tuple[int, Results | InputError]  # the number of a study, and what came of it


def run_study(
    study: Study,
    workers: int | None = None,
    watcher: Watcher | None = None,
    executor: Executor | None = None,
    retry_failed: bool = True,
) -> Results:
    """Perform what is missing of one study, keep it, and collect everything: a queue of one."""
    found: Results | InputError | None = None
    try:
        # To the end, also when all is told: a queue that is dropped half-way loses what is raised while it closes.
        for _, told in run_all([study], workers, watcher, executor, retry_failed):
            found = told
    except KeyboardInterrupt:
        if found is None:
            raise
    if isinstance(found, Results):
        return found
    raise found or AssertionError("a queue tells something of each study, or is interrupted")


def run_all(
    studies: Sequence[Study],
    workers: int | None = None,
    watcher: Watcher | None = None,
    executor: Executor | None = None,
    retry_failed: bool = True,
) -> Iterator[Told]:
    """Perform what is missing of all `studies`, keep it, and tell number and results of each as soon as it is complete.

    Of a study that cannot be run (its theory breaks down, it needs too much memory) the sentence that says why is told,
    and the others go on. Default studies that are undecided for want of seeds are told when they have more. After
    Ctrl-C those at work tell what they have, and KeyboardInterrupt follows.

    Args:
        studies: what is to be run, each with the store it names.
        workers: processes on this machine; as many as are worth while by default.
        watcher: who is told how far the queue is.
        executor: where simulations are performed if not on this machine.
        retry_failed: whether simulations that failed in an earlier run are tried again.
    """
    with ExitStack() as stores:
        kept = [stores.enter_context(study.open_store()) for study in studies]
        waiting: dict[int, Study] = dict(enumerate(studies))
        undecided: dict[int, Results] = {}  # what is known of those that wait for more seeds
        while waiting:
            asked, waiting = waiting, {}
            with one_blas_thread():
                runs = {number: StudyRun(study, kept[number], retry_failed) for number, study in asked.items()}
            try:
                for number, told in _run_each(runs, workers, watcher or Unwatched(), executor):
                    if (longer := with_more_seeds(asked[number], told)) and isinstance(told, Results):
                        waiting[number], undecided[number] = longer, told
                        continue
                    known = undecided.pop(number, told)
                    yield number, known if isinstance(told, InputError) else told
            except KeyboardInterrupt:
                yield from undecided.items()
                raise


def _run_each(
    runs: Mapping[int, StudyRun], workers: int | None, watcher: Watcher, executor: Executor | None
) -> Iterator[Told]:
    """Perform the studies of `runs`, by their number, and tell what came of each."""
    tasks = [task for run in runs.values() for task in run.tasks]
    count = worker_count(tasks, workers)
    queue = _Queue(runs, count, watcher, local=executor is None)
    if executor is None:
        executor = LocalProcesses(count) if count > 1 else InProcess(cores())
    try:
        for number, outcome in executor.perform_all(queue.tasks(), queue.inside):
            queue.take(number, outcome)
            yield from queue.news()
        yield from queue.news()
    except KeyboardInterrupt:
        yield from queue.news()
        yield from queue.stopped()
        raise
    finally:
        queue.close()


class _Queue:
    """The simulations of all studies in their order, and what is to be told of studies that are complete.

    Studies come by their longest simulation, so that only short ones are left for the end, when cores run out of
    work. Within a study its own order stays, and one study after the other is complete.
    """

    def __init__(self, runs: Mapping[int, StudyRun], workers: int, watcher: Watcher, local: bool) -> None:
        self._number = {run: number for number, run in runs.items()}
        self._times = max((run.study.seeds_times for run in runs.values()), default=1)
        self._runs = sorted(runs.values(), key=lambda run: run.longest, reverse=True)
        self._workers, self._watcher, self._local = workers, watcher, local
        self._handed_out: list[tuple[StudyRun, Task]] = []
        self._at_work: list[StudyRun] = []
        self._news: deque[Told] = deque()
        self._over = self._done = self._failed = 0
        self._start = time.perf_counter()

    def tasks(self) -> Iterator[Task]:
        """One after the other, asked for when somebody is free: a study's theory comes before its first one."""
        for run in self._runs:
            self._begin(run)
            for task in run.tasks:
                self._handed_out.append((run, task))
                yield task

    def _begin(self, run: StudyRun) -> None:
        try:
            if self._local:
                refuse_what_cannot_fit(run.tasks, self._workers)
            with one_blas_thread():  # the workers have the other cores: threads that wait for them take minutes
                run.begin()  # theory first: where it breaks down, no time is spent on simulations
        except InputError as error:
            run.give_up()
            self._over += 1
            self._news.append((self._number[run], error))
        else:
            self._at_work.append(run)
            self._tell_if_complete(run)
        self.inside(0.0)

    def take(self, number: int, outcome: Outcome) -> None:
        """Keep what a simulation gave."""
        run, task = self._handed_out[number]
        run.keep(task, outcome)
        self._done += 1
        self._failed += bool(outcome.error)
        self._tell_if_complete(run)
        self.inside(0.0)

    def _tell_if_complete(self, run: StudyRun) -> None:
        if not run.missing:
            self._news.append((self._number[run], run.results(self._workers)))
            self._at_work.remove(run)
            self._over += 1

    def news(self) -> Iterator[Told]:
        """What is to be told by now."""
        while self._news:
            yield self._news.popleft()

    def stopped(self) -> Iterator[Told]:
        """What there is of the studies at work when somebody stops the queue."""
        while self._at_work:
            run = self._at_work.pop(0)
            yield self._number[run], run.results(self._workers, interrupted=True)

    def close(self) -> None:
        """Note that what is still at work will not go on."""
        for run in self._at_work:
            run.stop()

    def inside(self, fraction: float) -> None:
        """Say how far all is, with the part of a simulation at work in this process."""
        total = sum(len(run.tasks) for run in self._runs)
        done = self._done + min(1.0, max(0.0, fraction))
        studies = (len(self._runs), self._over, len(self._at_work))
        self._watcher.tell(Standing(total, done, self._failed, *studies, self._seconds_left(total, done), self._times))

    def _seconds_left(self, total: int, done: float) -> float | None:
        """Costs are estimates: what is left of a study is stretched like what is done of it, or like all others."""
        elapsed = time.perf_counter() - self._start
        spent = sum(run.spent for run in self._runs)
        expected = sum(run.expected_done for run in self._runs)
        if not (spent and expected):
            return elapsed * (total / done - 1) if done else None
        left = sum((run.expected - run.expected_done) * (run.stretch or spent / expected) for run in self._runs)
        return left * elapsed / spent
