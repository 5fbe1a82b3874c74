"""Hermite series of s(r z) for many scales r at once.

    s(r z) = sum_k al_k(r) h_k(z),      al_k(r) = E[s(r z) h_k(z)],      h_k = He_k / sqrt(k!).

h_k itself overflows, and the weight underflows, long before degree 640; the Hermite *functions*
psi_k = h_k sqrt(phi) do neither, so al_k(r) = int s(r z) sqrt(phi(z)) psi_k(z) dz is what is computed. The panels
resolve s on the scale of its own argument (`resolution`), and psi_k, whose wave number is at most sqrt(k).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt

import numpy as np

from giantstep.arrays import Array, ArrayLike
from giantstep.checks import whole_number
from giantstep.gaussian.functions import ArrayFunction, evaluate, kinks_of
from giantstep.gaussian.quadrature.lines import EPS, panel_nodes
from giantstep.gaussian.quadrature.resolution import Resolved, octaves, resolve, scaled_edges


@dataclass(frozen=True)
class Expansion:
    """Series of one function at many scales: coefficients (degree + 1, scales) and E s(r z)^2 (scales,)."""

    coefficients: Array
    second_moment: Array

    @property
    def degree(self) -> int:
        """The highest degree held."""
        return len(self.coefficients) - 1

    def tail(self, degree: int) -> Array:
        """sum_{k > degree} al_k(r)^2 by Parseval, not below what rounding lets us know."""
        kept = np.einsum("ks,ks->s", self.coefficients[: degree + 1], self.coefficients[: degree + 1])
        return np.asarray(np.maximum(self.second_moment - kept, 4.0 * EPS * self.second_moment))


def hermite_series(f: ArrayFunction, degree: int, scale: ArrayLike = 1.0, breaks: Sequence[float] = ()) -> Array:
    """al_k(r) = E[f(r z) h_k(z)] for k = 0..degree: shape (*scale.shape, degree + 1).

    Args:
        f: a function of arrays.
        degree: the highest.
        scale: r, an array of any shape.
        breaks: kinks of f in its own argument; those f declares itself need not be repeated.

    >>> hermite_series(lambda z: z**2, 2).round(12).tolist() == [1.0, 0.0, round(2**0.5, 12)]
    True
    """
    degree = whole_number("the degree of a Hermite series", degree, least=0)
    scales = np.asarray(scale, dtype=np.float64)
    out = expand(f, scales.ravel(), degree, tuple(breaks)).coefficients.T
    return np.ascontiguousarray(out.reshape(*scales.shape, degree + 1))


def expand(f: ArrayFunction, scales: Array, degree: int, breaks: tuple[float, ...] = ()) -> Expansion:
    """Coefficients al_k(r) and second moments of f(r z) for many scales at once.

    Args:
        f: a function of arrays.
        scales: r, of any sign, zero allowed, (scales,).
        degree: the highest.
        breaks: kinks of f in its own argument, besides those it declares itself.
    """
    kinks = kinks_of(f, breaks)
    size, place = np.unique(np.abs(scales), return_inverse=True)
    rows = np.zeros((degree + 2, size.size))  # the coefficients and, last, the second moment
    if size.size and size[0] == 0.0:
        at_zero = float(evaluate(f, np.zeros(1))[0])
        rows[0, 0], rows[-1, 0] = at_zero, at_zero * at_zero
    for members in octaves(size):
        group = size[members]
        resolved = resolve(f, kinks, float(group[0]), float(group[-1]))
        rows[:, members] = _interpolated(partial(_directly, f, resolved, degree), group, degree)
    rows = rows[:, place]
    rows[1:-1:2, scales < 0.0] *= -1.0  # h_k(-z) = (-1)^k h_k(z)
    return Expansion(rows[:-1], rows[-1])


def _directly(f: ArrayFunction, resolved: Resolved, degree: int, scales: Array) -> Array:
    """Rows al_0 .. al_degree, E f(r z)^2 (columns: scales): one matrix product if the scales can share nodes."""
    if resolved.moving and scales.size > 1:
        return np.hstack([_directly(f, resolved, degree, scales[i : i + 1]) for i in range(scales.size)])
    if resolved.moving:
        resolved = resolved.at(float(scales[0]))
    z, w = (a.ravel() for a in panel_nodes(scaled_edges([resolved], degree)))
    root = np.exp(-0.25 * z * z) / (2.0 * np.pi) ** 0.25  # sqrt(phi)
    out = np.empty((degree + 2, scales.size))
    step = max(1, 4_000_000 // z.size)
    for start in range(0, scales.size, step):
        part = slice(start, start + step)
        values = evaluate(f, scales[part, None] * z) * root
        out[-1, part] = (values * values) @ w
        values *= w
        for k, block in _hermite_functions(z, root, degree):
            out[k : k + len(block), part] = block @ values.T
    return out


def _interpolated(directly: Callable[[Array], Array], scales: Array, degree: int) -> Array:
    """directly(scales), through Chebyshev points in log r if there are many scales (sorted).

    Whatever s is, al_k(r) is an analytic function of log r: r only widens the Gaussian under the integral. The number
    of points starts from the oscillation of psi_k(u/r) in log r and doubles until the Chebyshev series has died out.
    """
    middle, half = 0.5 * np.log(scales[-1] * scales[0]), 0.5 * np.log(scales[-1] / scales[0])
    points = int(16 + 6.0 * half * sqrt(degree))
    while 2 * points < scales.size:
        t = np.cos(np.pi * (np.arange(points) + 0.5) / points)
        values = directly(np.clip(np.exp(middle + half * t), scales[0], scales[-1]))
        orders = np.arange(points)[:, None]
        chebyshev = values @ np.cos(orders * np.arccos(t)).T * (2.0 / points)
        chebyshev[:, 0] *= 0.5
        unsettled = np.abs(chebyshev[:, -4:]).max(axis=1)
        size = np.append(np.full(degree + 1, np.sqrt(values[-1].max())), values[-1].max())
        if np.all(unsettled <= 2e-14 * size):
            place = np.clip((np.log(scales) - middle) / max(half, 1e-300), -1.0, 1.0)
            return np.asarray(chebyshev @ np.cos(orders * np.arccos(place)))
        points *= 2
    return directly(scales)


def _hermite_functions(z: Array, root: Array, degree: int, block: int = 64) -> Iterator[tuple[int, Array]]:
    """psi_k(z) in blocks of rows k = start .. start + block - 1 (so that high degrees need no large table)."""
    previous, current = np.zeros_like(z), root.copy()
    for start in range(0, degree + 1, block):
        rows = np.empty((min(block, degree + 1 - start), z.size))
        for i in range(len(rows)):
            rows[i] = current
            k = start + i
            previous, current = current, (z * current - sqrt(k) * previous) / sqrt(k + 1)
        yield start, rows
