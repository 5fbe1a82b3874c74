"""Quadrature under N(0, I_k) for functions that are smooth but for kinks on planes.

Coordinates are integrated one inside the other. On the innermost line the kinks are points, where the rule is split.
What remains is a function of one coordinate less, whose kinks lie where two planes meet (and on the planes that do not
cross the line): again planes, so the same holds at every level, and each level converges like a smooth integral.
Curved kinks are split on the innermost line only, where they are found by a scan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array
from giantstep.gaussian.quadrature.lines import cut_panels, normal_density

_TINY = 1e-12
_SMALLEST_WEIGHT = 1e-22
_CHUNK = 1 << 14
_MAX_PLANES = 24
_SCAN, _MOST_CROSSINGS, _BISECTIONS = 65, 4, 40

Plane = tuple[Array, float]


@dataclass(frozen=True)
class Kinks:
    """Where a function on R^k is not smooth.

    Args:
        planes: pairs of a normal (k,) and a shift b, for the planes <normal, x> + b = 0.
        curved: functions of (k, m) arrays with values (m,), on whose zeros it is not smooth either.
    """

    planes: Sequence[Plane] = ()
    curved: Sequence[Callable[[Array], Array]] = ()


def nested_rule(kinks: Kinks, axes: int, reach: float, panels: int, order: int) -> Iterator[tuple[Array, Array]]:
    """Nodes (axes, m) and weights (m,) under N(0, I), in chunks.

    Args:
        kinks: where the function is not smooth.
        axes: k, the number of variables.
        reach: each variable is integrated over [-reach, reach].
        panels: of each variable, besides the splits at kinks.
        order: Gauss-Legendre points in a panel.
    """
    levels = [_unique(kinks.planes)]
    for j in range(axes - 1, 0, -1):
        levels.append(_projected(levels[-1], j))
    levels.reverse()
    yield from _extend(np.zeros((0, 1)), np.ones(1), levels, kinks.curved, reach, panels, order)


def _extend(
    nodes: Array,
    weights: Array,
    levels: Sequence[Sequence[Plane]],
    curved: Sequence[Callable[[Array], Array]],
    reach: float,
    panels: int,
    order: int,
) -> Iterator[tuple[Array, Array]]:
    j = nodes.shape[0]
    if j == len(levels):
        yield nodes, weights
        return
    crossing = [(n, b) for n, b in levels[j] if abs(n[j]) > _TINY]
    innermost = curved if j == len(levels) - 1 else ()
    per_row = (panels + len(crossing) + _MOST_CROSSINGS * len(innermost)) * order
    rows = max(1, _CHUNK // per_row)
    grid = np.linspace(-reach, reach, panels + 1)
    for start in range(0, weights.size, rows):
        u, above = nodes[:, start : start + rows], weights[start : start + rows]
        splits = [-(n[:j] @ u + b) / n[j] for n, b in crossing]
        for function in innermost:
            splits.extend(_crossings(function, u, reach))
        cuts = np.stack(splits, axis=1) if splits else np.zeros((above.size, 0))
        points, masses = cut_panels(grid, cuts, order)
        new = (above[:, None, None] * masses * normal_density(points)).reshape(-1)
        keep = new > _SMALLEST_WEIGHT
        repeated = np.repeat(u, points.shape[1] * order, axis=1)
        stacked = np.concatenate([repeated, points.reshape(1, -1)])[:, keep]
        yield from _extend(stacked, new[keep], levels, curved, reach, panels, order)


def _crossings(function: Callable[[Array], Array], u: Array, reach: float) -> Array:
    """Where the function changes sign along the last coordinate, (crossings, rows); unused places are at the end."""
    grid = np.linspace(-reach, reach, _SCAN)
    rows = u.shape[1]

    def at(t: Array) -> Array:
        """Signs at last coordinates t (rows, m)."""
        points = np.concatenate([np.repeat(u, t.shape[1], axis=1), t.reshape(1, -1)])
        return np.asarray(np.sign(function(points)).reshape(t.shape))

    signs = at(np.broadcast_to(grid, (rows, _SCAN)))
    change = signs[:, :-1] * signs[:, 1:] < 0
    # The first few changes of every row; a row with fewer gets its last interval, where bisection runs to the end.
    order = np.argsort(~change, axis=1, kind="stable")[:, :_MOST_CROSSINGS]
    found = np.take_along_axis(change, order, axis=1)
    low, high = np.where(found, grid[order], reach), np.where(found, grid[order + 1], reach)
    left = np.take_along_axis(signs, order, axis=1)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        same = at(middle) == left
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return high.T


def _projected(planes: Sequence[Plane], j: int) -> list[Plane]:
    """The planes in the first j coordinates on which the integral over coordinate j has its kinks."""
    flat = [(n, b) for n, b in planes if abs(n[j]) <= _TINY]
    crossing = [(n / n[j], b / n[j]) for n, b in planes if abs(n[j]) > _TINY]
    meets = [(n - m, b - c) for i, (n, b) in enumerate(crossing) for m, c in crossing[:i]]
    return _unique([(n[:j], b) for n, b in [*flat, *meets] if np.abs(n[:j]).max(initial=0.0) > _TINY])


def _unique(planes: Sequence[Plane]) -> list[Plane]:
    kept: dict[tuple[float, ...], Plane] = {}
    for n, b in planes:
        size = float(np.linalg.norm(n))
        if size <= _TINY:
            continue
        n, b = n / size, b / size
        if n[np.flatnonzero(np.abs(n) > _TINY)[0]] < 0:
            n, b = -n, -b
        kept[tuple(np.round([*n, b], 9) + 0.0)] = (n, b)
    return list(kept.values())[:_MAX_PLANES]
