"""The average gradient outer product of kernel ridge regression: directions along which a fit moves.

    AGOP = mean over rows of grad f grad f',   f by kernel ridge regression with a leave-one-out penalty

(`outer_products.py`). n rows are dealt into batches of at most `batch` rows, each is fitted by itself, and their outer
products are averaged: the memory is that of one batch, batch^2 numbers, and the time grows as n. A fit needs rows
enough to see the label at all, n ~ d^k for what has degree k; then its gradients know all directions at once.

A strength is the share of the squared gradients along a direction, of what is left beside those found. Their size would
say nothing: with a penalty that suits a label of little noise, a fit to permuted labels is rough, and steep everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import real_number, whole_number
from giantstep.estimators.directions.base import Directions
from giantstep.estimators.directions.statistics import MatrixSearch, Orders, Search
from giantstep.estimators.distance_kernels import DistanceKernel
from giantstep.estimators.labels import Labels
from giantstep.estimators.outer_products import RIDGE, kernel_round

MEASURED = 500
"""Rows of a batch at which gradients are taken, at most."""


class GradientOuterProduct(Directions):
    """Leading directions of the outer product of gradients of a kernel fit: a round of the recursive feature machine.

    It sees whatever the kernel can fit, odd and even links and parities of a few directions, at the price of the
    samples that the kernel needs to fit them: n ~ d^k for degree k.

    Args:
        n_directions: how many, or "auto".
        kernel: "laplace" or "gaussian", of the distance of whitened rows.
        bandwidth: of the kernel, in units of the median distance.
        batch: rows that are fitted together, at most; batch^2 numbers are in memory.
        permutations, level, shrinkage, gaussianise, random_state, verbose: see `Directions`, which also lists the
            fitted attributes.

    >>> x = np.random.default_rng(0).standard_normal((500, 6))
    >>> fit = GradientOuterProduct(random_state=0).fit(x, x[:, 0] * x[:, 1])
    >>> fit.n_directions_, sorted(np.abs(fit.standardised_directions_).sum(axis=0).argsort()[-2:].tolist())
    (2, [0, 1])
    """

    def __init__(
        self,
        n_directions: int | str = "auto",
        *,
        kernel: str = "laplace",
        bandwidth: float = 1.0,
        batch: int = 2000,
        permutations: int = 99,
        level: float = 0.02,
        shrinkage: float | str = "auto",
        gaussianise: bool = False,
        random_state: Any = None,
        verbose: Any = False,
    ) -> None:
        super().__init__(
            n_directions,
            permutations=permutations,
            level=level,
            shrinkage=shrinkage,
            gaussianise=gaussianise,
            random_state=random_state,
            verbose=verbose,
        )
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.batch = batch

    def _search(self, z: Array, weight: Array, labels: Labels) -> Search:
        width = real_number("bandwidth", self.bandwidth, "a number above 0", least=1e-12)
        batch = whole_number("batch", self.batch, least=20)
        (n, r), outputs = z.shape, labels.columns.shape[1]
        kernel = DistanceKernel.fitting(self.kernel, z, width)  # type: ignore[arg-type]
        chosen: dict[int, Array] = {}  # penalties of the labels as they came, by batch
        dealt = np.array_split(np.random.default_rng(self._seed).permutation(n), -(-n // batch))

        def matrices(orders: Orders) -> Array:
            made = np.zeros((len(orders), r, r))
            for number, rows in enumerate(dealt):
                share = weight[rows] / weight[rows].sum()
                given = labels.columns[orders[:, rows]].transpose(1, 0, 2).reshape(len(rows), -1)  # (rows, b * outputs)
                fit = kernel_round(z[rows], given, kernel, weights=share * len(rows))
                # Noise gets a large penalty and shows less of itself than beside a label that is worth a small one.
                penalty = chosen.setdefault(number, fit.ridge[:outputs])
                fit = fit.with_ridge_at_most(np.tile(penalty, len(orders)))
                few = slice(MEASURED)
                outer = fit.outer_products(z[rows][few], share[few] / share[few].sum())
                made += outer.reshape(len(orders), outputs, r, r).sum(axis=1) / len(dealt)
            return made

        numbers = 2 * outputs * (len(RIDGE) * min(n, batch) + r * r)
        return MatrixSearch(matrices, (r, r), symmetric=True, numbers=numbers, as_shares=True)
