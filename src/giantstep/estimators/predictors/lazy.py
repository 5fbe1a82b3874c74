"""Kernel ridge regression as an estimator: what infinitely many neurons learn without learning features."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import real_number, require
from giantstep.estimators.predictors.lazy_kernels import RowsKernel, kernels_of, on_rows
from giantstep.estimators.predictors.tables import (
    Progress,
    Table,
    input_map,
    positive_path,
    progress_of,
    read_table,
    tell_cost,
)
from giantstep.estimators.scikit import BaseEstimator, RegressorMixin, checked_rows
from giantstep.learners.kernels import ValidatedPath, validated_path

PENALTIES = 30
LEAST = 1e-6
"""The least penalty of the path, as a share of the mean of k(x, x); the largest is n times that mean: the constant."""
SECONDS = 1.5e-10
"""Of a fit, times n^3, on one core of 2021."""


class LazyRegressor(RegressorMixin, BaseEstimator):
    """Kernel ridge regression with an intercept: the whole path of penalties and its exact leave-one-out errors.

    f = b + sum_i alpha_i k(x_i, .) minimises sum_i s_i (y_i - f(x_i))^2 + lambda |f - b|^2, the weights s summing
    to 1.
    One reduction of the kernel matrix serves all penalties, and its memory is that of this one matrix: 1.3 n^2 numbers
    or less at n = 20,000.

    Args:
        kernel: k as text: `ntk(relu)`, `ntk(tanh)`, ... (the tangent kernel), `arccos1` (random ReLU features), a
            function of t = <x, x'>/d such as `exp(2*t)` or `(1 + t)**4`, or one of distances: `laplace`, `gaussian`,
            `product` (of single columns). Several, as a list, to take the one of the least leave-one-out error.
        ridge: lambda, "loo" for the best of 30 by leave-one-out, for each label its own; or a number, or several to
            choose from. In the terms of scikit-learn's KernelRidge, alpha = n lambda.
        inputs: "standardised" (each column) or "whitened" (with shrinkage).
        gaussianise: whether columns are mapped to normal scores first: for long tails.
        bias: standard deviation of the neurons' biases in `ntk(...)` and `arccos1`; without one (0) the kernel is
            homogeneous, and so is what it learns.
        verbose: whether a long fit tells how far it is.

    Fitted attributes: `kernel_`, the text of the kernel that was taken; `ridge_`, lambda, a number or one for each
    label; `ridges_`, (L,), and `loo_errors_`, (L, k), the mean squared errors of leave-one-out along its path;
    `loo_predictions_`, of each row by the fit without it; `loo_score_`, their R^2; `intercept_`; `dual_coef_`, alpha,
    (k, n).

    >>> x = np.random.default_rng(0).standard_normal((200, 3))
    >>> model = LazyRegressor("exp(2*t)").fit(x, x[:, 0] * x[:, 1])
    >>> bool(model.loo_score_ > 0.9)
    True
    """

    def __init__(
        self,
        kernel: Any = "ntk(relu)",
        *,
        ridge: Any = "loo",
        inputs: Any = "standardised",
        gaussianise: Any = False,
        bias: Any = 1.0,
        verbose: Any = False,
    ) -> None:
        self.kernel = kernel
        self.ridge = ridge
        self.inputs = inputs
        self.gaussianise = gaussianise
        self.bias = bias
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit all penalties and choose.

        Args:
            X: the table, (n, d).
            y: numbers to predict, (n,) or (n, k).
            sample_weight: weights of the rows, (n,), which enter centring, errors and the fit; None for equal ones.
        """
        kernels = kernels_of(self.kernel)
        bias = real_number("bias", self.bias, "a number of 0 or more", least=0)
        table = read_table(self, X, y, sample_weight)
        n = len(table.y)
        what = f"a kernel on {n} rows" if len(kernels) == 1 else f"{len(kernels)} kernels on {n} rows"
        tell_cost(self, len(kernels) * SECONDS * n**3, 1.3 * n**2, what)
        self.inputs_ = input_map(self.inputs, self.gaussianise, table)
        rows, progress = self.inputs_.rows(table.x), progress_of(self, f"{n} rows")
        least = np.inf
        for number, kernel in enumerate(kernels):
            one = on_rows(kernel, rows, table.share, bias)
            path, ridges = self._path(one, table, _part(progress, number, len(kernels)))
            errors = np.einsum("i,lik->lk", table.share, path.held_out**2)
            if number == 0 or float(errors.min(axis=0).sum()) < least:
                least, self.rows_kernel_, self.ridges_ = float(errors.min(axis=0).sum()), one, ridges
                self._keep(path, errors, table)
        self.kernel_ = self.rows_kernel_.name
        self._keep_held_out(X, table)
        return self

    def _path(self, kernel: RowsKernel, table: Table, progress: Progress | None) -> tuple[ValidatedPath, Array]:
        """All penalties of one kernel for labels of unit variance."""
        matrix = kernel.matrix()
        ridges = self._penalties(float(table.share @ np.diag(matrix)), len(table.y))
        labels = table.y / table.label_scales
        return validated_path(matrix, labels, ridges, weights=table.share, progress=progress), ridges

    def predict(self, X: Any) -> Array:
        """Predictions for the rows of `X`, (n, d): (n,) or (n, k), as the labels were."""
        x = checked_rows(self, X)
        columns = self.rows_kernel_.predict(self.inputs_.rows(x), self.dual_coef_) + self.intercept_
        return np.asarray(columns[:, 0] if self._is_flat else columns)

    def _penalties(self, size: float, n: int) -> Array:
        if isinstance(self.ridge, str):
            require(self.ridge == "loo", f"ridge = {self.ridge!r} is not allowed; it must be 'loo' or positive numbers")
            return (size or 1.0) * np.geomspace(LEAST / n, 1.0, PENALTIES)
        return positive_path(self.ridge)

    def _keep(self, path: ValidatedPath, errors: Array, table: Table) -> None:
        """The best penalty for each label, and the errors of all, in the units of the labels."""
        scale = table.label_scales
        best, columns = errors.argmin(axis=0), np.arange(errors.shape[1])
        solved = np.isfinite(path.intercept[best, columns])
        require(solved, "the penalty is below the rounding of the kernel: give a larger ridge")
        self.loo_errors_ = errors * scale**2
        self.dual_coef_ = path.dual[best, :, columns] * scale[:, None]
        self.intercept_ = path.intercept[best, columns] * scale
        self.ridge_ = float(self.ridges_[best[0]]) if table.is_flat else self.ridges_[best]
        self._held_out, self._is_flat = path.held_out[best, :, columns].T * scale, table.is_flat

    def _keep_held_out(self, X: Any, table: Table) -> None:
        """What the fit without it says of each row; a row of no weight had no say in any fit."""
        said = np.empty((len(table.there), table.y.shape[1]))
        if not table.there.all():
            said[:] = np.asarray(self.predict(X), dtype=np.float64).reshape(said.shape)
        said[table.there] = table.y - self._held_out
        self.loo_predictions_ = table.as_labels(said)
        around = table.share @ (table.y - table.label_means) ** 2
        missed = table.share @ self._held_out**2
        self.loo_score_ = float(np.mean(1 - missed / np.where(around > 0, around, 1.0)))
        del self._held_out

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def _part(progress: Progress | None, number: int, count: int) -> Progress | None:
    """What tells of one of several parts."""
    return None if progress is None else lambda share: progress((number + share) / count)
