"""What a worker process does: it performs tasks until its driver has no more, or is gone."""

from __future__ import annotations

import os
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread

from giantstep.studies.children import die_with
from giantstep.studies.tasks import Outcome, Task, perform

READY = "ready"
Waiting = SimpleQueue[Task | Outcome]


def serve(connection: Connection, driver: int) -> None:
    """Perform the tasks that come through `connection` and send back their outcomes, in the same order.

    The process whose number is `driver` holds the other end. When it ends, however it ends, so does this one: Linux
    kills it at once; elsewhere the closed pipe is noticed as soon as Python comes to run between two computations.
    """
    die_with(driver)
    waiting: Waiting = SimpleQueue()
    Thread(target=_listen, args=(connection, waiting), daemon=True).start()
    connection.send(READY)
    while True:
        given = waiting.get()
        _answer(connection, given if isinstance(given, Outcome) else perform(given))


def _listen(connection: Connection, waiting: Waiting) -> None:
    """Take tasks as they come, so that the driver never waits for a simulation to hand out the next one."""
    while True:
        try:
            waiting.put(connection.recv())
        except (EOFError, OSError):  # nobody holds the other end any more
            os._exit(1)
        except Exception as error:
            waiting.put(Outcome((), 0.0, f"a worker process cannot load it: {type(error).__name__}: {error}"))


def _answer(connection: Connection, outcome: Outcome) -> None:
    try:
        connection.send(outcome)
    except OSError:
        os._exit(1)
    except Exception as error:  # something measured that cannot travel between processes
        why = f"its measurement cannot leave the worker process: {type(error).__name__}: {error}"
        connection.send(Outcome((), outcome.seconds, why, outcome.version))
