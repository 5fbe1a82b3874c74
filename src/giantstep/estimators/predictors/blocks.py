"""A table in a file, read in blocks of rows for `partial_fit`: it may be larger than memory."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.checks import file_path, instance, whole_number
from giantstep.errors import InputError

SEPARATORS = {".csv": ",", ".tsv": "\t"}


def table_blocks(path: str | Path, target: str, *, rows: int = 20_000) -> Iterator[tuple[Array, NDArray[Any]]]:
    """Blocks (X, y) of a file, one after the other: X (rows, d), all columns but the target, and y (rows,).

    Args:
        path: a .csv or .tsv file with names in its first line, or a .parquet file, for which polars is needed; all
            columns but the target must be numbers without gaps.
        target: the name of the column to predict, numbers or classes.
        rows: of a block; the last one may be smaller.
    """
    place, count = file_path("the table", path, "table.csv"), whole_number("rows", rows, least=2)
    instance("the target", target, str, "the name of a column such as 'price'")
    kind = place.suffix.lower()
    if kind not in (*SEPARATORS, ".parquet"):
        raise InputError(f"the table {place.name} must be a .csv, .tsv or .parquet file")
    if not place.is_file():
        raise InputError(f"there is no file {place}")
    return _of_parquet(place, target, count) if kind == ".parquet" else _of_text(place, target, count, SEPARATORS[kind])


def _of_text(place: Path, target: str, rows: int, separator: str) -> Iterator[tuple[Array, NDArray[Any]]]:
    with place.open(newline="", encoding="utf-8-sig") as file:
        lines = csv.reader(file, delimiter=separator)
        try:
            names = next(lines, [])
            wanted = _place_of(target, names, place)
            written = ((lines.line_num, line) for line in lines if line)  # an empty line is no row
            while block := list(islice(written, rows)):
                yield _numbers(block, names, wanted)
        except UnicodeDecodeError:
            raise InputError(f"{place.name} is not written in UTF-8; save it so") from None


def _numbers(block: list[tuple[int, list[str]]], names: Sequence[str], wanted: int) -> tuple[Array, NDArray[Any]]:
    for number, line in block:
        if len(line) != len(names):
            raise InputError(f"line {number} has {len(line)} entries, and there are {len(names)} columns")
    label = [line[wanted] for _, line in block]
    columns = [line[:wanted] + line[wanted + 1 :] for _, line in block]
    try:
        x = np.array(columns, dtype=np.float64)
    except ValueError:
        numbers = [number for number, _ in block]
        raise InputError(_first_text(columns, [*names[:wanted], *names[wanted + 1 :]], numbers)) from None
    try:
        return x, np.array(label, dtype=np.float64)
    except ValueError:
        return x, np.array(label)


def _first_text(columns: list[list[str]], names: Sequence[str], numbers: Sequence[int]) -> str:
    """The sentence about the first entry that is no number, in lines of these numbers."""
    for number, line in zip(numbers, columns, strict=True):
        for name, entry in zip(names, line, strict=True):
            try:
                float(entry)
            except ValueError:
                return f"line {number}, column '{name}': {entry!r} is not a number; encode it, or leave it out"
    return "the table has entries that are not numbers"


def _of_parquet(place: Path, target: str, rows: int) -> Iterator[tuple[Array, NDArray[Any]]]:
    if find_spec("polars") is None:
        raise InputError("Parquet files need polars: pip install 'giantstep[table]'")
    import polars

    frame = polars.scan_parquet(place)
    names = frame.collect_schema().names()
    _place_of(target, names, place)
    for start in range(0, int(frame.select(polars.len()).collect().item()), rows):
        block = frame.slice(start, rows).collect()
        others = block.drop(target)
        for name, kind in others.schema.items():
            if not kind.is_numeric() or others[name].null_count():
                raise InputError(f"column '{name}' must be numbers without gaps; encode it, or leave it out")
        yield others.to_numpy().astype(np.float64), block[target].to_numpy()


def _place_of(target: str, names: Sequence[str], place: Path) -> int:
    if target not in names:
        raise InputError(f"{place.name} has no column {target!r}; there are: {', '.join(names)}")
    return list(names).index(target)
