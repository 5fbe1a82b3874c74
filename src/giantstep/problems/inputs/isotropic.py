"""The law of the inputs x: isotropic Gaussian here, spiked covariance in `spiked`, sign vectors in `parity`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import DTypeLike, NDArray

from giantstep.errors import InputError

FLOATS = (np.dtype(np.float64), np.dtype(np.float32))


def float_type(dtype: DTypeLike) -> np.dtype[Any]:
    """The NumPy type meant by `dtype`, if it is one that the engines compute in."""
    try:
        chosen = np.dtype(dtype)
    except TypeError:
        chosen = None
    if chosen not in FLOATS:
        raise InputError(f"the number type {dtype!r} is not allowed; it must be float64 or float32")
    return chosen


@runtime_checkable
class Inputs(Protocol):
    """A law on R^d for any d. Equal values must mean equal laws: a law is part of a problem's identity."""

    def draw(
        self,
        generator: np.random.Generator,
        rows: int,
        d: int,
        dtype: DTypeLike = np.float64,
        out: NDArray[Any] | None = None,
    ) -> NDArray[Any]:
        """`rows` independent inputs as the rows of an array, written into `out` when it is given."""
        ...

    def fields(self, x: NDArray[Any], directions: int) -> NDArray[np.float64]:
        """x1, x2, ... of the target at these inputs, (rows, directions): coordinates of x, scaled to variance one."""
        ...


def buffer(rows: int, d: int, dtype: DTypeLike, out: NDArray[Any] | None) -> NDArray[Any]:
    """Where inputs are written: `out`, if it is given and fits, else a new array."""
    kind = float_type(dtype)
    if out is None:
        return np.empty((rows, d), dtype=kind)
    if out.shape != (rows, d) or out.dtype != kind:
        raise InputError(f"out = {out.dtype}{out.shape} is not allowed; it must be {kind}{(rows, d)}")
    return out


@dataclass(frozen=True)
class Isotropic:
    """x ~ N(0, I_d).

    >>> Isotropic().draw(np.random.default_rng(0), 3, 5).shape
    (3, 5)
    """

    def draw(
        self,
        generator: np.random.Generator,
        rows: int,
        d: int,
        dtype: DTypeLike = np.float64,
        out: NDArray[Any] | None = None,
    ) -> NDArray[Any]:
        """`rows` independent inputs as the rows of an array, written into `out` when it is given."""
        out = buffer(rows, d, dtype, out)
        # `out=` lets NumPy fill the buffer without the interpreter lock, so that threads draw in parallel.
        generator.standard_normal(dtype=out.dtype.type, out=out)
        return out

    def fields(self, x: NDArray[Any], directions: int) -> NDArray[np.float64]:
        """The first coordinates of x."""
        return x[:, :directions].astype(np.float64)
