"""The recursive feature machine as an estimator, its number of rounds chosen on rows that no round has seen."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import real_number, require, whole_number
from giantstep.estimators.distance_kernels import KINDS
from giantstep.estimators.predictors.choosing import Rows
from giantstep.estimators.predictors.racing import MOST_ROUNDS, fit_all, race, winner_of
from giantstep.estimators.predictors.rounds import Recipe
from giantstep.estimators.predictors.tables import (
    Table,
    folds_of,
    input_map,
    positive_path,
    progress_of,
    read_table,
    tell_cost,
)
from giantstep.estimators.scikit import BaseEstimator, RegressorMixin, checked_rows, generator_of
from giantstep.learners.engines import one_blas_thread

SECONDS = 6e-11
"""Of a round, times n^3, on one core of 2021."""
RACED = 600
"""Rows of a larger table on which kernel, rounds and penalties are chosen."""
BLOCKS = 1.1
"""Memory beside kernel matrices, as a factor."""


class RecursiveFeatureRegressor(RegressorMixin, BaseEstimator):
    """Kernel ridge regression that learns its metric: rounds of a fit and of the outer product of its gradients (AGOP).

    Args:
        kernel: "laplace" or "gaussian", of the distance between rows; "product", of distances along each column, whose
            rounds weigh columns and do not mix them; several of them to choose from, or "auto" for all three.
        rounds: how often rows are stretched by the AGOP of a fit and fitted again; 0 is kernel ridge regression, "auto"
            chooses up to 4, and 0 wins unless more is better by more than a standard error.
        bandwidth: width of the kernel; with 1 it is exp(-1/2) at the typical distance between the rows of a round.
        ridge: lambda, where errors are averaged over rows; "auto" for powers of ten around the best, a number, or
            several to choose from.
        diagonal: whether columns are only weighted (the diagonal of AGOP), or mixed too.
        cv: number of folds of the whole fit, or a splitter or list of splits as in scikit-learn, or a share of the rows
            such as 0.2 that is held out once. Kernel, rounds and penalties are chosen on held-out rows: leave-one-out
            is honest in the first round only. "auto" is three folds, of 600 rows at random where there are more, which
            takes a fraction of the time.
        inputs: "standardised" or "whitened".
        gaussianise: whether columns are mapped to normal scores first: for long tails.
        random_state: of the folds, as everywhere in scikit-learn.
        verbose: whether a long fit tells how far it is.

    Fitted attributes: `kernel_`, `rounds_` and `ridge_`, what was chosen; `held_out_errors_`, by kernel and number of
    rounds, mean squared errors in variances of the labels on held-out rows; `held_out_score_`, the R^2 of the chosen
    one (of fits on part of 600 rows where there are more: the last fit, on all of them, is better); `outer_product_`,
    the AGOP of the last fit, (r, r), in the units of the rows of `inputs_`: its diagonal ranks columns, its leading
    eigenvectors are directions.

    >>> x = np.random.default_rng(0).standard_normal((300, 8))
    >>> model = RecursiveFeatureRegressor(random_state=0).fit(x, x[:, 0] * x[:, 1])
    >>> model.rounds_ > 0, sorted(np.diag(model.outer_product_).argsort()[-2:].tolist())
    (True, [0, 1])
    """

    def __init__(
        self,
        kernel: Any = "auto",
        *,
        rounds: Any = "auto",
        bandwidth: Any = 1.0,
        ridge: Any = "auto",
        diagonal: Any = False,
        cv: Any = "auto",
        inputs: Any = "standardised",
        gaussianise: Any = False,
        random_state: Any = None,
        verbose: Any = False,
    ) -> None:
        self.kernel = kernel
        self.rounds = rounds
        self.bandwidth = bandwidth
        self.ridge = ridge
        self.diagonal = diagonal
        self.cv = cv
        self.inputs = inputs
        self.gaussianise = gaussianise
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose and fit.

        Args:
            X: the table, (n, d).
            y: numbers to predict, (n,) or (n, k).
            sample_weight: weights of the rows, (n,), which enter centring, fits, outer products and errors.
        """
        recipes, rounds, ridge = self._recipes(), self._rounds(), self._penalties()
        table = read_table(self, X, y, sample_weight)
        self.inputs_ = input_map(self.inputs, self.gaussianise, table)
        self.label_means_, self.label_scales_, self._is_flat = table.label_means, table.label_scales, table.is_flat
        rows = Rows(self._inputs(table.x), (table.y - table.label_means) / table.label_scales, table.share)
        generator, n = generator_of(self.random_state), len(table.y)
        dealt = self._dealt(table, generator)
        raced = np.sort(generator.permutation(n)[:RACED]) if self._is_quick and n > RACED else np.arange(n)
        some, dealt = rows[raced], dealt[raced]
        folds = len(np.unique(dealt[dealt >= 0]))
        most = len(recipes) * ((MOST_ROUNDS if rounds is None else rounds) + 1)
        kept = 1 - float(np.mean(dealt >= 0)) / folds
        seconds = SECONDS * (most * folds * (len(raced) * kept) ** 3 + n**3)
        tell_cost(
            self,
            seconds,
            BLOCKS * max(2 * (kept * len(raced)) ** 2, n**2),
            f"up to {most * folds} fits of a kernel on up to {n} rows",
        )
        progress = progress_of(self, f"{n} rows")
        with one_blas_thread():
            courses = race(some, recipes, dealt, rounds, ridge, progress)
            best = winner_of(courses, rounds)
            chosen = best if ridge is not None else best.on_more_rows(len(raced) / n)
            fitted = fit_all(rows, chosen)
            self.outer_product_ = fitted.outer_product(rows.share)
        if progress is not None:
            progress(1.0)
        labels = rows.y.shape[1]
        self.held_out_errors_ = {
            (one.recipe.kind, one.rounds): course.error(one) / labels for course in courses for one in course.found
        }
        self.held_out_score_ = 1 - float(courses[0].judged @ best.errors) / labels
        self.kernel_, self.rounds_, self.ridge_ = best.recipe.kind, best.rounds, chosen.ridges[-1]
        self.stretch_, self.fit_ = fitted.stretch, fitted.function
        return self

    def predict(self, X: Any) -> Array:
        """Predictions for the rows of `X`, (n, d): (n,) or (n, k), as the labels were."""
        x = checked_rows(self, X)
        with one_blas_thread():
            found = self.fit_.predict(self._inputs(x) @ self.stretch_)
        columns = found * self.label_scales_ + self.label_means_
        return np.asarray(columns[:, 0] if self._is_flat else columns)

    def _inputs(self, x: Any) -> Array:
        return np.asarray(self.inputs_.rows(x), dtype=np.float64)

    def _dealt(self, table: Table, generator: np.random.Generator) -> np.ndarray:
        """The number of the fold of each row; -1 for those that are never held out."""
        if not isinstance(self.cv, float):
            return folds_of(3 if self._is_quick else self.cv, table, generator)
        share = real_number("cv", self.cv, "a share of the rows between 0 and 1", least=1e-9, most=1 - 1e-9)
        n = len(table.y)
        held = min(max(round(share * n), 1), n - 1)
        return np.asarray(np.where(generator.permutation(n) < held, 0, -1))

    @property
    def _is_quick(self) -> bool:
        if isinstance(self.cv, str):
            require(self.cv == "auto", f"cv = {self.cv!r} is not allowed; it must be 'auto', a whole number or splits")
        return isinstance(self.cv, str)

    def _rounds(self) -> int | None:
        """How many; None for as many as help."""
        if isinstance(self.rounds, str):
            require(
                self.rounds == "auto", f"rounds = {self.rounds!r} is not allowed; it must be 'auto' or a whole number"
            )
            return None
        return whole_number("rounds", self.rounds, least=0)

    def _recipes(self) -> list[Recipe]:
        width = real_number("bandwidth", self.bandwidth, "a number above 0", least=1e-6)
        kinds = list(self.kernel) if isinstance(self.kernel, list | tuple) else [self.kernel]
        if kinds == ["auto"]:
            kinds = list(KINDS)
        wrong = [kind for kind in kinds if kind not in KINDS]
        require(
            bool(kinds) and not wrong, f"kernel = {self.kernel!r} is not allowed; there are: auto, {', '.join(KINDS)}"
        )
        return [Recipe(kind, width, bool(self.diagonal)) for kind in kinds]

    def _penalties(self) -> Array | None:
        """Those that were given; None for powers of ten around the best."""
        if isinstance(self.ridge, str):
            require(
                self.ridge == "auto", f"ridge = {self.ridge!r} is not allowed; it must be 'auto' or positive numbers"
            )
            return None
        return positive_path(self.ridge)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
