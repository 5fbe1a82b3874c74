"""Records: what one seed at one point showed, and how it is kept as bytes.

A packed value is a JSON header and the numbers of its arrays behind it, as they are in memory: what is read back is
the same to the last bit.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from giantstep.arrays import Array
from giantstep.claims import Claim
from giantstep.verdicts.stating import Curve, Density, Measurement, Prediction, Value

_LENGTH = struct.Struct("<I")
_NUMBER = np.dtype("<f8")


@dataclass(frozen=True, eq=False)
class Record:
    """One seed at one point: its measurement, or the sentence of its failure."""

    seed: int
    measurement: Measurement | None
    seconds: float
    error: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)


def point_key(point: Claim) -> bytes:
    """The identity of a point: a hash of claim, version and parameters, however they were written."""
    return hashlib.blake2b(point.key().encode(), digest_size=16).digest()


class _Pack:
    """Arrays on their way into bytes; the header holds their lengths in order."""

    def __init__(self) -> None:
        self.arrays: list[Array] = []

    def array(self, numbers: Array) -> int:
        self.arrays.append(np.ascontiguousarray(numbers, dtype=_NUMBER))
        return int(self.arrays[-1].size)

    def value(self, value: Value) -> Any:
        if isinstance(value, Curve):
            return {"x": self.array(value.x), "y": self.array(value.y), "x_name": value.x_name}
        return float(value)

    def values(self, values: Mapping[str, Value]) -> dict[str, Any]:
        return {name: self.value(value) for name, value in values.items()}

    def bytes(self, header: Mapping[str, Any]) -> bytes:
        text = json.dumps(header, separators=(",", ":")).encode()
        return b"".join([_LENGTH.pack(len(text)), text, *(a.tobytes() for a in self.arrays)])


class _Unpack:
    """The way back: arrays are taken in the order in which they were put."""

    def __init__(self, packed: bytes) -> None:
        (length,) = _LENGTH.unpack_from(packed)
        self.header: dict[str, Any] = json.loads(packed[_LENGTH.size : _LENGTH.size + length].decode())
        self._bytes = packed
        self._at = _LENGTH.size + length

    def array(self, size: int) -> Array:
        numbers = np.frombuffer(self._bytes, _NUMBER, size, self._at)
        self._at += size * _NUMBER.itemsize
        return numbers.astype(float)

    def value(self, told: Any) -> Value:
        return self.curve(told) if isinstance(told, dict) else float(told)

    def curve(self, told: Mapping[str, Any]) -> Curve:
        return Curve(self.array(told["x"]), self.array(told["y"]), told["x_name"])

    def values(self, told: Mapping[str, Any]) -> dict[str, Value]:
        return {name: self.value(value) for name, value in told.items()}


def pack_measurement(measurement: Measurement) -> bytes:
    """A measurement as bytes."""
    pack = _Pack()
    header = {
        "values": pack.values(measurement.values),
        "finite": pack.values(measurement.finite),
        "spectra": {name: pack.array(numbers) for name, numbers in measurement.spectra.items()},
        "paths": {name: [pack.value(path) for path in paths] for name, paths in measurement.paths.items()},
    }
    return pack.bytes(header)


def unpack_measurement(packed: bytes) -> Measurement:
    """The measurement that was packed."""
    unpack = _Unpack(packed)
    values, finite = unpack.values(unpack.header["values"]), unpack.values(unpack.header["finite"])
    spectra = {name: unpack.array(size) for name, size in unpack.header["spectra"].items()}
    paths = {
        name: [unpack.curve(told) for told in all_told] for name, all_told in unpack.header.get("paths", {}).items()
    }
    return Measurement(values, finite, spectra, paths)


def pack_prediction(prediction: Prediction) -> bytes:
    """A prediction as bytes."""
    pack = _Pack()
    header = {
        "values": pack.values(prediction.values),
        "regime": prediction.regime,
        "notes": list(prediction.notes),
        "thresholds": {name: float(value) for name, value in prediction.thresholds.items()},
        "densities": {
            name: {"x": pack.array(d.x), "y": pack.array(d.y), "spikes": list(map(float, d.spikes)), "edges": d.edges}
            for name, d in prediction.densities.items()
        },
    }
    return pack.bytes(header)


def unpack_prediction(packed: bytes) -> Prediction:
    """The prediction that was packed."""
    unpack = _Unpack(packed)
    told = unpack.header
    return Prediction(
        unpack.values(told["values"]),
        told["regime"],
        tuple(told["notes"]),
        told["thresholds"],
        {name: _density(unpack, about) for name, about in told["densities"].items()},
    )


def _density(unpack: _Unpack, told: Mapping[str, Any]) -> Density:
    x, y = unpack.array(told["x"]), unpack.array(told["y"])
    return Density(x, y, tuple(told["spikes"]), tuple(told["edges"]) if told["edges"] else None)
