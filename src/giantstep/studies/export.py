"""A table out of giantstep: CSV, JSON or Parquet."""

from __future__ import annotations

import csv
import json
import math
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from giantstep.errors import InputError
from giantstep.studies.tables import Frame


def write_frame(frame: Frame, form: str, output: Path | None) -> None:
    """Write a table to a file, or to the terminal where that makes sense.

    Args:
        frame: the table, as `results.frame()` gives it.
        form: csv, json or parquet.
        output: the file; None is the terminal, which takes no parquet.
    """
    if form == "parquet":
        _write_parquet(frame, output)
        return
    try:
        if output is None:
            _write_text(frame, form, sys.stdout)
        else:
            with output.open("w", encoding="utf-8", newline="") as file:
                _write_text(frame, form, file)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"'{output}' cannot be written: {error.strerror}") from None


def _write_text(frame: Frame, form: str, file: Any) -> None:
    columns = {name: column.tolist() for name, column in frame.items()}
    rows = zip(*columns.values(), strict=True)
    if form == "csv":
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([["" if _is_nothing(v) else v for v in row] for row in rows])
    else:
        records = [dict(zip(columns, (None if _is_nothing(v) else v for v in row), strict=True)) for row in rows]
        json.dump(records, file, ensure_ascii=False, allow_nan=False)
        file.write("\n")


def _is_nothing(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _write_parquet(frame: Frame, output: Path | None) -> None:
    if output is None:
        raise InputError("parquet needs a file: add --output FILE.parquet")
    if find_spec("polars") is None:
        raise InputError("parquet needs an extra: pip install 'giantstep[table]'")
    import polars

    try:
        polars.DataFrame(frame).write_parquet(output)
    except OSError as error:
        raise InputError(f"'{output}' cannot be written: {error}") from None
