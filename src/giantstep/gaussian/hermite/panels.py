"""Panels: the pieces of many lines on which a function is smooth, or not yet resolved."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.gaussian.quadrature.lines import EPS, gauss_legendre, roughness


@dataclass
class Panels:
    """Panels of many lines: z = low + (high - low) m(s), s in [start, stop], m(s) = s^2 (3 - 2 s) or s."""

    line: NDArray[np.intp]
    low: Array
    high: Array
    start: Array
    stop: Array
    mapped: NDArray[np.bool_]

    @classmethod
    def between(cls, low: float, reach: float, width: float, cuts: Array, smooth_ends: bool) -> Panels:
        """Panels of at most so much `width` from `low` to `reach`, which begin and end at the `cuts` (lines, c) too.

        Those that end at a cut are mapped, unless all is smooth up to its ends.
        """
        grid = np.linspace(low, reach, max(1, math.ceil((reach - low) / width)) + 1)
        lines = cuts.shape[0]
        edges = np.concatenate([np.broadcast_to(grid, (lines, grid.size)), np.clip(cuts, low, reach)], axis=1)
        is_cut = np.zeros(edges.shape, dtype=bool)
        is_cut[:, grid.size :] = True
        order = np.argsort(edges, axis=1, kind="stable")
        edges, is_cut = np.take_along_axis(edges, order, axis=1), np.take_along_axis(is_cut, order, axis=1)
        # Edges that coincide are cuts if one of them is: a half begins at 0, which may be one.
        same = np.diff(edges, axis=1) <= 4.0 * EPS * reach
        for _ in range(2):
            is_cut[:, 1:] |= same & is_cut[:, :-1]
            is_cut[:, :-1] |= same & is_cut[:, 1:]
        line, place = np.nonzero(~same)
        mapped = (is_cut[line, place] | is_cut[line, place + 1]) & (not smooth_ends)
        ones = np.ones(line.size)
        return cls(line, edges[line, place], edges[line, place + 1], 0.0 * ones, ones, mapped)

    def where(self, chosen: NDArray[Any]) -> Panels:
        return Panels(
            self.line[chosen],
            self.low[chosen],
            self.high[chosen],
            self.start[chosen],
            self.stop[chosen],
            self.mapped[chosen],
        )

    def halved(self) -> Panels:
        both = self.where(np.tile(np.arange(len(self.line)), 2))
        middle = 0.5 * (self.start + self.stop)
        both.start, both.stop = np.concatenate([self.start, middle]), np.concatenate([middle, self.stop])
        return both

    def places(self, order: int, ends: bool) -> tuple[Array, Array]:
        """z, and dz/ds times half the length in s, both (panels, places), with `ends` as the last two places."""
        t, _ = gauss_legendre(order)
        t = np.concatenate([t, [-1.0, 1.0]]) if ends else t
        half = 0.5 * (self.stop - self.start)[:, None]
        s = self.start[:, None] + half * (1.0 + t)
        width = (self.high - self.low)[:, None]
        share = np.where(self.mapped[:, None], s * s * (3.0 - 2.0 * s), s)
        slope = np.where(self.mapped[:, None], 6.0 * s * (1.0 - s), 1.0)
        # The ends a few roundings inside: an end may be a jump.
        inside = np.minimum(8.0 * EPS * np.maximum(np.abs(self.low), np.abs(self.high))[:, None], 0.01 * width)
        z = np.clip(self.low[:, None] + width * share, self.low[:, None] + inside, self.high[:, None] - inside)
        return z, half * width * slope


def unresolved(values: Array, order: int) -> Array:
    """A bound on the error of the Gauss-Legendre rule for functions given at the places of panels (panels, places, m).

    It is the last Legendre coefficients, B, where they have not died out. The rule integrates twice the degree that its
    nodes interpolate, so where coefficients fall geometrically its error is nearer to B^2/A, A the function's size;
    A (20 B/A)^(3/2) leaves room for coefficients that fall more slowly (as QUADPACK does).
    """
    last = np.abs(np.matmul(_last_coefficients(order, values.shape[1] > order), values)).max(axis=1)
    size = np.abs(values).max(axis=1) + 1e-300
    # Coefficients at rounding level say nothing about the function; rounding is stated apart.
    last = np.maximum(last - 16.0 * EPS * size, 0.0)
    return np.asarray(np.minimum(last, size * (20.0 * last / size) ** 1.5).max(axis=1))


@lru_cache(maxsize=16)
def _last_coefficients(order: int, ends: bool) -> Array:
    """The matrix of `roughness` for places with the ends last, or without them."""
    matrix = roughness(order)
    nodes = matrix[:, 1:-1]
    return np.concatenate([nodes, matrix[:, :1], matrix[:, -1:]], axis=1) if ends else nodes[:4]


def add_by_line(total: Array, lines: NDArray[np.intp], parts: Array) -> None:
    """total[lines] += parts, lines repeated."""
    if not lines.size:
        return
    order = np.argsort(lines, kind="stable")
    lines, parts = lines[order], parts[order]
    starts = np.flatnonzero(np.concatenate([[True], np.diff(lines) > 0]))
    total[lines[starts]] += np.add.reduceat(parts, starts, axis=0)
