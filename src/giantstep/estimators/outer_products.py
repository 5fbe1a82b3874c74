"""A round of the recursive feature machine: kernel ridge regression, then the outer product of its gradients.

    f(x) = b + sum_j alpha_j k(x, x_j),   alpha by ridge regression with the penalty of the least leave-one-out error
    AGOP = sum_i w_i grad f(x_i) grad f(x_i)',   grad f(x) = sum_j alpha_j grad k(x, x_j)   (`distance_kernels`)

(Radhakrishnan, Beaglehole, Pandit and Belkin, Science 383, 2024.) Its leading eigenvectors are the directions along
which the fit moves. To recurse, take the rows times the root of AGOP as the next rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from giantstep.arrays import Array, ArrayLike
from giantstep.estimators.distance_kernels import ROWS, DistanceKernel
from giantstep.learners.kernels import ValidatedPath, validated_path

RIDGE = tuple(10.0 ** np.linspace(-3, 2, 11))
"""Penalties beside kernels that are 1 at distance 0: from nearly interpolating to nearly the mean."""
AT_ONCE = 8_000_000
"""Numbers in memory while gradients are multiplied, 64 MB."""


@dataclass(frozen=True, eq=False)
class KernelFunction:
    """f(x) = b + sum_j alpha_j k(x, x_j) of k labels, and its gradients.

    Args:
        kernel: of distances.
        centres: the rows x_j, (n, r).
        dual: alpha, (n, k).
        intercept: b, (k,).
    """

    kernel: DistanceKernel
    centres: Array
    dual: Array
    intercept: Array

    def predict(self, rows: Array) -> Array:
        """f at `rows` (m, r): (m, k)."""
        parts = [self.kernel(rows[i : i + ROWS], self.centres) @ self.dual for i in range(0, len(rows), ROWS)]
        return np.concatenate([np.zeros((0, self.dual.shape[1])), *parts]) + self.intercept

    def outer_products(self, rows: Array, weight: Array | None = None, values: Array | None = None) -> Array:
        """AGOP of each label over `rows` (m, r) with shares `weight` (m,), equal unless given: (k, r, r).

        `values` (m, n) is the kernel between rows and centres, where it is known.
        """
        m, r = rows.shape
        weight = np.full(m, 1 / m) if weight is None else weight
        made = np.zeros((self.dual.shape[1], r, r))
        labels = max(1, AT_ONCE // (len(self.centres) * (r + 1)))
        for start in range(0, m, ROWS):
            part = slice(start, start + ROWS)
            known = self.kernel(rows[part], self.centres) if values is None else values[part]
            slopes = self.kernel.slopes(known)
            for first in range(0, len(made), labels):
                these = slice(first, first + labels)
                gradient = self.kernel.gradients(slopes, rows[part], self.centres, self.dual[:, these])
                made[these] += (gradient * weight[part, None]).transpose(0, 2, 1) @ gradient
        return made


@dataclass(frozen=True, eq=False)
class KernelRound(KernelFunction):
    """Kernel ridge regression of k labels, each with the penalty of its least leave-one-out error.

    Args:
        kernel: of distances.
        centres: the rows x_j that were fitted, (n, r).
        dual: alpha, (n, k).
        intercept: b, (k,).
        ridge: the penalty of each label, (k,).
        error: its leave-one-out mean squared error, (k,).
        path: the fits with all penalties.
        errors: the leave-one-out mean squared errors of these, (L, k).
    """

    ridge: Array
    error: Array
    path: ValidatedPath
    errors: Array

    def with_ridge_at_most(self, most: Array) -> KernelRound:
        """The same fits, with the best penalty among those that are at most `most` (k,)."""
        allowed = self.path.ridge[:, None] <= np.maximum(most, self.path.ridge.min())
        return _chosen(self.kernel, self.centres, self.path, np.where(allowed, self.errors, np.inf))


def kernel_round(
    rows: Array, labels: Array, kernel: DistanceKernel, ridge: ArrayLike = RIDGE, weights: Array | None = None
) -> KernelRound:
    """Fit the labels by kernel ridge regression; `outer_products` of the answer completes the round.

    Args:
        rows: x_j, (n, r); one matrix of n^2 numbers is kept in memory.
        labels: (n,) or (n, k); each column gets a penalty of its own.
        kernel: of distances between rows.
        ridge: penalties to choose from.
        weights: of the rows, (n,), positive, with mean 1; equal unless given.
    """
    path = validated_path(kernel.matrix(rows), labels.reshape(len(labels), -1), ridge, weights=weights)
    share = np.ones(len(rows)) / len(rows) if weights is None else weights / weights.sum()
    errors = np.einsum("i,lik->lk", share, path.held_out**2)
    return _chosen(kernel, rows, path, errors)


def _chosen(kernel: DistanceKernel, rows: Array, path: ValidatedPath, errors: Array) -> KernelRound:
    """The fits of least error, of all penalties (L, k) whose error is finite."""
    best, each = errors.argmin(axis=0), np.arange(errors.shape[1])
    dual, intercept = path.dual[best, :, each].T, path.intercept[best, each]
    return KernelRound(kernel, rows, dual, intercept, path.ridge[best], errors[best, each], path, errors)
