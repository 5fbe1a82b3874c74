"""The generative exponent of a single-index target y = g(z), z ~ N(0, 1), without label noise ([dpvlb24]).

    zeta_k(y) = E[h_k(z) | g(z) = y],   lambda_k^2 = E zeta_k(y)^2,   k* = min{ k >= 1 : lambda_k != 0 },

h_k = He_k/sqrt(k!). A learner that may transform labels needs n ~ d^max(1, k*/2) samples, whatever the information
exponent is.

Polynomials (derived): k* = 2 if g is even, else 1. For large |y| at most two roots z- < 0 < z+ are left. If there is
one, it is E[z | y]. If there are two, E[z | y] = 0 says that phi(z+) and phi(z-) have the same derivative in y (since
dz/dy = 1/g'), and both go to 0: so |z+| = |z-| for all large y, and g is even. Then z^2 is a function of y far out, and
E[z^2 - 1 | y] is not zero.

Otherwise: lambda_k = 0 if and only if E[exp(i w g(z)) h_k(z)] = 0 for all w; it is looked at on a grid of w.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

from giantstep.arrays import Array
from giantstep.gaussian.hermite import hermite, hermite_coefficients
from giantstep.gaussian.quadrature import expect, gauss_legendre
from giantstep.problems.analysis.landscape import Landscape

if TYPE_CHECKING:
    from giantstep.problems.activation import Activation


STRENGTHS = 4
"""How many of the numbers lambda_1^2, lambda_2^2, ... are computed."""
FREQUENCIES = (0.3, 0.7, 1.1, 1.9, 3.1)
"""The w on which the characteristic function is looked at, in units of one over the standard deviation of g."""
TOLERANCE = 1e-9
"""What counts as zero there."""
_REACH = 9.0  # beyond it lies 1e-19 of the probability
_FAR = 14.0  # a root beyond it weighs nothing


@dataclass(frozen=True)
class Generative:
    """k*, the numbers lambda_1^2, lambda_2^2, ... (for polynomials), and a sentence on how it was decided."""

    exponent: int | None
    strengths: tuple[float, ...]
    reason: str


def generative(landscape: Landscape) -> Generative:
    """The generative exponent of a target that depends on one direction."""
    target = landscape.target
    if len(landscape.space) != 1:
        return Generative(None, (), "defined here for targets of one direction only")
    if target.is_polynomial:
        series = landscape.terms.along(landscape.space[0])
        even = max(map(abs, series[1::2])) <= 1e-14 * max(map(abs, series))  # exact ones are exactly zero
        return Generative(2 if even else 1, strengths(_powers(series)), "exact: 2 for even polynomials, else 1")
    pair = target.single_index
    if pair is None:
        return Generative(None, (), "the target is written with several directions")
    return _by_frequencies(pair[0])


def _powers(series: Sequence[float]) -> Array:
    """The power coefficients of sum_k c_k He_k."""
    result = np.zeros(len(series))
    for k, c in enumerate(series):
        result[: k + 1] += c * np.array(hermite_coefficients(k), dtype=np.float64)
    return result


def strengths(coefficients: Array, count: int = STRENGTHS) -> tuple[float, ...]:
    """lambda_1^2, ..., lambda_count^2 of a polynomial with these power coefficients.

    zeta_k(y) = sum_j h_k(z_j) w_j / sum_j w_j over the real roots z_j of g(z) = y, w_j = phi(z_j)/|g'(z_j)|, and
    lambda_k^2 = E[h_k(z) zeta_k(g(z))]. At the preimages of critical values zeta_k has square-root ends; between two of
    them z = a + (b - a) s^2 (3 - 2 s) makes the integrand smooth.
    """
    g = Polynomial(np.trim_zeros(coefficients, "b"))
    roots: NDArray[Any] = g.deriv().roots() if g.degree() > 1 else np.zeros(0)
    turns = np.sort(roots.real[np.abs(roots.imag) < 1e-7 * (1 + np.abs(roots))])
    turns = turns[np.abs(turns) < _FAR]
    branches = list(itertools.pairwise((-_FAR, *turns, _FAR)))
    # Turning points and their other preimages: there the number of roots changes.
    others = [root[inside] for branch in branches for root, inside in [_inverse(g, branch, g(turns))]]
    ends = np.unique(np.concatenate([turns, *others, [-_REACH, _REACH]]))
    ends = ends[np.abs(ends) <= _REACH]
    nodes, weights = gauss_legendre(40)
    s = (nodes + 1) / 2
    pieces = [np.linspace(a, b, math.ceil(b - a) + 1) for a, b in itertools.pairwise(ends)]
    left, width = np.concatenate([p[:-1] for p in pieces]), np.concatenate([np.diff(p) for p in pieces])
    z = (left[:, None] + width[:, None] * (s * s * (3 - 2 * s))).ravel()
    mass = (width[:, None] * weights * 3 * s * (1 - s)).ravel() * np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    totals = _own_part(g, branches, z, count) @ mass
    even = not np.any(coefficients[1::2])  # then zeta_k = 0 for odd k
    return tuple(0.0 if even and k % 2 else float(total) for k, total in enumerate(totals, 1))


def _inverse(g: Polynomial, branch: tuple[float, float], y: Array) -> tuple[Array, NDArray[np.bool_]]:
    """The root of g(z) = y in an interval where g is monotone, and whether there is one."""
    low, high = np.full(y.shape, branch[0]), np.full(y.shape, branch[1])
    rising = g(branch[1]) > g(branch[0])
    inside = (y > min(g(branch[0]), g(branch[1]))) & (y < max(g(branch[0]), g(branch[1])))
    for _ in range(60):
        middle = (low + high) / 2
        below = (g(middle) < y) == rising
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return (low + high) / 2, inside


def _own_part(g: Polynomial, branches: Sequence[tuple[float, float]], z: Array, count: int) -> Array:
    """h_k(z) zeta_k(g(z)) for k = 1, ..., count (rows)."""
    slope, y = g.deriv(), g(z)
    total, tops = np.zeros(z.shape), np.zeros((count, *z.shape))
    orders = range(1, count + 1)
    for branch in branches:
        # On its own branch the root is z itself.
        own = (z >= branch[0]) & (z < branch[1])
        root, inside = _inverse(g, branch, y)
        root = np.where(own, z, root)
        # Weights relative to that of z, so that nothing underflows.
        logs = np.log(np.maximum(np.abs(slope(z)), 1e-300)) - np.log(np.maximum(np.abs(slope(root)), 1e-300))
        chance = np.exp(np.clip((z * z - root * root) / 2 + logs, -700, 300))
        chance = np.where(own, 1.0, np.where(inside, chance, 0.0))
        total += chance
        tops += np.array([hermite(k, root) / math.sqrt(math.factorial(k)) for k in orders]) * chance
    return np.array([hermite(k, z) / math.sqrt(math.factorial(k)) for k in orders]) * tops / total


def _by_frequencies(g: Activation) -> Generative:
    m = g.moments
    size = math.sqrt(max(m.second_moment - m.mu0**2, 1e-300))
    for k in range(1, 7):
        largest = 0.0
        if not (k % 2 and g.is_even):
            for frequency in FREQUENCIES:
                w = frequency / size

                def value(z: Array, k: int = k, w: float = w, wave: Any = np.cos) -> Array:
                    return np.asarray(wave(w * (g(z) - m.mu0)) * hermite(k, z) / math.sqrt(math.factorial(k)))

                def other(z: Array, value: Any = value) -> Array:
                    return np.asarray(value(z, wave=np.sin))

                largest = max(largest, *(abs(expect(part, g.kinks).value) for part in (value, other)))
                if largest > 1e3 * TOLERANCE:
                    break
        if largest > TOLERANCE:
            doubt = "" if largest > 1e3 * TOLERANCE else ", near the tolerance"
            return Generative(k, (), f"by quadrature, zero below {TOLERANCE:.0e}{doubt}")
    return Generative(None, (), f"none up to 6 by quadrature, zero below {TOLERANCE:.0e}")
