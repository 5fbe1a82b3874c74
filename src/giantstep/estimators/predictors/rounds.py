"""Rounds of the recursive feature machine on rows of a table.

Round t is kernel ridge regression on the rows x R_t, R_0 = 1; the outer product of its gradients with respect to x,

    AGOP = R_t (sum_i s_i grad f(x_i R_t) grad f(x_i R_t)') R_t',     R_{t+1} = (AGOP r/tr AGOP)^{1/2},

stretches the rows of the next round along the directions in which the fit moves (Radhakrishnan, Beaglehole, Pandit and
Belkin, Science 383, 2024), summed over labels of unit variance. Leave-one-out is honest before the first AGOP; later it
is not, for the outer product has seen the label that is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array
from giantstep.estimators.distance_kernels import DistanceKernel, DistanceKind
from giantstep.estimators.outer_products import KernelFunction
from giantstep.estimators.predictors.choosing import Rows
from giantstep.learners.engines import one_blas_thread
from giantstep.learners.kernels import validated_path


@dataclass(frozen=True)
class Recipe:
    """What all rounds have in common.

    Args:
        kind: the kernel.
        bandwidth: its width, in roots of the mean squared distance between rows.
        ridge: lambda, (L,), of the errors averaged over rows.
        is_diagonal: whether only the diagonal of AGOP is used: columns are weighted, not mixed.
    """

    kind: DistanceKind
    bandwidth: float
    ridge: Array
    is_diagonal: bool


@dataclass(frozen=True, eq=False)
class Round:
    """A fitted round.

    Args:
        stretch: R, (r, r).
        kernel: of the stretched rows.
        centres: the stretched rows that were fitted, (n, r).
        dual: for each penalty, (L, n, k).
        intercept: likewise, (L, k).
        errors: squared errors of leave-one-out, summed over labels, (L, n).
    """

    stretch: Array
    kernel: DistanceKernel
    centres: Array
    dual: Array
    intercept: Array
    errors: Array

    def at(self, penalty: int) -> KernelFunction:
        """The fit with one of the penalties, a function of stretched rows."""
        return KernelFunction(self.kernel, self.centres, self.dual[penalty], self.intercept[penalty])

    def predict(self, x: Array) -> Array:
        """Predictions of all penalties at rows x (m, r): (L, m, k)."""
        penalties, n, k = self.dual.shape
        dual = self.dual.transpose(1, 0, 2).reshape(n, -1)
        together = KernelFunction(self.kernel, self.centres, dual, self.intercept.reshape(-1))
        return together.predict(x @ self.stretch).reshape(len(x), penalties, k).transpose(1, 0, 2)

    def outer_product(self, share: Array) -> Array:
        """AGOP in the coordinates of the rows as they came, (r, r), at the penalty of the least leave-one-out error."""
        best = int((self.errors @ share).argmin())
        seen = self.at(best).outer_products(self.centres, share).sum(axis=0)
        return np.asarray(self.stretch @ seen @ self.stretch.T)


def rounds_on(rows: Rows, recipe: Recipe) -> Iterator[Round]:
    """The rounds, one after the other, without end."""
    x = np.asarray(rows.x, dtype=np.float64)
    stretch = np.eye(x.shape[1])
    while True:
        with one_blas_thread():
            found = _fit(x, stretch, rows, recipe)
        yield found
        with one_blas_thread():
            product = found.outer_product(rows.share)
            stretch = root_of(np.diag(np.diag(product)) if recipe.is_diagonal else product)


def _fit(x: Array, stretch: Array, rows: Rows, recipe: Recipe) -> Round:
    stretched = x @ stretch
    spread = stretched - rows.share @ stretched
    typical = float(np.sqrt(2 * rows.share @ (spread**2).sum(axis=1)))  # root of the mean squared distance
    kernel = DistanceKernel(recipe.kind, recipe.bandwidth * (typical or 1.0))
    path = validated_path(kernel.matrix(stretched), rows.y, recipe.ridge, weights=rows.share)
    return Round(stretch, kernel, stretched, path.dual, path.intercept, (path.held_out**2).sum(axis=2))


def root_of(product: Array) -> Array:
    """The symmetric root of a matrix brought to trace r, (r, r); 1 for a matrix that is 0."""
    values, vectors = np.linalg.eigh(product)
    values = np.maximum(values, 0.0)
    if not values.sum() > 0:
        return np.eye(len(product))
    return np.asarray((vectors * np.sqrt(values * len(values) / values.sum())) @ vectors.T)
