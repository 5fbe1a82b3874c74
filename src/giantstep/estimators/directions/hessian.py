"""Principal Hessian directions [li92] with a bounded label, T the rank of what is not linear.

    M = E[T z z'],   directions: eigenvectors of the eigenvalues of largest size

By Stein's lemma E[T z z'] - E[T] is the mean Hessian of E[T | z] for Gaussian z. Two things make it safe:

- the label first loses its linear part, <b, z> with b = E[y z] shrunk by 1 - (d/n)/|b|^2, which would be noise here;
- T is the rank of the rest among all samples, from -1 to 1: a few large labels cannot make an eigenvalue of their own,
  and the law of spectral matrices holds, which needs T bounded.
"""

from __future__ import annotations

import numpy as np

from giantstep.arrays import Array
from giantstep.estimators.directions.base import Directions
from giantstep.estimators.directions.gaussian_law import spectral_overlap
from giantstep.estimators.directions.permutation import Found
from giantstep.estimators.directions.statistics import MatrixSearch, Orders, Search
from giantstep.estimators.labels import Labels, shares_below


class HessianDirections(Directions):
    """Directions in which the label is curved, by the eigenvalues of largest size of E[T z z'].

    It sees what is even and of second order, |<v, x>|, x1*x2, a parity of two directions, at n of a few d; of what is
    linear or odd, or a product of three directions, it sees nothing. Strengths are squared eigenvalues.

    Args:
        n_directions, permutations, level, shrinkage, gaussianise, random_state, verbose: see `Directions`, which also
            lists the fitted attributes.

    >>> x = np.random.default_rng(1).standard_normal((1000, 10))
    >>> fit = HessianDirections(random_state=0).fit(x, x[:, 0] * x[:, 1] + 2 * x[:, 2])
    >>> fit.n_directions_, sorted(np.abs(fit.standardised_directions_).sum(axis=0).argsort()[-2:].tolist())
    (2, [0, 1])
    """

    def _search(self, z: Array, weight: Array, labels: Labels) -> Search:
        (n, r), outputs = z.shape, labels.columns.shape[1]

        def matrix(order: Orders) -> Array:
            given = bounded_rest(z, weight, labels.columns[order])
            return np.concatenate([(z * (weight * t)[:, None]).T @ z for t in given.T], axis=1)

        return MatrixSearch(
            lambda orders: np.stack([matrix(order) for order in orders]),
            (r, r * outputs),
            symmetric=False,
            numbers=2 * n + z.size,
        )

    def _theory(self, z: Array, weight: Array, labels: Labels, found: Found) -> tuple[float | None, Array | None]:
        if labels.columns.shape[1] > 1 or not labels.columns.any():
            return None, None
        given = bounded_rest(z, weight, labels.columns)[:, 0]
        laws = [spectral_overlap(given, z, weight, row) for row in found.directions]
        edges = [spectral_overlap(sign * given, z, weight, z[0] / np.linalg.norm(z[0]))[0] for sign in (1.0, -1.0)]
        return max(edges) ** 2, np.array([overlap for _, overlap in laws])


def bounded_rest(z: Array, weight: Array, columns: Array) -> Array:
    """T, (n, q), centred ranks from -1 to 1 of standardised labels `columns` (n, q) without their linear part."""
    slope = (z * weight[:, None]).T @ columns
    noise = z.shape[1] * float(weight @ weight)
    slope *= np.maximum(1 - noise / np.maximum((slope**2).sum(axis=0), np.finfo(float).tiny), 0)
    rest = columns - z @ slope
    ranks = np.stack([2 * shares_below(column, weight) - 1 for column in rest.T], axis=1)
    return np.asarray(ranks - weight @ ranks)
