"""Studies on a cluster: the same tasks, sent to a dask scheduler or to jobs of a queueing system.

The driver writes all records; workers only compute. A worker that dies loses the tasks it was running, and the
scheduler gives them to another one; a task that kills several workers is recorded as failed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from platformdirs import user_log_path

from giantstep.errors import FAILURES, InputError
from giantstep.studies.executors import Executor
from giantstep.studies.tasks import Outcome, Task, perform
from giantstep.verdicts.stating import no_progress

QUEUES = {
    "slurm": "SLURMCluster",
    "pbs": "PBSCluster",
    "sge": "SGECluster",
    "lsf": "LSFCluster",
    "oar": "OARCluster",
    "htcondor": "HTCondorCluster",
}
JOBS = 2  # workers asked of a queueing system if nobody says how many
CONNECT_SECONDS = 30
QUEUE_SECONDS = 3600  # a job may have to wait its turn; Ctrl-C ends the waiting
LISTED = ("job_directives_skip", "job_extra_directives", "job_script_prologue", "worker_extra_args")  # of one or more
NOT_WORDS = ("asynchronous", "loop", "scheduler_cls", "scheduler_options", "security")  # what no text can say
AHEAD = 4  # tasks handed out per worker thread: enough to keep it busy, few enough to lose little
FEWEST_AHEAD = 16
FAILURES_OF_DASK = (*FAILURES, RuntimeError, OSError)
LOOPBACK = "127.0.0.1"  # where dask listens unless told otherwise: whoever reaches a scheduler can run code on it
DIED = "it killed each worker that tried it, most likely for lack of memory; use a smaller size"


@dataclass(frozen=True)
class DaskCluster:
    """Tasks on the workers of a dask scheduler, each with one BLAS thread."""

    client: Any

    def perform_all(
        self,
        tasks: Iterable[Task],
        progress: Callable[[float], None] = no_progress,  # noqa: ARG002  (a task elsewhere is reported when done)
    ) -> Iterator[tuple[int, Outcome]]:
        from distributed import as_completed

        numbers: dict[str, int] = {}
        ahead = iter(enumerate(tasks))
        running = as_completed(loop=self.client.loop)  # type: ignore[no-untyped-call]
        self._hand_out(ahead, running, numbers, self._room())
        for future in running:
            number = numbers.pop(future.key)
            outcome = _outcome(future)
            # A result that is still held would be computed again when its worker dies.
            future.release()
            yield number, outcome
            self._hand_out(ahead, running, numbers, self._room() - len(numbers))

    def _room(self) -> int:
        threads: int = sum(self.client.nthreads().values())
        return max(FEWEST_AHEAD, AHEAD * threads)

    def _hand_out(self, ahead: Iterator[tuple[int, Task]], running: Any, numbers: dict[str, int], most: int) -> None:
        for _ in range(most):
            number, task = next(ahead, (-1, None))
            if task is None:
                return
            future = self.client.submit(perform, task, pure=False)
            numbers[future.key] = number
            running.add(future)


def _outcome(future: Any) -> Outcome:
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError

    try:
        found: Outcome = future.result()
    except KilledWorker:
        return Outcome((), 0.0, DIED)
    except (FutureCancelledError, CancelledError):
        raise InputError(
            "the scheduler is gone; what was finished is kept, and the same command goes on there"
        ) from None
    except Exception as error:
        return Outcome((), 0.0, f"the cluster could not run it: {type(error).__name__}: {error}")
    return found


@contextmanager
def cluster_executor(where: str, jobs: int | None = None, options: Sequence[str] = ()) -> Iterator[Executor | None]:
    """The executor for an address or a queueing system; None, and thus this machine, if neither is named.

    Args:
        where: `tcp://host:port` of a dask scheduler, or one of `QUEUES`, such as slurm; empty for this machine.
        jobs: how many workers a queueing system is asked for; two if None.
        options: what each job asks for, as `name=value` of dask-jobqueue, such as `memory=4GB`.
    """
    if (jobs is not None or options) and where not in QUEUES:
        raise InputError(f"jobs and their options are for queueing systems: {', '.join(QUEUES)}")
    if not where:
        yield None
        return
    _need("distributed")
    if where in QUEUES:
        with _queue(where, JOBS if jobs is None else jobs, options) as cluster, _client(cluster) as client:
            _wait_for_workers(client, QUEUE_SECONDS, f"no job of {where} has started a worker")
            yield DaskCluster(client)
        return
    if "://" not in where and ":" not in where:
        raise InputError(f"'{where}' is no cluster; give tcp://host:port of a dask scheduler, or {', '.join(QUEUES)}")
    with _client(where) as client:
        _wait_for_workers(client, CONNECT_SECONDS, f"the dask scheduler at '{where}' has no workers")
        yield DaskCluster(client)


def _wait_for_workers(client: Any, seconds: float, otherwise: str) -> None:
    try:
        client.wait_for_workers(1, timeout=seconds)
    except TimeoutError:
        raise InputError(f"{otherwise} after {seconds:g} s; start workers, or ask for less with --job-option") from None


@contextmanager
def _client(where: Any) -> Iterator[Any]:
    from distributed import Client

    try:
        client = Client(where, timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        raise InputError(f"there is no dask scheduler at '{where}': {error}") from None
    with client:
        yield client


@contextmanager
def _queue(name: str, jobs: int, options: Sequence[str]) -> Iterator[Any]:
    """Workers as jobs of a queueing system, one core each unless the options say otherwise."""
    _need("dask_jobqueue")
    import dask_jobqueue

    if jobs < 1:
        raise InputError(f"jobs = {jobs} is not allowed; it must be at least 1")
    logs = user_log_path("giantstep", ensure_exists=True)
    settings: dict[str, Any] = {
        "cores": 1,
        "memory": "4GB",
        "processes": 1,
        "log_directory": str(logs),
        "scheduler_options": {"dashboard_address": f"{LOOPBACK}:0"},
    }
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise InputError(f"the job option '{option}' cannot be read; write name=value, such as queue=short")
        if key in NOT_WORDS:
            raise InputError(f"the job option '{key}' cannot be given as text; host=10.0.0.1 says where dask listens")
        if key == "host":
            settings["scheduler_options"]["host"] = value
        elif key in LISTED:
            settings.setdefault(key, []).append(value)
        else:
            settings[key] = int(value) if value.isdigit() else value
    if not _is_told_where(name, settings):
        settings["scheduler_options"]["host"] = LOOPBACK
        logging.getLogger("giantstep").warning(
            "giantstep: the scheduler listens at %s alone; if jobs run on other machines, say where they reach this "
            "one, such as --job-option host=10.0.0.1 or interface=ib0",
            LOOPBACK,
        )
    try:
        cluster = getattr(dask_jobqueue, QUEUES[name])(**settings)
    except FAILURES_OF_DASK as error:
        raise InputError(f"jobs cannot be made for {name}: {error}") from None
    with cluster:
        _submit(cluster, name, jobs)
        yield cluster


def _submit(cluster: Any, name: str, jobs: int) -> None:
    """Hand in the jobs, and wait until the system has taken them: `cluster.scale` would hide that it has not."""

    async def all_taken() -> None:
        await cluster

    for _ in range(jobs):
        cluster.worker_spec.update(cluster.new_worker_spec())
    try:
        cluster.sync(all_taken)
    except FAILURES_OF_DASK as error:
        from distributed.core import Status

        for job in cluster.workers.values():
            if job.status == Status.created:
                job.status = Status.failed  # else dask asserts, as it closes, that each has begun
        missing = error.filename if isinstance(error, FileNotFoundError) else None
        reason = f"this machine has no command '{missing}'" if missing else " ".join(str(error).split())
        raise InputError(f"{name} takes no jobs: {reason}") from None


def _is_told_where(name: str, settings: Mapping[str, Any]) -> bool:
    """Whether an option, or the user's own settings of dask-jobqueue, say where the scheduler listens."""
    import dask

    return (
        "host" in settings["scheduler_options"]
        or "interface" in settings
        or dask.config.get(f"jobqueue.{name}.interface", None) is not None
    )


def _need(module: str) -> None:
    from importlib.util import find_spec

    if find_spec(module) is None:
        raise InputError("clusters need an extra: pip install 'giantstep[cluster]'")
