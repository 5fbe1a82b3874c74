"""Where a function needs fine panels: found once on its own axis, used for every scale.

A function s may be sharp anywhere (tanh(30 (u - 1))), and s(r z) moves that place with r. So s is resolved in
u = r z: panels on which its Legendre coefficients have died out. Panels in z are then cut so finely that their
image under every scale of a group is no wider than the panels of u it meets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.gaussian.functions import ArrayFunction, Index, evaluate
from giantstep.gaussian.quadrature.lines import FARTHEST, panel_edges, panel_nodes, panel_points, roughness


@dataclass(frozen=True)
class Resolved:
    """Panels (edges in u) that resolve a function, for the scales smallest..largest, out to |z| = reach."""

    edges: Array
    kinks: tuple[float, ...]
    smallest: float
    largest: float
    reach: float

    @property
    def moving(self) -> bool:
        """Whether a kink sits at another z for every scale (any kink but one at 0)."""
        return any(k != 0.0 for k in self.kinks)

    def at(self, scale: float) -> Resolved:
        """The same panels, for one scale of the range."""
        return replace(self, smallest=scale, largest=scale)


def octaves(size: Array) -> list[Index]:
    """Positions of the non-zero scales, in groups within a factor 2, which share one resolution of the function."""
    order = np.argsort(size, kind="stable")
    order = order[size[order] > 0.0]
    ordered = size[order]
    groups: list[Index] = []
    start = 0
    while start < order.size:
        stop = int(np.searchsorted(ordered, 2.0 * ordered[start], side="right"))
        groups.append(order[start:stop])
        start = stop
    return groups


def resolve(f: ArrayFunction, kinks: Sequence[float], smallest: float, largest: float) -> Resolved:
    """Bisect the axis of f until every panel carries a converged Legendre expansion.

    A panel is resolved when its last coefficients are below 1e-14 of the larger of max|f| on it and the
    function's size under the weight; panels where f sqrt(phi) is negligible are left coarse.
    """
    size, reach = _size_and_reach(f, smallest, largest)
    far = reach * largest
    lo_hi = panel_edges(-far, far, (*kinks, 0.0, -4.0, 4.0), max(1.0, far / 16.0))
    if far > 4.5:  # look closely near the origin, where activations live, whatever the scale
        # The finer edges replace the others: slivers between two grids would ask for panels as narrow in z.
        lo_hi = np.union1d(lo_hi[np.abs(lo_hi) >= 4.0], panel_edges(-4.0, 4.0, (*kinks, 0.0), 0.5))
    lo, hi = lo_hi[:-1], lo_hi[1:]
    done: list[Array] = [lo_hi]
    for _ in range(44):
        mid = 0.5 * (lo + hi)
        values = evaluate(f, panel_points(lo, hi))
        peak = np.abs(values).max(axis=1)
        rough = np.abs(values @ roughness().T).max(axis=1)
        nearest = np.where(lo * hi <= 0.0, 0.0, np.minimum(np.abs(lo), np.abs(hi)))
        weight = np.exp(-0.25 * (nearest / largest) ** 2)
        bad = (rough > 1e-14 * np.maximum(peak, size)) & (rough * weight > 1e-17 * size)
        if not bad.any():
            break
        if bad.sum() > 4096:
            if np.any(rough[bad] > 1e-8 * np.maximum(peak, size)[bad]):
                raise InputError("the function oscillates too fast to be expanded in Hermite polynomials")
            break  # the rounding noise of the function itself, which no bisection removes
        done.append(mid[bad])
        lo, hi = np.concatenate([lo[bad], mid[bad]]), np.concatenate([mid[bad], hi[bad]])
    edges = np.unique(np.concatenate(done))
    return Resolved(edges, tuple(kinks), smallest, largest, reach)


def scaled_edges(functions: Sequence[Resolved], degree: int) -> Array:
    """Panels in z fine enough for every function at every of its scales, and for psi_k up to `degree`."""
    reach = max(f.reach for f in functions)
    breaks = {0.0}
    for f in functions:
        breaks.update(k / f.largest for k in f.kinks)
        if f.smallest != f.largest and f.moving:
            raise AssertionError("kinks away from 0 need nodes of their own for every scale")
    edges = panel_edges(-reach, reach, tuple(breaks), min(1.0, 8.0 / np.sqrt(degree + 1.0)))
    lo, hi = edges[:-1], edges[1:]
    done: list[Array] = [edges]
    while lo.size:
        bad = np.zeros(lo.size, dtype=bool)
        for f in functions:
            bad |= (hi - lo) * f.largest > 1.0001 * _finest(f, lo, hi)
        mid = 0.5 * (lo[bad] + hi[bad])
        done.append(mid)
        lo, hi = np.concatenate([lo[bad], mid]), np.concatenate([mid, hi[bad]])
    return np.unique(np.concatenate(done))


def _finest(f: Resolved, lo: Array, hi: Array) -> Array:
    """The width of the narrowest u-panel met by [lo, hi] under any scale of the group."""
    widths = np.diff(f.edges)
    a = np.where(lo >= 0.0, lo * f.smallest, lo * f.largest)
    b = np.where(hi <= 0.0, hi * f.smallest, hi * f.largest)
    shrink = 1e-9 * (b - a)  # touching a neighbour at its edge is not meeting it
    first = np.clip(np.searchsorted(f.edges, a + shrink, side="right") - 1, 0, widths.size - 1)
    last = np.clip(np.searchsorted(f.edges, b - shrink, side="left") - 1, 0, widths.size - 1)
    spans = np.column_stack([first, np.maximum(first, last) + 1]).ravel()
    # Every second of these is the minimum over one span; a span may end behind the last width.
    return np.asarray(np.minimum.reduceat(np.append(widths, np.inf), spans)[::2])


def _size_and_reach(f: ArrayFunction, smallest: float, largest: float) -> tuple[float, float]:
    """sqrt(E f(r z)^2), roughly and for the smaller of the extreme scales, and where f(r z) sqrt(phi) ends."""
    z, w = (a.ravel() for a in panel_nodes(np.linspace(-8.0, 8.0, 17)))
    density = w * np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi)
    scales = np.array([smallest, largest])[:, None]
    size = float(np.sqrt(np.min((evaluate(f, scales * z) ** 2) @ density)))
    for reach in np.arange(13.0, FARTHEST, 1.0):
        ends = np.array([-reach, -reach + 0.37, reach - 0.37, reach])
        at = np.abs(evaluate(f, largest * ends)) * np.exp(-0.25 * ends * ends)
        if np.all(np.isfinite(at)) and at.max() <= 1e-18 * max(size, 1e-280):
            return size, float(reach)
        if np.all(np.isfinite(at)) and at.max() <= 1e-17 * size:
            return size, float(reach) + 1.0
    raise InputError("the function grows too fast to have a Hermite series under the normal law")
