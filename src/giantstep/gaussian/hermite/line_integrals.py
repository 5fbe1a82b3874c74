"""E[h_b(t) h_c(t) K(t)] for all b <= left, c <= right at once, t ~ N(0,1), by adaptive quadrature on shared panels.

K is evaluated once per node and serves the whole table; a panel is bisected while any entry disagrees with the sum
over its halves. h_k = He_k/sqrt(k!).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from giantstep.arrays import Array
from giantstep.gaussian.hermite.polynomials import hermite_table
from giantstep.gaussian.quadrature.lines import EPS, normal_density, panel_edges, panel_nodes

ROUNDS = 45
"""Most bisections of one panel."""
MAX_PANELS = 1500
"""Most panels bisected in one round; a function that needs more is integrated as well as it goes."""


def line_moments(
    value: Callable[[Array], Array], breaks: Sequence[float], reach: float, left: int, right: int
) -> tuple[Array, float]:
    """The table E[h_b(t) h_c(t) K(t)], (left + 1, right + 1), and a bound on the error of its entries.

    The error is the sum of the disagreements, which bounds that of the coarser of two values, plus rounding.

    Args:
        value: K, a function of arrays (places,).
        breaks: places where K or its derivative jumps.
        reach: t is integrated over [-reach, reach].
        left: the highest b.
        right: the highest c.
    """

    def on_panels(lo: Array, hi: Array) -> tuple[Array, Array]:
        t, weights = (part[:, 0] for part in panel_nodes(np.stack([lo, hi], axis=1)))
        with np.errstate(all="ignore"):
            weighted = value(t.ravel()).reshape(t.shape) * normal_density(t) * weights
        tables = hermite_table(max(left, right), t, normalised=True).transpose(1, 0, 2)
        rows = tables[:, : left + 1] * weighted[:, None, :]
        columns = tables[:, : right + 1].transpose(0, 2, 1)
        return rows @ columns, (np.abs(rows) @ np.abs(columns)).max(axis=(1, 2))

    edges = panel_edges(-reach, reach, tuple(breaks), 1.0)
    lo, hi = edges[:-1], edges[1:]
    coarse, _ = on_panels(lo, hi)
    total, error, mass = np.zeros(coarse.shape[1:]), 0.0, 0.0
    for attempt in range(ROUNDS):
        middle = 0.5 * (lo + hi)
        (first, first_mass), (second, second_mass) = on_panels(lo, middle), on_panels(middle, hi)
        fine, fine_mass = first + second, first_mass + second_mass
        gap = np.abs(fine - coarse).max(axis=(1, 2))
        # Disagreement at rounding level cannot be improved; nor need a panel with a negligible share of the mass.
        bad = gap > np.maximum(8.0 * EPS * fine_mass, 1e-16 * (mass + float(fine_mass.sum())))
        if attempt == ROUNDS - 1:
            bad[:] = False
        elif bad.sum() > MAX_PANELS:
            bad &= gap >= np.sort(gap)[-MAX_PANELS]
        total += fine[~bad].sum(axis=0)
        error += float(gap[~bad].sum())
        mass += float(fine_mass[~bad].sum())
        if not bad.any():
            break
        lo, hi = np.concatenate([lo[bad], middle[bad]]), np.concatenate([middle[bad], hi[bad]])
        coarse = np.concatenate([first[bad], second[bad]])
    return total, error + 8.0 * EPS * mass
