"""Simulations of the claims' default studies, kept beside the tests: theory changes, what was measured does not.

    python -m tests.mutations.simulations 'bes22/*' --store verified.sqlite

simulates what the store lacks and writes one file a claim; it is needed again where a claim's version or its default
study changed, which a test tells. With --keep, points that the file holds for this version are not simulated again.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from giantstep.claims import Claim, claim_class, matching_claims
from giantstep.studies import Study
from giantstep.verdicts import Cell
from giantstep.verdicts.stating import Curve, Measurement, Prediction, Value

FOLDER = Path(__file__).parent / "simulations"
DIGITS = 7
NOT_PREDICTED = Prediction({}, regime="")


def place_of(name: str) -> Path:
    return FOLDER / f"{name.replace('/', '-')}.json.gz"


def stored_cells(name: str) -> tuple[int, list[Cell]]:
    """The version of the claim that was simulated, and its cells, as yet without predictions."""
    told = json.loads(gzip.decompress(place_of(name).read_bytes()))
    cls = claim_class(name)
    cells = [
        Cell(cls(**cell["point"]), NOT_PREDICTED, [_measurement(m) for m in cell["measurements"]], cell["seeds"])
        for cell in told["cells"]
    ]
    return told["version"], cells


def predicted(cells: list[Cell]) -> list[Cell]:
    """The same cells with what theory says now; points are made anew, so that nothing is remembered."""
    fresh = [replace(cell, point=cell.point.replace()) for cell in cells]
    return [replace(cell, prediction=_claim(cell).predict()) for cell in fresh]


def _claim(cell: Cell) -> Claim:
    assert isinstance(cell.point, Claim)
    return cell.point


def write(cls: type[Claim], store: str, seed: int, *, keep: bool = False) -> Path:
    """Simulate the default study of a claim, as far as the store does not hold it, and keep what was measured.

    With `keep`, points that the file holds for this version stay as they are, and others are simulated one by one.
    """
    name, place = cls.info.name, place_of(cls.info.name)
    study = Study.of_views(cls(), seed=seed, name="verify-" + name.replace("/", "-"), store=store)
    version, held = stored_cells(name) if keep and place.exists() else (0, [])
    known = {cell.point.key(): cell for cell in held if version == cls.info.version}
    lacking = [Study(point, seeds=n, seed=seed) for point, n in study.points if point.key() not in known]
    for results in (one.run() for one in (lacking if known else [study])):
        assert not results.failures, results.failures[0]
        known |= {cell.point.key(): cell for cell in results.cells}
    cells = [_told(known[point.key()]) for point, _ in study.points]
    text = json.dumps({"version": cls.info.version, "cells": cells}, separators=(",", ":"))
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    return place


def _told(cell: Cell) -> dict[str, Any]:
    return {
        "point": cell.point.parameters(),
        "seeds": list(cell.seeds),
        "measurements": [
            {"values": _plain(m.values), **({"finite": _plain(m.finite)} if m.finite else {})}
            for m in cell.measurements
        ],
    }


def _plain(values: Mapping[str, Value]) -> dict[str, Any]:
    return {name: _plain_value(value) for name, value in values.items()}


def _plain_value(value: Value) -> Any:
    if isinstance(value, Curve):
        return {"x": _rounded(value.x), "y": _rounded(value.y), "x_name": value.x_name}
    return _rounded(value)


def _rounded(numbers: Any) -> Any:
    if isinstance(numbers, np.ndarray):
        return [_rounded(v) for v in numbers]
    return float(f"{float(numbers):.{DIGITS}g}")


def _measurement(told: Mapping[str, Any]) -> Measurement:
    return Measurement(_values(told["values"]), _values(told.get("finite", {})))


def _values(told: Mapping[str, Any]) -> dict[str, Value]:
    return {
        name: Curve(np.array(v["x"]), np.array(v["y"]), v["x_name"]) if isinstance(v, dict) else float(v)
        for name, v in told.items()
    }


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("claims", nargs="+", help="names or patterns")
    reader.add_argument("--store", required=True, help="the file of a store, as 'giantstep verify --store' makes it")
    reader.add_argument("--seed", type=int, default=0, help="the first seed")
    reader.add_argument("--keep", action="store_true", help="simulate only points that the file lacks")
    asked = reader.parse_args()
    for cls in matching_claims(asked.claims):
        place = write(cls, asked.store, asked.seed, keep=asked.keep)
        print(f"{place.name}: {place.stat().st_size / 1024:.0f} kB", flush=True)


if __name__ == "__main__":
    main()
