"""`giantstep studies`, `results`, `figure` and `forget`: what a store holds."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.table import Table

from giantstep.cli.flags import Json, StorePath
from giantstep.cli.output import console, print_json, print_study, table
from giantstep.errors import InputError
from giantstep.studies import Study
from giantstep.studies.estimate import span
from giantstep.studies.export import write_frame
from giantstep.studies.store import Store, StudyEntry

StudyName = Annotated[str, Parameter(help="name of the study, as 'giantstep studies' lists it")]
Format = Annotated[
    Literal["table", "csv", "json", "parquet"], Parameter(help="a table of means, or all rows as csv, json or parquet")
]
Output = Annotated[Path | None, Parameter(help="the file to write (default: the terminal; parquet needs a file)")]
Watch = Annotated[bool, Parameter(help="show how running studies get on until you press Ctrl-C", negative="")]

WATCH_SECONDS = 1.0
SILENT_SECONDS = 60.0  # a running study writes every second unless one simulation takes longer


def load(name: str, place: Path | None) -> Study:
    """The study of this name, ready to run or to collect."""
    with Store(place) as store:
        entry = store.study(name)
        return Study.from_words(entry.words, name, store.path)


def studies(*, store: StorePath = None, watch: Watch = False, json: Json = False) -> None:
    """List the studies in the store and how far they are."""
    with Store(store) as opened:
        if json:
            print_json([vars(entry) for entry in opened.studies()])
        elif watch:
            _watch(opened)
        elif opened.studies():
            console().print(_listed(opened))
        else:
            print(f"no studies in {opened.path}; 'giantstep sweep CLAIM --help' begins one")


def _watch(store: Store) -> None:
    from rich.live import Live

    with Live(_listed(store), console=console(), auto_refresh=False) as live:
        while True:
            time.sleep(WATCH_SECONDS)
            live.update(_listed(store), refresh=True)


def _listed(store: Store) -> Table:
    rows = table("study", "claim", "cells", "failed", "state", "last seen")
    for entry in store.studies():
        cells = f"{entry.done} of {entry.cells}"
        rows.add_row(entry.name, entry.words["claim"], cells, str(entry.failed), _state(entry), _ago(entry.seen))
    return rows


def _state(entry: StudyEntry) -> str:
    if entry.state != "running":
        return entry.state
    if time.time() - entry.seen > SILENT_SECONDS:
        return "running, or stopped: silent"
    left = f", {span((entry.cells - entry.done) / entry.rate)} left" if entry.rate > 0 else ""
    return f"running, {entry.rate:.3g} cells a second{left}"


def _ago(moment: float) -> str:
    return f"{span(max(0.0, time.time() - moment))} ago"


def results(study: StudyName, /, *, store: StorePath = None, format: Format = "table", output: Output = None) -> int:
    """The numbers of a study, as a table, CSV, JSON or Parquet.

    The table has one line per point: means over seeds with standard errors beside the predictions. The other formats
    have one row per point, seed and quantity, with everything needed to repeat it.
    """
    kept = load(study, store)
    found = kept.results()
    if format != "table":
        write_frame(found.frame(provenance=True), format, output)
        return 0
    if output is not None:
        raise InputError("a table goes to the terminal; choose --format csv, json or parquet for a file")
    print_study(kept, found)
    return 0


def figure(
    study: StudyName,
    output: Annotated[Path, Parameter(help="the file to write: .svg, .pdf or .png")],
    /,
    *,
    store: StorePath = None,
) -> None:
    """Draw a study: curves with error bars and theory lines, or a heat map with the theoretical boundary."""
    from giantstep.figures import check_destination

    check_destination(output)
    found = load(study, store).results()
    if not any(cell.measurements for cell in found.cells):
        raise InputError(f"the study '{study}' has no measurements yet; run it with 'giantstep sweep'")
    found.figure().save(output)
    print(f"picture: {output}")


def forget(study: StudyName, /, *, store: StorePath = None) -> None:
    """Remove a study and the records that no other study needs."""
    with Store(store) as opened:
        removed = opened.forget(study)
    print(f"forgot '{study}': {removed} records removed")
