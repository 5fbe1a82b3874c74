"""`giantstep diagnose`: what is in a table of your own, and which learner to take."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from giantstep.cli.options import Json, Quiet, whole
from giantstep.cli.output import print_json, save_figures
from giantstep.cli.performing import check_report
from giantstep.cli.progress import patience
from giantstep.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable


def diagnose(
    table: Annotated[Path, Parameter(help="the table: a file .csv, .tsv or .parquet with names in its first row")],
    /,
    *,
    target: Annotated[str, Parameter(help="the column to be predicted: a number, or a class")],
    seed: Annotated[int, Parameter(converter=whole, help="of all draws; the same seed tells the same")] = 0,
    report: Annotated[Path | None, Parameter(help="write a page with tables and pictures to this folder")] = None,
    figure: Annotated[Path | None, Parameter(help="write the pictures on one sheet: a file .svg, .pdf or .png")] = None,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """What is in a table of your own, how sure that is, and which learner to take.

    It tells: size, noise and how Gaussian the inputs are; the linear part, and whether anything is left beside it;
    which directions matter, by each method, as far as they are beyond permuted labels; whether the rows are enough,
    and how many would be; how learners compare on held-out rows, from linear to gradient boosting; and a verdict with
    the lines of Python that go on from it. Where no difference is seen it says so; noise gets "nothing found".

    Categories become columns of 0 and 1; dates, ids, copies of rows and columns that repeat others, also in other
    units, are left out, and named; gaps are filled with the median, and counted; a column that is the label in other
    units is a leak, and left out. Rows that are like their neighbours, as in time, raise a doubt.

      giantstep diagnose houses.csv --target price
      giantstep diagnose houses.csv --target price --report houses
      giantstep diagnose houses.csv --target price --json
    """
    from giantstep.estimators.diagnosis import diagnose_table, read_table

    if figure is not None:  # what cannot be drawn or written is said before an hour is spent
        from giantstep.figures import check_destination

        check_destination(figure)
    if report is not None:
        check_report(report)
    with _progress(not quiet) as tell:
        tell(f"reading {table.name}")
        read = read_table(table, target)
        source = (
            "from giantstep.estimators.diagnosis import read_table\n"
            f"table = read_table({str(table)!r}, {target!r})\nX, y = table.inputs, table.label"
        )
        found = diagnose_table(read, seed, tell, source)
        page, lost = None, None
        if report is not None:  # before anything is printed: whoever reads the first lines only still gets all pages
            from giantstep.report import write_diagnosis

            tell("writing the report")
            again = shlex.join(["giantstep", "diagnose", str(table), "--target", target, "--seed", str(seed)])
            try:
                page = write_diagnosis(found, report, again)
            except InputError as error:  # a disk that is full must not cost what was found
                lost = error
    print_json(found.to_dict()) if json else print(found)
    if figure is not None:
        save_figures([found.figure()], figure, json)
    if lost is not None:
        raise lost
    if page is not None and not json:
        print(f"report: {page}")


@contextmanager
def _progress(shown: bool) -> Iterator[Callable[[str], None]]:
    """What is being done, on stderr: one line that changes on a terminal, a line now and then elsewhere."""
    from rich.console import Console
    from rich.text import Text

    err = Console(stderr=True)
    if shown and err.is_terminal:
        with err.status(Text("diagnose")) as status:
            yield lambda words: status.update(Text(f"diagnose: {words}"))
    else:
        with patience("diagnose", shown) as tell:
            yield lambda words: tell(f"diagnose: {words}")
