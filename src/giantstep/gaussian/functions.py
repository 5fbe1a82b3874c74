"""What the calculus needs to know about a function of one variable.

A function is called on arrays, knows its derivative and the places where it is not smooth, and may know
itself as a sum of elementary terms, for which Gaussian expectations exist in closed form.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from giantstep.arrays import Array
from giantstep.errors import InputError

Index = npt.NDArray[np.intp]
ArrayFunction = Callable[[Any], Any]

FAMILIES = ("constant", "identity", "erf", "relu", "step", "abs", "sign", "exp", "sin", "cos", "hermite")
"""Names of the elementary functions for which Gaussian expectations exist in closed form."""


@dataclass(frozen=True)
class Term:
    """One elementary term  coefficient * family(scale * z).

    Args:
        coefficient: the factor in front.
        family: one of `FAMILIES`, such as "relu".
        scale: the factor of the argument.
        order: the k of He_k for "hermite".

    >>> Term(0.5, "relu", scale=2.0)
    Term(coefficient=0.5, family='relu', scale=2.0, order=0)
    """

    coefficient: float
    family: str
    scale: float = 1.0
    order: int = 0

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise InputError(f"unknown family {self.family!r}; allowed are {', '.join(FAMILIES)}")
        if self.order < 0:
            raise InputError(f"the order of a Hermite polynomial cannot be {self.order}; it is 0 or more")


@runtime_checkable
class ScalarFunction(Protocol):
    """A function s of one real variable, as activations and single-index targets are.

    `kinks` are all places where s or s' jumps, `jumps` those where s itself jumps. `terms` is the function as
    a sum of elementary terms, or None when it has no such form.
    """

    def __call__(self, z: Any, /) -> Any: ...

    def derivative(self, z: Any, /) -> Any: ...

    @property
    def kinks(self) -> tuple[float, ...]: ...

    @property
    def jumps(self) -> tuple[float, ...]: ...

    @property
    def terms(self) -> tuple[Term, ...] | None: ...


def evaluate(f: ArrayFunction, z: Array) -> Array:
    """f(z) as a float array of z's shape; overflow far out in a tail is silent, the caller judges it."""
    with np.errstate(all="ignore"):
        values = np.asarray(f(z), dtype=np.float64)
    return values if values.shape == z.shape else np.broadcast_to(values, z.shape)


def kinks_of(f: ArrayFunction, breaks: tuple[float, ...] = ()) -> tuple[float, ...]:
    """All places where f is not smooth: those given and those that f itself declares, sorted."""
    own = (*getattr(f, "kinks", ()), *getattr(f, "jumps", ()))
    return tuple(sorted({float(b) for b in (*breaks, *own)}))
