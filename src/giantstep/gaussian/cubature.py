"""Expectations of functions of two to four independent standard normal variables, with a stated error.

Smooth functions: tensor Gauss-Hermite rules of growing size. If those do not settle there is a kink or a sharp
transition, often along an oblique line (relu(x1 + x2)), which no tensor rule resolves. Then the roughest variable is
integrated first, adaptively: for fixed other variables the kink is a point, which bisection finds, and what
is left is smooth in them. If two kinks need two such variables, they are integrated one inside the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from giantstep.errors import InputError
from giantstep.gaussian.functions import Array, Index
from giantstep.gaussian.grids import product_rule
from giantstep.gaussian.quadrature import (
    EPS,
    Estimate,
    expect_lines,
    gauss_hermite,
    normal_density,
    panel_rule,
)

LEVELS = (12, 17, 25, 38, 57, 86, 129, 194)
"""Nodes per axis; odd and even sizes alternate, so that the symmetry of one rule cannot feign agreement."""

POINTS = 3_000_000
"""The largest tensor rule for a function that is only evaluated."""

LINES = 12_000
"""The largest tensor rule for a function that is integrated over one more variable at each node."""

CHUNK = 256
"""Inner integrals that run together: their arrays stay in cache."""

PointFunction = Callable[[Array], Any]
WithErrors = Callable[[Array], tuple[Array, Array]]
Breaks = Sequence[Sequence[float]]


def expect_many(f: PointFunction, dimension: int, breaks: Breaks | None = None, tol: float = 1e-10) -> Estimate:
    """E f(z), z ~ N(0, I), for f taking (m, dimension) arrays to (m,); dimension 2, 3 or 4.

    `breaks` gives for each axis the places where f is not smooth in that variable alone. `tol` is relative to
    E|f|, the stated error absolute.

    >>> round(expect_many(lambda z: z[:, 0] ** 2 * z[:, 1] ** 4, 2).value, 10)
    3.0
    """
    if not 2 <= dimension <= 4:
        raise InputError(f"expectations of several variables are for 2 to 4 of them, not {dimension}")
    corners = tuple(tuple(b) for b in breaks) if breaks is not None else ((),) * dimension
    if len(corners) != dimension:
        raise InputError(f"breaks must be given for each of the {dimension} axes, not for {len(corners)}")
    best, settled = _by_tensor_rules(lambda points: (_values(f, points), np.zeros(len(points))), corners, tol, POINTS)
    if settled:
        return best
    *others, second, last = _by_roughness(f, corners)
    smoothed = partial(_over_one, f, (*others, second), last, corners)
    lines, settled = _by_tensor_rules(smoothed, [corners[k] for k in (*others, second)], tol, LINES)
    best = min(best, lines, key=lambda estimate: estimate.error)
    if settled or dimension == 4:  # two variables inside a tensor rule of two more would take minutes
        return best
    twice = partial(_over_two, f, others, second, last, corners, tol)
    nested, _ = _by_tensor_rules(twice, [corners[k] for k in others], tol, LINES // 400)
    return min(best, nested, key=lambda estimate: estimate.error)


def _by_tensor_rules(f: WithErrors, breaks: Breaks, tol: float, points: int) -> tuple[Estimate, bool]:
    """Rules of growing size until three agree; the error is four times the larger of the last two steps.

    Without axes f is a number, and its own error all there is.
    """
    results: list[float] = []
    for level in LEVELS:
        axes = [_axis_rule(b, level) for b in breaks]
        if len(results) >= 2 and np.prod([float(nodes.size) for nodes, _ in axes]) > points:
            break
        nodes, weights = product_rule(axes)
        values, errors = f(nodes)
        results.append(float(values @ weights))
        mass, own = float(np.abs(values) @ weights), float(errors @ weights)
        if not axes:
            return Estimate(results[0], own), True
        error = 4.0 * float(np.abs(np.diff(results[-3:])).max(initial=0.0)) + own + 64.0 * EPS * mass
        settled = error <= tol * mass + own + 64.0 * EPS * mass
        if len(results) >= 3 and settled:
            break
    return Estimate(results[-1], error), settled and len(results) >= 3


def _axis_rule(breaks: Sequence[float], level: int) -> tuple[Array, Array]:
    if not breaks:
        return gauss_hermite(level)
    # With a break the rule on each side must resolve half a Gaussian: panels that shrink with the level.
    return panel_rule(breaks, order=8, panels=max(2, level // 6), reach=9.0)


def _by_roughness(f: PointFunction, breaks: Breaks) -> list[int]:
    """Axes sorted by how much refining the rule of that axis alone moves the result, roughest last."""

    def value(sizes: Sequence[int]) -> float:
        points, weights = product_rule([_axis_rule(b, size) for b, size in zip(breaks, sizes, strict=True)])
        return float(_values(f, points) @ weights)

    base = [12] * len(breaks)
    change = [
        max(abs(value([*base[:k], size, *base[k + 1 :]]) - value(base)) for size in (17, 25))
        for k in range(len(breaks))
    ]
    return [int(k) for k in np.argsort(change, kind="stable")]


def _over_one(f: PointFunction, others: Sequence[int], axis: int, breaks: Breaks, points: Array) -> tuple[Array, Array]:
    """E over one axis, the others fixed to each row of points in turn, and the errors."""
    values, errors = np.empty(len(points)), np.empty(len(points))
    for start in range(0, len(points), CHUNK):
        part = slice(start, start + CHUNK)
        here = np.empty((len(others) + 1, len(points[part])))
        here[list(others)] = points[part].T

        def on_line(i: Index, z: Array, here: Array = here) -> Array:
            columns = here[:, i]
            columns[axis] = z
            return _values(f, columns.T)

        # To rounding: what is left of this error is noise to the rule outside, which must not try to refine it.
        values[part], errors[part] = expect_lines(on_line, here.shape[1], breaks[axis], 1e-14, width=2.5, limit=256)
    return values, errors


def _over_two(
    f: PointFunction, others: Sequence[int], second: int, last: int, breaks: Breaks, tol: float, points: Array
) -> tuple[Array, Array]:
    """E over two axes, one inside the other, the others fixed to each row of points in turn, and the errors."""
    worst = np.zeros(len(points))

    def inner(line: Index, z: Array) -> Array:
        values, errors = _over_one(f, (*others, second), last, breaks, np.column_stack([points[line], z]))
        # int e(z) phi(z) dz <= max(e sqrt(phi)) * int sqrt(phi), and that last integral is 2.24.
        np.maximum.at(worst, line, 2.25 * errors * np.sqrt(normal_density(z)))
        return values

    values, errors = expect_lines(inner, len(points), breaks[second], 0.1 * tol, width=2.5, limit=64)
    return values, errors + worst


def _values(f: PointFunction, points: Array) -> Array:
    with np.errstate(all="ignore"):
        values = np.broadcast_to(np.asarray(f(points), dtype=np.float64), points.shape[:1])
    if not np.all(np.isfinite(values)):
        where = ", ".join(f"{x:.4g}" for x in points[~np.isfinite(values)][0])
        raise InputError(f"the function is not finite at ({where}); it must be finite almost everywhere")
    return values
