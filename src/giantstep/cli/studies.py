"""`giantstep studies`, `results`, `figure` and `forget`: what a store holds."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from rich.table import Table

from giantstep.cli.exits import DONE, FAILED
from giantstep.cli.options import (
    Caption,
    Dpi,
    FontSize,
    HeatMap,
    Json,
    LogX,
    LogY,
    Panel,
    Size,
    StorePath,
    Theme,
    Title,
    Transparent,
)
from giantstep.cli.outcomes import print_study
from giantstep.cli.output import console, print_json, save_figures, table
from giantstep.cli.performing import check_figure, tell_damage
from giantstep.cli.progress import patience
from giantstep.errors import InputError, printable
from giantstep.studies import Store, Study, span, write_frame

StudyName = Annotated[str, Parameter(help="name of the study, as 'giantstep studies' lists it")]
Format = Annotated[
    Literal["table", "csv", "json", "parquet"],
    Parameter(help="a table of means (the default), or all rows as csv, json or parquet"),
]
Output = Annotated[Path | None, Parameter(help="the file to write (default: the terminal; parquet needs a file)")]
Watch = Annotated[bool, Parameter(help="show how running studies get on until you press Ctrl-C")]
Check = Annotated[bool, Parameter(help="look at everything in the store, and say what is not as it was written")]

WATCH_SECONDS = 1.0


def existing(place: Path | None) -> Store:
    """The store to read from; one that was named must be there, for a mistyped name would be an empty store."""
    if place is not None and not place.exists():
        raise InputError(f"there is no store at '{place}'; 'giantstep sweep' begins one there")
    if place is not None and not place.is_dir() and place.stat().st_size == 0:
        raise InputError(
            f"'{place}' is empty: it is no store, or nothing is left of it; 'giantstep sweep' begins one there"
        )
    return Store(place)


def load(name: str, place: Path | None) -> Study:
    """The study of this name, ready to run or to collect."""
    with existing(place) as store:
        entry = store.study(name)
        return Study.from_spec(entry.spec, name, store.path)


def studies(*, store: StorePath = None, watch: Watch = False, check: Check = False, json: Json = False) -> int:
    """List the studies in the store and how far they are, or check that it holds what was written."""
    if watch + json + check > 1:
        raise InputError("--watch, --check and --json exclude each other; give one of them")
    with existing(store) as opened:
        if check:
            return _check(opened)
        if json:
            print_json([vars(entry) for entry in opened.studies()])
        elif watch:
            _watch(opened)
        elif opened.studies():
            console().print(_listed(opened))
        else:
            print(f"no studies in {opened.path}; 'giantstep sweep CLAIM --help' begins one")
    return DONE


def _check(store: Store) -> int:
    found = store.check()
    print(f"{store.path}: {found}")
    for line in found.damage:
        print(f"damaged: {printable(line)}")
    if any(line.startswith("the file: ") for line in found.damage):
        print("a broken file is left as it is: bring it back from a copy, or name another with --store")
    elif found.damage:
        print("what is damaged is left out; the command that began a study simulates it again")
    return FAILED if found.damage else DONE


def _watch(store: Store) -> None:
    from rich.live import Live

    with Live(_listed(store), console=console(), auto_refresh=False) as live, suppress(KeyboardInterrupt):
        while True:
            time.sleep(WATCH_SECONDS)
            live.update(_listed(store), refresh=True)


def _listed(store: Store) -> Table:
    rows = table("study", "claim", "records", "failed", "state", "last seen")
    for entry in store.studies():
        records = f"{entry.done} of {entry.records}"
        told = (entry.name, str(entry.spec.get("claim", "")), records, str(entry.failed), entry.in_words())
        rows.add_row(*map(printable, told), _ago(entry.seen))  # somebody else may have written this store
    return rows


def _ago(moment: float) -> str:
    return "" if not moment else f"{span(max(0.0, time.time() - moment))} ago"


def results(
    study: StudyName,
    /,
    *,
    store: StorePath = None,
    format: Format | None = None,
    json: Annotated[bool, Parameter(help="the same as --format json")] = False,
    output: Output = None,
) -> int:
    """The numbers of a study, as a table, CSV, JSON or Parquet.

    The table has one line per point: means over seeds with standard errors beside the predictions. The other formats
    have one row per point, seed and quantity, with everything needed to repeat it.
    """
    if json and format not in (None, "json"):
        raise InputError(f"--json and --format {format} contradict each other; give one of them")
    form = "json" if json else format or "table"
    if form == "table" and output is not None:
        raise InputError("a table goes to the terminal; choose --format csv, json or parquet for a file")
    kept = load(study, store)
    found = kept.results()
    tell_damage(found, "the command that began the study simulates them again")
    if form != "table":
        write_frame(found.frame(provenance=True), form, output)
        if output is not None:
            print(f"table: {output}")
        return DONE
    print_study(kept, found)
    return DONE


def figure(
    study: StudyName,
    output: Annotated[Path, Parameter(help="the file to write: .svg, .pdf, .png, or .gif of trajectories")],
    /,
    *,
    store: StorePath = None,
    theme: Theme = "plain",
    size: Size = "",
    font_size: FontSize = None,
    dpi: Dpi = 200,
    transparent: Transparent = False,
    panel: Panel = "",
    title: Title = "",
    caption: Caption = True,
    log_x: LogX = None,
    log_y: LogY = None,
    heat_map: HeatMap = None,
) -> None:
    """Draw a study: curves with theory lines, or a heat map.

    One numeric axis gives curves with error bars; a second one of few values gives one curve for each, one of many a
    heat map with the threshold where theory puts it; --heat-map and --curves choose.
    """
    kept = load(study, store)
    found = kept.results()
    if not any(cell.measurements for cell in found.cells):
        raise InputError(f"the study '{study}' has no measurements yet; run it with 'giantstep sweep'")
    wishes: dict[str, Any] = {"panel": panel, "title": title, "caption": caption, "log_x": log_x, "log_y": log_y}
    wishes["heat_map"] = heat_map
    look: dict[str, Any] = {"theme": theme, "size": size, "font_size": font_size, "dpi": dpi}
    check_figure(kept, output, look)
    with patience("the picture"):
        save_figures(found.figures(**wishes, **look, transparent=transparent), output)


def forget(study: StudyName, /, *, store: StorePath = None) -> None:
    """Remove a study and the records that no other study needs."""
    with existing(store) as opened:
        removed = opened.forget(study)
    print(f"forgot '{study}': {removed} records removed")
