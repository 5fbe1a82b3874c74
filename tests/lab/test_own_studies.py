"""Studies begun from a page, where the system cannot send them what Ctrl-C sends."""

from __future__ import annotations

import asyncio
from pathlib import Path

from giantstep.lab.web.own_studies import OwnStudies


class OnWindows:
    """A process that can be ended, and not be interrupted."""

    returncode: int | None = None

    def send_signal(self, number: int) -> None:
        raise ValueError(f"Unsupported signal: {number}")

    def terminate(self) -> None:
        self.returncode = 1

    async def wait(self) -> int:
        assert self.returncode is not None, "it was not ended"
        return self.returncode


def test_a_study_is_stopped_where_there_is_no_interrupt(tmp_path: Path) -> None:
    studies = OwnStudies(tmp_path / "s.sqlite")
    studies._running["mine"] = OnWindows()  # type: ignore[assignment]
    asyncio.run(studies.stop("mine"))
    assert "mine" not in studies
