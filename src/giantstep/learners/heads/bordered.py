"""Ridge regression with a constant that no penalty holds, and what it says of each row when fitted without it.

With rows multiplied by the roots r of their weights, G = (M + rho)^-1 and e = G r,

    beta = G (r y) - e b,     b = e'(r y)/(e'r),
    error of the fit without row i on it = beta_i / (r_i (G_ii - e_i^2/(e'r))) .

The error is exact and knows that b was fitted to row i too. (Centring M instead and dividing by G_ii fails where rho
is small and features are more than rows: the constant is then fitted without a penalty but counted as if it had one.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array


@dataclass(frozen=True, eq=False)
class BorderedFits:
    """Fits of k labels for each of L penalties.

    Args:
        dual: beta, (L, n, k).
        intercept: b, (L, k).
        held_out: y_i minus what the fit without row i says, (L, n, k); infinite for a penalty below rounding.
    """

    dual: Array
    intercept: Array
    held_out: Array


def bordered(solved: Array, inverse_diagonal: Array, roots: Array) -> BorderedFits:
    """Fits with a constant from what is known of G.

    Args:
        solved: G (r y) for each label and, as the last column, G r: (L, n, k + 1).
        inverse_diagonal: G_ii, (L, n).
        roots: r, (n,).
    """
    constant = solved[:, :, -1:]
    total = (roots @ constant)[:, None]  # e'r, (L, 1, 1)
    intercept = (roots @ solved[:, :, :-1])[:, None] / total
    dual = solved[:, :, :-1] - constant * intercept
    with np.errstate(divide="ignore", invalid="ignore"):
        held_out = dual / (roots[:, None] * (inverse_diagonal[:, :, None] - constant**2 / total))
    held_out[~np.isfinite(held_out)] = np.inf
    return BorderedFits(dual, intercept[:, 0], held_out)
