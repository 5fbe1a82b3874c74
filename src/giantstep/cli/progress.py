"""How far something is that takes a while, on stderr: a bar on a terminal, a line now and then where there is none."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from threading import Event, Thread
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from giantstep.studies import Standing

PLAIN_SECONDS = 10.0  # a line of progress is written so often where no bar can be
SILENT_SECONDS = 15.0  # so long at most nothing is heard, even if one simulation or its theory takes longer


class ProgressBar:
    """How far studies are, on stderr: a bar on a terminal, a plain line now and then where there is none."""

    def __init__(self, words: str, shown: bool = True) -> None:
        from rich.progress import BarColumn, Progress, TextColumn

        err = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[standing]}", markup=False),
            console=err,
            transient=True,
            redirect_stdout=False,  # results on stdout may go to a file
            disable=not (shown and err.is_terminal),
        )
        self._plain = shown and not err.is_terminal
        self._words = words
        self._task = self._bar.add_task(words, total=None, standing="")
        self._start = self._told = time.monotonic()
        self._standing: Standing | None = None
        self._over = Event()

    def __enter__(self) -> Self:
        self._bar.start()
        if self._plain:
            Thread(target=self._break_silence, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._bar.stop()

    def _break_silence(self) -> None:
        while not self._over.wait(SILENT_SECONDS / 3):
            if time.monotonic() - self._told >= SILENT_SECONDS:
                self._say(time.monotonic())

    def _say(self, now: float) -> None:
        self._told = now
        seconds = now - self._start
        words = standing_words(self._standing, seconds) if self._standing else f"theory, for {seconds:.0f} s"
        print(f"{self._words}: {words}", file=sys.stderr, flush=True)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Take the bar away while something else is printed."""
        self._bar.stop()
        try:
            yield
        finally:
            self._bar.start()

    def tell(self, standing: Standing) -> None:
        now = time.monotonic()
        self._standing = standing
        if self._plain and now - self._told > PLAIN_SECONDS:
            self._say(now)
        if not self._bar.disable:
            words = standing_words(standing, now - self._start)
            self._bar.update(self._task, completed=standing.done, total=standing.tasks, standing=words)


def standing_words(standing: Standing, seconds: float) -> str:
    """How far studies are after so many seconds: 3 of 45 claims done, 2 running; ...; about 4 min to go."""
    from giantstep.studies import span

    simulations = f"{int(standing.done)} of {standing.tasks} simulations"
    if standing.failed:
        simulations += f", {standing.failed} failed"
    if standing.studies > 1:
        claims = f"{standing.finished} of {standing.studies} claims done, {standing.running} running"
        parts = [claims, simulations]
    else:
        parts = [simulations, f"{standing.done / max(1e-9, seconds):.3g} a second"]
    if standing.seeds_times > 1:
        parts.insert(0, f"undecided, with {standing.seeds_times} times the seeds")
    if standing.seconds_left is not None:
        parts.append(f"about {span(standing.seconds_left)} to go")
    return "; ".join(parts)


@contextmanager
def progress(words: str, shown: bool = True) -> Iterator[ProgressBar]:
    """Show how far studies are while they run."""
    with ProgressBar(words, shown) as bar:
        yield bar


@contextmanager
def patience(words: str, shown: bool = True) -> Iterator[Callable[[str], None]]:
    """Say now and then what is at work, if it takes long; what this gives is called with whatever comes next."""
    over, at_work = Event(), [words]

    def tell(start: float = time.monotonic()) -> None:
        while not over.wait(SILENT_SECONDS):
            print(f"{at_work[-1]}: for {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)

    if shown:
        Thread(target=tell, daemon=True).start()
    try:
        yield at_work.append
    finally:
        over.set()
