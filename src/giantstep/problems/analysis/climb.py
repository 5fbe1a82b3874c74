"""The staircase of subspaces: what giant steps learn one after the other.

    U_0 = {0},   U_{t+1} = U_t + span{ E[grad_perp f | x_U] : x_U in U_t }        ([dklps23], Conjecture 1: n ~ d)

With n ~ d^m samples a step, the derivatives E[grad_perp^k f | x_U] of orders k <= m count: U_{t+1} gains the span of
their first unfoldings. One step from nothing learns the directions of C_1, ..., C_m, C_k = E[grad^k f].

An activation sees a direction that stands at He_b(x_U) and order k only if E[s^(|b|+k)] is not zero: the step along it
is proportional to that coefficient (derived; for k = 1 from the mean gradient E[f s'(<w,x>) x]).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from giantstep.problems.analysis.splitting import Terms
from giantstep.problems.analysis.subspaces.packed import unpack
from giantstep.problems.analysis.subspaces.spans import Basis, FloatGeometry, Vector, dot

Sees = Callable[[int], bool]


@dataclass(frozen=True)
class Direction:
    """A new direction: `vector`, of r entries, and `orders`, the k for which E[s He_k] moves a step along it."""

    vector: Vector
    orders: tuple[int, ...]


@dataclass(frozen=True)
class Level:
    """U_t: its orthogonal `basis`, of which `new` came with the last step."""

    basis: Basis
    new: tuple[Direction, ...] = ()


@dataclass(frozen=True)
class Staircase:
    """U_0, U_1, ... until nothing is added.

    Args:
        order: m, for n ~ d^m samples a step.
        levels: U_0 = {0}, U_1, ...
        is_complete: whether the last one is all of V*.
        closest: the distance of the closest rank decision from its tolerance, as a factor >= 1.
    """

    order: int
    levels: tuple[Level, ...]
    is_complete: bool
    closest: float = math.inf

    @property
    def top(self) -> Level:
        return self.levels[-1]

    def after(self, steps: int) -> Level:
        """U_t after so many steps; nothing changes once it has stopped."""
        return self.levels[min(steps, len(self.levels) - 1)]


def everything(_: int) -> bool:
    """An activation without vanishing coefficients."""
    return True


def gains(terms: Terms, basis: Basis, order: int, sees: Sees = everything) -> tuple[tuple[Direction, ...], float]:
    """The new directions of one step from U, lowest coefficient of the activation first, and the margin of the ranks.

    Taken in this order, a direction is named with the first coefficient that is enough to reach it.
    """
    rows: dict[int, list[Vector]] = {}
    for k, row in terms.split(basis).gradients(order):
        if sees(k):
            rows.setdefault(k, []).append(row)
    found: list[Vector] = []
    closest = math.inf
    for k in sorted(rows):
        if len(basis) + len(found) == len(terms.space):
            break
        extension = terms.geometry.extension(rows[k], (*basis, *found), terms.space)
        found.extend(extension.vectors)
        closest = min(closest, extension.closest)
    tolerance = terms.geometry.tolerance if isinstance(terms.geometry, FloatGeometry) else 0.0

    def touches(row: Vector, vector: Vector) -> bool:
        overlap = dot(row, vector)
        return bool(abs(overlap) > tolerance * math.sqrt(dot(vector, vector))) if tolerance else bool(overlap != 0)

    return tuple(
        Direction(v, tuple(k for k in sorted(rows) if any(touches(r, v) for r in rows[k]))) for v in found
    ), closest


def climb(terms: Terms, order: int = 1, sees: Sees = everything) -> Staircase:
    """The staircase with n ~ d^order samples a step, as an activation with the given coefficients climbs it."""
    levels = [Level(())]
    closest = math.inf
    while len(levels[-1].basis) < len(terms.space):
        new, margin = gains(terms, levels[-1].basis, order, sees)
        closest = min(closest, margin)
        if not new:
            break
        levels.append(Level((*levels[-1].basis, *(d.vector for d in new)), new))
    return Staircase(order, tuple(levels), len(levels[-1].basis) == len(terms.space), closest)


def leap(terms: Terms) -> int | None:
    """The leap in the given coordinates: min over orders of the terms of the largest number of new exponents.

    A term He_a costs the sum of its exponents on coordinates that no earlier term holds ([abm23], for Gaussian
    inputs). With the threshold m all terms that cost at most m may be taken, in any order: the coordinates they reach
    only grow, so the first m that reaches every coordinate is the leap. None for a constant.
    """
    supports = [unpack(key, terms.dimension) for key in terms.packed if key]
    if not supports:
        return None
    for m in range(1, terms.degree + 1):
        reached: set[int] = set()
        waiting, before = supports, len(supports) + 1
        while waiting and len(waiting) < before:
            costs = [sum(p for i, p in enumerate(a) if i not in reached) for a in waiting]
            reached |= {i for a, cost in zip(waiting, costs, strict=True) if cost <= m for i, p in enumerate(a) if p}
            before = len(waiting)
            waiting = [a for a, cost in zip(waiting, costs, strict=True) if cost > m]
        if not waiting:
            return m
    return None
