"""Verdicts on the cards of the front page: the store's studies are judged in the background, after everybody's work."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from giantstep.claims import claim_names
from giantstep.lab.refusals import Refusal
from giantstep.lab.workers import Crew, Work
from giantstep.studies import Store, StudyEntry

TOO_LONG = "this study takes long to judge"
SHORT_SECONDS = 0.5  # a small store is judged while somebody waits for its verdicts
LOOK_SECONDS = 0.1


class Verdicts:
    """What the store's studies say of their claims; each study is judged again only when it has other records.

    Args:
        store: the file with studies.
        crew: who judges, one study at a time, and only while nobody else has work for them.
    """

    def __init__(self, store: Path, crew: Crew) -> None:
        self.known: dict[str, Any] = {}  # by claim
        self._store, self._crew = store, crew
        self._judged: dict[str, tuple[Any, Any]] = {}  # by study: what its verdict was made of, and the verdict
        self._seen = 0.0
        self._task: asyncio.Task[None] | None = None

    async def are_all_known(self) -> bool:
        """Whether all that can be known now is; what is not is looked for, also after this answer."""
        if self._task is None or self._task.done():
            written = max((file.stat().st_mtime for file in self._store.parent.glob(f"{self._store.name}*")), default=0)
            if written > self._seen:
                self._seen = written
                self._task = asyncio.get_running_loop().create_task(self._judge())
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=SHORT_SECONDS)
        return self._task is None or self._task.done()

    async def close(self) -> None:
        """Judge no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _judge(self) -> None:
        found: dict[str, Any] = {}
        for claim, entries in by_claim(await asyncio.to_thread(self._entries)).items():
            for entry in entries:
                if verdict := await self._verdict(entry):
                    found[claim] = self.known[claim] = verdict
                    break
        self.known = found  # without those whose studies are gone

    def _entries(self) -> list[StudyEntry]:
        if not self._store.exists():
            return []
        with Store(self._store) as store:
            return list(store.studies())

    async def _verdict(self, entry: StudyEntry) -> Any:
        made_of = (entry.spec, entry.done, entry.failed)
        before, verdict = self._judged.get(entry.name, (None, None))
        if before == made_of:
            return verdict
        while self._crew.running:  # whoever moves a slider comes first
            await asyncio.sleep(LOOK_SECONDS)
        work = Work("verdict", {"name": entry.name, "store": str(self._store)}, 60.0, TOO_LONG, about="verdicts")
        verdict = None
        with contextlib.suppress(Refusal):  # of another version, or damaged: its page says so
            verdict = json.loads(await self._crew.result(work))
        self._judged[entry.name] = (made_of, verdict)
        return verdict


def by_claim(entries: Iterable[StudyEntry]) -> dict[str, list[StudyEntry]]:
    """For each claim its studies with records: those of all its views first, for a sweep with a few seeds must not make
    a claim undecided that holds; then the latest."""
    found: dict[str, list[StudyEntry]] = {}
    for entry in sorted(entries, key=lambda entry: not entry.spec.get("views")):
        claim = entry.spec.get("claim", "")
        if entry.done and claim in claim_names():
            found.setdefault(claim, []).append(entry)
    return found
