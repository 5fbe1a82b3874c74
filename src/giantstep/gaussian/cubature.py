"""Expectations of functions of two to four independent standard normal variables, with a stated error.

Smooth functions: tensor Gauss-Hermite rules of growing size. If those do not settle there is a kink or a
sharp transition, often along an oblique line (relu(x1 + x2)), which no tensor rule resolves. Then the last two
variables are integrated one inside the other, each adaptively: for fixed outer variables the inner integrand
has its kink at a point, which bisection finds, and integrating over it smooths the outer integrand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from giantstep.errors import InputError
from giantstep.gaussian.functions import Array
from giantstep.gaussian.quadrature import (
    EPS,
    Estimate,
    Index,
    expect_lines,
    gauss_hermite,
    normal_density,
    panel_rule,
)

LEVELS = (12, 17, 25, 38, 57, 86, 129, 194)
"""Nodes per axis; odd and even sizes alternate, so that the symmetry of one rule cannot feign agreement."""

POINTS = 3_000_000
"""The largest tensor rule tried."""

CHUNK = 256
"""Inner integrals that run together."""

PointFunction = Callable[[Array], Any]


def expect_many(
    f: PointFunction,
    dimension: int,
    breaks: Sequence[Sequence[float]] | None = None,
    tol: float = 1e-10,
) -> Estimate:
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
    smooth, settled = _by_tensor_rules(f, corners, tol)
    if settled:
        return smooth
    nested = _by_nesting(f, corners, tol)
    return nested if nested.error < smooth.error else smooth


def _tensor(axes: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    grid = np.meshgrid(*(nodes for nodes, _ in axes), indexing="ij")
    weights = reduce(np.multiply.outer, (w for _, w in axes))
    return np.stack([g.ravel() for g in grid], axis=1), np.asarray(weights).ravel()


def _axis_rule(breaks: Sequence[float], level: int) -> tuple[Array, Array]:
    if not breaks:
        return gauss_hermite(level)
    # With a break the rule on each side must resolve half a Gaussian: panels that shrink with the level.
    return panel_rule(breaks, order=8, panels=max(2, level // 6), reach=9.0)


def _by_tensor_rules(f: PointFunction, breaks: Sequence[Sequence[float]], tol: float) -> tuple[Estimate, bool]:
    """Rules of growing size until three agree; the error is four times the larger of the last two steps."""
    values: list[float] = []
    mass = 0.0
    for level in LEVELS:
        axes = [_axis_rule(b, level) for b in breaks]
        if np.prod([float(nodes.size) for nodes, _ in axes]) > POINTS and len(values) >= 3:
            break
        points, weights = _tensor(axes)
        terms = _values(f, points) * weights
        values.append(float(terms.sum()))
        mass = float(np.abs(terms).sum())
        steps = np.abs(np.diff(values[-3:])).max(initial=0.0)
        if len(values) >= 3 and 4.0 * steps <= tol * mass:
            break
    error = float(4.0 * steps + 64.0 * EPS * mass)
    return Estimate(values[-1], error), error <= tol * mass + 64.0 * EPS * mass


def _by_nesting(f: PointFunction, breaks: Sequence[Sequence[float]], tol: float) -> Estimate:
    """The two roughest variables adaptively, one inside the other; the others by tensor rules of two sizes."""
    order = _by_roughness(f, breaks)
    if len(breaks) == 2:
        value, error = _nested_lines(f, np.zeros((1, 0)), order, breaks, tol)
        return Estimate(float(value[0]), float(error[0]))
    results = []
    for level in (13, 19) if len(breaks) == 3 else (8, 12):
        points, weights = _tensor([_axis_rule(breaks[k], level) for k in order[:-2]])
        value, error = _nested_lines(f, points, order, breaks, tol)
        results.append((float(weights @ value), float(weights @ error)))
    (first, _), (last, within) = results
    return Estimate(last, 4.0 * abs(last - first) + within)


def _by_roughness(f: PointFunction, breaks: Sequence[Sequence[float]]) -> list[int]:
    """Axes sorted by how much refining the rule of that axis alone moves the result, roughest last."""

    def value(sizes: Sequence[int]) -> float:
        points, weights = _tensor([_axis_rule(b, size) for b, size in zip(breaks, sizes, strict=True)])
        return float(_values(f, points) @ weights)

    base = [12] * len(breaks)
    change = [
        max(abs(value(base[:k] + [size] + base[k + 1 :]) - value(base)) for size in (17, 25))
        for k in range(len(breaks))
    ]
    return [int(k) for k in np.argsort(change, kind="stable")]


def _nested_lines(
    f: PointFunction, prefix: Array, order: Sequence[int], breaks: Sequence[Sequence[float]], tol: float
) -> tuple[Array, Array]:
    """E over the last two axes of `order`, the others fixed to each row of prefix in turn, and the errors."""
    *others, second, last = order
    worst = np.zeros(len(prefix))

    def inner(line: Index, z: Array) -> Array:
        head = np.empty((len(order), z.size))
        head[others], head[second] = prefix[line].T, z
        value, error = np.empty(z.size), np.empty(z.size)
        for start in range(0, z.size, CHUNK):
            part = slice(start, start + CHUNK)
            here = head[:, part]

            def on_line(i: Index, x: Array, here: Array = here) -> Array:
                points = here[:, i]
                points[last] = x
                return _values(f, points.T)

            # To rounding: what is left of the inner error is noise to the outer rule, which must not refine it.
            value[part], error[part] = expect_lines(on_line, here.shape[1], breaks[last], 1e-14, width=2.5, limit=256)
        # int e(z) phi(z) dz <= max(e sqrt(phi)) * int sqrt(phi), and that last integral is 2.24.
        np.maximum.at(worst, line, 2.25 * error * np.sqrt(normal_density(z)))
        return value

    value, error = expect_lines(inner, len(prefix), breaks[second], tol, width=2.5, limit=64)
    return value, error + worst


def _values(f: PointFunction, points: Array) -> Array:
    with np.errstate(all="ignore"):
        values = np.asarray(f(points), dtype=np.float64)
    values = np.broadcast_to(values, points.shape[:1])
    if not np.all(np.isfinite(values)):
        where = ", ".join(f"{x:.4g}" for x in points[~np.isfinite(values)][0])
        raise InputError(f"the function is not finite at ({where}); it must be finite almost everywhere")
    return values
