"""How far studies are, for those who watch them run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Standing:
    """How far a queue of studies is.

    Args:
        tasks: simulations of all studies.
        done: how many of them are done, with the part of the one at work where it is known.
        failed: how many of them failed.
        studies: how many there are.
        finished: studies that are complete.
        running: studies of which some simulations are done or at work.
        seconds_left: the time to go; None as long as nobody can tell.
        seeds_times: how many times the usual seeds they have, as their verdicts were undecided.
    """

    tasks: int
    done: float
    failed: int
    studies: int
    finished: int
    running: int
    seconds_left: float | None = None
    seeds_times: int = 1


class Watcher(Protocol):
    """Somebody who is told how far studies are, whenever that changes."""

    def tell(self, standing: Standing) -> None: ...


class Unwatched:
    """Nobody."""

    def tell(self, standing: Standing) -> None: ...
