"""How results look in a terminal: tables on stdout, progress on stderr, plain text when piped."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from rich.console import Console
from rich.table import Table
from rich.text import Text

from giantstep.claims import number
from giantstep.verdicts import Curve, mean_and_error, shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from giantstep.figures import Drawing
    from giantstep.studies import Results, Study

PIPED_WIDTH = 1000
STATUS_STYLE = {"holds": "green", "fails": "bold red", "undecided": "yellow"}


def console() -> Console:
    """Where results go; rich leaves out colours when the output is piped or NO_COLOR is set.

    Text is printed as it is: brackets in a note are not markup. What has a style is `styled`.
    """
    seen = sys.stdout.isatty() or "COLUMNS" in os.environ
    width = None if seen else PIPED_WIDTH  # a table in a file or before `grep` keeps its lines whole
    return Console(highlight=False, markup=False, emoji=False, soft_wrap=True, width=width)


def styled(*parts: str | tuple[str, str]) -> Text:
    """Words of which some, given with a style, stand out."""
    return Text.assemble(*parts)


def print_json(record: Any) -> None:
    """One JSON document, numbers in full precision."""
    print(json.dumps(record, indent=2, allow_nan=False, ensure_ascii=False))


def table(*columns: str, title: str = "") -> Table:
    """A table in the one look of all tables."""
    made = Table(title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for column in columns:
        made.add_column(column, overflow="fold")
    return made


def parameters_line(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in parameters.items())


def print_results(results: Results) -> None:
    """The table of one claim's quantities and its verdict."""
    out = console()
    out.print(heading(results.claim.name, parameters_line(results.base_cell.point.parameters())))
    rows = table("quantity", "predicted", "measured", "std. error", "gap", "")
    for name, j in results.judgements().items():
        rows.add_row(
            name,
            number(j.reference),
            number(j.measured),
            number(j.stderr),
            number(j.gap_finite if j.quantity.against == "finite" else j.gap),
            j.status if j.counts else "reported",
            style=None if j.counts else "dim",
        )
    out.print(rows)
    for note in results.base_cell.prediction.notes:
        out.print(f"note: {note}")
    print_verdict(results)


def heading(name: str, *words: str) -> Text:
    return styled((name, "bold"), *(f"  {w}" for w in words))


def print_verdict(results: Results) -> None:
    verdict = results.verdict
    console().print(styled((verdict.status, STATUS_STYLE[verdict.status]), f": {verdict.sentence}"))


MOST_ROWS = 60  # of a table in the terminal


def print_study(study: Study, results: Results) -> None:
    """Means over seeds beside the predictions at every point of a study; then what failed, and the verdict."""
    out = console()
    varied = [
        name for name, values in study.words.get("axes", {}).items() if not isinstance(values, list) or values[1:]
    ]
    fixed = {k: v for k, v in study.base.parameters().items() if k not in varied}
    out.print(heading(study.name, results.claim.name, parameters_line(fixed)))
    names = tuple(dict.fromkeys(q.name for q in study.base.stated() if q.relation != "reported"))
    rows = table(*varied, "quantity", "measured", "predicted", "seeds")
    most = max(1, MOST_ROWS // max(1, len(names)))
    for cell in results.cells[:most]:
        values = cell.point.parameters()
        place = [f"{values[v]:g}" if isinstance(values[v], float) else str(values[v]) for v in varied]
        for name in names:
            seeds = cell.seeds_of(name)
            mean, error = mean_and_error(seeds) if seeds else (None, None)
            measured = number(mean) if mean is None or isinstance(mean, Curve) else shown(mean, error)
            rows.add_row(*place, name, measured, number(cell.prediction.values.get(name)), str(len(seeds)))
            place = [""] * len(varied)
    out.print(rows)
    if len(results.cells) > most:
        out.print(f"{len(results.cells) - most} more points; all: giantstep results {study.name} --format csv")
    there = sum(len(cell.measurements) for cell in results.cells)
    if there + len(results.failures) < study.cells and not results.interrupted:
        out.print(f"{there} of {study.cells} cells are there; the sweep's command goes on where it was")
    for failure in results.failures[:3]:
        out.print(f"failed: {failure}")
    if results.failures:
        out.print(f"{len(results.failures)} of {study.cells} cells failed; --retry-failed runs them again")
    print_verdict(results)


def save_figure(drawing: Drawing, place: Path, json: bool = False) -> None:
    """Write a picture and say where, unless a JSON document is all that is printed."""
    drawing.save(place)
    if not json:
        print(f"picture: {place}")


class ProgressBar:
    """A bar on stderr with what is done, what failed, the speed and the time left; silent when nobody can see it."""

    def __init__(self, words: str, shown: bool = True) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        err = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("simulations{task.fields[failed]},"),
            TextColumn("{task.fields[speed]}"),
            TimeRemainingColumn(compact=True),
            TextColumn("left"),
            console=err,
            transient=True,
            disable=not (shown and err.is_terminal),
        )
        self._words = words
        self._finished = self._failed = 0
        self._start = 0.0

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def begin(self, tasks: int) -> None:
        self._start = time.monotonic()
        self._task = self._progress.add_task(self._words, total=tasks, failed="", speed="")

    def inside(self, fraction: float) -> None:
        self._progress.update(self._task, completed=self._finished + min(1.0, max(0.0, fraction)))

    def done(self, failed: bool) -> None:
        self._finished += 1
        self._failed += failed
        rate = self._finished / max(1e-9, time.monotonic() - self._start)
        failures = f", {self._failed} failed" if self._failed else ""
        self._progress.update(self._task, completed=self._finished, failed=failures, speed=f"{rate:.3g} a second,")


@contextmanager
def progress(words: str, shown: bool = True) -> Iterator[ProgressBar]:
    """Show how far a study is while it runs."""
    with ProgressBar(words, shown) as bar:
        yield bar
