"""Nodes for averages over the overlaps of a random unit vector with a few fixed directions.

If w is uniform on the unit sphere of R^d, its first r coordinates m have density proportional to
(1 - |m|^2)^((d-r-2)/2) in the unit ball: |m|^2 is Beta(r/2, (d-r)/2) and m/|m| is uniform and independent.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import require
from giantstep.gaussian.quadrature.lines import gauss_legendre

# In the log-odds of |m|^2 the Beta density is analytic in a strip of half-width pi/2, so that the
# trapezoid rule converges like exp(-pi^2/step), also when the integrand has a narrow dip at m = 0.
_LOG_ODDS_STEP = 0.6
_NEGLIGIBLE_MASS = 1e-7
_CIRCLE = 96
_LATITUDES = 16
_SCATTERED = 1024
_REFLECTED = 4


def radius_nodes(directions: int, d: int) -> tuple[Array, Array]:
    """Values of |m| and weights that sum to one."""
    require(
        d >= directions + 4,
        f"d must be at least 4 more than the number of directions ({directions}), got {d}",
    )
    half, rest = directions / 2, (d - directions) / 2
    middle = np.log(directions / (d - directions))
    # Left: the mass below x is about (x d/r)^(r/2); right: the density falls like exp(-d x/2) or (1-x)^rest.
    log_odds = np.arange(middle - 44.0 / directions, middle + 8.0 + 30.0 / rest, _LOG_ODDS_STEP)
    log_x, log_rest = -np.logaddexp(0.0, -log_odds), -np.logaddexp(0.0, log_odds)
    log_weight = half * log_x + rest * log_rest
    weight = np.exp(log_weight - log_weight.max())
    keep = weight > _NEGLIGIBLE_MASS * weight.sum()
    return np.exp(log_x[keep] / 2), weight[keep] / weight[keep].sum()


@lru_cache(maxsize=32)
def direction_nodes(directions: int) -> tuple[Array, Array]:
    """Unit vectors of R^r, r = `directions`, symmetric under m -> -m, (K, r), and weights that sum to one, (K,).

    r = 1: both signs; r = 2: equally spaced angles; r = 3: Gauss-Legendre in the latitude times equally
    spaced longitudes, all to machine precision on polynomials of moderate degree; above, a low-discrepancy
    set with reflections, whose error is a few per cent on the fourth moments of single coordinates.
    """
    if directions == 1:
        return np.array([[1.0], [-1.0]]), np.array([0.5, 0.5])
    if directions == 2:
        unit = _circle(_CIRCLE)
        return unit, np.full(len(unit), 1 / len(unit))
    if directions == 3:
        height, weight = gauss_legendre(_LATITUDES)
        circle = _circle(2 * _LATITUDES)
        flat = np.sqrt(1 - height**2)[:, None, None] * circle
        unit = np.concatenate([flat, np.broadcast_to(height[:, None, None], (*flat.shape[:2], 1))], axis=2)
        return unit.reshape(-1, 3), np.repeat(weight / (2 * len(circle)), len(circle))
    unit = _scattered(directions)
    return unit, np.full(len(unit), 1 / len(unit))


def _circle(count: int) -> Array:
    """Equally spaced points of the circle, half a step off the axes, where gradients of products vanish."""
    angle = 2 * np.pi * (np.arange(count) + 0.5) / count
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _scattered(directions: int) -> Array:
    """A Kronecker sequence mapped to the sphere through Gaussian coordinates, with its reflections."""
    signs = 2 ** min(directions, _REFLECTED)
    count = _SCATTERED // signs
    root = 1.5
    for _ in range(60):
        root = (1 + root) ** (1 / (directions + 1))
    powers = root ** -np.arange(1.0, directions + 1)
    gaussian = scipy.special.ndtri((0.5 + np.arange(1, count + 1)[:, None] * powers) % 1.0)
    unit = gaussian / np.linalg.norm(gaussian, axis=1, keepdims=True)
    # Reflections of the first coordinates; those beyond are taken along by the last reflection.
    flips = 1 - 2 * ((np.arange(signs)[:, None] >> np.minimum(np.arange(directions), _REFLECTED - 1)) & 1)
    return np.asarray((flips[:, None, :] * unit).reshape(-1, directions), dtype=np.float64)


def overlap_nodes(directions: int, d: int) -> tuple[Array, Array]:
    """Overlaps m (K, r) of a uniform unit vector of R^d with r directions, and weights that sum to one, (K,).

    Args:
        directions: r.
        d: dimension of the space, at least r + 4.

    >>> m, weights = overlap_nodes(2, 50)
    >>> round(float(weights @ (m**2).sum(axis=1)) * 50, 6)
    2.0
    """
    radius, weight = radius_nodes(directions, d)
    unit, share = direction_nodes(directions)
    return (radius[:, None, None] * unit).reshape(-1, directions), np.outer(weight, share).ravel()
