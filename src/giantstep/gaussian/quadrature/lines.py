"""Expectations of functions of one standard normal variable, with an error that is stated and meant.

    E f(z) = int f(z) phi(z) dz,   phi(z) = exp(-z^2/2)/sqrt(2 pi).

Gauss-Hermite rules are fast for polynomials and converge slowly, without saying so, for anything with a kink or
a sharp transition. The working rule is therefore composite Gauss-Legendre against the density, split at
known kinks and bisected where two levels disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import pi, sqrt

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import whole_number
from giantstep.errors import InputError
from giantstep.gaussian.functions import ArrayFunction

ORDER = 16
"""Gauss-Legendre points per panel: high enough for 1e-16 on a resolved panel, low enough to bisect cheaply."""

FARTHEST = 38.0
"""Beyond this |z| the normal density underflows: a function that still matters there is not integrable."""

ROUNDS = 48
"""Bisections before giving up: a panel at an undeclared jump is then 1e-14 wide."""

PANELS = 4096
"""Panels of one round before giving up: the error then says how far it got."""

EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Estimate:
    """A number and a bound on how wrong it may be.

    Args:
        value: the number.
        error: bound on its absolute error.

    >>> Estimate(0.5, 1e-15)
    Estimate(value=0.5, error=1e-15)
    """

    value: float
    error: float


def normal_density(z: Array) -> Array:
    """phi(z) = exp(-z^2/2)/sqrt(2 pi), in the shape of `z`."""
    return np.asarray(np.exp(-0.5 * z * z) / sqrt(2.0 * pi))


@lru_cache(maxsize=64)
def gauss_hermite(nodes: int) -> tuple[Array, Array]:
    """Nodes and weights (sum 1) for E f(z), z ~ N(0,1), each (nodes,); exact for polynomials of degree 2 `nodes` - 1.

    >>> z, weights = gauss_hermite(3)
    >>> round(float(weights @ z**4), 12)
    3.0
    """
    import scipy

    z, weights = scipy.special.roots_hermitenorm(whole_number("the number of nodes", nodes))
    return _frozen(np.asarray(z)), _frozen(np.asarray(weights / weights.sum()))


@lru_cache(maxsize=64)
def gauss_legendre(nodes: int) -> tuple[Array, Array]:
    """Nodes and weights (sum 2) on [-1, 1], each (nodes,); exact for polynomials of degree 2 `nodes` - 1."""
    t, weights = np.polynomial.legendre.leggauss(nodes)  # its weights are right to 2 ulp, scipy's to 10
    return _frozen(np.asarray(t)), _frozen(np.asarray(weights))


def panel_edges(lo: float, hi: float, breaks: Sequence[float], width: float) -> Array:
    """Edges of panels on [lo, hi], no wider than `width` and with every break inside as an edge."""
    corners = sorted({lo, hi, *(float(b) for b in breaks if lo < b < hi)})
    pieces = [np.linspace(a, b, max(1, int(np.ceil((b - a) / width - 1e-9))) + 1)[:-1] for a, b in pairwise(corners)]
    return np.concatenate([*pieces, [hi]])


def panel_nodes(edges: Array, order: int = ORDER) -> tuple[Array, Array]:
    """Composite Gauss-Legendre nodes and (Lebesgue) weights, each (..., panels, order).

    Args:
        edges: ends of the panels in rising order, (..., panels + 1); each row of a stack is a rule of its own.
        order: Gauss-Legendre points in a panel.
    """
    t, w = gauss_legendre(order)
    half = 0.5 * np.diff(edges)[..., None]
    return 0.5 * (edges[..., 1:] + edges[..., :-1])[..., None] + half * t, half * w


def cut_panels(line: Array, cuts: Array, order: int = ORDER) -> tuple[Array, Array]:
    """Panels that every row cuts at places of its own, as kinks that move from row to row ask for.

    Nodes and (Lebesgue) weights, each (rows, panels, order); a cut beyond the line's ends makes a panel of width 0.

    Args:
        line: edges that all rows share, (edges,), in rising order.
        cuts: where each row is cut besides, (rows, cuts), in any order.
        order: Gauss-Legendre points in a panel.

    >>> z, weight = cut_panels(np.array([-1.0, 1.0]), np.array([[0.0], [0.5]]))
    >>> (weight * np.abs(z - np.array([0.0, 0.5])[:, None, None])).sum(axis=(1, 2)).round(12).tolist()
    [1.0, 1.25]
    """
    shared = np.broadcast_to(line, (len(cuts), len(line)))
    return panel_nodes(np.sort(np.hstack([shared, np.clip(cuts, line[0], line[-1])]), axis=1), order)


def panel_rule(
    breaks: Sequence[float] = (), order: int = ORDER, panels: int = 48, reach: float = 12.0
) -> tuple[Array, Array]:
    """Nodes and weights of a composite Gauss-Legendre rule times the normal density, split at `breaks`.

    Nodes and weights (sum 1 up to the mass beyond the reach), each (panels * order,).

    Args:
        breaks: places that become edges of panels, in z.
        order: Gauss-Legendre points in a panel.
        panels: about how many equal panels the interval is cut into, besides the breaks.
        reach: the interval is [-reach, reach].

    >>> z, w = panel_rule(breaks=(0.0,))
    >>> round(float(w @ np.abs(z)), 12) == round((2 / np.pi) ** 0.5, 12)
    True
    """
    edges = panel_edges(-reach, reach, breaks, 2.0 * reach / panels)
    nodes, weights = panel_nodes(edges, order)
    return nodes.ravel(), (weights * normal_density(nodes)).ravel()


def uniform_rule(points: int, reach: float) -> tuple[Array, Array]:
    """Equally spaced nodes and weights (sum 1) for N(0, 1), each (points,): for integrands that are nearly steps.

    Gauss rules see a step badly; for smooth integrands it is the trapezoid rule, which converges as fast.

    Args:
        points: number of nodes.
        reach: the nodes lie on [-reach, reach], in standard deviations.
    """
    x = np.linspace(-reach, reach, points)
    weight = normal_density(x)
    return x, weight / weight.sum()


def expect(f: ArrayFunction, breaks: Sequence[float] = (), tol: float = 1e-13) -> Estimate:
    """E f(z), z ~ N(0,1), refined until two levels agree to `tol` relative to E|f|.

    If the tolerance cannot be reached the estimate says so in its error.

    A panel is bisected until two things are small: the disagreement between its rule and the rules on its halves, and
    the last Legendre coefficients on the halves. The second matters at a kink, where the two rules may agree by
    accident; it bounds the error there up to a constant near 1 and is far above it where f is smooth. The stated error
    sums the larger of both over the panels, and adds rounding and the mass beyond the last panel.

    Args:
        f: a function of arrays.
        breaks: places where f or its derivative jumps; undeclared ones are found by bisection, only slower.
        tol: relative to E|f|.

    >>> abs(expect(np.tanh).value) < 1e-15
    True
    >>> expect(lambda z: np.maximum(z, 0), breaks=(0,)).value - 0.3989422804014327 < 1e-15
    True
    """
    reach, beyond = _reach(f)
    edges = panel_edges(-reach, reach, breaks, 1.0)
    lo, hi = edges[:-1], edges[1:]
    coarse = _on_panels(f, lo, hi)[0]
    value = error = mass = 0.0
    for attempt in range(ROUNDS):
        mid = 0.5 * (lo + hi)
        left, right = _on_panels(f, lo, mid), _on_panels(f, mid, hi)
        fine, fine_mass, rough = left + right
        gap = np.maximum(np.abs(fine - coarse), rough)
        # A panel is done when its gap is its share of the tolerance; a gap at rounding level cannot be improved.
        # (The density itself is only known to z^2/2 roundings, for its exponent is rounded.)
        share = tol * (mass + float(fine_mass.sum())) / (4.0 * gap.size + 64.0)
        rounding = (16.0 + 2.0 * np.maximum(lo * lo, hi * hi)) * EPS * fine_mass
        bad = gap > np.maximum(share, rounding)
        if attempt == ROUNDS - 1 or gap.size >= PANELS:
            bad[:] = False
        value += float(fine[~bad].sum())
        error += float(gap[~bad].sum())
        mass += float(fine_mass[~bad].sum())
        if not bad.any():
            break
        lo, hi = np.concatenate([lo[bad], mid[bad]]), np.concatenate([mid[bad], hi[bad]])
        coarse = np.concatenate([left[0, bad], right[0, bad]])
    return Estimate(value, error + 16.0 * EPS * mass + beyond)


def _on_panels(f: ArrayFunction, lo: Array, hi: Array) -> Array:
    """On each panel the integrals of f phi and |f| phi, and how far f phi is from being resolved there."""
    _, w = gauss_legendre(ORDER)
    z = panel_points(lo, hi)
    values = _on(f, z.ravel()).reshape(z.shape)
    values = values * normal_density(z) * (0.5 * (hi - lo))[:, None]
    rough = np.abs(values @ roughness().T).max(axis=1)
    values = values[:, 1:-1]
    return np.stack([values @ w, np.abs(values) @ w, rough])


def panel_points(lo: Array, hi: Array) -> Array:
    """The Gauss-Legendre nodes of each panel between its two ends: where `roughness` wants a function's values.

    The ends are taken a few roundings inside, for an end may be a jump of the function.
    """
    t, _ = gauss_legendre(ORDER)
    width = (hi - lo)[:, None]
    inside = np.minimum(8.0 * EPS * np.maximum(np.abs(lo), np.abs(hi))[:, None], 0.01 * width)
    return np.hstack([lo[:, None] + inside, (lo + hi)[:, None] / 2 + 0.5 * width * t, hi[:, None] - inside])


@lru_cache(maxsize=8)
def roughness(order: int = ORDER) -> Array:
    """A matrix R such that R times the values at `panel_points` is small iff the function is resolved on the panel.

    Its rows give the last four Legendre coefficients, and how far the polynomial through the nodes misses
    the ends, times the gap between last node and end: what happens inside that gap is seen by no node.

    Args:
        order: Gauss-Legendre points in the panel.
    """
    t, _ = gauss_legendre(order)
    transform = np.linalg.inv(np.polynomial.legendre.legvander(t, order - 1))
    gap = 1.0 - t[-1]
    matrix = np.zeros((6, order + 2))
    matrix[:4, 1:-1] = transform[-4:]
    matrix[4:, 1:-1] = gap * np.polynomial.legendre.legvander(np.array([-1.0, 1.0]), order - 1) @ transform
    matrix[4, 0] = matrix[5, -1] = -gap
    return _frozen(matrix)


def _reach(f: ArrayFunction) -> tuple[float, float]:
    """How far out the function must be integrated, and the mass left outside."""

    def weighted(z: Array, finite: bool) -> Array:
        return np.asarray(np.abs(_on(f, z, finite)) * normal_density(z))

    scale = weighted(np.linspace(-8.0, 8.0, 66), True).max()
    for reach in np.arange(10.0, FARTHEST + 1.0, 2.0):
        edge = weighted(np.array([-reach, -reach + 0.5, reach - 0.5, reach]), False)
        # What is left may be judged by the function's size, or be below 1e-100 whatever the function does.
        if np.isfinite(edge).all() and edge.max() <= max(1e-18 * scale, 1e-100):
            return float(reach), float(edge[0] + edge[3])
        scale = np.maximum(scale, edge.max())  # a function may live far out: relu(z - 9)
    raise InputError("the function grows too fast to have an expectation under the normal law")


def _on(f: ArrayFunction, z: Array, finite: bool = True) -> Array:
    with np.errstate(all="ignore"):
        values = np.broadcast_to(np.asarray(f(z), dtype=np.float64), z.shape)
    if finite and not np.all(np.isfinite(values)):
        where = z[~np.isfinite(values)][0]
        raise InputError(f"the function is not finite at {where:.6g}; it must be finite almost everywhere")
    return values


def _frozen(array: Array) -> Array:
    array.flags.writeable = False
    return array
