"""How many directions there are, decided by permuted labels: parallel analysis with deflation.

Under a permutation of the labels nothing is to be found, while the inputs keep their tails, groups and repeated rows
and the labels their law. The first direction is there if its strength is beyond that of most permutations; then it is
taken out of all matrices, the permuted ones as well, and the next one is compared with what remains of those:

    p_k = (1 + #{permutations whose largest strength beside the first k - 1 directions is at least s_k}) / (1 + B) .

The first p-value above the level ends it. Labels without any relation to the inputs pass the first test with a
probability of at most the level, whatever the laws of both. The later tests suppose that the rest of the inputs is
independent of what was found, as for Gaussian inputs, and leave the found part among the labels' noise: they are
careful rather than sharp.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array
from giantstep.estimators.directions.statistics import Statistic, leading, top_strengths
from giantstep.estimators.scikit import tell

AT_ONCE = 16_000_000
"""Numbers in memory for permuted matrices, 128 MB: as many permutations as fit are computed together."""
MOST = 10
"""Directions that "auto" looks for at most."""


@dataclass(frozen=True, eq=False)
class Found:
    """Directions and what decided about them.

    Args:
        directions: orthonormal rows in whitened coordinates, (k, r).
        strengths: (k,), falling.
        p_values: of the k directions and, after "auto", of the first one that was not accepted, (k,) or (k + 1,).
        edges: the 95 % quantile of the permuted strengths at each test, of the same length.
        spectrum: the leading strengths of the observed matrix, also of what was not accepted.
    """

    directions: Array
    strengths: Array
    p_values: Array
    edges: Array
    spectrum: Array


def permutations(n: int, count: int, generator: np.random.Generator) -> np.ndarray:
    """`count` random orders of `n` samples, (count, n)."""
    return generator.permuted(np.tile(np.arange(n), (count, 1)), axis=1)


def decide(
    statistic: Statistic,
    orders: np.ndarray,
    wanted: int | None,
    level: float,
    verbose: object = False,
) -> Found:
    """The directions of a statistic whose strengths are beyond those of permuted labels.

    Args:
        statistic: of the method and the samples.
        orders: permutations, (B, n); of none there are no p-values.
        wanted: how many directions; None to let the permutations decide.
        level: the largest p-value that is accepted.
        verbose: whether each test is told.
    """
    b, n = orders.shape
    matrix = statistic.observed(n)
    spectrum, rows = leading(matrix, statistic.symmetric, MOST if wanted is None else wanted)
    null = _Null(statistic, orders)
    p_values, edges = [], []
    for k, strength in enumerate(spectrum if b else ()):
        permuted = null.beside(rows[:k])
        slack = 1e-12 * abs(strength)  # equal up to rounding is equal
        p_values.append((1 + int((permuted >= strength - slack).sum())) / (1 + b))
        edges.append(float(np.quantile(permuted, 0.95)))
        tell(verbose, f"direction {k + 1}: strength {strength:.4g}, permuted {edges[-1]:.4g}, p = {p_values[-1]:.3g}")
        if wanted is None and p_values[-1] > level:
            break
    accepted = sum(p <= level for p in p_values) if wanted is None else len(spectrum)
    tested = p_values if b else [np.nan] * len(spectrum)
    return Found(rows[:accepted], spectrum[:accepted], np.array(tested), np.array(edges), spectrum)


class _Null:
    """Largest strengths of permuted labels; the matrices are kept for the next test if they fit."""

    def __init__(self, statistic: Statistic, orders: np.ndarray) -> None:
        self.statistic, self.orders = statistic, orders
        self.kept: Array | None = None

    def beside(self, found: Array) -> Array:
        """The largest strength of each permutation beside the directions `found`, (B,)."""
        block = max(1, AT_ONCE // self.statistic.numbers)
        if self.kept is not None:
            return top_strengths(self.kept, self.statistic.symmetric, found)
        ends, parts = [], []
        for start in range(0, len(self.orders), block):
            parts = [self.statistic.matrices(self.orders[start : start + block])]
            ends.append(top_strengths(parts[0], self.statistic.symmetric, found))
        if len(ends) == 1:
            self.kept = parts[0]
        return np.concatenate(ends)
