"""Rounds of the recursive feature machine on rows of a table.

Round t is kernel ridge regression on the rows x R_t, R_0 = 1, with shares s_i of the rows,

    f(x) = b + sum_i alpha_i k(x R_t, x_i R_t),     (K + lambda diag(1/s)) alpha = y - b,     sum_i alpha_i = 0 ;

the outer product of its gradients with respect to x,

    AGOP = R_t (sum_i s_i grad f(x_i R_t) grad f(x_i R_t)') R_t',     R_{t+1} = (AGOP r/tr AGOP)^{1/2},

stretches the rows of the next round along the directions in which the fit moves (Radhakrishnan, Beaglehole, Pandit and
Belkin, Science 383, 2024), summed over labels of unit variance. Leave-one-out is honest before the first AGOP; later it
is not, for the outer product has seen the label that is left out: penalties chosen by it become too small, and rounds
go astray. So penalties are chosen on rows that no round has seen (`racing`), one factorisation for each of a few.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy

from giantstep.arrays import Array
from giantstep.estimators.distance_kernels import DistanceKernel, DistanceKind
from giantstep.estimators.outer_products import KernelFunction
from giantstep.estimators.predictors.choosing import Rows

WEIGHED = 400
"""Rows at which the gradients of a product kernel are taken: each costs a look at all values of all other rows."""
KEPT = 1_500_000
"""Numbers up to which the kernel of a round is kept for further penalties and for gradients, 12 MB."""


@dataclass(frozen=True)
class Recipe:
    """What all rounds have in common.

    Args:
        kind: the kernel.
        bandwidth: its width, in units of that which makes it exp(-1/2) at the typical distance of rows.
        is_diagonal: whether only the diagonal of AGOP is used: columns are weighted, not mixed. Always so for the
            kernel "product", which would lose its columns.
    """

    kind: DistanceKind
    bandwidth: float = 1.0
    is_diagonal: bool = False

    def first(self, r: int) -> Array:
        """R_0, (r, r)."""
        return np.eye(r)

    def next(self, product: Array) -> Array:
        """R of the next round from the AGOP of this one, (r, r)."""
        if self.is_diagonal or self.kind == "product":
            weights = np.diag(product)
            return (
                np.diag(np.sqrt(weights * len(weights) / weights.sum()))
                if weights.sum() > 0
                else self.first(len(weights))
            )
        return root_of(product)


@dataclass(frozen=True, eq=False)
class Round:
    """A fitted round.

    Args:
        stretch: R, (r, r).
        kernel: of the stretched rows.
        centres: the stretched rows that were fitted, (n, r).
        dual: for each penalty, (L, n, k); NaN for a penalty that is below the rounding of the kernel.
        intercept: likewise, (L, k).
        values: the kernel between all centres, (n, n), where it was kept.
    """

    stretch: Array
    kernel: DistanceKernel
    centres: Array
    dual: Array
    intercept: Array
    values: Array | None = None

    def only(self, penalty: int) -> Round:
        """The fit with one of the penalties alone."""
        one = slice(penalty, penalty + 1)
        return replace(self, dual=self.dual[one], intercept=self.intercept[one])

    @property
    def function(self) -> KernelFunction:
        """The fit with the first penalty, a function of stretched rows."""
        return KernelFunction(self.kernel, self.centres, self.dual[0], self.intercept[0])

    def predict(self, values: Array) -> Array:
        """Predictions of all penalties at rows whose kernel with the centres is `values` (m, n): (L, m, k)."""
        penalties, n, k = self.dual.shape
        found = values @ self.dual.transpose(1, 0, 2).reshape(n, -1)
        return np.asarray(found.reshape(len(values), penalties, k).transpose(1, 0, 2) + self.intercept[:, None])

    def outer_product(self, share: Array) -> Array:
        """AGOP of the first penalty's fit in the coordinates of the rows as they came, (r, r).

        Of the kernel "product" only the diagonal is used, for which a part of the rows is enough.
        """
        every = -(-len(share) // WEIGHED) if self.kernel.kind == "product" else 1
        some, weight = self.centres[::every], share[::every]
        values = None if self.values is None else self.values[::every]
        seen = self.function.outer_products(some, weight / weight.sum(), values).sum(axis=0)
        return np.asarray(self.stretch @ seen @ self.stretch.T)


@dataclass(frozen=True, eq=False)
class Stage:
    """Stretched rows, to be fitted with any penalty.

    Args:
        rows: x (n, r), labels (n, k), shares.
        stretch: R, (r, r).
        kernel: of the stretched rows.
        centres: the stretched rows, (n, r).
        values: the kernel between all of them, (n, n), kept where it is small; None to make it anew for every fit.
    """

    rows: Rows
    stretch: Array
    kernel: DistanceKernel
    centres: Array
    values: Array | None

    def fit(self, ridge: Array) -> Round:
        """Kernel ridge regression for each lambda of `ridge` (L,), of the errors averaged over rows."""
        matrix = self.kernel.matrix(self.centres) if self.values is None else self.values.copy(order="F")
        dual, intercept = _solved(matrix, self.rows, ridge)
        return Round(self.stretch, self.kernel, self.centres, dual, intercept, self.values)

    def values_at(self, x: Array) -> Array:
        """The kernel between rows x (m, r), as they came, and the centres: (m, n)."""
        return self.kernel(np.asarray(x, dtype=np.float64) @ self.stretch, self.centres)


def stage_of(rows: Rows, recipe: Recipe, stretch: Array, stages: int = 1) -> Stage:
    """Rows, stretched by R (r, r), and the kernel of a recipe for them; so many `stages` are in memory at once."""
    stretched = np.asarray(rows.x, dtype=np.float64) @ stretch
    kernel = DistanceKernel.typical(recipe.kind, stretched, rows.share, recipe.bandwidth)
    is_small = stages * len(stretched) ** 2 <= KEPT
    return Stage(rows, stretch, kernel, stretched, kernel.matrix(stretched) if is_small else None)


def _solved(matrix: Array, rows: Rows, ridge: Array) -> tuple[Array, Array]:
    """alpha, (L, n, k), and b, (L, k); the matrix, in Fortran order, is overwritten."""
    n, k = rows.y.shape
    dual, intercept = np.full((len(ridge), n, k), np.nan), np.full((len(ridge), k), np.nan)
    right = np.column_stack([rows.y, np.ones(n)])
    for number, penalty in enumerate(ridge):
        shifted = matrix if number == len(ridge) - 1 else matrix.copy(order="F")
        np.einsum("ii->i", shifted)[:] += penalty / rows.share
        factor, failed = scipy.linalg.lapack.dpotrf(shifted, lower=1, clean=0, overwrite_a=1)
        if not failed:
            solved, _ = scipy.linalg.lapack.dpotrs(factor, right, lower=1)
            intercept[number] = solved[:, :k].sum(axis=0) / solved[:, k].sum()
            dual[number] = solved[:, :k] - solved[:, k:] * intercept[number]
    return dual, intercept


def root_of(product: Array) -> Array:
    """The symmetric root of a matrix brought to trace r, (r, r); 1 for a matrix that is 0."""
    values, vectors = np.linalg.eigh(product)
    values = np.maximum(values, 0.0)
    if not values.sum() > 0:
        return np.eye(len(product))
    return np.asarray((vectors * np.sqrt(values * len(values) / values.sum())) @ vectors.T)
