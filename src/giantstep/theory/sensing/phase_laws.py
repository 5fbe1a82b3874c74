"""The phases of gradient descent on U U^T from a small start: power method, saddle avoidance, refinement.

First phase, for any operator: U_t = (I + mu Z)^t U_0 up to O(|U_t|^3), the power method on Z ([ss21]).

Infinitely many measurements: see `courses`, which knows the whole run.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log, sqrt

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.checks import require
from giantstep.errors import InputError

LINEAR = 0.03  # below this size of the signal the power method needs no correction


def power_method(spectral: Array, start: Array, step: float) -> Iterator[Array]:
    """(I + mu Z)^t U_0 for t = 0, 1, 2, ..., in the eigenbasis of Z, eigenvalues ascending; divided by its norm's
    growth.

    Every matrix is scaled by (1 + mu l_max)^-t, so that nothing overflows; spaces and ratios do not change. [ss21]

    Args:
        spectral: Z, symmetric, (d, d).
        start: U_0, (d, r).
        step: mu.
    """
    values, vectors = scipy.linalg.eigh(spectral)
    growth = (1 + step * values) / (1 + step * values[-1])
    current = vectors.T @ start
    while True:
        yield current
        current = growth[:, None] * current


def power_iterates(spectral: Array, start: Array, step: float) -> Iterator[Array]:
    """(I + mu Z)^t U_0 itself for t = 0, 1, 2, ..., which grows without bound. [ss21]

    Args:
        spectral: Z, symmetric, (d, d).
        start: U_0, (d, r).
        step: mu.
    """
    current = start
    while True:
        yield current
        current = current + step * (spectral @ current)


def power_angle(current: Array, count: int) -> float:
    """The sine of the largest principal angle between the leading left singular vectors of a matrix and the leading
    eigenvectors of Z.

    Args:
        current: the matrix in the eigenbasis of Z, eigenvalues ascending, (d, r).
        count: how many vectors lead.
    """
    space = leading_space(current, count)
    return min(1.0, float(np.linalg.norm(space[: len(space) - count], 2)))


def leading_space(matrix: Array, count: int) -> Array:
    """The `count` leading left singular vectors."""
    return np.asarray(np.linalg.svd(matrix, full_matrices=False)[0][:, :count])


def alignment_time(
    spectral: Array, start: Array, count: int, step: float, steps: int = 10**5, *, sine: float = 0.5
) -> int:
    """First t at which the leading left singular space of (I + mu Z)^t U_0 is within an angle of the leading eigenspace
    of Z whose sine is given. [ss21]

    Args:
        spectral: Z, symmetric, (d, d).
        start: U_0, (d, r).
        count: dimension of both spaces.
        step: mu.
        steps: most iterations before it is refused.
        sine: of the largest angle allowed.
    """
    for t, current in enumerate(power_method(spectral, start, step)):
        if power_angle(current, count) <= sine:
            return t
        if t >= steps:
            break
    raise InputError(f"the power method does not align within {steps} iterations; take more columns or measurements")


def scalar_escape(signal: float, level: float, step: float, steps: int = 10**6, *, top: float = 1.0) -> int:
    """Iterations of u <- u (1 + mu (l - u^2)) until u >= level; l = `top` is 1 for infinitely many measurements."""
    require(signal > 0, "the signal at the start must be positive")
    for t in range(steps):
        if signal >= level:
            return t
        signal *= 1 + step * (top - signal**2)
    raise InputError(f"the signal does not grow to {level:g} within {steps} iterations; start from a larger scale")


def escape_time(spectral: Array, basis: Array, start: Array, step: float, level: float) -> int:
    """When the weakest signal sigma_min(X^T U_t) passes a level: the power method while it is below 0.03, then
    `scalar_escape` at the growth that it had. Derived.

    Args:
        spectral: Z, symmetric, (d, d).
        basis: X, orthonormal, (d, r*).
        start: U_0, (d, r).
        step: mu.
        level: of the signal, between 0 and 1.
    """
    values, vectors = scipy.linalg.eigh(spectral)
    onto = basis.T @ vectors
    current = vectors.T @ start
    weakest, t, rate = 0.0, 0, 1.0
    while weakest < LINEAR and t < 10**5:
        before = weakest
        weakest = float(np.linalg.svd(onto @ current, compute_uv=False)[-1])
        rate = weakest / before if before else rate
        current, t = current * (1 + step * values)[:, None], t + 1
    return t - 1 + scalar_escape(weakest, level, step, top=max(1.0, (rate - 1) / step))


def error_plateau(d: int, true_rank: int, rank: int, scale: float, energy: float | None = None) -> float:
    """The mean-square relative error that stays for m = infinity: alpha^2 sqrt(p q (p + q + 1)) / (r |X X^T|) with
    p = d - r*, q = r - r*, for entries alpha N(0, 1/r). Derived from the fourth moment of a Gaussian matrix.

    Args:
        d: rows of U.
        true_rank: r*.
        rank: r, columns of U.
        scale: alpha of the start.
        energy: |X X^T|^2; r* if not given, as for an orthonormal X.
    """
    p, q = d - true_rank, rank - true_rank
    return scale**2 * sqrt(p * q * (p + q + 1)) / (rank * sqrt(true_rank if energy is None else energy))


def talk_total(d: int, true_rank: int, rank: int, step: float, scale: float, condition: float = 1.0) -> float:
    """The slide's total for |X| = 1: (1/(mu sigma_min^2)) [ln(2 kappa^2 sqrt(d/min(r, d))) + ln(sigma_min/alpha)
    + ln(max(1, kappa r*/(min(r, d) - r*)) / alpha)], an order of magnitude and an upper bound; infinite for r = r*.

    Args:
        d: rows of U.
        true_rank: r*.
        rank: r, columns of U.
        step: mu.
        scale: alpha of the start.
        condition: kappa, largest over smallest singular value of X.
    """
    smallest, free = 1 / condition, min(rank, d) - true_rank
    if free == 0:
        return float("inf")
    phases = (
        log(2 * condition**2 * sqrt(d / min(rank, d))),
        log(smallest / scale),
        log(max(1.0, condition * true_rank / free) / scale),
    )
    return sum(phases) / (step * smallest**2)


def total_bound(d: int, true_rank: int, rank: int, step: float, scale: float, condition: float = 1.0) -> float:
    """The slide's total with the rates that gradient descent has, for |X| = 1, infinitely many measurements and a step
    below 1: the weakest signal grows by 1 + mu s^2 a step, s = 1/kappa, cross terms shrink from alpha to alpha^2 by 1 -
    mu s^2, the signals' own errors from 1 to alpha^2 by 1 - 2 mu s^2 or, for the strongest, |1 - 2 mu|:

        ln(2 kappa^2 sqrt(d/min(r, d)) s/alpha)/ln(1 + mu s^2)
            + max(ln(c/alpha)/-ln(1 - mu s^2), ln(c/alpha^2)/-ln max(|1 - 2 mu|, |1 - 2 mu s^2|)),

    c = max(1, kappa r*/(min(r, d) - r*)). An upper bound for true ranks well below d, infinite for r = r*. Derived; the
    constants are those of the slide, see `talk_total`.

    Args:
        d: rows of U.
        true_rank: r*.
        rank: r, columns of U.
        step: mu, below 1.
        scale: alpha of the start.
        condition: kappa, largest over smallest singular value of X.
    """
    columns, weak = min(rank, d), condition**-2
    if columns == true_rank:
        return float("inf")
    constant = max(1.0, condition * true_rank / (columns - true_rank))
    slowest = max(abs(1 - 2 * step), abs(1 - 2 * step * weak))
    across = log(constant / scale) / -log(1 - step * weak)
    inside = log(constant / scale**2) / -log(slowest) if slowest > 0 else 0.0
    return log(2 * condition * sqrt(d / columns) / scale) / log(1 + step * weak) + max(across, inside)
