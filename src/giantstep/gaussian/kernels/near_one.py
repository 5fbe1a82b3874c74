"""Pairs so correlated that no series of moderate degree converges: direct integration.

With rho = cos 2t and independent standard normal a, b the pair is

    u = r_u (cos t a + sin t b),      v = r_v (cos t a - sin t b),

so for |rho| near 1 the functions vary with a and only slowly with b. The inner integral over a is split
wherever f or g needs it (places that move linearly with b); as a function of b it is smooth except where a kink of
f passes a kink of g, and those b are the breaks of the outer integral, whose panels are halved until two sizes
agree. Derived.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from giantstep.arrays import Array
from giantstep.gaussian.functions import ArrayFunction, evaluate, kinks_of
from giantstep.gaussian.hermite.series import expand
from giantstep.gaussian.quadrature.lines import cut_panels, normal_density, panel_nodes, panel_rule
from giantstep.gaussian.quadrature.resolution import octaves, resolve, scaled_edges


def collinear_pairs(f: ArrayFunction, g: ArrayFunction, r: Array, s: Array) -> Array:
    """E f(r z) g(s z) for one standard normal z: r > 0, s of either sign, elementwise."""
    out = np.empty(r.size)
    for h, side in ((g, s > 0.0), (Mirrored(g), s < 0.0)):
        own = np.flatnonzero(side)
        alike = (np.abs(r[own] - np.abs(s[own])) <= 1e-14 * r[own]) & (h is f)
        out[own[alike]] = expand(f, r[own[alike]], 0).second_moment
        own = own[~alike]
        for first in octaves(r[own]):
            for second in octaves(np.abs(s[own[first]])):
                members = own[first[second]]
                out[members] = _same_line(f, h, r[members], np.abs(s[members]))
    return out


def _same_line(f: ArrayFunction, g: ArrayFunction, r: Array, s: Array) -> Array:
    """E f(r z) g(s z) for positive scales within a factor 2 of each other in r and in s."""
    sides = [resolve(h, kinks_of(h), float(x.min()), float(x.max())) for h, x in ((f, r), (g, s))]
    shared = not any(side.moving for side in sides)
    out = np.empty(r.size)
    groups = np.array_split(np.arange(r.size), 1 + r.size // 512) if shared else np.arange(r.size)[:, None]
    for members in groups:
        a, b = r[members], s[members]
        here = sides if shared else [sides[0].at(float(a[0])), sides[1].at(float(b[0]))]
        z, w = (x.ravel() for x in panel_nodes(scaled_edges(here, 0)))
        values = evaluate(f, a[:, None] * z) * evaluate(g, b[:, None] * z)
        out[members] = values @ (w * normal_density(z))
    return out


def correlated_pair(f: ArrayFunction, g: ArrayFunction, r: float, s: float, rho: float) -> float:
    """E f(u) g(v) with sd u = r > 0, sd v = s > 0 and correlation rho, best for |rho| near 1."""
    if rho < 0.0:  # v -> -v
        return correlated_pair(f, Mirrored(g), r, s, -rho)
    cos_t, sin_t = sqrt(0.5 * (1.0 + rho)), sqrt(0.5 * (1.0 - rho))
    rf, rg = resolve(f, kinks_of(f), r, r), resolve(g, kinks_of(g), s, s)
    ends = max(rf.reach, rg.reach) * np.array([-1.0, 1.0])

    def inner(b: Array) -> Array:
        shift = sin_t * b[:, None]
        cuts = np.hstack([(rf.edges / r - shift) / cos_t, (rg.edges / s + shift) / cos_t])
        a, w = cut_panels(ends, cuts)
        shift = shift[..., None]
        values = evaluate(f, r * (cos_t * a + shift)) * evaluate(g, s * (cos_t * a - shift))
        return np.asarray((w * normal_density(a) * values).sum(axis=(1, 2)))

    crossings = [(x / r - y / s) / (2.0 * sin_t) for x in rf.kinks for y in rg.kinks]
    value = previous = np.inf
    for panels in (5, 10, 20, 40, 80):
        b, weights = panel_rule(crossings, panels=panels, reach=9.0)
        products = weights * inner(b)
        value, previous = float(products.sum()), value
        if abs(value - previous) <= 1e-12 * float(np.abs(products).sum()):
            break
    return value


class Mirrored:
    """z -> h(-z), with its kinks."""

    def __init__(self, h: ArrayFunction) -> None:
        self._h = h
        self.kinks = tuple(-k for k in kinks_of(h))

    def __call__(self, z: Any) -> Any:
        return self._h(-z)
