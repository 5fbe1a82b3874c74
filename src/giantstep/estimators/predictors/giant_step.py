"""The estimators of giant steps: numbers and classes."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from giantstep.arrays import Array
from giantstep.errors import InputError
from giantstep.estimators.predictors.choosing import Rows
from giantstep.estimators.predictors.probabilities import Probabilities
from giantstep.estimators.predictors.stepping import GiantStep
from giantstep.estimators.predictors.tables import read_table, table_of
from giantstep.estimators.scikit import ClassifierMixin, RegressorMixin, check_classification_targets, validate_data

PARAMETERS = """

    Args:
        activation: sigma as text, such as "relu", "tanh" or "erf".
        neurons: N.
        step: length of the first move of the weights in lengths of the weights; 0 for random features, "auto" to choose
            among 0, 0.5, 2 and 8, where 0 wins unless another is better by more than a standard error.
        steps: how many steps, or "auto" to choose up to 4.
        ridge: penalty of the head, per neuron, where errors are averaged over rows; "loo" to choose among 19, or
            a number, or several to choose from.
        split: True: steps on one half of the rows and the head on the other, and the other way round; choices are made
            by leave-one-out of the heads, whose labels no step has seen, and the two predictors are averaged. False:
            steps and head on all rows; choices are made by `cv` folds over the whole fit.
        cv: number of folds, or a splitter or list of splits as in scikit-learn; for split=False.
        inputs: "whitened" (with shrinkage) or "standardised".
        gaussianise: whether columns are mapped to normal scores first: for long tails.
        random_state: of network and halves, as everywhere in scikit-learn; a number gives the same bits each time.
        verbose: whether a long fit tells how far it is.

    With fewer than 8 rows no step is taken.

    Fitted attributes: `step_`, `steps_` and `ridge_`, what was chosen; `held_out_errors_`, for each (step, steps) that
    was tried the mean squared error, in variances of the labels, on labels that its fit had not seen;
    `held_out_score_`, the R^2 of the chosen one by these; `parts_`, the predictors whose mean is taken, each with its
    `features.network`.
    """


class GiantStepRegressor(RegressorMixin, GiantStep):
    __doc__ = (
        """A two-layer network after giant steps: whiten, step, ridge head, all chosen on labels that were not seen."""
        + PARAMETERS
        + """
    >>> x = np.random.default_rng(0).standard_normal((400, 10))
    >>> model = GiantStepRegressor(neurons=100, random_state=0).fit(x, x[:, 0] * x[:, 1])
    >>> model.step_ > 0, bool(model.held_out_score_ > 0.6)
    (True, True)
    """
    )

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose and fit.

        Args:
            X: the table, (n, d).
            y: numbers to predict, (n,) or (n, k).
            sample_weight: weights of the rows, (n,), which enter centring, gradient, head and errors.
        """
        return self._fit_table(read_table(self, X, y, sample_weight))

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from one more block of a table, which may be larger than memory: its blocks in turn, each once.

        The first block must be like the rest: it gives the scales of columns and labels, and one half of it the steps
        (one of each size unless `steps` says more). From then on each block is predicted before it is learned,
        and these errors choose step size and penalty. Memory: a block, and a square of `neurons` for each size.

        Args:
            X: rows of the table, (n, d).
            y: their numbers, (n,) or (n, k).
            sample_weight: weights of the rows, (n,).
        """
        return self._add_block(read_table(self, X, y, sample_weight, reset=not hasattr(self, "stream_")))

    def predict(self, X: Any) -> Array:
        """Predictions for the rows of `X`, (n, d): (n,) or (n, k), as the labels were."""
        columns = self._predicted(X)
        return columns[:, 0] if self._is_flat else columns

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


class GiantStepClassifier(ClassifierMixin, GiantStep):
    __doc__ = (
        """A two-layer network after giant steps that tells classes: least squares on 0 and 1 for each class."""
        + PARAMETERS
        + """
    >>> x = np.random.default_rng(0).standard_normal((400, 10))
    >>> model = GiantStepClassifier(neurons=100, random_state=0).fit(x, np.where(x[:, 0] > 0, "yes", "no"))
    >>> model.classes_.tolist(), bool(model.score(x, np.where(x[:, 0] > 0, "yes", "no")) > 0.9)
    (['no', 'yes'], True)

    `predict_proba` gives probabilities that were made honest on labels that were not seen (`probabilities_`).
    """
    )

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose and fit.

        Args:
            X: the table, (n, d).
            y: classes, (n,): numbers or texts.
            sample_weight: weights of the rows, (n,), which enter centring, gradient, head and errors.
        """
        x, y = validate_data(self, X, y, dtype=[np.float64, np.float32])
        check_classification_targets(y)
        self._name_classes(y)
        return self._fit_table(table_of(x, self._columns(y), sample_weight))

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from one more block of a table, which may be larger than memory: its blocks in turn, each once.

        The first block must be like the rest, as for `GiantStepRegressor.partial_fit`.

        Args:
            X: rows of the table, (n, d).
            y: their classes, (n,).
            classes: all classes that will come, with the first block; those of that block unless given.
            sample_weight: weights of the rows, (n,).
        """
        is_first = not hasattr(self, "stream_")
        x, y = validate_data(self, X, y, dtype=[np.float64, np.float32], reset=is_first)
        check_classification_targets(y)
        if is_first:
            self._name_classes(y if classes is None else classes)
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown):
            raise InputError(f"the class '{unknown[0]}' is new; give all classes with the first block: classes=...")
        return self._add_block(table_of(x, self._columns(y), sample_weight, fewest=2 if is_first else 1))

    def decision_function(self, X: Any) -> Array:
        """How much speaks for each class, (n, classes), or for the second of two, (n,), for the rows of `X`, (n, d)."""
        columns = self._predicted(X)
        return columns[:, 0] if len(self.classes_) == 2 else columns

    def predict(self, X: Any) -> Any:
        """The classes of the rows of `X`, (n, d)."""
        found = self.decision_function(X)
        return self.classes_[(found > 0).astype(int) if found.ndim == 1 else found.argmax(axis=1)]

    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the classes, in the order of `classes_`, (n, classes), for the rows of `X`, (n, d).

        The shares that least squares says, floored and raised to a power, so that labels which were not seen when
        their shares were said are likeliest (with `partial_fit`, those of the last block). The likeliest class is that
        of `predict`.
        """
        columns = self._predicted(X)
        return self.probabilities_(self._shares(columns))

    def predict_log_proba(self, X: Any) -> Array:
        """Logarithms of `predict_proba` for the rows of `X`, (n, d): (n, classes)."""
        return np.asarray(np.log(self.predict_proba(X)))

    def _judge(self, said: Array, labels: Array, rows: Rows, total: float) -> None:
        self.probabilities_ = Probabilities.fitting(self._shares(said), self._shares(labels), rows.share, total)

    def _shares(self, columns: Array) -> Array:
        """Shares of all classes, (n, classes), from the columns that are predicted."""
        return np.column_stack([1 - columns, 1 + columns]) / 2 if len(self.classes_) == 2 else columns

    def _name_classes(self, y: Any) -> None:
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise InputError(f"a classifier needs two classes, and all labels are of one class, '{self.classes_[0]}'")

    def _columns(self, y: Any) -> Array:
        """-1 and 1 for two classes, (n,), or 0 and 1 for each of more, (n, classes)."""
        if len(self.classes_) == 2:
            return np.where(y == self.classes_[1], 1.0, -1.0)
        return np.asarray(y[:, None] == self.classes_, dtype=np.float64)
