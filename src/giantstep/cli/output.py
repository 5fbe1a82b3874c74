"""How results look in a terminal: tables on stdout, progress on stderr, plain text when piped."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from threading import Event, Thread
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from rich.console import Console
from rich.table import Table
from rich.text import Text

from giantstep.verdicts import mean_and_error, shown, told_size
from giantstep.verdicts.stating import Curve, number_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from giantstep.figures import Drawing, Film
    from giantstep.studies import Results, Standing, Study

PIPED_WIDTH = 1000
STATUS_STYLE = {"holds": "green", "fails": "bold red", "undecided": "yellow", "outside": "cyan"}


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
    import json

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
    judged = results.judgements()
    on_draws = any(j.for_draws is not None for j in judged.values())
    draws = ["for the draws"] if on_draws else []
    rows = table("quantity", "predicted", *draws, "measured", "std. error", "gap", "notices", "")
    for name, j in judged.items():
        rows.add_row(
            name,
            number_text(j.predicted),
            *([number_text(j.for_draws)] if on_draws else []),
            number_text(j.measured),
            j.error_text,
            number_text(j.gap_finite if j.quantity.against == "finite" else j.gap),
            "" if j.resolution is None else str(j.resolution),
            j.word,
            style="dim" if j.word == "reported" else None,
        )
    out.print(rows)
    if on_draws:
        out.print("predicted: the limit; for the draws: the mean prediction for what was drawn, from which the gap is")
    for note in results.base_cell.prediction.notes:
        out.print(f"note: {note}")
    print_verdict(results)
    if (sharpness := results.sharpness()).resolutions:
        out.print(f"sharpness: {sharpness}")


def print_as_printed(results: Results, named: bool = False) -> None:
    """What the source prints, beside the corrected statement and the measurement that decides between them."""
    rows = table("quantity", "as printed", "corrected", "measured", "as printed", "corrected", "what is printed")
    for one in results.as_printed():
        told = one.worst
        rows.add_row(
            one.printed.name,
            number_text(told.predicted if told else None),
            number_text(one.own.reference if one.own else None),
            "" if told is None or told.measured is None else shown(told.measured, told.stderr),
            styled((one.verdict.status, STATUS_STYLE[one.verdict.status])),
            styled((one.corrected, STATUS_STYLE[one.corrected])),
            one.printed.says,
        )
    if named:
        rows.title = results.claim.name
    console().print(rows)


def print_sharpness(found: Sequence[Results]) -> None:
    """For each claim how many of its quantities hold, and how wrong theory would have to be to be noticed."""
    rows = table("claim", "quantities", "median", "bluntest", "what has no relative error")
    for results in found:
        sharpness = results.sharpness()
        held, name = len(sharpness.resolutions), sharpness.bluntest()
        rows.add_row(
            results.claim.name,
            f"{held}" if held == sharpness.judged else f"{held} of {sharpness.judged}",
            sharpness.median_told,
            "" if name is None else f"{name} {told_size(sharpness.resolutions[name])}",
            sharpness.others,
        )
    console().print(rows)


def heading(name: str, *words: str) -> Text:
    return styled((name, "bold"), *(f"  {w}" for w in words))


def print_verdict(results: Results) -> None:
    verdict = results.verdict
    console().print(styled((verdict.status, STATUS_STYLE[verdict.status]), f": {verdict.sentence}"))


MOST_ROWS = 60  # of a table in the terminal


def print_study(study: Study, results: Results) -> None:
    """Means over seeds beside the predictions at every point of a study; then what failed, and the verdict."""
    out = console()
    varied = [name for name, values in study.spec.get("axes", {}).items() if not isinstance(values, list) or values[1:]]
    fixed = {k: v for k, v in study.base.parameters().items() if k not in varied}
    out.print(heading(study.name, results.claim.name, parameters_line(fixed)))
    names = tuple(dict.fromkeys(q.name for q in study.base.stated() if q.relation != "reported"))
    on_draws = any(name in m.finite for cell in results.cells for m in cell.measurements[:1] for name in names)
    rows = table(*varied, "quantity", "measured", "predicted", *(["for the draws"] if on_draws else []), "seeds")
    most = max(1, MOST_ROWS // max(1, len(names)))
    for cell in results.cells[:most]:
        values = cell.point.parameters()
        place = [f"{values[v]:g}" if isinstance(values[v], float) else str(values[v]) for v in varied]
        for name in names:
            seeds = cell.values_of(name)
            mean, error = mean_and_error(seeds) if seeds else (None, None)
            measured = number_text(mean) if mean is None or isinstance(mean, Curve) else shown(mean, error)
            predicted = [number_text(cell.prediction.values.get(name))]
            predicted += [number_text(cell.mean_for_draws(name))] if on_draws else []
            rows.add_row(*place, name, measured, *predicted, str(len(seeds)))
            place = [""] * len(varied)
    out.print(rows)
    if len(results.cells) > most:
        out.print(f"{len(results.cells) - most} more points; all: giantstep results {study.name} --format csv")
    there = sum(len(cell.measurements) for cell in results.cells)
    if there + len(results.failures) < study.records and not results.interrupted:
        out.print(f"{there} of {study.records} records are there; the sweep's command goes on where it was")
    for failure in results.failures[:3]:
        out.print(f"failed: {failure}")
    if results.failures:
        out.print(f"{len(results.failures)} of {study.records} records failed; --retry-failed runs them again")
    print_verdict(results)


def save_figures(drawings: Sequence[Drawing | Film], place: Path, json: bool = False) -> None:
    """Write the sheets of a picture and say where, unless a JSON document is all that is printed.

    The second sheet of `spike.svg` is `spike-2.svg`; a .gif has the sheets that move.
    """
    if place.suffix.lower() == ".gif":
        drawings = [drawing for drawing in drawings if getattr(drawing, "moves", True)] or drawings[:1]
    for number, drawing in enumerate(drawings, 1):
        here = place if number == 1 else place.with_stem(f"{place.stem}-{number}")
        drawing.save(here)
        if not json:
            print(f"picture: {here}{f' (sheet {number} of {len(drawings)})' if len(drawings) > 1 else ''}")


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
    if standing.seconds_left is not None:
        parts.append(f"about {span(standing.seconds_left)} to go")
    return "; ".join(parts)


@contextmanager
def progress(words: str, shown: bool = True) -> Iterator[ProgressBar]:
    """Show how far studies are while they run."""
    with ProgressBar(words, shown) as bar:
        yield bar


@contextmanager
def patience(words: str) -> Iterator[None]:
    """Say now and then that something is being computed, if it takes long."""
    over = Event()

    def tell(start: float = time.monotonic()) -> None:
        while not over.wait(SILENT_SECONDS):
            print(f"{words}: for {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)

    Thread(target=tell, daemon=True).start()
    try:
        yield
    finally:
        over.set()
