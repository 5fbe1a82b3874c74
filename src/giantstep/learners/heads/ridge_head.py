"""The second layer: a ridge head with its whole path of penalties, on features in memory or streamed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from giantstep.checks import instance, whole_number
from giantstep.learners.engines.blocks import Progress, Results, one_blas_thread, sum_over_blocks
from giantstep.learners.engines.full import Cast
from giantstep.learners.heads.ridge_path import (
    Spectrum,
    generalised_cross_validation,
    positive_numbers,
    solve_path,
    squared_errors_by_features,
    squared_errors_by_samples,
)
from giantstep.learners.networks.conventions import PenaltyConvention, named
from giantstep.learners.networks.network import Network
from giantstep.problems import ArraySample, Sample


@dataclass(frozen=True)
class RidgeHead:
    """Penalties in a named convention; `validate` asks for the leave-one-out and GCV scores too.

    >>> RidgeHead(0.1).penalties
    (0.1,)
    >>> RidgeHead(-0.1)
    Traceback (most recent call last):
    giantstep.errors.InputError: penalties = -0.1 is not allowed; it must be one or more positive numbers
    """

    penalties: tuple[float, ...]
    convention: PenaltyConvention = PenaltyConvention.PER_FEATURE
    validate: bool = False

    def __init__(
        self,
        penalties: ArrayLike,
        convention: PenaltyConvention | str = PenaltyConvention.PER_FEATURE,
        validate: bool = False,
    ) -> None:
        object.__setattr__(self, "penalties", tuple(positive_numbers(penalties).tolist()))
        object.__setattr__(self, "convention", named("the convention of the penalty", PenaltyConvention, convention))
        object.__setattr__(self, "validate", validate)

    def per_feature(self, n: int, width: int) -> NDArray[np.float64]:
        """The penalties in the normal form (1/n)|y - Psi c|^2 + lambda |c|^2."""
        return np.array([self.convention.per_feature(value, n, width) for value in self.penalties])


@dataclass(frozen=True, eq=False, repr=False)
class HeadPath:
    """Fitted heads, one row per penalty: f(x) = sum_i c_i sigma(<w_i, x> + b_i)."""

    head: RidgeHead
    per_feature: NDArray[np.float64]
    """lambda of the normal form, (L,)."""
    coefficients: NDArray[np.float64]
    """c, (L, N), on unscaled features."""
    training_error: NDArray[np.float64]
    """(1/n) |y - Psi c|^2, (L,)."""
    leave_one_out: NDArray[np.float64] | None
    """Mean squared error of the n fits that each leave one sample out, (L,); None unless asked for."""
    gcv: NDArray[np.float64] | None
    """Generalised cross-validation score, (L,); None unless asked for. Not the leave-one-out error."""
    n: int

    def network(self, net: Network, which: int = 0) -> Network:
        """The network with the head of penalty number `which`."""
        last = len(self.coefficients) - 1
        return net.with_coefficients(self.coefficients[whole_number("the number of a penalty", which, 0, last)])

    def __repr__(self) -> str:
        size, width = self.coefficients.shape
        return (
            f"HeadPath({size} penalties '{self.head.convention.value}', N={width}, n={self.n}, "
            f"training error {self.training_error.min():.4g} to {self.training_error.max():.4g})"
        )


def check_head(value: Any) -> RidgeHead:
    """A head that was given, or the sentence that says how one is made."""
    return instance("the head", value, RidgeHead, "one such as RidgeHead(0.1)")


FeatureBlock = Callable[[int], tuple[NDArray[Any], NDArray[np.float64]]]


def fit_head(features: NDArray[Any], y: NDArray[np.float64], head: RidgeHead) -> HeadPath:
    """Fit on features Psi (n, N) that are in memory; the smaller of n and N decides the side."""
    rows, head = ArraySample(features, y), check_head(head)
    if rows.n <= rows.d:
        return _fit_by_samples(rows.inputs, rows.labels, head)
    return _fit_by_features(rows.block, rows.blocks(), rows.n, rows.d, head)


def fit_head_on(
    net: Network,
    sample: Sample,
    head: RidgeHead,
    *,
    threads: int = 1,
    dtype: DTypeLike | None = None,
    progress: Progress | None = None,
) -> HeadPath:
    """Fit on the features that `net` has on a sample, in one pass (two when validating); O(N^2) memory."""
    cast, head = Cast(net, sample, dtype), check_head(head)

    def block(number: int) -> tuple[NDArray[Any], NDArray[np.float64]]:
        x, y = cast.block(number)
        return cast.features(x), y

    if sample.n > net.width:
        return _fit_by_features(block, sample.blocks(), sample.n, net.width, head, threads, progress)
    with one_blas_thread():
        parts = [block(number) for number in range(sample.blocks())]
    features, y = (np.concatenate(column) for column in zip(*parts, strict=True))
    return _fit_by_samples(features, y, head)


def _fit_by_features(
    block: FeatureBlock,
    blocks: int,
    n: int,
    width: int,
    head: RidgeHead,
    threads: int = 1,
    progress: Progress | None = None,
) -> HeadPath:
    """N side: A = Psi^T Psi / n is summed over blocks, so that n may be as large as time allows."""
    penalties = head.per_feature(n, width)
    passes = 2 if head.validate else 1

    def gram(number: int) -> Results:
        psi, y = block(number)
        # psi.T @ psi is one symmetric rank-k update in NumPy: half the work of a general product.
        return psi.T @ psi, psi.T @ y.astype(psi.dtype, copy=False), np.array([y @ y])

    matrix, moment, square = sum_over_blocks(blocks, gram, threads=threads, progress=_stage(progress, 0, passes))
    matrix /= n
    moment /= n
    if not head.validate:
        coefficients = solve_path(matrix, moment, penalties)
        # (1/n)|y - Psi c|^2 = |y|^2/n - 2 c.b + c.Ac, with Ac = b - lambda c at the minimum.
        explained = coefficients @ moment + penalties * (coefficients**2).sum(axis=1)
        training = np.maximum(square[0] / n - explained, 0.0)
        return HeadPath(head, penalties, coefficients, training, None, None, n)
    spectrum = Spectrum.of(matrix)
    coefficients = spectrum.solve(moment, penalties)

    def errors(number: int) -> Results:
        psi, y = block(number)
        wide = psi.astype(np.float64, copy=False)
        return squared_errors_by_features(spectrum, wide, y, coefficients, penalties, n)

    held_out, residual = sum_over_blocks(blocks, errors, threads=threads, progress=_stage(progress, 1, passes))
    gcv = generalised_cross_validation(residual / n, spectrum.smoother_trace(penalties), n)
    return HeadPath(head, penalties, coefficients, residual / n, held_out / n, gcv, n)


def _fit_by_samples(features: NDArray[Any], y: NDArray[np.float64], head: RidgeHead) -> HeadPath:
    """n side, n <= N: the kernel matrix K = Psi Psi^T / n."""
    n, width = features.shape
    penalties = head.per_feature(n, width)
    psi = features.astype(np.float64, copy=False)
    kernel = psi @ psi.T / n
    if not head.validate:
        dual = solve_path(kernel, y, penalties)
        training = ((penalties[:, None] * dual) ** 2).sum(axis=1) / n
        return HeadPath(head, penalties, dual @ psi / n, training, None, None, n)
    spectrum = Spectrum.of(kernel)
    dual = spectrum.solve(y, penalties)
    held_out, residual = squared_errors_by_samples(spectrum, dual, penalties)
    gcv = generalised_cross_validation(residual / n, spectrum.smoother_trace(penalties), n)
    return HeadPath(head, penalties, dual @ psi / n, residual / n, held_out / n, gcv, n)


def _stage(progress: Progress | None, number: int, of: int) -> Progress | None:
    """The progress of one of several passes of equal length."""
    if progress is None:
        return None
    return lambda done: progress((number + done) / of)
