"""A ridge head with an intercept, weights and several labels, and exact held-out errors for every penalty.

    min over c and b of  sum_i s_i |y_i - b - c'phi_i|^2 + lambda |c|^2,    sum_i s_i = 1,

from one eigendecomposition on the smaller side. With p < n, phi centred and A = sum_i s_i phi_i phi_i',

    error without row i on it = (y_i - b - c'phi_i)/(1 - h_i),    h_i = s_i (1 + phi_i'(A + lambda)^-1 phi_i) .
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from giantstep.arrays import Array, Floats
from giantstep.checks import real_array, require
from giantstep.learners.engines.blocks import one_blas_thread
from giantstep.learners.heads.bordered import bordered
from giantstep.learners.heads.ridge_path import Spectrum, positive_numbers


@dataclass(frozen=True, eq=False, repr=False)
class ValidatedHead:
    """Heads f = b + c'phi of k labels, one for each of L penalties.

    Args:
        ridge: lambda, (L,).
        coefficients: c, (L, p, k).
        intercept: b, (L, k).
        held_out: y_i minus what the fit without row i says, (L, n, k).
    """

    ridge: Array
    coefficients: Array
    intercept: Array
    held_out: Array

    def __repr__(self) -> str:
        _, rows, labels = self.held_out.shape
        return f"ValidatedHead({len(self.ridge)} penalties, p={self.coefficients.shape[1]}, n={rows}, {labels} labels)"


def validated_head(features: Floats, labels: Array, ridge: ArrayLike, *, weights: Array | None = None) -> ValidatedHead:
    """Fit a ridge head for every penalty, with the exact error of leave-one-out for every row.

    Args:
        features: phi, (n, p).
        labels: y, (n,) or (n, k).
        ridge: lambda, one positive number or L of them, of the normal form: the errors are averaged, not summed.
        weights: s, (n,), positive, scaled here to the sum 1; equal unless given.
    """
    path, phi = positive_numbers(ridge), real_array("the features", features, axes=2)
    y = np.asarray(real_array("the labels", labels), dtype=np.float64)
    n = len(phi)
    require(
        n >= 2 and y.shape[:1] == (n,), f"features {phi.shape} and labels {y.shape} must have the same 2 or more rows"
    )
    share = np.full(n, 1.0 / n) if weights is None else np.asarray(real_array("the weights", weights), dtype=np.float64)
    require(share.shape == (n,) and np.all(share > 0), f"the weights must be {n} positive numbers")
    share, y = share / share.sum(), y.reshape(n, -1)
    with one_blas_thread():
        fit = _by_features if phi.shape[1] < n else _by_rows
        return fit(phi, y, path, share)


def _by_features(features: Floats, y: Array, ridge: Array, share: Array) -> ValidatedHead:
    mean, middle = share @ features, share @ y
    phi = features - mean.astype(features.dtype)
    rooted = phi * np.sqrt(share).astype(phi.dtype)[:, None]
    spectrum = Spectrum.of(np.asarray(rooted.T @ rooted, dtype=np.float64))
    moment = spectrum.vectors.T @ (phi.T @ (share[:, None] * (y - middle)))
    shrink = spectrum.shrink(ridge)
    coefficients = spectrum.vectors @ (shrink[:, :, None] * moment)
    rotated = phi @ spectrum.vectors
    leverage = share * (1.0 + shrink @ (rotated**2).T)
    residual = y - middle - phi @ coefficients
    with np.errstate(divide="ignore", invalid="ignore"):
        held_out = residual / (1.0 - leverage[:, :, None])
    held_out[~np.isfinite(held_out)] = np.inf
    return ValidatedHead(ridge, coefficients, middle - mean @ coefficients, held_out)


def _by_rows(features: Floats, y: Array, ridge: Array, share: Array) -> ValidatedHead:
    roots = np.sqrt(share)
    rooted = features.astype(np.float64) * roots[:, None]
    spectrum = Spectrum.of(rooted @ rooted.T)
    shrink = spectrum.shrink(ridge)
    ways = spectrum.vectors.T @ np.column_stack([y * roots[:, None], roots])
    solved = spectrum.vectors @ (shrink[:, :, None] * ways)
    fits = bordered(solved, shrink @ (spectrum.vectors**2).T, roots)
    return ValidatedHead(ridge, rooted.T @ fits.dual, fits.intercept, fits.held_out)
