"""The front page of the site."""

from __future__ import annotations

from making.staging import FRONT, Stage, contents

SECTIONS = (
    "Guides <guides>",
    "Claims <claims/index>",
    "About <readme>",
    "Contributing <contributing>",
    "Changelog <changelog>",
)


def write_front(stage: Stage) -> None:
    """The front page."""
    stage.write(FRONT, "# giantstep\n" + contents(list(SECTIONS)))
