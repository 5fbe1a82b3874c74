"""Studies that were begun from a page: each is the command of the terminal in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from giantstep.lab.refusals import Refusal, without_paths
from giantstep.studies import Store

MOST_AT_ONCE = 2
END_SECONDS = 5.0
BEGIN_SECONDS = 30.0  # until a new study is in the store, or has refused
AGAIN_SECONDS = 1.0  # for one that is there already: if it refuses to go on, it says so by then
LOOK_SECONDS = 0.05


class OwnStudies:
    """The processes of studies begun here, by their names; they go on when the page is closed, and end with the lab."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._running: dict[str, asyncio.subprocess.Process] = {}

    def __contains__(self, name: object) -> bool:
        process = self._running.get(str(name))
        return process is not None and process.returncode is None

    async def begin(self, claim: str, plan: Mapping[str, Any], seeds: int | None, seed: int) -> None:
        """Run `giantstep sweep` for a study that was planned; when this ends, the store has the study."""
        name = plan["name"]
        if name in self:
            raise Refusal(f"the study '{name}' runs already", "busy")
        if sum(one in self for one in self._running) >= MOST_AT_ONCE:
            raise Refusal(f"{MOST_AT_ONCE} studies run already; wait, or stop one of them", "busy")
        flags = {key.replace("_", "-"): value for key, value in {**plan["fixed"], **plan["axes"]}.items()}
        counted = {"seed": seed} | ({} if seeds is None else {"seeds": seeds})
        line = [f"--{key}={value}" for key, value in {**flags, **counted, "name": name}.items()]
        is_known = await asyncio.to_thread(self._is_kept, name)
        self._running[name] = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "giantstep", "sweep", claim, *line, f"--store={self._store}", "--quiet"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        if told := await self._refused(name, is_known):
            raise Refusal(told)

    async def _refused(self, name: str, is_known: bool) -> str:
        """What a study said if it ended at once without success."""
        process, clock = self._running[name], asyncio.get_running_loop().time
        ends = clock() + (AGAIN_SECONDS if is_known else BEGIN_SECONDS)
        while process.returncode is None and clock() < ends:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await process.wait()
            if not is_known and await asyncio.to_thread(self._is_kept, name):
                break
        if process.returncode in (None, 0) or process.stderr is None:
            return ""
        told = (await process.stderr.read(4000)).decode(errors="replace").strip()
        return without_paths(told.removeprefix("giantstep: ") or "the study could not begin")

    def _is_kept(self, name: str) -> bool:
        if not self._store.exists():
            return False
        with Store(self._store) as store:
            return any(entry.name == name for entry in store.studies())

    async def stop(self, name: str) -> None:
        """End a study as Ctrl-C does: what was measured is kept."""
        if name not in self:
            raise Refusal(f"no study '{name}' was begun from this lab, or it has ended", "not found")
        process = self._running[name]
        with contextlib.suppress(ProcessLookupError):
            try:
                process.send_signal(signal.SIGINT)
            except ValueError:  # Windows cannot send it; what was measured is in the store all the same
                process.terminate()
        try:
            async with asyncio.timeout(END_SECONDS):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def close(self) -> None:
        """End all of them."""
        await asyncio.gather(*(self.stop(name) for name in list(self._running) if name in self), return_exceptions=True)
