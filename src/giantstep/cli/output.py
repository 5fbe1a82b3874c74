"""How results look in a terminal: tables on stdout, progress on stderr, plain text when piped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from rich.console import Console
from rich.table import Table

from giantstep.claims.describe import number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from giantstep.studies import Results

STATUS_STYLE = {"holds": "green", "fails": "bold red", "undecided": "yellow"}


def console() -> Console:
    """Where results go; rich leaves out colours when the output is piped or NO_COLOR is set."""
    return Console(highlight=False, soft_wrap=True)


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
    out.print(f"[bold]{results.claim.name}[/bold]  {parameters_line(results.base_cell.point.parameters())}")
    rows = table("quantity", "predicted", "measured", "std. error", "gap", "")
    for name, j in results.judgements().items():
        rows.add_row(
            name,
            number(j.predicted_finite if j.quantity.against == "finite" else j.predicted),
            number(j.measured),
            number(j.stderr),
            number(j.gap_finite if j.quantity.against == "finite" else j.gap),
            j.status if j.counts else "reported",
            style=None if j.counts else "dim",
        )
    out.print(rows)
    for note in results.base_cell.prediction.notes:
        out.print(f"note: {note}")
    verdict = results.verdict
    out.print(f"[{STATUS_STYLE[verdict.status]}]{verdict.status}[/]: {verdict.sentence}")


class ProgressBar:
    """A bar on stderr with the time left; silent when nobody can see it."""

    def __init__(self, words: str, shown: bool = True) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        err = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("simulations,"),
            TimeRemainingColumn(compact=True),
            TextColumn("left"),
            console=err,
            transient=True,
            disable=not (shown and err.is_terminal),
        )
        self._words = words
        self._finished = 0

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def begin(self, tasks: int) -> None:
        self._task = self._progress.add_task(self._words, total=tasks)

    def inside(self, fraction: float) -> None:
        self._progress.update(self._task, completed=self._finished + min(1.0, max(0.0, fraction)))

    def done(self) -> None:
        self._finished += 1
        self._progress.update(self._task, completed=self._finished)


@contextmanager
def progress(words: str, shown: bool = True) -> Iterator[ProgressBar]:
    """Show how far a study is while it runs."""
    with ProgressBar(words, shown) as bar:
        yield bar
