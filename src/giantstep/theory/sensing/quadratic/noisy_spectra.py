"""The spectrum of a symmetric matrix plus Gaussian noise, A + G, without a draw: free convolution with the semicircle.

G has variance 1/d off the diagonal and 2/d on it. With a_k the eigenvalues of A, the resolvent g(x) of A + G obeys
g = (1/d) sum_k 1/(x - g - a_k) (Pastur), and its boundary values are known along a curve [biane97]: for real u let
v(u) >= 0 be the root of (1/d) sum_k 1/((u - a_k)^2 + v^2) = 1, or 0 if the sum is below 1 already. Then

    x = u + h,   h = Re g(x) = (1/d) sum_k (u - a_k)/((u - a_k)^2 + v^2),   density v/pi,

and an eigenvector at x has the weight 1/(d ((u - a_k)^2 + v^2)) on the k-th eigenvector of A. No equation is iterated
but the one for v. Large a_k stand alone, each with an interval of its own and the mass 1/d: outliers are where they
are for finite d, and only their scatter is a semicircle instead of a Gaussian.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from giantstep.arrays import Array

NODES = 24
"""Of an interval of the spectrum, and `MORE` for each eigenvalue in it: the density has roots at both ends, which
cosine nodes resolve."""
MORE = 3
HALVINGS = 50
ENOUGH = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class NoisySpectrum:
    """Nodes of the spectrum of A + G, largest first.

    Args:
        x: places, (m,).
        mass: what the density has at each, 1 in all, (m,).
        hilbert: h, the mean of 1/(x - eigenvalue), in the sense of the principal value, (m,).
        truth: <v, A v> of eigenvectors at x, (m,).
    """

    x: Array
    mass: Array
    hilbert: Array
    truth: Array

    def top(self, count: float) -> Array:
        """The share of each node that belongs to the `count` largest of d eigenvalues, count given as a part of d."""
        above = np.cumsum(self.mass) - self.mass
        return np.asarray(np.clip((count - above) / self.mass, 0.0, 1.0))

    def __repr__(self) -> str:
        if not self.x.size:
            return "NoisySpectrum(no nodes)"
        return f"NoisySpectrum({self.x.size} nodes, {self.x[-1]:.4g} to {self.x[0]:.4g})"


def noisy_spectrum(eigenvalues: Array) -> NoisySpectrum:
    """The spectrum of A + G for a matrix A with these `eigenvalues`, (d,)."""
    a = np.sort(eigenvalues)
    u, du = _nodes(a)
    distance = u[:, None] - a
    square = _squared_height(distance**2)
    weight = 1.0 / (distance**2 + square[:, None])
    hilbert = (distance * weight).mean(axis=1)
    # x(u) is differentiated along the curve, on which the mean of the weights stays 1.
    slope = -2.0 * (distance * weight**2).sum(axis=1) / (weight**2).sum(axis=1)
    stretch = 1.0 + (weight - weight**2 * distance * (2.0 * distance + slope[:, None])).mean(axis=1)
    mass = np.sqrt(square) / np.pi * stretch * du
    order = np.argsort(-(u + hilbert))
    found = (u + hilbert, mass / mass.sum(), hilbert, weight @ a / a.size)
    return NoisySpectrum(*(np.asarray(part[order]) for part in found))


def _nodes(a: Array) -> tuple[Array, Array]:
    """Nodes u and their weights in the intervals where v > 0."""
    centres, halves, counts = _intervals(a)
    u, du = [], []
    for centre, half, count in zip(centres, halves, counts, strict=True):
        number = NODES + MORE * int(count)
        angle = (np.arange(number) + 0.5) * np.pi / number
        u.append(centre - half * np.cos(angle))
        du.append(half * np.sin(angle) * np.pi / number)
    return np.concatenate(u), np.concatenate(du)


def _intervals(a: Array) -> tuple[Array, Array, NDArray[np.intp]]:
    """Centres and half lengths of the intervals of u, and the eigenvalues in each.

    Between two eigenvalues the sum of (u - a_k)^-2 is convex; there is a gap where its minimum is below d.
    """

    def total(u: Array, power: int) -> Array:
        return np.asarray(((u[:, None] - a) ** -float(power)).mean(axis=1))

    def is_inside(u: Array) -> NDArray[np.bool_]:
        return total(u, 2) > 1.0

    def falls(u: Array) -> NDArray[np.bool_]:
        return total(u, 3) > 0.0

    wide = np.flatnonzero(np.diff(a) > 2.0 / np.sqrt(a.size))  # nearer ones cannot have a gap between them
    lowest = _halved(a[wide], a[wide + 1], falls)
    gap = total(lowest, 2) < 1.0
    below, lowest, above = a[wide][gap], lowest[gap], a[wide + 1][gap]
    ends = _halved(np.append(below, a[-1]), np.append(lowest, a[-1] + 1.01), is_inside)
    starts = _halved(np.append(a[0], above), np.append(a[0] - 1.01, lowest), is_inside)
    counts = np.asarray(np.searchsorted(a, ends) - np.searchsorted(a, starts), dtype=np.intp)
    return (starts + ends) / 2, (ends - starts) / 2, counts


def _halved(inside: Array, outside: Array, is_true: Callable[[Array], NDArray[np.bool_]]) -> Array:
    """Where a condition that is true at one end stops being so, for many intervals at once."""
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        true = is_true(middle)
        inside, outside = np.where(true, middle, inside), np.where(true, outside, middle)
    return np.asarray((inside + outside) / 2)


def _squared_height(squares: Array) -> Array:
    """v^2 with mean 1/(squares + v^2) = 1, by Newton's method for one over the mean, which is nearly linear."""
    found = np.ones(len(squares))
    for _ in range(HALVINGS):
        weight = 1.0 / (squares + found[:, None])
        mean = weight.mean(axis=1)
        better = np.maximum(found - (1.0 - mean) * mean / (weight**2).mean(axis=1), 0.0)
        if np.abs(better - found).max() < ENOUGH:
            return np.asarray(better)
        found = better
    return np.asarray(found)
