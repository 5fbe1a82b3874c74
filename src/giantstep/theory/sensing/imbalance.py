"""The imbalance B = U^T U - V^T V of two factors, and the factors of the symmetrisation of an asymmetric problem.

Gradient flow on L = (1/2)|A(U V^T) - y|^2 conserves B, for U^T grad_U = (grad_V)^T V. A step of size mu changes it by
mu^2 (grad_U^T grad_U - grad_V^T grad_V), so that, as long as a step lowers L by mu |grad|^2 / 2 at least,

    |B_t| <= |B_0| + 2 mu (L_0 - L_t).

Source: [soltanolkotabi22], lemma in the proof of balancedness.
"""

from __future__ import annotations

from math import sqrt

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


def lemma_ratio(step: float, fall: float, start: float) -> float:
    """The lemma's bound of |B_t|/|B_0|: 1 + 2 mu (L_0 - L_t)/|B_0|. [soltanolkotabi22]

    Args:
        step: mu.
        fall: L_0 - L_t.
        start: |B_0|, above 0.
    """
    require(start > 0, "the factors are balanced at the start, so no ratio is defined")
    return 1 + 2 * step * fall / start


def second_line() -> float:
    """(1/2)|A(D)|^2 = c |B(sym D)|^2 with B_k = Sym(A_k): <Sym A, Sym D> = 2 <A, D>, hence c = 1/8. Derived; the slide
    prints 1/4, which belongs to B_k = Sym(A_k)/sqrt(2)."""
    return 1 / 8


def third_line() -> float:
    """(1/2)|A(D)|^2 = c |B(W W^T - Z Z^T) - B(W~ W~^T - Z~ Z~^T)|^2: W W^T - W~ W~^T = 2 Sym(U V^T), hence c = 1/32.
    Derived; the slide prints 1/4."""
    return 1 / 32
