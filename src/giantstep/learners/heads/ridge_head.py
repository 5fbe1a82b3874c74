"""The second layer: a ridge head with its whole path of penalties, on features in memory or streamed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from giantstep.arrays import Array
from giantstep.checks import instance
from giantstep.learners.engines.blocks import Progress, Results, one_blas_thread, sum_over_blocks
from giantstep.learners.engines.full import Cast
from giantstep.learners.heads.head_path import HeadPath
from giantstep.learners.heads.ridge_path import (
    Spectrum,
    generalised_cross_validation,
    positive_numbers,
    solve_path,
    squared_errors_by_features,
    squared_errors_by_samples,
)
from giantstep.learners.networks.conventions import RidgeConvention, named
from giantstep.learners.networks.network import Network
from giantstep.problems import ArraySample, Sample


@dataclass(frozen=True, init=False)
class RidgeHead:
    """Ridge regression for one penalty or a whole path of them.

    Args:
        ridge: one number or L of them, positive, in the unit of the convention.
        convention: how they are meant, a `RidgeConvention` or its name; the normal form unless given.
        validate: whether the leave-one-out and GCV scores are computed too.

    >>> RidgeHead(0.1).ridge
    (0.1,)
    >>> RidgeHead(-0.1)
    Traceback (most recent call last):
    giantstep.errors.InputError: ridge = -0.1 is not allowed; it must be one or more positive numbers
    """

    ridge: tuple[float, ...]
    convention: RidgeConvention
    validate: bool

    def __init__(
        self,
        ridge: ArrayLike,
        convention: RidgeConvention | str = RidgeConvention.PER_FEATURE,
        validate: bool = False,
    ) -> None:
        object.__setattr__(self, "ridge", tuple(positive_numbers(ridge).tolist()))
        object.__setattr__(self, "convention", named("the convention of the ridge", RidgeConvention, convention))
        object.__setattr__(self, "validate", validate)

    def per_feature(self, samples: int, neurons: int) -> Array:
        """lambda of the normal form (1/n)|y - Psi c|^2 + lambda |c|^2, (L,)."""
        return np.array([self.convention.per_feature(value, samples, neurons) for value in self.ridge])

    def __str__(self) -> str:
        return str(self.convention.value)

    def __repr__(self) -> str:
        count, lowest, highest = len(self.ridge), min(self.ridge), max(self.ridge)
        ridge = f"ridge {lowest:g}" if count == 1 else f"{count} ridges {lowest:g}..{highest:g}"
        return f"RidgeHead({ridge}, {self.convention.name}{', leave-one-out' if self.validate else ''})"


def check_head(value: Any) -> RidgeHead:
    """A head that was given, or the sentence that says how one is made."""
    return instance("the head", value, RidgeHead, "one such as RidgeHead(0.1)")


FeatureBlock = Callable[[int], tuple[NDArray[Any], Array]]


def fit_ridge(features: NDArray[Any], labels: Array, head: RidgeHead) -> HeadPath:
    """Fit a ridge head on features that are in memory; the smaller of n and N decides the side.

    Args:
        features: Psi, (n, N).
        labels: y, (n,).
        head: the penalties.
    """
    rows, head = ArraySample(features, labels), check_head(head)
    if rows.samples <= rows.d:
        return _fit_by_samples(rows.inputs, rows.labels, head)
    return _fit_by_features(rows.block, rows.blocks(), rows.samples, rows.d, head)


def fit_ridge_on(
    net: Network, sample: Sample, head: RidgeHead, *, threads: int = 1, progress: Progress | None = None
) -> HeadPath:
    """Fit on the features that `net` has on a sample, in one pass (two when validating); O(N^2) memory."""
    cast = Cast(net, sample)

    def block(number: int) -> tuple[NDArray[Any], Array]:
        x, y = cast.block(number)
        return cast.features(x), y

    if sample.samples > net.neurons:
        return _fit_by_features(block, sample.blocks(), sample.samples, net.neurons, head, threads, progress)
    with one_blas_thread():
        parts = [block(number) for number in range(sample.blocks())]
    features, y = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _fit_by_samples(features, y, head)


def _fit_by_features(
    block: FeatureBlock,
    blocks: int,
    n: int,
    neurons: int,
    head: RidgeHead,
    threads: int = 1,
    progress: Progress | None = None,
) -> HeadPath:
    """N side: A = Psi^T Psi / n is summed over blocks, so that n may be as large as time allows."""
    ridges = head.per_feature(n, neurons)
    passes = 2 if head.validate else 1

    def gram(number: int) -> Results:
        psi, y = block(number)
        # psi.T @ psi is one symmetric rank-k update in NumPy: half the work of a general product.
        return psi.T @ psi, psi.T @ y.astype(psi.dtype, copy=False), np.array([y @ y])

    matrix, moment, square = sum_over_blocks(blocks, gram, threads=threads, progress=_stage(progress, 0, passes))
    matrix /= n
    moment /= n
    if not head.validate:
        coefficients = solve_path(matrix, moment, ridges)
        # (1/n)|y - Psi c|^2 = |y|^2/n - 2 c.b + c.Ac, with Ac = b - lambda c at the minimum.
        explained = coefficients @ moment + ridges * (coefficients**2).sum(axis=1)
        training = np.maximum(square[0] / n - explained, 0.0)
        return HeadPath(str(head), ridges, coefficients, training, None, None, n)
    spectrum = Spectrum.of(matrix)
    coefficients = spectrum.solve(moment, ridges)

    def errors(number: int) -> Results:
        psi, y = block(number)
        wide = psi.astype(np.float64, copy=False)
        return squared_errors_by_features(spectrum, wide, y, coefficients, ridges, n)

    held_out, residual = sum_over_blocks(blocks, errors, threads=threads, progress=_stage(progress, 1, passes))
    gcv = generalised_cross_validation(residual / n, spectrum.smoother_trace(ridges), n)
    return HeadPath(str(head), ridges, coefficients, residual / n, held_out / n, gcv, n)


def _fit_by_samples(features: NDArray[Any], y: Array, head: RidgeHead) -> HeadPath:
    """n side, n <= N: the kernel matrix K = Psi Psi^T / n."""
    n, neurons = features.shape
    ridges = head.per_feature(n, neurons)
    psi = features.astype(np.float64, copy=False)
    kernel = psi @ psi.T / n
    if not head.validate:
        dual = solve_path(kernel, y, ridges)
        training = ((ridges[:, None] * dual) ** 2).sum(axis=1) / n
        return HeadPath(str(head), ridges, dual @ psi / n, training, None, None, n)
    spectrum = Spectrum.of(kernel)
    dual = spectrum.solve(y, ridges)
    held_out, residual = squared_errors_by_samples(spectrum, dual, ridges)
    gcv = generalised_cross_validation(residual / n, spectrum.smoother_trace(ridges), n)
    return HeadPath(str(head), ridges, dual @ psi / n, residual / n, held_out / n, gcv, n)


def _stage(progress: Progress | None, number: int, of: int) -> Progress | None:
    """The progress of one of several passes of equal length."""
    if progress is None:
        return None
    return lambda done: progress((number + done) / of)
