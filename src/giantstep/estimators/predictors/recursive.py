"""The recursive feature machine as an estimator, its number of rounds chosen on rows that no round has seen."""

from __future__ import annotations

from itertools import islice
from typing import Any, Self

import numpy as np

from giantstep.arrays import Array
from giantstep.checks import real_number, require, whole_number
from giantstep.estimators.predictors.choosing import Candidate, Rows, best_of, best_penalty
from giantstep.estimators.predictors.rounds import Recipe, Round, rounds_on
from giantstep.estimators.predictors.tables import (
    folds_of,
    input_map,
    positive_path,
    progress_of,
    read_table,
    tell_cost,
)
from giantstep.estimators.scikit import BaseEstimator, RegressorMixin, checked_rows, generator_of
from giantstep.learners.engines import one_blas_thread

MOST_ROUNDS = 4
"""Rounds after the first that "auto" tries at most."""
RIDGE = tuple(10.0 ** np.linspace(-3, 2, 11))
"""Penalties over n, beside kernels that are 1 at distance 0."""
SECONDS = 2e-10
"""Of a round, times n^3, on one core of 2021."""


class RecursiveFeatureRegressor(RegressorMixin, BaseEstimator):
    """Kernel ridge regression that learns its metric: rounds of a fit and of the outer product of its gradients (AGOP).

    Args:
        kernel: "laplace" or "gaussian", of the distance between rows.
        rounds: how often rows are stretched by the AGOP of a fit and fitted again; 0 is kernel ridge regression, "auto"
            chooses up to 4, and 0 wins unless more is better by more than a standard error.
        bandwidth: width of the kernel, in roots of the mean squared distance between the rows of a round.
        ridge: lambda, where errors are averaged over rows; "loo" to choose among 11, a number, or several. It is chosen
            with the rounds, on held-out rows: leave-one-out alone is honest in the first round only.
        diagonal: whether columns are only weighted (the diagonal of AGOP), or mixed too.
        cv: number of folds of the whole fit, or a splitter or list of splits as in scikit-learn.
        inputs: "standardised" or "whitened".
        gaussianise: whether columns are mapped to normal scores first: for long tails.
        random_state: of the folds, as everywhere in scikit-learn.
        verbose: whether a long fit tells how far it is.

    Fitted attributes: `rounds_` and `ridge_`, what was chosen; `held_out_errors_`, mean squared errors in variances of
    the labels on held-out rows after 0, 1, ... rounds; `held_out_score_`, the R^2 of the chosen one; `outer_product_`,
    the AGOP of the last fit, (r, r), in the units of the rows of `inputs_`: its diagonal ranks columns, its leading
    eigenvectors are directions.

    >>> x = np.random.default_rng(0).standard_normal((300, 8))
    >>> model = RecursiveFeatureRegressor(random_state=0).fit(x, x[:, 0] * x[:, 1])
    >>> model.rounds_ > 0, sorted(np.diag(model.outer_product_).argsort()[-2:].tolist())
    (True, [0, 1])
    """

    def __init__(
        self,
        kernel: Any = "laplace",
        *,
        rounds: Any = "auto",
        bandwidth: Any = 1.0,
        ridge: Any = "loo",
        diagonal: Any = False,
        cv: Any = 3,
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
        most, table = self._most_rounds(), read_table(self, X, y, sample_weight)
        n = len(table.y)
        recipe = self._recipe(n)
        self.inputs_ = input_map(self.inputs, self.gaussianise, table)
        self.label_means_, self.label_scales_, self._is_flat = table.label_means, table.label_scales, table.is_flat
        rows = Rows(self._inputs(table.x), (table.y - table.label_means) / table.label_scales, table.share)
        dealt = folds_of(self.cv, table, generator_of(self.random_state))
        count = len(np.unique(dealt))
        seconds = SECONDS * (most + 1) * (count * (n * (count - 1) / count) ** 3 + n**3)
        tell_cost(self, seconds, 1.3 * n**2, f"{(most + 1) * (count + 1)} fits of a kernel on up to {n} rows")
        best = self._choose(rows, recipe, dealt, most)
        fitted = next(islice(rounds_on(rows, recipe), best.steps, None))
        self.rounds_, self.ridge_ = best.steps, float(recipe.ridge[best.penalty])
        self.outer_product_ = fitted.outer_product(rows.share)
        self.stretch_, self.fit_ = fitted.stretch, fitted.at(best.penalty)
        return self

    def predict(self, X: Any) -> Array:
        """Predictions for the rows of `X`, (n, d): (n,) or (n, k), as the labels were."""
        x = checked_rows(self, X)
        with one_blas_thread():
            found = self.fit_.predict(self._inputs(x) @ self.stretch_)
        columns = found * self.label_scales_ + self.label_means_
        return np.asarray(columns[:, 0] if self._is_flat else columns)

    def _choose(self, rows: Rows, recipe: Recipe, dealt: np.ndarray, most: int) -> Candidate:
        """The number of rounds and the penalty, by errors on the rows of each fold of the fit without them."""
        errors = np.empty((most + 1, len(recipe.ridge), len(dealt)))
        progress = progress_of(self, f"{len(dealt)} rows")
        folds = np.unique(dealt)
        for done, fold in enumerate(folds):
            out = dealt == fold
            kept = rows[~out]
            for number, one in enumerate(islice(rounds_on(kept, recipe), most + 1)):
                errors[number][:, out] = _missed(one, rows[out])
                if progress is not None:
                    progress((done + (number + 1) / (most + 1)) / (len(folds) + 1))
        candidates = []
        for number in range(most + 1) if self.rounds == "auto" else [most]:
            best = best_penalty(errors[number], rows.share)
            candidates.append(Candidate(0.0, number, best, errors[number][best], list))
        self.held_out_errors_ = {one.steps: float(rows.share @ one.errors) / rows.y.shape[1] for one in candidates}
        chosen = best_of(candidates, rows.share)
        self.held_out_score_ = 1 - self.held_out_errors_[chosen.steps]
        return chosen

    def _inputs(self, x: Any) -> Array:
        return np.asarray(self.inputs_.rows(x), dtype=np.float64)

    def _most_rounds(self) -> int:
        if isinstance(self.rounds, str):
            require(
                self.rounds == "auto", f"rounds = {self.rounds!r} is not allowed; it must be 'auto' or a whole number"
            )
            return MOST_ROUNDS
        return whole_number("rounds", self.rounds, least=0)

    def _recipe(self, n: int) -> Recipe:
        width = real_number("bandwidth", self.bandwidth, "a number above 0", least=1e-6)
        if isinstance(self.ridge, str):
            require(self.ridge == "loo", f"ridge = {self.ridge!r} is not allowed; it must be 'loo' or positive numbers")
            ridge = np.array(RIDGE) / n
        else:
            ridge = positive_path(self.ridge)
        return Recipe(self.kernel, width, ridge, bool(self.diagonal))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def _missed(fitted: Round, out: Rows) -> Array:
    """Squared errors on rows that were held out, summed over labels, for each penalty, (L, rows)."""
    with one_blas_thread():
        return np.asarray(((out.y - fitted.predict(np.asarray(out.x))) ** 2).sum(axis=2))
