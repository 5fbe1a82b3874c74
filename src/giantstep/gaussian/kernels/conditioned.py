"""What is left of s(kappa u + tau z) once u is known: its mean, its linear part in z, and the rest.

    s(m + tau z) = sum_k al_k h_k(z),   al_k = E[s(m + tau z) h_k(z)],   h_k = He_k / sqrt(k!),   m = kappa u

The mean is al_0, the linear coefficient al_1, and what is neither has variance E s^2 - al_0^2 - al_1^2. Of two such
functions with Gaussian arguments of correlation rho the rests have covariance sum_{k>=2} al_k al'_k rho^k.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import require
from giantstep.gaussian.functions import ArrayFunction, evaluate, kinks_of
from giantstep.gaussian.quadrature.lines import cut_panels, normal_density

REACH = 8.5
WIDTH = 3.0
WIDTH_OF_ARGUMENT = 4.0
POINTS = 12
"""Panels in z reach this far, are no wider than this, in z and in m + tau z, and have this many nodes: tanh is resolved
to about 1e-7, a kink exactly."""
DEGREE = 6
"""Degree to which the covariance of two rests is summed; beyond are 3 % of the rest of a ReLU, times rho^8 at most."""
ROWS = 1024
"""Means and scales that are worked on at once."""
MANY_NODES_FROM = 64.0
MOST_SCALE = 1024.0
"""The number of nodes grows with the scale: from the first on fewer rows are worked on at once, so that memory stays
the same, and beyond the second, 50,000 nodes a row, nothing is resolved any more in a time that anybody waits."""


@dataclass(frozen=True, eq=False)
class LocalLaw:
    """What is left of many functions at many places of u.

    Args:
        mean: al_0, (places, functions).
        linear: al_1, the linear coefficient in z, (places, functions).
        rest: variance of what is neither, (places, functions).
        shared: covariance of the rests of function i and its partner, the i-th from the end, for the first half of the
            functions, (places, functions // 2); zero unless they were said to be paired.
    """

    mean: Array
    linear: Array
    rest: Array
    shared: Array


def local_series(f: ArrayFunction, mean: Array, scale: Array, degree: int) -> tuple[Array, Array]:
    """al_k for k = 0..degree, shape (degree + 1, *shape), and E f(m + tau z)^2, for arrays of means and scales.

    Args:
        f: a function of arrays.
        mean: m, an array of any shape; it broadcasts with `scale`.
        scale: tau, from 0 to 1024.
        degree: the highest k.
    """
    m, tau = np.broadcast_arrays(np.asarray(mean, dtype=np.float64), np.asarray(scale, dtype=np.float64))
    widest = float(tau.max(initial=0.0))
    require(
        widest <= MOST_SCALE,
        f"the argument of the function spreads over {widest:.3g}, and at most {MOST_SCALE:g} can be resolved; take a "
        "smaller step or less noise",
    )
    rows = int(ROWS / max(1.0, widest / MANY_NODES_FROM))
    kinks = np.array(kinks_of(f))
    out, square = np.empty((degree + 1, m.size)), np.empty(m.size)
    order = np.argsort(tau, axis=None, kind="stable")  # equal scales share a number of panels
    for start in range(0, m.size, rows):
        part = order[start : start + rows]
        mean_here, scale_here = m.ravel()[part], tau.ravel()[part]
        z, w = _nodes(mean_here, scale_here, kinks)
        values = evaluate(f, mean_here[:, None] + scale_here[:, None] * z)
        w *= normal_density(z)
        w *= values
        square[part] = np.einsum("ij,ij->i", w, values)
        out[:, part] = _against_hermite(z, w, degree)
    return out.reshape(degree + 1, *m.shape), square.reshape(m.shape)


def _against_hermite(z: Array, weighted: Array, degree: int) -> Array:
    """The sums of weighted * h_k(z), a row for each k."""
    out = np.empty((degree + 1, len(z)))
    previous, current = np.zeros_like(z), np.ones_like(z)
    for k in range(degree + 1):
        out[k] = np.einsum("ij,ij->i", weighted, current)
        previous *= -sqrt(k / (k + 1))
        previous += z * current / sqrt(k + 1)
        previous, current = current, previous
    return out


def _nodes(mean: Array, scale: Array, kinks: Array) -> tuple[Array, Array]:
    """Nodes and weights in z, (size, nodes): equal panels that are cut where m + tau z is a kink."""
    width = min(WIDTH, WIDTH_OF_ARGUMENT / max(float(scale.max()), 1e-300))
    line = np.linspace(-REACH, REACH, int(np.ceil(2 * REACH / width)) + 1)
    safe = np.where(scale > 0, scale, 1.0)
    z, w = cut_panels(line, (kinks - mean[:, None]) / safe[:, None], POINTS)
    return z.reshape(mean.size, -1), w.reshape(mean.size, -1)


def local_law(f: ArrayFunction, kappa: Array, tau: Array, u: Array, partner: Array | None = None) -> LocalLaw:
    """The law of f(kappa_i u + tau_i z_i), i = 1..N, given each u.

    Args:
        f: a function of arrays.
        kappa: (N,).
        tau: (N,), 0 or more.
        u: places, (places,).
        partner: correlations of z_i and z_{N+1-i}, i <= N/2, (N // 2,), where these are paired.
    """
    places = np.asarray(u, dtype=np.float64)[:, None]
    degree = 1 if partner is None else DEGREE
    series, square = local_series(f, places * kappa, np.broadcast_to(tau, (len(places), len(kappa))), degree)
    rest = np.maximum(square - series[0] ** 2 - series[1] ** 2, 0.0)
    half = len(kappa) // 2
    if partner is None:
        return LocalLaw(series[0], series[1], rest, np.zeros((len(places), half)))
    left, right = series[2:, :, :half], series[2:, :, ::-1][:, :, :half]
    powers = np.asarray(partner) ** np.arange(2, DEGREE + 1)[:, None, None]
    shared = (left * right * powers).sum(axis=0)
    # The remaining degrees at their largest, which is right where it matters: for partners that hardly differ.
    beyond = np.maximum(rest - (series[2:] ** 2).sum(axis=0), 0.0)
    shared += np.asarray(partner) ** (DEGREE + 2) * np.sqrt(beyond[:, :half] * beyond[:, ::-1][:, :half])
    return LocalLaw(series[0], series[1], rest, shared)


def interpolated(law: Callable[[Array], LocalLaw], u: Array, spacing: float) -> LocalLaw:
    """law(u) through cubic splines on a grid in u, for many places: the law is smooth on the scale tau/kappa.

    Args:
        law: the law at an array of places.
        u: where it is wanted, (places,).
        spacing: of the grid, in u.
    """
    from scipy.interpolate import CubicSpline  # slow to import, and needed by simulations only

    low, high = float(np.min(u)), float(np.max(u))
    if low == high:  # nothing to interpolate: one row serves all places
        one = law(np.asarray(u)[:1])
        return LocalLaw(*(np.repeat(a, len(u), axis=0) for a in (one.mean, one.linear, one.rest, one.shared)))
    grid = np.linspace(low, high, max(8, int(np.ceil((high - low) / spacing)) + 1))
    table = law(grid)

    def at(values: Array) -> Array:
        return np.asarray(CubicSpline(grid, values)(u))

    # Splines may overshoot: variances stay at or above zero, covariances within their variances.
    rest, half = np.maximum(at(table.rest), 0.0), table.shared.shape[1]
    most = np.sqrt(rest[:, :half] * rest[:, ::-1][:, :half])
    return LocalLaw(at(table.mean), at(table.linear), rest, np.clip(at(table.shared), -most, most))
