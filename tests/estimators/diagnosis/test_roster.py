"""The learners and methods that a diagnosis compares: the lines it prints make what it has judged."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from giantstep.estimators import directions
from giantstep.estimators.diagnosis.finding import METHODS
from giantstep.estimators.diagnosis.reading import table_from
from giantstep.estimators.diagnosis.roster import LEARNERS, Learner

DRAW = np.random.default_rng(0)
X = DRAW.standard_normal((240, 3))


def made_by_lines(learner: Learner, y: Any, is_class: bool) -> Any:
    scope: dict[str, Any] = {"np": np, "X": X, "y": y}
    exec(f"{learner.lines(3, is_class)}\nmodel.fit(X, y)", scope)
    return scope["model"]


def test_all_that_the_house_has_is_compared() -> None:
    assert [one.name for one in LEARNERS] == [
        "linear", "kernel ridge", "random features", "one step", "several steps", "recursive features",
        "gradient boosting",
    ]  # fmt: skip
    methods = {name for name in directions.__all__ if name != "Directions"}
    assert {one.class_name for one in METHODS} == methods


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda one: one.name)
def test_the_lines_make_the_learner_that_was_judged(learner: Learner) -> None:
    assert repr(made_by_lines(learner, X[:, 0], False)) == repr(learner.make(3, False))


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda one: one.name)
@pytest.mark.parametrize("count", [2, 3])
def test_classes_are_learned_and_the_lines_predict_them(learner: Learner, count: int) -> None:
    y = np.array(["a", "b", "c"])[np.searchsorted([-0.3, 0.3], X[:, 0])] if count == 3 else np.where(X[:, 0] > 0, 1, 0)
    table = table_from(X, y.astype(str))
    said = learner.predict(table, np.arange(180), np.arange(180, 240), 3)
    assert said.shape == (60, table.labels.shape[1])
    truth = table.labels[180:]
    assert ((said - truth) ** 2).mean() < 0.8 * truth.var(axis=0).mean(), "better than the mean"
    told = np.asarray(made_by_lines(learner, y, True).predict(X))
    if told.dtype.kind == "f":  # one column of 0 and 1 a class
        told = told.reshape(240, -1)
        told = np.unique(y)[told.argmax(axis=1) if count == 3 else (told[:, 0] > 0.5).astype(int)]
    assert (told == y).mean() > 0.6, "chance gives a half or a third"
