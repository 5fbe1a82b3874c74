"""Several giant steps: what is linear given what was found before, found, taken out, and again.

The first step sees the linear part. Once a network knows coordinates s = <found, z>, the next step sees every
direction that is linear given s ([dklps23], staircase functions such as x1 + x1*x2 + x1*x2*x3). In moments:

    A = [E[(y - E[y | s]) h_j(s) z_beside]]_j,   directions: the leading left singular vector, then s grows by it

with h_j products of Hermite polynomials of the coordinates found, made orthonormal on the samples, E[y | s] their
least-squares fit, and z_beside the inputs orthogonal to what was found. At each step the products (y - E[y | s]) h_j(s)
are permuted against z_beside. Directions are refined together as they are found, which turns the first towards what one
direction alone explains best; once the space is known, the steps are taken again inside it and give it its axes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from giantstep.arrays import Array
from giantstep.estimators.directions.base import Directions
from giantstep.estimators.directions.permutation import Found
from giantstep.estimators.directions.statistics import Orders, Search, product_search
from giantstep.estimators.labels import Labels
from giantstep.estimators.whitening import fixed_signs
from giantstep.gaussian.hermite import hermite_table

DEGREE, PRODUCTS = 3, 40
"""Highest degree of a product of found coordinates, and how many products there may be."""
REFINED = 3
"""Gauss-Newton steps on all directions whenever one is added."""
FAR = 3.0
"""Found coordinates are clipped here: their powers are not to be ruled by a few rows."""


class StaircaseDirections(Directions):
    """Directions that are linear given those found before, one giant step after the other.

    It sees the linear part, then whatever is linear times a function of what it knows: all of a staircase, at n of a
    few d for each step. Where nothing is linear, as for |<v, x>| or x1*x2 alone, it does not find the first step. The
    directions stand in the order of the stairs: the linear part, what is linear given it, and so on; `strengths_` and
    `p_values_` are those of the steps that found their space.

    Args:
        n_directions, permutations, level, shrinkage, gaussianise, random_state, verbose: see `Directions`, which also
            lists the fitted attributes.

    >>> x = np.random.default_rng(0).standard_normal((1500, 10))
    >>> fit = StaircaseDirections(random_state=0).fit(x, x[:, 0] + x[:, 0] * x[:, 1] + x[:, 0] * x[:, 1] * x[:, 2])
    >>> fit.n_directions_, np.abs(fit.directions_).argmax(axis=1).tolist()
    (3, [0, 1, 2])
    """

    def _search(self, z: Array, weight: Array, labels: Labels) -> Search:
        return _Staircase(z, weight, labels.columns)

    def _find(self, z: Array, weight: Array, labels: Labels, orders: Orders, wanted: int | None) -> Found:
        found = super()._find(z, weight, labels, orders, wanted)
        if len(found.directions) < 2:
            return found
        axes = _Staircase(z @ found.directions.T, weight, labels.columns).stairs()
        return replace(found, directions=fixed_signs(axes @ found.directions))


class _Staircase:
    """A `Search` whose matrix is another one for every step."""

    def __init__(self, z: Array, weight: Array, columns: Array) -> None:
        self.z, self.weight, self.columns = z, weight, columns
        self.axes = self.most = z.shape[1]
        self.numbers = 2 * PRODUCTS * columns.size

    def largest(self, orders: Orders, found: Array) -> tuple[Array, Array]:
        """See `Search`."""
        known, _ = products_of(self.z @ found.T)
        root = np.sqrt(self.weight)[:, None]
        orthonormal = np.linalg.qr(root * known)[0] / root
        rest = self.columns - known @ self._fit(known)
        labels = (rest[:, :, None] * orthonormal[:, None, :]).reshape(len(self.z), -1)
        return product_search(self.z * self.weight[:, None], labels).largest(orders, found)

    def refined(self, found: Array) -> Array:
        """Gauss-Newton steps on p(s) = E[y | s], until the rest of the label has nothing along grad p:

            found_i += sum_j (G^-1)_ij E[rest p_j z_beside],   p_j = dp/ds_j,  G_ij = E[p_i p_j] .

        Without it the error of a direction would be found as a further one.
        """
        for _ in range(REFINED):
            known, slopes = products_of(self.z @ found.T)
            fit = self._fit(known)
            steep = slopes @ fit  # p_j, (k, n, q)
            along = np.einsum("inq,nq,n->in", steep, self.columns - known @ fit, self.weight)
            gram = np.einsum("inq,jnq,n->ij", steep, steep, self.weight)
            seen = along @ self.z
            seen -= (seen @ found.T) @ found
            found = found + np.linalg.pinv(gram, rcond=1e-3, hermitian=True) @ seen
            found = fixed_signs(np.linalg.qr(found.T)[0].T)
        return found

    def stairs(self) -> Array:
        """All axes of these rows, (r, r), in the order of the steps that see them; none of them refined."""
        axes, order = np.zeros((0, self.axes)), np.arange(len(self.z))[None]
        while len(axes) < self.axes:
            strength, row = self.largest(order, axes)
            if not strength[0] > 0:
                break
            axes = np.concatenate([axes, row[None]])
        return np.asarray(np.linalg.qr(np.concatenate([axes, np.eye(self.axes)]).T)[0].T)  # the rest in any order

    def _fit(self, known: Array) -> Array:
        """Coefficients of E[y | s] in the products `known` (n, J): (J, q)."""
        root = np.sqrt(self.weight)[:, None]
        return np.asarray(np.linalg.lstsq(root * known, root * self.columns, rcond=None)[0])


def products_of(coordinates: Array) -> tuple[Array, Array]:
    """Products of Hermite polynomials of `coordinates` (n, k), (n, J), the first is 1, and their slopes, (k, n, J)."""
    n, k = coordinates.shape
    degree = next(m for m in range(DEGREE, 0, -1) if m == 1 or comb(k + m, m) <= PRODUCTS)
    clipped = np.clip(coordinates, -FAR, FAR)
    values = hermite_table(degree, clipped, normalised=True)  # h_m, (degree + 1, n, k)
    roots = np.sqrt(np.arange(degree + 1))[:, None, None]
    steep = roots * np.concatenate([np.zeros((1, n, k)), values[:-1]]) * (clipped == coordinates)  # sqrt(m) h_m-1
    chosen = [c for size in range(degree + 1) for c in combinations_with_replacement(range(k), size)]

    def product(powers: dict[int, int], along: int | None) -> Array:
        made = np.ones(n) if along is None or along in powers else np.zeros(n)
        for i, power in powers.items():
            made *= (steep if i == along else values)[power, :, i]
        return made

    counted = [dict(Counter(c)) for c in chosen]
    known = np.stack([product(powers, None) for powers in counted], axis=1)
    slopes = np.zeros((k, *known.shape))
    for i in range(k):
        slopes[i] = np.stack([product(powers, i) for powers in counted], axis=1)
    return known, slopes
