"""Tables from files (CSV, TSV, Parquet) and from what people hold in memory (arrays, data frames)."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.checks import file_path
from giantstep.errors import InputError
from giantstep.estimators.diagnosis.names import different
from giantstep.estimators.diagnosis.tables import Table, table_of

SEPARATED = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": "\t"}
PARQUET = (".parquet", ".pq")
GAPS = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "?"]


def read_table(path: str | Path, target: str) -> Table:
    """Read a table from a file and make its columns numbers.

    Args:
        path: a file .csv, .tsv or .parquet; the first row of a text holds the names.
        target: the name of the column to be predicted.
    """
    place = file_path("the table", path, "table.csv")
    kind = place.suffix.lower()
    if kind not in (*SEPARATED, *PARQUET):
        raise InputError(f"'{place.name}' is no table that can be read; it must end in .csv, .tsv or .parquet")
    if not place.is_file():
        raise InputError(f"there is no file '{place}'")
    if place.stat().st_size == 0:
        raise InputError(f"'{place.name}' is empty; it must hold a row of names and at least 50 rows")
    columns = _columns_of(_frame(place, kind))
    stripped = {name.strip(): column for name, column in columns.items()}
    if len(stripped) == len(columns):  # " price" in the first row is price
        columns, target = stripped, target.strip()
    return table_of(columns, target)


def _frame(place: Path, kind: str) -> Any:
    """The file as a frame of polars."""
    if find_spec("polars") is None:
        raise InputError("reading a table needs an extra: pip install 'giantstep[table]'")
    import polars

    try:
        if kind in PARQUET:
            return polars.read_parquet(place)
        encoding = _encoding(place)
        return polars.read_csv(
            place,
            separator=_separator(place, SEPARATED[kind], encoding),
            null_values=GAPS,
            try_parse_dates=True,
            infer_schema_length=None,
            encoding=encoding,
            truncate_ragged_lines=False,
        )
    except UnicodeError:
        raise InputError(f"'{place.name}' cannot be read as a table: it holds bytes that are no text") from None
    except (polars.exceptions.PolarsError, OSError) as error:
        reason = " ".join(str(error).split("\n")[0].split())
        raise InputError(f"'{place.name}' cannot be read as a table: {reason[:160]}") from None


def _encoding(place: Path) -> str:
    """UTF-8 or UTF-16 by its mark, else UTF-8 if the beginning is, else what Windows writes in western Europe."""
    with place.open("rb") as file:
        head = file.read(1_000_000)
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    try:
        head[: max(0, len(head) - 4)].decode("utf-8")  # the last character may have been cut
    except UnicodeDecodeError as error:
        return "cp1252" if error.start < len(head) - 8 else "utf8-lossy"
    return "utf8-lossy"


def _separator(place: Path, usual: str, encoding: str) -> str:
    """What stands between the names in the first row: the usual sign, or one that occurs more often."""
    with place.open(encoding="utf-8" if encoding == "utf8-lossy" else encoding, errors="replace") as file:
        head = file.readline(100_000)
    return max((usual, ",", ";", "\t", "|"), key=head.count) if head.count(usual) == 0 else usual


def _columns_of(frame: Any) -> dict[str, NDArray[Any]]:
    """The columns of a polars frame: numbers as floats with NaN for gaps, dates as dates, the rest as objects."""
    import polars

    columns: dict[str, NDArray[Any]] = {}
    for series in frame.iter_columns():
        if series.dtype.is_numeric() or series.dtype == polars.Boolean:
            columns[series.name] = series.cast(polars.Float64).fill_null(float("nan")).to_numpy()
        elif series.dtype.is_temporal():
            columns[series.name] = np.zeros(len(series), dtype="datetime64[s]")  # only that these are dates matters
        else:
            columns[series.name] = np.array(series.to_list() or [], dtype=object)
    return columns


def table_from(X: Any, y: Any) -> Table:
    """The table of inputs and labels that are in memory.

    Args:
        X: inputs, shape (n, d): an array, a list of rows, or a data frame of pandas or polars.
        y: labels, shape (n,): numbers, or words for classes.
    """
    target = getattr(y, "name", None)
    target = target if isinstance(target, str) and target else "the label"
    columns = _given_columns(X)
    labels = _one_column(y)
    n = len(next(iter(columns.values()), ()))
    if labels.shape != (n,):
        raise InputError(f"X has {n} rows and y has shape {labels.shape}; y must hold one label a row")
    while target in columns:
        target += " (y)"
    return table_of({**columns, target: labels}, target)


def _one_column(values: Any) -> NDArray[Any]:
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    if isinstance(values, np.ma.MaskedArray):
        values = values.astype(np.float64 if values.dtype.kind in "biuf" else object)
        values = values.filled(np.nan if values.dtype.kind == "f" else None)
    try:
        found = np.asarray(values)
    except (ValueError, TypeError):
        raise InputError("y must be one number or word a row, shape (n,)") from None
    if found.ndim == 2 and found.shape[1] == 1:
        found = found[:, 0]
    if found.ndim != 1 or found.dtype.kind == "c":
        raise InputError(f"y must be one number or word a row, shape (n,), not an array of shape {found.shape}")
    return found.astype(object) if found.dtype.kind in "SU" else found


def _given_columns(X: Any) -> dict[str, NDArray[Any]]:
    if hasattr(X, "iter_columns"):  # polars
        return _columns_of(X)
    if hasattr(X, "columns") and hasattr(X, "iloc"):  # pandas
        return dict(zip(different(X.columns), (_one_column(X.iloc[:, k]) for k in range(X.shape[1])), strict=True))
    if hasattr(X, "toarray"):
        raise InputError("X is sparse; a diagnosis needs numbers in rows: X.toarray(), if it fits into memory")
    if isinstance(X, np.ma.MaskedArray) and X.ndim == 2:
        return {f"x{k + 1}": _one_column(X[:, k]) for k in range(X.shape[1])}
    try:
        array = np.asarray(X)
    except (ValueError, TypeError):
        raise InputError("X must be rows of numbers of one length, shape (n, d), or a data frame") from None
    if array.ndim != 2 or array.dtype.kind not in "biufOSU":
        raise InputError(f"X must be numbers of shape (n, d), or a data frame, not an array of shape {array.shape}")
    if not array.shape[1]:
        raise InputError("X has no columns; at least one is needed to predict y from")
    if array.dtype.kind in "SU":
        array = array.astype(object)
    return {f"x{k + 1}": array[:, k] for k in range(array.shape[1])}
