"""E[f(u) g(v)] for functions without closed form, one value per pair (scale of u, scale of v, correlation).

With s_f(r z) = sum al_k(r) h_k(z) and Mehler's formula,

    E[f(u) g(v)] = sum_k al_k(r_u) be_k(r_v) rho^k,

and after degree K the rest is at most |rho|^{K+1} sqrt(tail_f(K) tail_g(K)) (Cauchy-Schwarz, tails by
Parseval). The degree is doubled until that bound meets the tolerance; pairs too correlated for any degree below
the cap are integrated directly, and |rho| = 1 is a one-dimensional integral.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array
from giantstep.gaussian.functions import ArrayFunction, Index
from giantstep.gaussian.hermite.series import Expansion, expand
from giantstep.gaussian.kernels.near_one import collinear_pairs, correlated_pair

DEGREE_CAP = 8192
"""Pairs that need more are integrated directly; already above 640 if they are so few that it is cheaper."""

DEGREES = np.array([*range(8), *np.round(8.0 * 2.0 ** np.arange(0, 10.01, 0.25)).astype(int)])
"""The ladder of degrees at which a series may stop."""


@dataclass(frozen=True)
class Side:
    """One function of the pair at its distinct scales; `exact_degree` if it is a polynomial."""

    function: ArrayFunction
    scales: Array
    exact_degree: int | None = None


def pair_kernel(f: Side, g: Side, iu: Index, iv: Index, rho: Array, tol: float) -> Array:
    """E[f(u) g(v)] for pairs (f.scales[iu], g.scales[iv], rho), each within tol * sqrt(E f(u)^2 E g(v)^2)."""
    out = np.empty(rho.size)
    todo = np.arange(rho.size)
    degree = first_degree(float(np.abs(rho).max(initial=0.0)), tol)
    open_pairs = np.abs(rho) < 1.0
    if f.exact_degree is not None or g.exact_degree is not None:
        open_pairs[:] = True  # a finite sum, right for every rho
        degree = min(d for d in (f.exact_degree, g.exact_degree) if d is not None)
    line = todo[~open_pairs]
    out[line] = collinear_pairs(f.function, g.function, f.scales[iu[line]], rho[line] * g.scales[iv[line]])
    todo = todo[open_pairs]
    while todo.size:
        used_u, ju = np.unique(iu[todo], return_inverse=True)
        used_v, jv = np.unique(iv[todo], return_inverse=True)
        a = expand(f.function, f.scales[used_u], degree)
        same = f.function is g.function and np.array_equal(f.scales[used_u], g.scales[used_v])
        b = a if same else expand(g.function, g.scales[used_v], degree)
        needed = needed_degree(a, b, ju, jv, rho[todo], tol)
        if f.exact_degree is not None or g.exact_degree is not None:
            needed = np.minimum(needed, degree)
        ready = needed <= degree
        out[todo[ready]] = sum_pairs(
            a.coefficients, b.coefficients, ju[ready], jv[ready], rho[todo[ready]], needed[ready]
        )
        todo = todo[~ready]
        if degree >= DEGREE_CAP or (degree >= 640 and todo.size <= degree // 128):
            break
        degree = min(2 * degree, DEGREE_CAP)
    for n in todo:
        out[n] = correlated_pair(f.function, g.function, float(f.scales[iu[n]]), float(g.scales[iv[n]]), float(rho[n]))
    return out


def first_degree(rho: float, tol: float) -> int:
    """A first guess: the degree at which |rho|^K alone meets the tolerance, at most 64."""
    if rho == 0.0:
        return 1
    if rho >= 1.0:
        return 64
    return int(np.clip(np.log(tol) / np.log(rho), 1, 64))


def needed_degree(a: Expansion, b: Expansion, iu: Index, iv: Index, rho: Array, tol: float) -> Index:
    """The smallest degree of the ladder whose tail bound meets tol, for each pair; above a.degree if none does."""
    scale = np.sqrt(a.second_moment[iu] * b.second_moment[iv])
    needed = np.full(rho.size, np.iinfo(np.intp).max, dtype=np.intp)
    needed[scale == 0.0] = 0
    open_pairs = np.flatnonzero(scale > 0.0)
    size = np.abs(rho)
    ladder = DEGREES[a.degree > DEGREES]
    for degree in (*ladder, a.degree):
        tails = np.sqrt(a.tail(degree)), np.sqrt(b.tail(degree))
        i, j = iu[open_pairs], iv[open_pairs]
        met = size[open_pairs] ** (degree + 1) * tails[0][i] * tails[1][j] <= tol * scale[open_pairs]
        needed[open_pairs[met]] = degree
        open_pairs = open_pairs[~met]
        if not open_pairs.size:
            break
    return needed


def sum_pairs(a: Array, b: Array, iu: Index, iv: Index, rho: Array, needed: Index) -> Array:
    """sum_{k <= needed} a_k[iu] b_k[iv] rho^k by Horner's rule, pairs sorted so that each costs its own degree."""
    order = np.argsort(needed, kind="stable")
    out = np.empty(rho.size)
    for start in range(0, order.size, 16_384):
        part = order[start : start + 16_384]
        top = int(needed[part[-1]])
        i, j, x = iu[part], iv[part], rho[part]
        total = a[top][i] * b[top][j]
        for k in range(top - 1, -1, -1):
            total *= x
            total += a[k][i] * b[k][j]
        out[part] = total
    return out
