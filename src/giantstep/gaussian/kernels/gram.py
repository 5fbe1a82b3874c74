"""The dual kernel of all pairs of N jointly Gaussian variables at once: E[f(u_i) f(u_j)], N ~ 2000.

Only the upper triangle is computed, in square tiles that stay in cache while Horner's rule runs over the
degrees. The degree is chosen tile by tile from the correlations that are really there: rows are sorted by
scale, so that the few strongly correlated ones meet in few tiles, and single pairs far above the rest of
their tile (paired neurons) are taken out and treated one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array, ArrayLike
from giantstep.errors import InputError
from giantstep.gaussian.functions import Index, ScalarFunction, Term
from giantstep.gaussian.hermite.series import Expansion, expand
from giantstep.gaussian.kernels.closed_forms import atoms_of, closed_kernel
from giantstep.gaussian.kernels.duals import correlation, second_moment_at, with_constants
from giantstep.gaussian.kernels.pairs import DEGREE_CAP, DEGREES, Side, first_degree, pair_kernel

TILE = 128
"""Rows of a tile: three arrays of 128 x 128 doubles fit in a second-level cache."""

PAIR_COST = 8.0
"""A pair treated alone costs about this many times what it costs inside a tile."""


def gram_kernel(f: ScalarFunction, gram: ArrayLike, *, tol: float = 1e-10) -> Array:
    """K_ij = E[f(u_i) f(u_j)] for u ~ N(0, gram): the second moments of N features f(<w_i, x>), gram = W W^T.

    The diagonal is computed separately, without a series. Closed forms are used where f has them.

    Args:
        f: a function.
        gram: the covariance of u, (N, N), symmetric: its upper triangle is read.
        tol: entries are right within tol * sqrt(K_ii K_jj).
    """
    g = np.asarray(gram, dtype=np.float64)
    if g.ndim != 2 or g.shape[0] != g.shape[1]:
        raise InputError(f"a Gram matrix must be square; this one has shape {g.shape}")
    variance = np.ascontiguousarray(np.diagonal(g))
    if f.terms is not None:
        return _closed(f, f.terms, g, variance)
    if variance.size == 0 or variance.max() <= 2.0 * variance.min():
        return _series(f, g, variance, tol)
    order = np.argsort(variance, kind="stable")
    out = np.empty_like(g)
    out[np.ix_(order, order)] = _series(f, g[np.ix_(order, order)], variance[order], tol)
    return out


def _tiles(n: int) -> Iterator[tuple[slice, slice]]:
    """Tiles that cover the upper triangle, the diagonal ones included."""
    for i in range(0, n, TILE):
        for j in range(i, n, TILE):
            yield slice(i, min(i + TILE, n)), slice(j, min(j + TILE, n))


def _rho(g: Array, variance: Array, rows: slice, columns: slice) -> Array:
    """Correlations of a tile; a variable is not paired with itself, so the diagonal counts as 0."""
    rho = correlation(variance[rows, None], variance[None, columns], g[rows, columns])
    if rows == columns:
        np.fill_diagonal(rho, 0.0)
    return rho


def _place(out: Array, tile: Array, rows: slice, columns: slice) -> None:
    """Write a tile and its mirror image; a tile on the diagonal is mirrored itself, from its upper triangle."""
    if rows == columns:
        tile = np.triu(tile)
        tile += np.triu(tile, 1).T
    else:
        out[columns, rows] = tile.T
    out[rows, columns] = tile


def _closed(f: ScalarFunction, terms: tuple[Term, ...], g: Array, variance: Array) -> Array:
    atoms = atoms_of(terms)
    out = np.empty_like(g)
    for rows, columns in _tiles(len(g)):
        vu, vv = variance[rows, None], variance[None, columns]
        tile = closed_kernel(atoms, atoms, vu, vv, _rho(g, variance, rows, columns))
        tile = with_constants(f, f, vu, vv, tile)
        _place(out, tile, rows, columns)
    np.fill_diagonal(out, second_moment_at(f, np.sqrt(variance)))
    return out


def _series(f: ScalarFunction, g: Array, variance: Array, tol: float) -> Array:
    scales = np.sqrt(variance)
    tiles = {(rows.start, columns.start): (rows, columns) for rows, columns in _tiles(len(g))}
    rho = {place: _rho(g, variance, *tile) for place, tile in tiles.items()}
    plan = _plan(f, scales, rho, tol)
    out = np.empty_like(g)
    alone: list[tuple[Index, Index, Array]] = []
    for place, (rows, columns) in tiles.items():
        x = rho[place]
        degree, limit = plan.choose(x, *place)
        if limit < 1.0:
            i, j = np.nonzero(np.abs(x) > limit)
            alone.append((i + rows.start, j + columns.start, x[i, j]))
        _place(out, plan.horner(rows, columns, x, degree), rows, columns)
    np.fill_diagonal(out, plan.expansion.second_moment)
    if alone:
        i, j, x = (np.concatenate(parts) for parts in zip(*alone, strict=True))
        once = i < j
        i, j, x = i[once], j[once], x[once]
        side = Side(f, scales)
        out[i, j] = out[j, i] = pair_kernel(side, side, i, j, x, tol)
    return out


@dataclass(frozen=True)
class _Plan:
    """A series and, for each block of rows and each degree of the ladder, the largest relative tail norm."""

    expansion: Expansion
    degrees: Index
    tails: Array  # (degrees, blocks): max over the block of sqrt(tail / second moment)
    tol: float

    def limits(self, i: int, j: int) -> Array:
        """For each degree the |rho| up to which the tail bound |rho|^{K+1} q_i q_j stays below tol."""
        bound = self.tails[:, i // TILE] * self.tails[:, j // TILE]
        ratio = np.minimum(np.divide(self.tol, bound, out=np.ones_like(bound), where=bound > self.tol), 1.0)
        return np.asarray(ratio ** (1.0 / (self.degrees + 1.0)))

    def choose(self, rho: Array, i: int, j: int) -> tuple[int, float]:
        """The cheapest degree for a tile, and the |rho| above which pairs are to be treated alone."""
        limits = self.limits(i, j)
        size = np.abs(rho)
        peak = float(size.max(initial=0.0))
        enough = int(np.searchsorted(limits, peak)) if peak <= limits[-1] else len(limits)
        if enough < len(limits) and self.degrees[enough] <= 12:
            return int(self.degrees[enough]), 1.0
        top = min(enough, len(limits) - 1)
        left = np.array([np.count_nonzero(size > limit) for limit in limits[: top + 1]])
        cost = (self.degrees[: top + 1] + 1.0) * rho.size + PAIR_COST * left * (self.degrees[top] + 1.0)
        best = int(np.argmin(cost))
        return int(self.degrees[best]), float(limits[best])

    def horner(self, rows: slice, columns: slice, rho: Array, degree: int) -> Array:
        """sum_k al_k(r_i) al_k(r_j) rho^k by Horner's rule, in place; only one parity if f has one."""
        c = self.expansion.coefficients
        odd, even = (bool(np.any(c[start : degree + 1 : 2])) for start in (1, 0))
        step = 1 if odd and even else 2
        start = 1 if odd and not even else 0
        powers = list(range(start, degree + 1, step))
        if not powers:
            return np.zeros_like(rho)
        x = rho * rho if step == 2 else rho
        top = powers[-1]
        total = np.multiply.outer(c[top, rows], c[top, columns])
        product = np.empty_like(total)
        for k in reversed(powers[:-1]):
            total *= x
            np.multiply(c[k, rows, None], c[k, None, columns], out=product)
            total += product
        return total * rho if start == 1 and step == 2 else total


def _plan(f: ScalarFunction, scales: Array, rho: dict[tuple[int, int], Array], tol: float) -> _Plan:
    """Expand f to the degree that serves all but a handful of the pairs."""
    pairs = sum(x.size for x in rho.values())
    peak = max((float(np.abs(x).max(initial=0.0)) for x in rho.values()), default=0.0)
    degree = first_degree(peak, tol)
    while True:
        expansion = _one_parity(expand(f, scales, degree))
        degrees = np.append(DEGREES[degree > DEGREES], degree)
        starts = np.arange(0, scales.size, TILE)
        size = np.maximum(expansion.second_moment, np.finfo(np.float64).tiny)
        tails = np.array([np.maximum.reduceat(np.sqrt(expansion.tail(int(k)) / size), starts) for k in degrees])
        plan = _Plan(expansion, degrees, tails, tol)
        beyond = sum(np.count_nonzero(np.abs(x) > plan.limits(*place)[-1]) for place, x in rho.items())
        if beyond <= pairs // 200 or degree >= DEGREE_CAP:
            return plan
        degree = min(2 * degree, DEGREE_CAP)


def _one_parity(expansion: Expansion) -> Expansion:
    """Set the coefficients of one parity to zero if they are rounding errors: half the work for odd functions."""
    c = expansion.coefficients
    size = float(np.sqrt(expansion.second_moment.max(initial=0.0)))
    for start in (0, 1):
        if np.abs(c[start::2]).max(initial=0.0) <= 1e-14 * size:
            c[start::2] = 0.0
    return expansion
