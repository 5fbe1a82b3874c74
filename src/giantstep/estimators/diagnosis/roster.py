"""The learners that are compared, the simplest first, and the lines of Python that refit each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from giantstep.arrays import Array
from giantstep.estimators.diagnosis.folds import Rows
from giantstep.estimators.diagnosis.tables import Table

PENALTIES = np.logspace(-3, 5, 25)
TREES = {"max_leaf_nodes": [3, 12, 31]}
CLASS_TREES = {"max_iter": [30, 100], "max_leaf_nodes": [3, 12]}
KERNELS = (
    "ntk(relu)",
    "gaussian",
    "product",
)  # the kinds that recursive features start from: what these add is features


@dataclass(frozen=True)
class Learner:
    """A learner that chooses its own settings from the rows it is given.

    Args:
        name: what tables and pictures call it.
        what: it does, in a few words.
        make: an unfitted estimator, from a seed and whether the label is a class.
        code: lines of Python that make it, as text; `{seed}` stands for the seed.
        class_code: the same for a label of classes, where it is another.
        learns_features: whether it adapts its features to the label.
        gives_classes: whether it takes classes as they are and gives their probabilities.
    """

    name: str
    what: str
    make: Callable[[int, bool], Any]
    code: str
    class_code: str = ""
    learns_features: bool = False
    gives_classes: bool = False

    def lines(self, seed: int, is_class: bool) -> str:
        """The lines that make it."""
        return (self.class_code if is_class and self.class_code else self.code).format(seed=seed)

    def predict(self, table: Table, train: Rows, test: Rows, seed: int) -> Array:
        """Predictions for the test rows, shape (rows, q), by what was learned from the training rows."""
        from threadpoolctl import threadpool_limits

        is_class = bool(table.classes)
        model = self.make(seed, is_class)
        x, new = table.inputs[train], table.inputs[test]
        with threadpool_limits(1, user_api="openmp"):  # trees: on a busy machine threads spin
            if is_class and self.gives_classes:
                return _probabilities(model.fit(x, table.label[train]), new, table.labels.shape[1])
            y = table.labels[train]
            one = y.shape[1] == 1
            predicted = model.fit(x, y[:, 0] if one else y).predict(new)
        return np.asarray(predicted, dtype=np.float64).reshape(test.size, -1)


def _probabilities(model: Any, new: Array, count: int) -> Array:
    """Probabilities in the columns of their classes; the second alone where there are two."""
    classes = max(count, 2)
    found = np.zeros((new.shape[0], classes))
    found[:, model.classes_.astype(int)] = model.predict_proba(new)
    return found[:, 1:] if count == 1 else found


def _linear(seed: int, is_class: bool) -> Any:
    del seed, is_class
    from sklearn.linear_model import RidgeCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), RidgeCV(PENALTIES))


def _kernel_ridge(seed: int, is_class: bool) -> Any:
    del seed, is_class
    from giantstep.estimators.predictors import LazyRegressor

    return LazyRegressor(list(KERNELS))


def _giant_steps(**settings: Any) -> Callable[[int, bool], Any]:
    def make(seed: int, is_class: bool) -> Any:
        del is_class
        from giantstep.estimators.predictors import GiantStepRegressor

        return GiantStepRegressor(**settings, random_state=seed)

    return make


def _recursive(seed: int, is_class: bool) -> Any:
    del is_class
    from giantstep.estimators.predictors import RecursiveFeatureRegressor

    return RecursiveFeatureRegressor(random_state=seed)


def _boosting(seed: int, is_class: bool) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    from sklearn.model_selection import GridSearchCV, KFold

    if is_class:  # without early stopping, which sets rows aside that a rare class has not
        trees, settings = HistGradientBoostingClassifier(random_state=seed, early_stopping=False), CLASS_TREES
    else:
        stop = {"max_iter": 1000, "n_iter_no_change": 15, "validation_fraction": 0.15}
        trees, settings = HistGradientBoostingRegressor(random_state=seed, early_stopping=True, **stop), TREES
    return GridSearchCV(trees, settings, cv=KFold(3, shuffle=True, random_state=seed))


def _own(made: str) -> tuple[str, str]:
    """The lines that make an estimator of ours; of classes it predicts one column of 0 and 1 each."""
    name = made.split("(")[0]
    code = f"from giantstep.estimators import {name}\n\nmodel = {made}"
    columns = "y = LabelBinarizer().fit_transform(y)  # columns of 0 and 1: predictions are shares of the classes"
    return code, f"from sklearn.preprocessing import LabelBinarizer\n{code}\n{columns}"


def _own_steps(settings: str) -> tuple[str, str]:
    """The same for giant steps, which have a classifier."""
    code, _ = _own(f"GiantStepRegressor({settings})")
    return code, code.replace("GiantStepRegressor", "GiantStepClassifier")


SCALED = "from sklearn.pipeline import make_pipeline\nfrom sklearn.preprocessing import StandardScaler\n\n"

LEARNERS = (
    Learner(
        "linear",
        "ridge regression on standardised columns",
        _linear,
        f"from sklearn.linear_model import RidgeCV\n{SCALED}"
        "model = make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 5, 25)))",
        f"from sklearn.linear_model import RidgeClassifierCV\n{SCALED}"
        "model = make_pipeline(StandardScaler(), RidgeClassifierCV(np.logspace(-3, 5, 25)))",
    ),
    Learner(
        "kernel ridge",
        "features that stay: the tangent kernel of a ReLU network, a Gaussian one or one of single columns; kernel and "
        "penalty by leave-one-out",
        _kernel_ridge,
        *_own(f"LazyRegressor({list(KERNELS)})".replace("'", '"')),
    ),
    Learner(
        "random features",
        "400 ReLU neurons as they were drawn, and the columns themselves; ridge head",
        _giant_steps(step=0),
        *_own_steps("step=0, random_state={seed}"),
    ),
    Learner(
        "one step",
        "random features after one giant step, if one is better on rows it has not seen",
        _giant_steps(steps=1),
        *_own_steps("steps=1, random_state={seed}"),
        learns_features=True,
    ),
    Learner(
        "several steps",
        "random features after up to four giant steps, each on what the head before it misses",
        _giant_steps(),
        *_own_steps("random_state={seed}"),
        learns_features=True,
    ),
    Learner(
        "recursive features",
        "a kernel whose metric is learned from the gradients of its fits, in up to four rounds",
        _recursive,
        *_own("RecursiveFeatureRegressor(random_state={seed})"),
        learns_features=True,
    ),
    Learner(
        "gradient boosting",
        "trees, each on what the ones before it miss; number and size chosen inside the training rows",
        _boosting,
        "from sklearn.ensemble import HistGradientBoostingRegressor\n"
        "from sklearn.model_selection import GridSearchCV, KFold\n\n"
        "trees = HistGradientBoostingRegressor(\n"
        "    early_stopping=True, max_iter=1000, n_iter_no_change=15, validation_fraction=0.15, random_state={seed}\n"
        ")\n"
        'settings = {{"max_leaf_nodes": [3, 12, 31]}}\n'
        "model = GridSearchCV(trees, settings, cv=KFold(3, shuffle=True, random_state={seed}))",
        "from sklearn.ensemble import HistGradientBoostingClassifier\n"
        "from sklearn.model_selection import GridSearchCV, KFold\n\n"
        "trees = HistGradientBoostingClassifier(early_stopping=False, random_state={seed})\n"
        'settings = {{"max_iter": [30, 100], "max_leaf_nodes": [3, 12]}}\n'
        "model = GridSearchCV(trees, settings, cv=KFold(3, shuffle=True, random_state={seed}))",
        gives_classes=True,
    ),
)
