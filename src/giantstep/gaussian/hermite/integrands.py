"""What nested integrals are asked and what they answer: an integrand, how finely to look at it, several numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from giantstep.arrays import Array

Index = tuple[int, ...]

ROUNDS = 48
"""Most halvings of a panel."""


@dataclass(frozen=True)
class Pass:
    """How finely one pass over the integrand looks.

    Args:
        order: Gauss-Legendre points in a panel.
        panel: width of the panels to begin with, in standard deviations.
        tolerance: a panel is halved while its error, times the weight of the line it lies on, is above it.
        rounds: most halvings.
        ends: whether the ends of panels are looked at too, for what no node sees.
    """

    order: int
    panel: float
    tolerance: float
    rounds: int = ROUNDS
    ends: bool = True


@dataclass(frozen=True)
class Integrand:
    """K on R^k, and what is known about it.

    Args:
        value: K, from places (k, m) to values (m,).
        cuts: (j, u) -> places (m, c) along coordinate j, for outer coordinates u (j, m), where K, or what is left of it
            after the coordinates beyond j have been integrated, may not be smooth.
        axes: k.
        reach: coordinates are integrated over [-reach, reach].
        halves: for each coordinate whether only its positive half is to be integrated, and counted twice.
        cut_cost: evaluations of K that finding the cuts of one innermost line is worth.
        pieces: 0 or 1 if between two cuts of the last coordinate K is constant or linear, else None.
    """

    value: Callable[[Array], Array]
    cuts: Callable[[int, Array], Array]
    axes: int
    reach: float
    halves: tuple[bool, ...]
    cut_cost: int = 0
    pieces: int | None = None


@dataclass(frozen=True)
class Integrals:
    """Several integrals of one K, in units of K (of K^2 for energies).

    Args:
        values: the numbers, shape (columns,).
        error: a bound on the error of each of them.
        mass: E|K|, of which rounding is a part.
    """

    values: Array
    error: float
    mass: float


@lru_cache(maxsize=64)
def multi_indices(k: int, degree: int) -> tuple[Index, ...]:
    """All multi-indices of length `k` with sum at most `degree`, by degree.

    >>> multi_indices(2, 1)
    ((0, 0), (0, 1), (1, 0))
    """
    found: list[Index] = [()]
    for _ in range(k):
        found = [(*a, n) for a in found for n in range(degree - sum(a) + 1)]
    return tuple(sorted(found, key=lambda a: (sum(a), a)))
