"""The imbalance B = U^T U - V^T V of two factors, and the factors of the symmetrisation of an asymmetric problem.

Gradient flow on L = (1/2)|A(U V^T) - y|^2 conserves B, for U^T grad_U = (grad_V)^T V. A step of size mu changes it by
mu^2 (grad_U^T grad_U - grad_V^T grad_V), so that, as long as a step lowers L by mu |grad|^2 / 2 at least,

    |B_t| <= |B_0| + 2 mu (L_0 - L_t).

Source: [soltanolkotabi22], lemma in the proof of balancedness.

The drift itself is much smaller than that: R = A*(y - A(U V^T)) changes B by mu^2 (V^T R^T R V - U^T R R^T U), which
vanishes while U and V are singular vectors of Z = A*(y), and again at the truth. In between the factors turn from the
one to the other. For a truth x y^T of rank 1 and balanced signals u, with R x, R y = a (y, x) + (g_V, g_U) and factors
u (x + delta_U), u (y + delta_V), the change is u^2 (|g_U - a delta_U|^2 - |g_V - a delta_V|^2): all of T turns alike,
and the two sides differ in what the measurements drew, (I - x x^T) Z y and (I - y y^T) Z^T x. So

    |B_T - B_0| = S | |(I - x x^T) Z y|^2 - |(I - y y^T) Z^T x|^2 | / (dim T/m),       S = `Refinement.turning()`,

whatever alpha. Derived, up to terms of order s^2. The signal's own share of B_0 meanwhile shrinks by 1 - mu^2 l^2 a
step, l the leading singular value of Z: with z_U, z_V its vectors, p = U^T z_U and q = V^T z_V grow as p <- p + mu l q
and q <- q + mu l p, so that p p^T - q q^T shrinks.
"""

from __future__ import annotations

from math import erf, exp, log, pi, sqrt

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import require


def imbalance_at_start(rows: int, columns: int, rank: int) -> float:
    """sqrt(E|B_0|^2) / alpha^2 for entries alpha N(0, 1):
    E|B_0|^2 = alpha^4 [r ((d1 - d2)^2 + 2 (d1 + d2)) + r (r - 1)(d1 + d2)]. Derived from Gaussian moments.

    Args:
        rows: d1, of U.
        columns: d2, rows of V.
        rank: r, columns of both.
    """
    total = rows + columns
    return sqrt(rank * ((rows - columns) ** 2 + 2 * total) + rank * (rank - 1) * total)


def drift_on_draw(spectral: Array, left: Array, right: Array, turning: float, ratio: float) -> float:
    """B_T - B_0 along the signal, of gradient descent on U V^T from a small start, see the module; for a truth of rank
    1. Positive if U grows more.

    Args:
        spectral: Z = A*(y), (d1, d2).
        left: x, (d1, 1), a unit vector.
        right: y, (d2, 1), a unit vector.
        turning: S of the setting, `Refinement.turning()`.
        ratio: dim T/m.
    """
    forward, back = spectral @ right, spectral.T @ left
    sides = [float(np.sum((z - x * (x.T @ z)) ** 2)) for z, x in ((forward, left), (back, right))]
    return turning * (sides[0] - sides[1]) / ratio


def imbalance_on_draw(spectral: Array, left: Array, right: Array, step: float, drift: float) -> float:
    """|B_T|/|B_0| of gradient descent on U V^T for a truth of rank 1, see the module.

    Args:
        spectral: Z = A*(y), (d1, d2).
        left: U_0, (d1, r).
        right: V_0, (d2, r).
        step: mu.
        drift: `drift_on_draw`, of the same Z.
    """
    vectors, values, across = np.linalg.svd(spectral, full_matrices=False)
    p, q = vectors[:, 0] @ left, across[0] @ right
    grown = (p + q) / 2
    steps = max(0.0, log(1 / float(np.linalg.norm(grown))) / log(1 + step * float(values[0])))
    shrunk = (1 - (step * float(values[0])) ** 2) ** steps
    start = left.T @ left - right.T @ right
    end = start + (shrunk - 1) * (np.outer(p, p) - np.outer(q, q)) + drift * np.outer(grown, grown) / (grown @ grown)
    return float(np.linalg.norm(end) / np.linalg.norm(start))


def mean_drift(rows: int, columns: int, turning: float) -> float:
    """E|B_T - B_0|: both sides of `drift_on_draw` are chi-squared, so that their difference is about normal with mean
    d1 - d2 and variance 2 (d1 + d2), in units of S/(d1 + d2).

    Args:
        rows: d1, of U.
        columns: d2, rows of V.
        turning: S of the setting, `Refinement.turning()`.
    """
    mean, deviation = abs(rows - columns), sqrt(2 * (rows + columns))
    folded = deviation * sqrt(2 / pi) * exp(-((mean / deviation) ** 2) / 2) + mean * erf(mean / deviation / sqrt(2))
    return turning * folded / (rows + columns)


def lemma_ratio(step: float, fall: float, start: float) -> float:
    """The lemma's bound of |B_t|/|B_0|: 1 + 2 mu (L_0 - L_t)/|B_0|. [soltanolkotabi22]

    Args:
        step: mu.
        fall: L_0 - L_t.
        start: |B_0|, above 0.
    """
    require(start > 0, "the factors are balanced at the start, so no ratio is defined")
    return 1 + 2 * step * fall / start


def first_share(spectral: Array, left: Array, right: Array, step: float) -> float:
    """|B_1 - B_0| over 2 mu (L_0 - L_1) from a start so small that the residual is y: the first step takes U to
    U + mu Z V and V to V + mu Z^T U, changes B by mu^2 (V^T Z^T Z V - U^T Z Z^T U), and lowers L by <Z, U_1 V_1^T - U_0
    V_0^T>. Derived.

    Args:
        spectral: Z = A*(y), (d1, d2).
        left: U_0, (d1, r).
        right: V_0, (d2, r).
        step: mu.
    """
    up, across = spectral @ right, spectral.T @ left
    change = step**2 * float(np.linalg.norm(up.T @ up - across.T @ across))
    fall = step * float(np.sum(up**2) + np.sum(across**2)) + step**2 * float(np.sum((spectral @ across) * up))
    return change / (2 * step * fall)


def lifted_line() -> float:
    """(1/2)|A(U V^T - X Y^T)|^2 = c |B(W W^T - Z Z^T)|^2 with B_k = Sym(A_k): Sym(A) has no diagonal blocks, so that
    <B_k, W W^T> = 2 <A_k, U V^T> and c = 1/8, whatever U^T U - V^T V. Derived; the slide prints 1/4."""
    return 1 / 8


def second_line() -> float:
    """(1/2)|A(D)|^2 = c |B(sym D)|^2 with B_k = Sym(A_k): <Sym A, Sym D> = 2 <A, D>, hence c = 1/8. Derived; the slide
    prints 1/4, which belongs to B_k = Sym(A_k)/sqrt(2)."""
    return 1 / 8


def third_line() -> float:
    """(1/2)|A(D)|^2 = c |B(W W^T - Z Z^T) - B(W~ W~^T - Z~ Z~^T)|^2: W W^T - W~ W~^T = 2 Sym(U V^T), hence c = 1/32.
    Derived; the slide prints 1/4."""
    return 1 / 32
