"""What the server holds while it runs: workers, jobs at work, a store for its own simulations, playgrounds, studies."""

from __future__ import annotations

import asyncio
import itertools
import shutil
import tempfile
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path

from giantstep.lab.jobs import json_bytes
from giantstep.lab.refusals import Refusal
from giantstep.lab.web.judging import Verdicts
from giantstep.lab.web.models import Jobs
from giantstep.lab.web.own_studies import OwnStudies
from giantstep.lab.web.playgrounds import Playgrounds
from giantstep.lab.workers import Crew, Work
from giantstep.studies import cores, default_path

THEORY_WORKERS = 2
MOST_WAITING = 200  # requests for theory; a page asks for one at a time
MOST_SIMULATIONS_WAITING = 16


@dataclass(frozen=True)
class LabSettings:
    """How a lab is opened.

    Args:
        store: the file with studies; the user's own if None.
        host: where it listens.
        token: the secret that a link must hold; empty for none.
        static: the folder of the built page; that of the package if None.
        simulations: how many run at a time; as many as there are cores, at most two, if None.
    """

    store: Path | None = None
    host: str = "127.0.0.1"
    token: str = ""
    static: Path | None = None
    simulations: int | None = None


@dataclass
class Running:
    """A stream at work: what it is, since when, and its work."""

    what: str
    work: Work
    since: float = field(default_factory=time.monotonic)


class Laboratory:
    """All that outlives a single request."""

    def __init__(self, settings: LabSettings) -> None:
        self.settings = settings
        self.quick = Crew(THEORY_WORKERS, MOST_WAITING)
        self.long = Crew(settings.simulations or min(2, cores()), MOST_SIMULATIONS_WAITING)
        self.playgrounds = Playgrounds(self.quick)
        self.running: dict[str, Running] = {}
        self.described: dict[str, bytes] = {}
        self.store = settings.store or default_path()
        self.studies = OwnStudies(self.store)
        self.verdicts = Verdicts(self.store, self.quick)
        self.folder = Path(tempfile.mkdtemp(prefix="giantstep-lab-"))
        self.leaving = asyncio.Event()
        self._numbers = itertools.count(1)

    @property
    def own_store(self) -> Path:
        """The file of simulations that belong to no study; it goes with the lab."""
        return self.folder / "simulations.sqlite"

    def open(self) -> None:
        """Start a worker of each kind before the first request."""
        self.quick.warm()
        self.long.warm()

    def leave(self) -> None:
        """Have every answer that is still awaited end now: the server is about to close."""
        self.leaving.set()

    async def close(self) -> None:
        """End everything."""
        await self.studies.close()
        await self.verdicts.close()
        await self.quick.close()
        await self.long.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    async def listened(self, what: str, work: Work) -> AsyncGenerator[tuple[str, bytes], None]:
        """The events of a long job, known by a name under which it can be stopped; its answer comes as `end`."""
        name = f"j{next(self._numbers)}"
        self.running[name] = Running(what, work)
        stream = self.long.stream(work)
        try:
            async for kind, content in stream:
                if kind == "start":  # the name is told with the first event
                    content = b'{"job":' + json_bytes(name) + b"," + content[1:]
                yield ("end" if kind == "done" else kind), content
        finally:
            del self.running[name]
            await stream.aclose()

    def stop(self, name: str) -> None:
        """Stop the job of this name."""
        if name not in self.running:
            raise Refusal(f"there is no job '{name}' at work", "not found")
        self.long.stop(self.running[name].work)

    def jobs(self) -> Jobs:
        """What is at work and what waits."""
        now = time.monotonic()
        listed = [
            {"job": name, "what": one.what, "seconds": round(now - one.since, 3)} for name, one in self.running.items()
        ]
        running = self.quick.running + self.long.running
        return Jobs(running=running, waiting=self.quick.waiting + self.long.waiting, jobs=listed)
