"""Whitening that takes a table as it comes: few rows, constant columns, columns that repeat each other.

    z = (x - mean)/scale,   C = sum_i w_i z_i z_i' = V diag(l) V',   whitened x = diag(l_s)^-1/2 V' z .

l_s are the eigenvalues l, cleaned of what few rows add to their spread (`shrinkage.py`); with n far above d they are
nearly l itself. Axes along which the rows do not vary (constant columns, columns that are sums of others, more columns
than rows) are left out: whitened rows have `rank_` columns.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from giantstep.arrays import Array, Floats
from giantstep.checks import real_number
from giantstep.estimators.normal_scores import NormalScores
from giantstep.estimators.scikit import BaseEstimator, TransformerMixin, checked_rows, shares, validate_data
from giantstep.estimators.shrinkage import cleaned
from giantstep.estimators.sizes import check_sizes

FLAT = 1e-10
"""Standard deviation relative to the column's largest value, and eigenvalue relative to the largest, taken for 0."""


class Whitening(TransformerMixin, BaseEstimator):
    """Rows with mean 0 and covariance near the identity, and the way back to the units of X.

    Args:
        shrinkage: "auto" for the cleaned eigenvalues of Ledoit and Wolf, or a number s from 0 to 1 for
            l_s = (1 - s) l + s mean(l): 0 is the covariance itself, 1 leaves standardised columns as they are.
        gaussianise: whether each column is first mapped to normal scores by its ranks.

    Fitted attributes: `mean_` and `scale_`, (d,), the latter 1 for a constant column; `constant_`, (d,), whether a
    column is; `rank_`; `axes_`, V, (d, rank_); `roots_`, square roots of l_s, (rank_,).

    >>> x = np.random.default_rng(0).standard_normal((500, 3)) * [1, 10, 100]
    >>> x = np.column_stack([x, x[:, 0] + x[:, 1], np.ones(500)])
    >>> white = Whitening().fit(x)
    >>> white.rank_, bool(np.abs(np.cov(white.transform(x).T) - np.eye(3)).max() < 0.05)
    (3, True)
    """

    def __init__(self, *, shrinkage: float | str = "auto", gaussianise: bool = False) -> None:
        self.shrinkage = shrinkage
        self.gaussianise = gaussianise

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Mean, scale, covariance and its root.

        Args:
            X: the table, (n, d).
            y: ignored.
            sample_weight: weights of the rows, (n,); None for equal ones.
        """
        del y
        x = np.asarray(validate_data(self, X, dtype=[np.float64, np.float32], ensure_min_samples=2))
        return self.fit_rows(x, shares(sample_weight, x))

    def fit_rows(self, x: Floats, weight: Array) -> Self:
        """`fit` for an array `x` (n, d) that was checked, and shares `weight` (n,) that sum to 1."""
        auto, wanted = self.shrinkage == "auto", 0.0
        if not auto:
            wanted = real_number("shrinkage", self.shrinkage, "'auto' or a number from 0 to 1", least=0, most=1)
        check_sizes(x, "the inputs")
        self.scores_ = NormalScores.of(x, weight) if self.gaussianise else None
        columns = self._columns(x)
        self.mean_ = weight @ columns
        z = columns - self.mean_
        spread = np.sqrt(weight @ z**2)
        self.constant_ = spread <= FLAT * np.abs(columns).max(axis=0)
        self.scale_ = np.where(self.constant_, 1.0, spread)
        z /= self.scale_
        z[:, self.constant_] = 0.0
        values, self.axes_ = _eigen(z, weight)
        self.rank_ = len(values)
        varying = max(int((~self.constant_).sum()), 1)
        if auto:
            used = cleaned(values, varying, 1 / float(weight @ weight) - 1)  # Kish's number of rows
        else:
            used = (1 - wanted) * values + wanted * values.sum() / varying
        self.roots_ = np.sqrt(used)
        return self

    def transform(self, X: Any) -> Floats:
        """Whitened rows, (n, rank_), of the table `X`, (n, d)."""
        x = checked_rows(self, X)
        return self.rows(x).astype(x.dtype, copy=False)

    def rows(self, x: Floats) -> Array:
        """`transform` for an array `x` (n, d) that was checked: (n, rank_), in double precision."""
        z = (self._columns(x) - self.mean_) / self.scale_
        return np.asarray(z @ (self.axes_ / self.roots_))

    def standardised(self, vectors: Array) -> Array:
        """Directions `vectors` (k, rank_) of whitened rows as rows of unit length (k, d) that act on standardised X.

        <vector, whitened x> = c <direction, (x - mean)/scale>, with a c > 0 for each row.
        """
        rows = np.asarray((vectors / self.roots_) @ self.axes_.T)
        return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(float).tiny))

    def units_of_x(self, vectors: Array) -> Array:
        """Orthonormal rows (k, d) that act on X and span what `vectors` (k, rank_) span on whitened rows.

        The first row is the first vector, the second what the second adds to it, and so on. After `gaussianise` they
        act on normal scores in units of the columns' standard deviations.
        """
        rows = (vectors / self.roots_) @ self.axes_.T / self.scale_
        ortho, triangle = np.linalg.qr(rows.T)
        return np.asarray((ortho * np.where(np.diag(triangle) < 0, -1.0, 1.0)).T)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names of whitened columns, "whitened0" and so on; `input_features` is not needed."""
        del input_features
        return np.array([f"whitened{number}" for number in range(self.rank_)], dtype=object)

    def _columns(self, x: Floats) -> Array:
        return self.scores_(x) if self.scores_ is not None else np.asarray(x, dtype=np.float64)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _eigen(z: Array, weight: Array) -> tuple[Array, Array]:
    """Eigenvalues above 0 of sum_i w_i z_i z_i', falling, and their vectors (d, rank), by the smaller Gram matrix."""
    n, d = z.shape
    rows = z * np.sqrt(weight)[:, None]
    values, vectors = np.linalg.eigh(rows.T @ rows if d <= n else rows @ rows.T)
    values, vectors = values[::-1], vectors[:, ::-1]
    there = values > FLAT * max(float(values[0]), np.finfo(float).tiny)
    values, vectors = values[there], vectors[:, there]
    if d > n:
        vectors = rows.T @ vectors / np.sqrt(values)
    return values, fixed_signs(vectors.T).T


def fixed_signs(rows: Array) -> Array:
    """`rows` (k, r) with the sign that makes the largest entry of each positive, so that it does not hang on LAPACK."""
    largest = np.take_along_axis(rows, np.abs(rows).argmax(axis=1)[:, None], axis=1)
    return np.asarray(rows * np.where(largest < 0, -1.0, 1.0))
