"""How many directions there are, decided by permuted labels: parallel analysis with deflation.

Under a permutation of the labels nothing is to be found, while the inputs keep their tails, groups and repeated rows
and the labels their law. The first direction is there if its strength is beyond that of most permutations; then it is
taken out, for the permuted labels as well, and the next one is compared with what remains of those:

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
from giantstep.estimators.directions.statistics import MatrixSearch, Orders, Search
from giantstep.estimators.scikit import tell

AT_ONCE = 16_000_000
"""Numbers in memory for permuted labels, 128 MB: as many permutations as fit are computed together."""
MOST = 10
"""Directions that "auto" looks for at most."""


@dataclass(frozen=True, eq=False)
class Found:
    """Directions and what decided about them.

    Args:
        directions: orthonormal rows in whitened coordinates, (k, r).
        strengths: (k,).
        p_values: of the k directions and, after "auto", of the first one that was not accepted, (k,) or (k + 1,).
        edges: the 95 % quantile of the permuted strengths at each test, of the same length.
        spectrum: strengths, also of what was not accepted.
    """

    directions: Array
    strengths: Array
    p_values: Array
    edges: Array
    spectrum: Array


def permutations(n: int, count: int, generator: np.random.Generator) -> Orders:
    """`count` random orders of `n` samples, (count, n)."""
    return generator.permuted(np.tile(np.arange(n), (count, 1)), axis=1)


def decide(search: Search, orders: Orders, wanted: int | None, level: float, verbose: object = False) -> Found:
    """The directions of a search whose strengths are beyond those of permuted labels.

    Args:
        search: the method on the samples.
        orders: permutations, (B, n); of none there are no p-values.
        wanted: how many directions; None to let the permutations decide.
        level: the largest p-value that is accepted.
        verbose: whether each test is told.
    """
    b, n = orders.shape
    stack = np.concatenate([np.arange(n)[None, :], orders])
    size = max(2, AT_ONCE // search.numbers)
    blocks = [stack[start : start + size] for start in range(0, len(stack), size)]
    rows = np.zeros((0, search.axes))
    strengths, p_values, edges = [], [], []
    for k in range(min(MOST if wanted is None else wanted, search.most)):
        parts = [search.largest(block, rows) for block in blocks]
        strength, permuted = float(parts[0][0][0]), np.concatenate([part[0] for part in parts])[1:]
        strengths.append(strength)
        if b:
            slack = 1e-12 * abs(strength)  # equal up to rounding is equal
            p_values.append((1 + int((permuted >= strength - slack).sum())) / (1 + b))
            edges.append(float(np.quantile(permuted, 0.95)))
            words = f"strength {strength:.4g}, permuted labels {edges[-1]:.4g}, p = {p_values[-1]:.3g}"
            tell(verbose, f"direction {k + 1}: {words}")
            if wanted is None and p_values[-1] > level:
                break
        rows = search.refined(np.concatenate([rows, parts[0][1][None]]))
    spectrum = search.spectrum(stack, MOST) if isinstance(search, MatrixSearch) else np.array(strengths)
    tested = p_values if b else [np.nan] * len(rows)
    return Found(rows, np.array(strengths[: len(rows)]), np.array(tested), np.array(edges), spectrum)
